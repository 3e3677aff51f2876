"""The benchmark of embeddings runs by one command and compares what it says."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import embedding as benchmark
from horotree.trees import monotonic


@pytest.fixture
def folder(tmp_path):
    """Return a folder with one domain, noisy enough for trees of some size."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    target = (X[:, 0] * X[:, 1] + rng.normal(0.0, 0.7, 300) > 0.0).astype(int)
    table = pd.DataFrame(X, columns=list("abcd")).assign(target=target)
    table.to_csv(tmp_path / "ionosphere.csv.gz", index=False)
    return tmp_path


def cells(line):
    return [cell.strip() for cell in line.strip("| ").split("|")]


def test_one_table_compares_the_methods(capsys, folder):
    arguments = ["--data", str(folder), "--sets", "iono", "--trees", "2", "--quick"]
    assert benchmark.main([*arguments, "--repeats", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {cells(line)[0]: cells(line)[1:] for line in lines if line.startswith("| ")}
    assert set(benchmark.METHODS) < set(rows)
    for name in benchmark.METHODS:
        n_trees, error, crossings, *_ = rows[name]
        assert int(n_trees) > 0
        if name.startswith("exact"):
            assert (error, crossings) == ("0.0 (0.0)", "0 (0)")
        else:
            assert float(error.split()[0]) > 0.0
    assert any(line.startswith("20 trees × 201 nodes") for line in lines)
    assert lines[-1].startswith("Slope of log time")


def test_errors_are_printed_next_to_those_of_the_authors_program(capsys, folder, monkeypatch):
    monkeypatch.setattr(benchmark, "N_FOLDS", 3)
    arguments = ["--data", str(folder), "--reference", "--repeats", "1"]
    assert benchmark.main(arguments) == 0
    captured = capsys.readouterr()
    rows = [cells(line) for line in captured.out.splitlines() if line.startswith("| ionosphere")]
    assert [row[1] for row in rows] == ["ours", "authors' program", "standard error"]
    assert rows[1][2] == "10.3"
    assert all(0.0 < float(cell) < 40.0 for cell in rows[0][2:])
    assert "left out: tictactoe, for want of tictactoe.csv.gz" in captured.err


def test_generated_trees_are_kept_whole():
    (ensemble,) = benchmark.boosted(np.random.default_rng(0), 3, 101).ensembles
    assert [len(monotonic(tree)) for tree in ensemble.trees] == [201, 201, 201]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--data", "nowhere"], "there is no folder nowhere"),
        (["--sets", "nothing"], "'nothing' is 0 of the sets"),
    ],
)
def test_what_cannot_be_done_is_one_readable_line(arguments, reason, capsys):
    assert benchmark.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith(f"Error: {reason}")
