"""The benchmark: its model finds the constants it was made with, and its page is whole."""

import re
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import distributed
from benchmarks.cluster import workers as clusters
from benchmarks.cluster.cost_model import Costs, Network, Point, fit_costs, fit_network
from benchmarks.cluster.workers import Exchange, Size, collections, make_part


def test_the_network_is_found_from_exchanges():
    network = Network(hop=2e-4, bandwidth=3e9)
    sizes = [(w, n) for w in (2, 4, 8) for n in (8, 40_000, 800_000)]
    found = fit_network([Exchange(w, n, network.exchange(w, n)) for w, n in sizes])
    assert found.hop == pytest.approx(network.hop)
    assert found.bandwidth == pytest.approx(network.bandwidth)
    assert network.exchange(1, 1e9) == 0.0


def test_the_costs_are_found_from_trees():
    costs = Costs(2e-9, 3e-4, Network(1e-4, 1e9), cores=2)
    made = [
        Point(rows, 50, workers, 90.0, 100.0, 2e7, 0.0)
        for rows in (500_000, 2_000_000)
        for workers in (1, 2, 4)
    ]
    points = [replace(p, seconds=costs.tree(p)) for p in made]
    found = fit_costs(points, costs.network, 2)
    assert found.per_value == pytest.approx(costs.per_value)
    assert found.per_feature == pytest.approx(costs.per_feature)


def test_workers_make_the_same_table_wherever_they_are():
    np.testing.assert_array_equal(make_part(3, 50, 12), make_part(3, 50, 12))
    share = make_part(0, 5_000, 12)[:, -1].mean()
    assert 0.4 < share < 0.6


def test_it_measures_and_writes_a_whole_page(client, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(clusters, "EXCHANGES", ((1, 3), (100, 3)))
    monkeypatch.setattr(distributed, "find_spec", lambda name: None)  # no peers
    monkeypatch.setattr(distributed, "cluster", lambda n: _Lent(client))
    path = tmp_path / "scale.md"
    sizes = ["--rows", "4000", "--features", "12", "--partitions", "3", "--workers", "3"]
    arguments = [*sizes, "--trees", "1", "2", "--repeats", "1", "--report", "--output", str(path)]
    assert distributed.main(arguments) == 0
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\{\w+\}", text)
    assert str(tmp_path) not in text
    assert "`python -m benchmarks.distributed --report --rows 4000 --features 12" in text
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 3 | ours")]
    assert len(rows) == 1
    with pytest.raises(SystemExit):
        distributed.main(["--trees", "3", "2"])
    assert "a small number of trees" in capsys.readouterr().err


class _Lent:
    """A client that is not closed at the end of its context."""

    def __init__(self, client):
        self._client = client

    def __enter__(self):
        return self._client

    def __exit__(self, *_):
        return None


def test_collections_have_the_partitions_asked_for(client):
    X, y = collections(Size(100, 12, 3))
    assert X.shape == (100, 12)
    assert X.numblocks == (3, 1)
    assert set(np.unique(y.compute()).tolist()) == {0, 1}
