"""The benchmarks of fitting run by one command, measure what they say, and leave nothing unsaid."""

import csv

import numpy as np
import pandas as pd
import pytest

from benchmarks import accuracy, fit
from benchmarks.machinery.data import choose, find_domains, generated, read_domain
from benchmarks.machinery.scores import (
    calibration_error,
    evaluate,
    evaluate_monotonic,
    worse_by_chance,
)
from benchmarks.models import classifiers
from benchmarks.models.classifiers import predict_fold
from horotree.trees import find_hosts


@pytest.fixture
def folder(tmp_path):
    """Return a folder with one domain: a number, sometimes missing, and a category."""
    rng = np.random.default_rng(0)
    number = rng.normal(size=120)
    color = rng.choice(["red", "green", "blue"], size=120)
    target = (number + (color == "red") + rng.normal(size=120) > 0.5).astype(int)
    number[::10] = np.nan
    table = pd.DataFrame({"number": number, "color": color, "target": target})
    table.to_csv(tmp_path / "colors.csv.gz", index=False)
    table[["target"]].to_csv(tmp_path / "colors.raw_target.csv.gz", index=False)
    return tmp_path


@pytest.fixture
def no_peers(monkeypatch):
    for name in ("LightGBM", "XGBoost"):
        monkeypatch.setitem(classifiers.PACKAGES, name, "a_package_that_nobody_has")


def cells(line):
    return [cell.strip() for cell in line.strip("| ").split("|")]


def test_fit_prints_a_line_for_each_model_with_its_real_leaves(capsys, require):
    require("lightgbm")
    require("xgboost")
    assert fit.main(["--rows", "breast_cancer", "--trees", "3", "--repeats", "1"]) == 0
    rows = [
        cells(row) for row in capsys.readouterr().out.splitlines() if row.startswith("| breast")
    ]
    assert [row[2] for row in rows] == ["ours", "LightGBM", "XGBoost", "HGB"]
    assert min(float(row[4]) for row in rows[1:]) == 1.0
    for row in rows:
        assert row[:2] == ["breast_cancer 456×30", "3"]
        assert 2.0 <= float(row[6]) <= 101.0
        assert float(row[7]) < 20.0


def test_fit_says_which_peers_and_data_it_leaves_out(capsys, no_peers, folder):
    arguments = ["--data", str(folder), "--trees", "2", "--repeats", "1", "--threads", "2"]
    assert fit.main([*arguments, "--rows", "hardware", "breast_cancer"]) == 0
    captured = capsys.readouterr()
    assert "left out: hardware, for want of hardware.csv.gz" in captured.err
    assert "left out: LightGBM is not installed" in captured.err
    assert "wall time" in captured.out
    assert "No slower" not in captured.out
    assert fit.main([*arguments, "--rows", "hardware"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "Error: no row is left to measure."


def test_accuracy_goes_on_from_the_sets_that_are_finished(capsys, no_peers, folder):
    output = folder / "new" / "results.csv"
    arguments = ["--data", str(folder), "--sets", "colors", "--folds", "3", "--output", str(output)]
    assert accuracy.main(arguments) == 0
    first = capsys.readouterr()
    written = output.read_text(encoding="utf-8")
    assert accuracy.main(arguments) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert second.err.splitlines()[-1] == f"colors: kept from {output}"
    assert output.read_text(encoding="utf-8") == written
    with output.open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["model"] for line in lines] == ["ours", "HGB 200×101", "HGB default"]
    assert all("horotree" in line["versions"] and line["seed"] == "0" for line in lines)
    assert "| mean of 1 sets |" in first.out
    assert "% of 1 sets" in first.out
    assert accuracy.main([*arguments, "--seed", "1"]) == 0  # not what was kept
    assert "kept" not in capsys.readouterr().err


def test_accuracy_compares_lightgbm_on_missing_values_and_categories(capsys, require, folder):
    require("lightgbm")
    output = folder / "results.csv"
    arguments = ["--data", str(folder), "--sets", "colors", "--folds", "2", "--output", str(output)]
    assert accuracy.main(arguments) == 0
    header, _, row, *_ = (
        cells(line) for line in capsys.readouterr().out.splitlines() if line.startswith("|")
    )
    assert header[3:5] == ["ours", "LightGBM 200×101"]
    assert row[:3] == ["colors", "120", "2-fold"]
    assert all(0.0 <= float(cell.rstrip("▲▼")) <= 100.0 for cell in row[3:])


def test_a_sweep_is_over_all_combinations_of_our_own_settings(capsys, folder):
    output = folder / "results.csv"
    arguments = ["--data", str(folder), "--sets", "colors", "--folds", "2", "--output", str(output)]
    sweep = ["--sweep", "smoothing=4,20.5", "--sweep", "n_estimators=3"]
    assert accuracy.main([*arguments, *sweep]) == 0
    header = cells(
        next(line for line in capsys.readouterr().out.splitlines() if line.startswith("|"))
    )
    assert header[3:] == ["smoothing=4, n_estimators=3", "smoothing=20.5, n_estimators=3"]


def test_ours_stands_next_to_its_monotonic_version(capsys, no_peers, folder):
    output = folder / "results.csv"
    arguments = ["--data", str(folder), "--sets", "colors", "moons-0", "--folds", "2"]
    assert accuracy.main([*arguments, "--output", str(output)]) == 0
    lines = capsys.readouterr().out.splitlines()
    (start,) = (at for at, line in enumerate(lines) if line.startswith("| ours |"))
    head, _, colors, moons, mean = map(cells, lines[start : start + 5])
    assert head[3:7] == ["error %", "monotonic", "refitted", "log-loss"]
    assert head[-1] == "nodes kept %"
    assert mean[0] == "mean of 2 sets"
    for column, cell in enumerate(mean[3:], 3):
        pair = [float(row[column].rstrip("▼")) for row in (colors, moons)]
        assert float(cell) == pytest.approx(np.mean(pair), abs=0.011)
    assert all(10.0 < float(row[-1]) < 100.0 for row in (colors, moons))
    with output.open(newline="", encoding="utf-8") as file:
        by_model = {line["model"]: line for line in csv.DictReader(file)}
    assert by_model["HGB default"]["kept"] == by_model["HGB default"]["monotonic_error"] == "nan"


def test_boosted_monotonic_trees_are_their_own_monotonic_version(capsys, folder):
    arguments = ["--data", str(folder), "--sets", "colors", "moons-10", "--folds", "2"]
    sweep = ["--sweep", "weak_learner=tree,monotonic", "--sweep", "n_estimators=20"]
    assert accuracy.main([*arguments, *sweep, "--output", str(folder / "results.csv")]) == 0
    lines = capsys.readouterr().out.splitlines()
    (start,) = (at for at, line in enumerate(lines) if line.startswith("| means |"))
    tree, monotonic = map(cells, lines[start + 2 : start + 4])
    assert monotonic[0] == "weak_learner=monotonic, n_estimators=20"
    assert len(set(monotonic[1:4])) == len(set(monotonic[4:7])) == 1
    assert len(set(tree[4:7])) == 3


def test_the_paper_is_compared_where_its_domains_are(capsys, no_peers, folder, monkeypatch):
    (folder / "colors.csv.gz").rename(folder / "ionosphere.csv.gz")
    monkeypatch.setitem(accuracy.PAPER, "ionosphere", (25.0, 1e6))
    arguments = ["--data", str(folder), "--sets", "iono", "--folds", "2"]
    assert accuracy.main([*arguments, "--output", str(folder / "results.csv")]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [cells(line) for line in lines if line.startswith("| ionosphere")][-2:]
    assert [row[1] for row in rows] == ["ours", "the paper's setting"]
    assert all(row[3] == "25.00" and abs(float(row[5])) < 0.1 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--data", "nowhere"], "there is no folder nowhere"),
        (["--sets", "nothing"], "'nothing' is 0 of the sets"),
        (["--sets", "moons"], "'moons' is 3 of the sets"),
        (["--sets", "moons-0", "--sweep", "smoothing"], "a sweep reads parameter=value"),
    ],
)
def test_what_cannot_be_done_is_one_readable_line(arguments, reason, capsys, tmp_path):
    assert accuracy.main([*arguments, "--output", str(tmp_path / "results.csv")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith(f"Error: {reason}")


def test_another_programs_file_is_not_written_to(capsys, tmp_path):
    output = tmp_path / "results.csv"
    output.write_text("a,b\n1,2\n", encoding="utf-8")
    assert accuracy.main(["--sets", "moons-0", "--output", str(output)]) == 2
    assert "has other columns" in capsys.readouterr().err
    assert output.read_text(encoding="utf-8") == "a,b\n1,2\n"


def test_a_domain_has_categories_for_texts_and_labels_apart(folder):
    assert list(find_domains(folder)) == ["colors"]
    dataset = read_domain(folder / "colors.csv.gz")
    assert dataset.X.dtypes.astype(str).to_dict() == {"number": "float64", "color": "category"}
    X, y = dataset.take(np.array([10, 3]))
    assert X["number"].isna().tolist() == [True, False]
    np.testing.assert_array_equal(y, dataset.y[[10, 3]])


def test_generated_sets_have_the_noise_of_their_names():
    loaders = choose(generated(), ["clusters-0", "clusters-10", "clusters-30"])
    clean, some, much = (load() for load in loaders.values())
    np.testing.assert_array_equal(clean.X, much.X)
    assert np.mean(clean.y != some.y) == pytest.approx(0.1, abs=0.02)
    assert np.mean(clean.y != much.y) == pytest.approx(0.3, abs=0.03)


def test_calibration_error_is_the_distance_from_the_share_of_the_class():
    y = np.tile([0, 0, 0, 1], 30 * 15)
    assert calibration_error(y, np.full(len(y), 0.25)) == pytest.approx(0.0, abs=1e-12)
    assert calibration_error(y, np.full(len(y), 0.75)) == pytest.approx(0.5)
    assert calibration_error(y, y.astype(float)) == 0.0


def test_scores_are_those_of_all_folds_together():
    labels = [np.array([0, 1, 1]), np.array([0, 1])]
    posteriors = [np.array([0.5, 0.75, 0.25]), np.array([0.125, 0.875])]
    scores = evaluate(labels, posteriors)
    assert scores.error == pytest.approx(1 / 5)  # 1/2 is not above 1/2
    assert scores.error_deviation == pytest.approx(np.std([1 / 3, 0.0], ddof=1))
    expected = -np.log([0.5, 0.75, 0.25, 0.875, 0.875]).mean()
    assert scores.log_loss == pytest.approx(expected)
    assert scores.auc == pytest.approx((0.5 + 1.0) / 2)


def test_monotonic_scores_are_held_against_those_of_the_trees():
    labels = [np.array([0, 1, 1]), np.array([0, 1])]
    posteriors = [np.array([0.25, 0.75, 0.75]), np.array([0.25, 0.875])]
    monotonic = [np.array([0.75, 0.75, 0.25]), np.array([0.125, 0.875])]
    scores = evaluate_monotonic(labels, posteriors, monotonic, posteriors, kept=0.4)
    assert scores.monotonic_error == pytest.approx(2 / 5)
    assert scores.refitted_error == 0.0
    assert scores.p_monotonic_worse == pytest.approx(1 / 4)
    expected = -np.log([0.25, 0.75, 0.25, 0.875, 0.875]).mean()
    assert scores.monotonic_log_loss == pytest.approx(expected)
    assert scores.refitted_log_loss == pytest.approx(evaluate(labels, posteriors).log_loss)
    assert scores.kept == 0.4


def test_a_fold_is_predicted_by_the_trees_and_by_their_monotonic_versions(folder):
    dataset = read_domain(folder / "colors.csv.gz")
    train, test = np.arange(80), np.arange(80, 120)
    model = classifiers.ours(1, n_estimators=5, smoothing=10.0)
    fold = predict_fold(model, dataset, train, test)
    table, _ = dataset.take(test)
    np.testing.assert_array_equal(fold.posterior, model.predict_proba(table)[:, 1])
    monotonic = model.model_.as_drawn()
    np.testing.assert_array_equal(fold.monotonic.posterior, monotonic.predict_proba(table)[:, 1])
    refitted = model.model_.as_drawn(refit_leverage=True)
    np.testing.assert_array_equal(fold.monotonic.refitted, refitted.predict_proba(table)[:, 1])
    assert not np.array_equal(fold.monotonic.posterior, fold.posterior)
    (ensemble,) = model.model_.ensembles
    shares = [
        len(set(find_hosts(tree.parent, tree.confidence))) / tree.n_nodes for tree in ensemble.trees
    ]
    assert fold.monotonic.kept == pytest.approx(np.mean(shares))


def test_errors_differ_by_chance_as_often_as_fair_coins_do():
    wrong = np.array([True] * 5 + [False] * 20)
    assert worse_by_chance(wrong, np.zeros(25, bool)) == pytest.approx(0.5**5)
    assert worse_by_chance(np.zeros(25, bool), wrong) == 1.0
    assert worse_by_chance(wrong, wrong) == 1.0
