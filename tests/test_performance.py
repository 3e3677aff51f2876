"""The report on performance measures what it says, and one section can be measured again."""

import itertools
import math

import numpy as np
import pytest

from benchmarks import fit, limit, memory, predict, reach, scaling
from benchmarks.machinery import cores, fit_report, report
from benchmarks.machinery.data import breast_cancer, synthetic
from benchmarks.machinery.race import MOST_TRIES, race
from benchmarks.machinery.rows import ROWS, Scope, Split, judged, split
from benchmarks.models import classifiers, other_classifiers
from horotree.training import find_bins
from horotree.training.induction import Examples


@pytest.fixture(scope="module")
def small():
    """Return few examples under the name of a row."""
    return split("small", synthetic(1_000, 8))


def tables(text):
    """Return the rows of cells of a text's tables, without heads."""
    found, rows = [], None
    for line in text.splitlines():
        if not line.startswith("|"):
            rows = None
            continue
        cells = [cell.strip() for cell in line[1:-1].split("|")]
        if rows is None:
            rows = []
            found.append(rows)
        elif set(cells) != {"---"}:
            rows.append(cells)
    return found


def column(rows, place):
    return [row[place] for row in rows]


def test_a_race_alternates_and_takes_medians_of_both_clocks():
    called = []
    entries = [("a", 1), ("b", 2)]
    calls = {entry: lambda entry=entry: called.append(entry) or entry[0] for entry in entries}
    cpu = itertools.accumulate([1.0, 5.0, 1.0, 7.0, 1.0, 9.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0])
    wall = itertools.count(0.0, 0.5)
    a, b = race(calls, 3, (lambda: next(cpu), lambda: next(wall))).values()
    assert called == entries * 3
    assert (a.cpu, a.wall, a.returned) == (5.0, 0.5, "a")
    assert (b.cpu, b.wall, b.returned) == (3.0, 0.5, "b")


def test_what_others_disturb_is_timed_again_but_not_for_ever():
    is_ours = iter([True, True, False, True, False, True, True] + [False] * 99)
    called = []
    calls = {("a", 2): lambda: called.append("a"), ("b", 2): lambda: called.append("b")}
    a, b = race(calls, 2, is_ours=lambda: next(is_ours)).values()
    assert "".join(called) == "a" + 3 * "b" + MOST_TRIES * "a" + MOST_TRIES * "b"
    assert (a.n_again, b.n_again) == (MOST_TRIES - 1, 2 + MOST_TRIES - 1)
    assert not a.counts
    assert not b.counts


def test_fits_do_not_count_while_others_use_the_cores(monkeypatch):
    others = iter([5.0, 5.0, 9.0, 9.0])
    monkeypatch.setattr(cores, "are_whole", lambda: True)
    monkeypatch.setattr(cores, "others_seconds", lambda: next(others))
    alone = cores.Alone()
    assert [alone(), alone(), alone()] == [True, False, True]


def test_goals_are_reached_at_the_bound():
    assert judged(0.45, 0.45) == "0.45 ✓"
    assert judged(0.451, 0.45) == "0.45 ✗"
    assert judged(1.5, 1.5, most=False) == "1.50 ✓"
    assert judged(1.49, 1.5, most=False) == "1.49 ✗"
    assert judged(math.nan, 1.0) == "nan ✗"
    assert judged(0.4, 0.45, counts=False) == "0.40 ?"


def test_cores_answer_each_other_in_less_than_a_second():
    text = cores.tell_answers()
    assert text == "one core" or 0.0 < float(text.removesuffix(" µs")) < 1e6


def test_whole_cores_are_told_by_what_two_threads_take(monkeypatch):
    assert 0.0 < cores.whole_cores() < 10.0
    monkeypatch.setattr(cores, "cpu_count", lambda: 2)
    seconds = {1: 1.0, 2: 1.05}
    monkeypatch.setattr(cores, "_compute", lambda n_threads: seconds[n_threads])
    assert cores.are_whole()
    seconds[2] = 1.5
    assert not cores.are_whole()
    monkeypatch.setattr(cores, "cpu_count", lambda: 1)
    assert cores.are_whole()


def test_fits_stand_next_to_what_they_must_reach(monkeypatch):
    monkeypatch.setattr(fit_report, "MANY_ROWS", 400)
    monkeypatch.setattr(fit_report, "ONCE", ("breast_cancer",))
    monkeypatch.setattr(fit_report, "find_others", lambda: ["AdaBoost"])
    text = fit_report.write_fits(Scope({"breast_cancer": breast_cancer}, ["HGB"], 1, trees=3))
    fits, once, speed_ups = tables(text)
    ours, theirs = fits
    assert ours[:3] == ["breast_cancer 456×30", "3", "ours"]
    assert theirs[2] == "HGB"
    assert [ours[5], ours[8], theirs[5], theirs[8]] == ["0.60", "0.60", "", ""]
    assert theirs[4] == theirs[7] == "1.00"
    assert [row[2] for row in once] == ["AdaBoost"]
    assert column(speed_ups, 1) == ["ours", "HGB"]
    for row in (ours, theirs, *once):
        leaves, error, _ = map(float, row[-3:])
        assert 2.0 <= leaves <= 101.0
        assert error < 20.0


def test_targets_are_those_of_the_fastest_peer_on_each_number_of_threads(small):
    results = {
        ("ours", 1): _result(cpu=3.0),
        ("ours", 2): _result(wall=2.0),
        ("A", 1): _result(cpu=10.0),
        ("A", 2): _result(wall=4.0),
        ("B", 1): _result(cpu=6.0),
        ("B", 2): _result(wall=5.0),
    }
    ours, a, b = fit_report.fit_rows(small, 7, results)
    assert (ours[4], ours[7]) == ("0.50 ✗", "0.50 ✗")  # 0.34 and 0.45 wanted
    assert (a[4], a[7], b[4], b[7]) == ("1.67", "1.00", "1.00", "1.25")
    assert (ROWS["small"].cpu_target, ROWS["small"].wall_target) == (0.34, 0.45)


def test_a_disturbed_fit_is_not_judged(small):
    results = {
        ("ours", 1): _result(cpu=3.0),
        ("ours", 2): _result(wall=2.0),
        ("A", 1): _result(cpu=10.0),
        ("A", 2): _result(wall=10.0, counts=False),
    }
    ours, _ = fit_report.fit_rows(small, 7, results)
    assert (ours[4], ours[7]) == ("0.30 ✓", "0.20 ?")


def test_a_speed_up_counts_only_if_a_peer_has_one():
    data = Split("many", np.zeros((4, 1)), np.zeros(4), None, None)
    results = {
        ("ours", 1): _result(wall=1.8),
        ("ours", 2): _result(wall=1.0),
        ("A", 1): _result(wall=1.0),
        ("A", 2): _result(wall=1.0),
    }
    assert fit_report.speed_up_rows(data, results, "near")[0][4] == "1.80"
    results["A", 2] = _result(wall=0.8)
    assert fit_report.speed_up_rows(data, results, "near")[0][4] == "1.80 ✓"
    results["ours", 2] = _result(wall=1.2)
    assert fit_report.speed_up_rows(data, results, "near")[0][4] == "1.50 ✗"
    results["ours", 2] = _result(wall=1.2, counts=False)
    assert fit_report.speed_up_rows(data, results, "near")[0][4] == "1.50 ?"


def _result(cpu=1.0, wall=1.0, *, counts=True):
    return fit_report.Result(cpu, wall, 101.0, 0.1, 0.3, counts=counts)


@pytest.mark.parametrize("name", list(other_classifiers.OTHERS))
def test_peers_that_run_once_read_categories_and_have_as_many_leaves(name, require):
    require(other_classifiers.OTHER_PACKAGES[name])
    pd = require("pandas")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"number": rng.normal(size=400), "color": rng.choice(["red", "blue"], 400)})
    X = X.astype({"color": "category"})
    y = (X["number"] + (X["color"] == "red") + rng.normal(size=400) > 0.5).to_numpy(np.int64)
    model = other_classifiers.OTHERS[name](1, 3, 9).fit(X, y)
    posterior = model.predict_proba(X)
    assert classifiers.mean_leaves(model) == 9.0
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    assert np.mean((posterior[:, 1] > 0.5) == y) > 0.7


def test_losses_along_the_way_are_those_of_fits_that_end_there(small, require):
    require("lightgbm")
    for make, losses in (
        (classifiers.our_sized, reach.our_losses),
        (classifiers.lightgbm, reach.lightgbm_losses),
    ):
        path = losses(make(1, 6, 9).fit(small.X, small.y), small)
        short = make(1, 4, 9).fit(small.X, small.y)
        assert len(path) == 6
        assert losses(short, small) == pytest.approx(path[:4], abs=1e-12)
        posterior = short.predict_proba(small.X_test)[:, 1]
        expected = -np.log(np.where(small.y_test == 1, posterior, 1.0 - posterior)).mean()
        assert path[3] == pytest.approx(expected)


def test_the_time_to_a_goal_is_that_of_the_first_trees_that_reach_it(small, require, monkeypatch):
    require("lightgbm")
    # On its way down LightGBM has had less than what it ends with.
    monkeypatch.setattr(reach, "lightgbm_losses", lambda *_: [0.6, 0.54, 0.5, 0.55])
    monkeypatch.setattr(reach, "our_losses", lambda *_: [0.7, 0.6, 0.54, 0.51, 0.5, 0.4])
    end, least = reach.reach_rows(small, 4, 1, 1)
    assert end[:3] == ["small 800×8", "0.5500 (at the end)", "2"]
    assert least[:3] == ["small 800×8", "0.5000 (least)", "3"]
    assert (end[4], least[4]) == ("3", "5")
    assert all(float(row[place]) > 0.0 for row in (end, least) for place in (3, 5))
    monkeypatch.setattr(reach, "our_losses", lambda *_: [0.7, 0.55])
    reached, missed = reach.reach_rows(small, 3, 1, 1)
    assert reached[4] == "2"
    assert missed[4:] == ["more than 2", "(least log-loss 0.5500)", "not reached ✗"]
    monkeypatch.setattr(reach, "lightgbm_losses", lambda *_: [0.6, 0.5])
    assert len(reach.reach_rows(small, 2, 1, 1)) == 1


def test_no_goal_without_lightgbm(small):
    assert "not installed" in reach.write_reach(Scope({}, ["HGB"]))


def test_predictions_are_timed_in_batches_and_one_by_one():
    models, X = predict.fit_models(300, 100, 2, ["ours", "HGB"])
    assert X.shape == (100, predict.N_FEATURES)
    (batch,) = tables(predict.batch_table(models, X, 1))
    assert column(batch, 0) == ["ours", "HGB"]
    assert batch[1][2] == "1.00"
    (single,) = tables(predict.single_table(models, X[:1].copy(), 3, 1))
    calls = ["ours: `Ensemble.score`", "ours: `predict_proba`", "HGB: `predict_proba`"]
    assert column(single, 0) == calls
    assert column(single, 2) == ["15.0", "", ""]  # LightGBM, to compare with, is not among them


@pytest.mark.skipif(not memory.tells_peaks(), reason="the system does not tell its peaks")
def test_a_fit_takes_at_least_the_memory_of_its_bins():
    ((name, megabytes, _, _),) = memory.peak_rows(30_000, 40, 1, ["ours"])
    assert name == "ours"
    assert 1.2 < float(megabytes) < 200.0  # a byte a bin


def test_importing_is_timed_in_new_processes():
    first, added = memory.import_times(1)
    assert first > 0.05
    assert 0.0 < added < 2.0


def test_horotree_may_add_three_tenths_of_a_second_to_imports(monkeypatch):
    for seconds, mark in ((0.29, "**0.29 s** ✓"), (0.31, "**0.31 s** ✗")):
        monkeypatch.setattr(memory, "import_times", lambda repeats, s=seconds: (1.0, s))
        assert mark in memory.write_imports(Scope({}, []))


def test_slopes_are_of_logarithms():
    assert scaling.slope([1.0, 2.0, 4.0], [3.0, 6.0, 12.0]) == pytest.approx(1.0)
    assert scaling.slope([1.0, 2.0, 4.0], [1.0, 4.0, 16.0]) == pytest.approx(2.0)


def test_cost_is_measured_in_rows_features_and_trees():
    lines = [
        scaling.row_times([100, 1_000], 4, 2, 1),
        scaling.feature_times(200, [2, 4], 2, 1),
        scaling.tree_times(200, 4, [2, 4], 1),
    ]
    assert column(lines, 0) == ["rows", "features", "trees"]
    assert lines[0][2] == "100 · 1,000"
    assert all(len(line) == 5 and len(line[3].split(" · ")) == 2 for line in lines)


def test_the_histogram_of_the_root_holds_all_rows_and_is_less_than_a_tree():
    data = synthetic(20_000, 20)
    binning = find_bins(data.X, np.zeros(20, np.int32), 255)
    examples = Examples(data.X, data.y == 1, binning, n_threads=1)
    (root,) = limit.grow_root(examples, 20)
    assert root["positive"] == np.count_nonzero(data.y == 1) << 20
    parts = limit.measure_parts(20_000, 20, 3)
    assert 0.0 < parts.root < parts.tree
    assert 0.0 < parts.share < 1.0


def test_rows_are_read_for_the_smaller_child_where_a_child_is_split():
    model = classifiers.our_sized(1, 1, 3).fit(np.arange(8.0)[:, None], [0, 0, 0, 1, 1, 0, 0, 0])
    (ensemble,) = model.model_.ensembles
    (tree,) = ensemble.trees
    assert tree.is_leaf.sum() == 3
    first, second = tree.count[tree.left[0]], tree.count[tree.right[0]]
    assert limit.rows_read(tree) == 1.0 + min(first, second) / 8.0


def test_a_clock_rate_is_the_fastest_cores(tmp_path):
    path = tmp_path / "cpuinfo"
    assert limit.clock_rate(path) is None
    path.write_text("model name : x\ncpu MHz\t\t: 2000.5\ncpu MHz\t\t: 2500.0\n", encoding="utf-8")
    assert limit.clock_rate(path) == 2.5e9
    assert limit.limit_row(500, 4, 2, None)[-1] == "unknown"


def test_one_section_can_be_measured_again_and_the_others_stay(tmp_path, monkeypatch, capsys):
    path = tmp_path / "new" / "performance.md"
    for name in report.SECTIONS:
        section = report.Section(f"The {name}", lambda scope, name=name: f"{name} on {scope.peers}")
        monkeypatch.setitem(report.SECTIONS, name, section)
    arguments = ["--report", "--quick", "--output", str(path)]
    assert fit.main(arguments) == 0
    first = report.read_sections(path)
    assert list(first) == list(report.SECTIONS)
    assert "`python -m benchmarks.fit --report --quick` on" in first["fit"]
    assert "horotree" in first["fit"]
    changed = report.Section("Limits", lambda scope: f"{scope.trees} trees\n\nagain")
    monkeypatch.setitem(report.SECTIONS, "limit", changed)
    assert fit.main([*arguments, "--only", "limit", "--trees", "5"]) == 0
    second = report.read_sections(path)
    assert {name: text for name, text in second.items() if name != "limit"} == {
        name: text for name, text in first.items() if name != "limit"
    }
    assert second["limit"].startswith(
        "5 trees\n\nagain\n\n<sub>`python -m benchmarks.fit --report "
    )
    assert "--only limit --trees 5 --quick` on" in second["limit"]
    text = path.read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert text.index("## The fit\n") < text.index("## Limits\n")
    assert "limit: 0 s, written to" in capsys.readouterr().err


def test_the_next_report_changes_no_word_of_the_one_that_is_there():
    text = report.DEFAULT_PATH.read_text(encoding="utf-8")
    assert report._join(report.read_sections(report.DEFAULT_PATH)) == text


def test_the_report_tells_what_others_took_of_the_cores(monkeypatch, capsys):
    watch = report.Watch()
    others = cores.others_seconds()
    monkeypatch.setattr(report, "others_seconds", lambda: others + 1e6)
    if report.STAT.exists():
        assert "% of the cores" in watch.tell()
        assert "measure again" in capsys.readouterr().err


def test_what_others_do_after_a_section_is_not_counted(monkeypatch):
    spent = [0.0]

    def tell_answers():
        spent[0] += 1e6
        return "0.25 µs"

    monkeypatch.setattr(report, "tell_answers", tell_answers)
    monkeypatch.setattr(report, "others_seconds", lambda: spent[0])
    text = report.Watch().tell()
    if report.STAT.exists():
        assert "other processes 0 % of the cores" in text
