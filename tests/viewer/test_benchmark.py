"""The benchmark of the viewer runs by one command, and says what holds and what is missing."""

import pytest

from benchmarks import view as benchmark
from benchmarks.models import peer_views


def test_every_figure_is_printed_with_its_limit(capsys, chromium):
    # Limits of time are for the benchmark itself: machines that run tests are busy.
    assert benchmark.main(["--quick"]) in {0, 1}
    lines = capsys.readouterr().out.splitlines()
    limits = {line.split("|")[1].strip(): line for line in lines if line.startswith("|")}
    assert limits["viewer.js, gzip"].endswith("| 60 kB | yes |")
    assert limits["page of 5 × 201 nodes"].endswith("| 1,200 kB | yes |")
    assert "| 400 ms |" in limits["first paint, 5 trees"]
    assert "| 50 ms |" in limits["attributions of a row, 5 trees"]
    assert "| 200 ms |" in limits["change of a row, 5 trees"]
    assert "| 8 ms |" in limits["frame, t sliding, 200 nodes"]
    assert "| 1 ms |" in limits["hover, 200 nodes"]
    assert limits["page of 20 default trees, 2,000 rows"].endswith("| 5,000 kB | yes |")
    assert "| 10 s |" in limits["processor time, with 400 rows held out"]
    assert {"horotree", "supertree", "dtreeviz"} <= set(limits)


@pytest.mark.parametrize(
    ("value", "limit", "end"),
    [(9.0, 8.0, "| 9.0 ms | 8 ms | NO |"), (7.0, 8.0, "| 7.0 ms | 8 ms | yes |")],
)
def test_a_limit_that_does_not_hold_is_told(value, limit, end):
    assert str(benchmark.Line("frame", value, limit, "ms")).endswith(end)


def test_peers_that_are_not_there_are_named(monkeypatch):
    monkeypatch.setattr(peer_views, "find_spec", lambda name: None)
    assert peer_views.measure_peer("supertree", None, None, None) == "not installed"
