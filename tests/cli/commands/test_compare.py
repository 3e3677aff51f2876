"""`horotree compare`: two models on the same rows."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from horotree import load, save
from horotree.cli.output.first_difference import compare_trees
from horotree.evaluation.texts import percent
from tests.cli.running import refused, run, run_outside


def compare(folder, a, b, *options):
    data = ["--data", folder / "test.csv", "-t", "diagnosis"]
    return run("compare", folder / a, folder / b, *data, *options)


def row(output, name):
    line = next(line for line in output.splitlines() if line.startswith(name + "  "))
    return line.removeprefix(name).replace(" %", "").split()


def test_errors_and_losses_are_those_of_each_model(folder):
    done = compare(folder, "few.horotree", "more.horotree")
    assert done.exit_code == 0, done.output
    frame = pd.read_csv(folder / "test.csv")
    X, y = frame.drop(columns="diagnosis"), frame["diagnosis"].to_numpy(dtype=str)
    models = [load(folder / name) for name in ("few.horotree", "more.horotree")]
    drawn = [model.as_drawn() for model in models]
    for name, known in (("", models), (", as drawn", drawn)):
        errors = [percent(np.mean(model.predict(X) != y)) for model in known]
        losses = [f"{log_loss(y, model.predict_proba(X)):.4f}" for model in known]
        assert row(done.stdout, f"error{name}")[:2] == errors
        assert row(done.stdout, f"log-loss{name}")[:2] == losses
    p = [model.predict_proba(X)[:, 1] for model in models]
    own = y == "malignant"
    assert row(done.stdout, "AUC")[:2] == [f"{roc_auc_score(own, one):.3f}" for one in p]
    assert row(done.stdout, "Brier score")[:2] == [f"{brier_score_loss(own, q):.4f}" for q in p]
    assert row(done.stdout, "trees") == ["3", "4", "-"]
    same = np.mean(models[0].predict(X) == models[1].predict(X))
    assert f"the same class for {percent(same)} % of rows" in done.stdout
    assert "284 rows" in done.stdout


def test_first_trees_of_a_longer_ensemble_are_the_same(folder):
    done = compare(folder, "few.horotree", "more.horotree")
    assert "3 of 3 trees are the same in both" in done.stdout


def test_a_model_equals_itself(folder):
    done = compare(folder, "few.horotree", "few.horotree")
    assert "for 100 % of rows" in done.stdout
    for name in ("AUC", "log-loss", "Brier score"):
        (line,) = (line for line in done.stdout.splitlines() if line.startswith(f"{name} 0."))
        assert line.endswith(": the same on these rows")
    assert done.stdout.endswith("All 3 trees are the same.\n")


def test_where_trees_part_is_told_by_the_nearest_test_to_the_root(folder, tmp_path):
    options = ["-t", "diagnosis", "--trees", 3, "--no-test", "--drop", "worst perimeter"]
    run("fit", folder / "train.csv", "-o", tmp_path / "other", *options)
    done = compare(folder, "few.horotree", tmp_path / "other")
    assert "0 of 3 trees are the same in both" in done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("Tree 0: "))
    assert '; at the root, A asks whether "' in line
    assert " and B asks whether " in line


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("value", "the same tests, other values, at most 0.25 apart: "),
        ("output", "the same tests, other outputs, at most 0.25 apart: "),
        ("weight", "the same tests and values, learned from other examples."),
    ],
)
def test_trees_with_the_same_tests_part_in_their_numbers(folder, field, words):
    model = load(folder / "few.horotree")
    (ensemble,) = model.ensembles
    first = ensemble.trees[0]
    array = getattr(first, field).copy()
    array[3] += 0.25
    changed = replace(ensemble, trees=(replace(first, **{field: array}), *ensemble.trees[1:]))
    found = compare_trees(model, replace(model, ensembles=(changed,)))
    assert (found.n_pairs, found.n_same) == (3, 2)
    (text,) = found.texts
    assert text.startswith(f"Tree 0: {words}")


def test_a_tree_that_ends_earlier_parts_there(folder, tmp_path):
    options = ["-t", "diagnosis", "--trees", 1, "--no-test", "--leaves", 2]
    run("fit", folder / "train.csv", "-o", tmp_path / "stump", *options)
    a, b = load(folder / "few.horotree"), load(tmp_path / "stump")
    (text,) = compare_trees(a, b).texts
    size = a.ensembles[0].trees[0].n_nodes
    assert text.startswith(f"Tree 0: 3 of {size} and 3 nodes in common; where ")
    assert re.search(r" and B ends with [+-][\d.]+ \(log-odds\)", text)


def test_categories_are_compared_by_their_labels(folder):
    model = load(folder / "few.horotree")
    labels = tuple(None if labels is None else labels[::-1] for labels in model.categories)
    found = compare_trees(model, replace(model, categories=labels))
    assert found.n_same == 0  # codes are the same, labels are not


def test_ensembles_are_matched_by_class(folder):
    model = load(folder / "iris.horotree")
    turned = replace(model, ensembles=model.ensembles[::-1], classes=model.classes[::-1])
    found = compare_trees(model, turned)
    assert (found.n_trees, found.n_pairs, found.n_same) == (6, 6, 6)


def test_no_two_models_of_other_auc_are_called_the_same(write, tmp_path):
    """A rare class: both models call no row positive, and one ranks rows much better."""
    rng = np.random.default_rng(0)
    n = 12_000
    x, z = rng.normal(size=(2, n))
    y = rng.random(n) < 1.0 / (1.0 + np.exp(4.6 - 0.8 * x - 0.8 * z))
    frame = pd.DataFrame({"x": x, "z": z, "y": np.where(y, "yes", "no")})
    train, test = write(frame[: n // 2].to_csv(index=False), "a.csv"), tmp_path / "b.csv"
    frame[n // 2 :].to_csv(test, index=False)
    for name, options in {"one": ["--drop", "z"], "both": []}.items():
        common = ["fit", train, "-t", "y", "-o", tmp_path / name, "--no-test", "--trees", "20"]
        assert run_outside(*common, *options, "--leaves", "8").returncode == 0
    command = ["compare", tmp_path / "one", tmp_path / "both", "--data", test, "-t", "y"]
    lines = run_outside(*command).stdout.decode().splitlines()
    models = [load(tmp_path / name) for name in ("one", "both")]
    tables = [frame[n // 2 :][["x"]], frame[n // 2 :][["x", "z"]]]
    p = [model.predict_proba(table)[:, 1] for model, table in zip(models, tables, strict=True)]
    aucs = [roc_auc_score(y[n // 2 :], one) for one in p]
    assert aucs[1] - aucs[0] > 0.06
    (auc,) = (line for line in lines if line.startswith(f"AUC {aucs[0]:.3f} and {aucs[1]:.3f}: "))
    assert "B is better (95 % interval of B - A: +0.0" in auc
    (loss,) = (line for line in lines if line.startswith("log-loss 0."))
    assert "B is better (95 % interval of B - A: -0.0" in loss
    assert not any("significant" in line for line in lines)


def test_what_needs_no_model_is_beside_both(folder):
    done = compare(folder, "few.horotree", "more.horotree")
    y = pd.read_csv(folder / "test.csv")["diagnosis"] == "malignant"
    share = y.mean()
    base = log_loss(y, np.full(len(y), share))
    assert row(done.stdout, "AUC")[2] == "0.500"
    assert row(done.stdout, "log-loss")[2] == f"{base:.4f}"
    assert row(done.stdout, "Brier score")[2] == f"{share * (1.0 - share):.4f}"
    assert row(done.stdout, "error")[2] == f"{100.0 * share:.1f}"
    assert f"all rows are called 'benign', which {100.0 * (1.0 - share):.1f} % are." in done.stdout


def test_rows_of_one_class_have_no_auc_and_that_is_said_once(folder, write):
    frame = pd.read_csv(folder / "test.csv")
    path = write(frame[frame.diagnosis == "benign"].to_csv(index=False))
    common = [folder / "few.horotree", folder / "more.horotree", "-t", "diagnosis"]
    done = run("compare", *common, "--data", path)
    assert row(done.stdout, "AUC") == ["-", "-", "-"]
    assert done.stdout.count("AUC not defined: all rows are of class benign") == 1
    assert done.stdout.count("not defined") == 1


def test_models_of_other_classes_are_refused(folder):
    line = refused(
        *("compare", folder / "few.horotree", folder / "iris.horotree"),
        *("--data", folder / "test.csv", "-t", "diagnosis"),
    )
    assert line.startswith("the models have different classes")


def test_unknown_and_missing_classes_are_refused(folder, write):
    text = (folder / "test.csv").read_text()
    common = ["compare", folder / "few.horotree", folder / "few.horotree", "-t", "diagnosis"]
    path = write(text.replace("benign", "harmless", 1))
    assert "holds 'harmless', which is no class of the model" in refused(*common, "--data", path)
    path = write(text.replace("benign", "", 1))
    assert "1 of 284 rows have no entry in 'diagnosis'" in refused(*common, "--data", path)
    line = refused(*common[:-1], "diagnose", "--data", folder / "test.csv")
    assert "has no column 'diagnose', the --target: is it 'diagnosis'?" in line


def test_whole_numbers_match_classes_however_they_are_written(folder, write):
    frame = pd.read_csv(folder / "iris.csv").astype({"kind": float})
    model = folder / "iris.horotree"
    options = ["--data", write(frame.to_csv(index=False)), "-t", "kind"]
    assert run("compare", model, model, *options).exit_code == 0


def test_notes_are_told_once(folder, write):
    path = write(pd.read_csv(folder / "test.csv").assign(extra=1).to_csv(index=False))
    model = folder / "few.horotree"
    done = run("compare", model, model, "--data", path, "-t", "diagnosis")
    assert done.stderr == "Note: not used, for the model has no such feature: 'extra'.\n"


def test_text_classes_that_look_like_numbers_match(folder, write, tmp_path):
    model = replace(load(folder / "iris.horotree"), classes=np.array(["0", "1", "2"]))
    save(model, tmp_path / "m")
    options = ["--data", folder / "iris.csv", "-t", "kind"]
    assert run("compare", tmp_path / "m", tmp_path / "m", *options).exit_code == 0
