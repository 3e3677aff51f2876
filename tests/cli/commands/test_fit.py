"""`horotree fit`: the model it writes, what it says of it, and what it refuses."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

import horotree
from horotree import LogisticBoostClassifier, load
from horotree.cli.tables import files
from horotree.evaluation.texts import percent
from tests.cli.running import refused, run, run_outside


def fit(table, output, *options, target="diagnosis", **others):
    return run("fit", table, "--target", target, "--output", output, *options, **others)


def split(folder, seed=0, test_size=0.2):
    frame = pd.read_csv(folder / "train.csv")
    X, y = frame.drop(columns="diagnosis"), frame["diagnosis"].to_numpy(dtype=str)
    return train_test_split(X, y, test_size=test_size, stratify=y, random_state=seed)


def test_the_model_is_the_one_that_python_trains(folder, tmp_path):
    options = ["--trees", 5, "--leaves", 6, "--smoothing", 7, "--learning-rate", 0.3, "--seed", 4]
    done = fit(folder / "train.csv", tmp_path / "m", *options, "--test-size", 0.3)
    X_train, _, y_train, _ = split(folder, seed=4, test_size=0.3)
    classifier = LogisticBoostClassifier(
        5,
        max_leaf_nodes=6,
        smoothing=7.0,
        learning_rate=0.3,
        random_state=4,
        categorical_features=["site"],
    ).fit(X_train, y_train)
    assert done.exit_code == 0
    assert load(tmp_path / "m") == classifier.model_


def test_the_report_tells_how_good_the_model_is_beside_no_model(folder, tmp_path):
    done = fit(folder / "train.csv", tmp_path / "m", "--trees", 5)
    X_train, X_test, y_train, y_test = split(folder)
    model = load(tmp_path / "m")
    first, _, _, *lines = done.stdout.splitlines()
    assert first.startswith(f"'{tmp_path / 'm'}': 5 trees for 2 classes by 6 features, trained in ")
    parts = [
        (model, X_train, y_train),
        (model, X_test, y_test),
        (model.as_drawn(), X_test, y_test),
    ]
    names = ("training", "test", "test, as drawn")
    for line, name, (known, X, y) in zip(lines, names, parts, strict=False):
        p, error = known.predict_proba(X), percent(np.mean(known.predict(X) != y))
        auc = roc_auc_score(y == "malignant", p[:, 1])
        figures = [str(len(y)), f"{auc:.3f}", f"{log_loss(y, p):.4f}", *error.split(), "%"]
        assert line.startswith(name)
        assert line.removeprefix(name).split() == figures
    share = np.mean(y_test == "malignant")
    base = log_loss(y_test, np.tile([1.0 - share, share], (len(y_test), 1)))
    line = lines[3].removeprefix("test, no model")
    assert line.split() == ["57", "0.500", f"{base:.4f}", percent(share), "%"]
    assert f"all rows are called 'benign', which {percent(1.0 - share)} % are." in done.stdout
    quality = horotree.quality(model, X_test, y_test)
    ends = f"{quality.auc_low:.3f} to {quality.auc_high:.3f}"
    assert f"AUC on test rows: 95 % interval {ends}.\n" in done.stdout


def test_a_model_no_better_than_the_base_rate_is_warned_of(write, tmp_path):
    rng = np.random.default_rng(0)
    rows = "".join(f"{x:.3f},{'ab'[int(x2 < 0.2)]}\n" for x, x2 in rng.random((400, 2)))
    done = fit(write("x,y\n" + rows), tmp_path / "m", "-q", target="y")
    assert done.exit_code == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("Warning: on the test rows this model is no better than no model. It is")
    assert "Its probabilities are no better than always saying the base rate." in line
    figures = dict(
        re.findall(r"^(test|test, no model) .* (\d\.\d+) +\S+ %$", done.stdout, re.MULTILINE)
    )
    assert float(figures["test"]) > float(figures["test, no model"])


def test_a_model_that_ranks_but_never_calls_the_rare_class_is_noted(write, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=4000)
    y = rng.random(4000) < 1.0 / (1.0 + np.exp(4.0 - x))
    rows = "".join(f"{a:.4f},{'no' if not b else 'yes'}\n" for a, b in zip(x, y, strict=True))
    path, small = write("x,y\n" + rows), ["--leaves", 4]
    done = fit(path, tmp_path / "m", "--trees", 50, *small, target="y")
    assert "Warning" not in done.stderr
    assert "Note: of the test rows: Its classes are no better than always saying no." in done.stderr
    done = fit(path, tmp_path / "n", "--trees", 2, *small, target="y")  # still next to 1/2
    assert "Warning: of the test rows: Its probabilities are no better than always" in done.stderr


def test_without_a_test_all_rows_are_trained_on(folder, tmp_path):
    done = fit(folder / "train.csv", tmp_path / "m", "--trees", 2, "--no-test")
    assert load(tmp_path / "m").ensembles[0].trees[0].count[0] == 285
    names = [line[:18].strip() for line in done.stdout.splitlines()[3:5]]
    assert names == ["training", "training, no model"]
    assert not any(line.startswith("test") for line in done.stdout.splitlines())


def test_options_reach_the_classifier(folder, tmp_path, monkeypatch):
    seen = {}
    train = LogisticBoostClassifier.fit

    def spy(self, X, y):
        seen.update(self.get_params())
        self.n_estimators = 2
        return train(self, X, y)

    monkeypatch.setattr(LogisticBoostClassifier, "fit", spy)
    options = ["--as-drawn", "--early-stopping", "--smoothing", "auto", "--jobs", 1]
    done = fit(folder / "train.csv", tmp_path / "m", *options)
    assert done.exit_code == 0, done.output
    assert seen["weak_learner"] == "monotonic"
    assert seen["early_stopping"] is True
    assert (seen["smoothing"], seen["n_jobs"], seen["n_estimators"]) == ("auto", 1, 200)
    assert "as drawn" not in done.stdout  # it is what predicts


def test_text_becomes_categories_and_that_is_told(folder, tmp_path):
    done = fit(folder / "train.csv", tmp_path / "m", "--trees", 1)
    assert "Note: text is read as categories: 'site'." in done.stderr.splitlines()
    assert load(tmp_path / "m").categories == (None,) * 5 + (("a", "b", "c"),)


def test_numbers_become_categories_where_told_and_columns_are_dropped(folder, tmp_path):
    done = fit(
        folder / "iris.csv",
        tmp_path / "m",
        "--trees",
        1,
        "--categorical",
        "petal width (cm)",
        "--drop",
        "sepal width (cm),sepal length (cm)",
        target="kind",
    )
    assert done.exit_code == 0, done.output
    model = load(tmp_path / "m")
    assert model.feature_names == ("petal length (cm)", "petal width (cm)")
    assert model.categories[0] is None
    assert {"0.2", "2.5"} <= set(model.categories[1])
    assert model.classes.tolist() == [0, 1, 2]


@pytest.mark.parametrize("option", ["--drop", "--categorical"])
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("dignosis", "has no column 'dignosis', named by {}: is it 'diagnosis'?"),
        ("site,", "has no column '', named by {}"),
        ("diagnosis", "'diagnosis' is the --target: leave it out of {}."),
    ],
)
def test_columns_that_cannot_be_meant_are_refused(folder, tmp_path, option, column, reason):
    common = ["fit", folder / "train.csv", "-t", "diagnosis", "-o", tmp_path / "m"]
    assert reason.format(option) in refused(*common, option, column)


def test_rows_without_a_class_are_left_out_if_told(write, tmp_path):
    path = write("x,y\n" + "1,0\n2,1\n3,\n" * 10)
    done = fit(path, tmp_path / "m", "--drop-missing-target", "--no-test", target="y")
    assert "10 of 30 rows have no entry in 'y' and are left out." in done.stderr
    model = load(tmp_path / "m")
    assert model.classes.tolist() == [0, 1]  # whole numbers, though pandas read floats
    assert model.ensembles[0].trees[0].count[0] == 20


@pytest.mark.parametrize(
    ("entries", "classes"),
    [
        (("True", "False"), [False, True]),
        (("1.0", "2.0"), [1, 2]),
        (("1", str(10**30)), ["1", str(10**30)]),
        (("-1", "1"), [-1, 1]),
        (("是", "否"), ["否", "是"]),
        (("yes, sure", 'the "no"'), ['the "no"', "yes, sure"]),
    ],
)
def test_classes_keep_their_kind_through_file_and_prediction(write, tmp_path, entries, classes):
    rows = "".join(f"{i},{csv_entry(entries[i < 10])}\n" for i in range(20))
    done = fit(write("x,y\n" + rows), tmp_path / "m", "--no-test", target="y")
    assert done.exit_code == 0, done.output
    found = load(tmp_path / "m").classes.tolist()
    assert found == classes
    assert [type(label) for label in found] == [type(label) for label in classes]


def csv_entry(text):
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"') else text


def test_columns_that_look_wrong_are_noted(write, tmp_path):
    rows = "".join(f"{i if i % 9 else 'none'},id{i},{i % 7},{'ab'[i % 2]}\n" for i in range(90))
    done = fit(write("age,id,x,y\n" + rows), tmp_path / "m", "--trees", 1, target="y")
    assert "'age' would be numbers but for entries such as 'none'" in done.stderr
    assert "'id' is different in almost every row" in done.stderr
    assert "'x'" not in done.stderr


def test_quiet_leaves_the_report_and_nothing_else(folder, tmp_path):
    done = fit(folder / "train.csv", tmp_path / "m", "--trees", 1, "--quiet")
    assert done.stderr == ""
    assert "log-loss" in done.stdout


def test_stdin_is_a_table(folder, tmp_path):
    text = (folder / "train.csv").read_text()
    assert fit("-", tmp_path / "a", "--trees", 2, input=text).exit_code == 0
    assert fit(folder / "train.csv", tmp_path / "b", "--trees", 2).exit_code == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_existing_file_is_kept_unless_forced(folder, write):
    output = write("mine", "model.horotree")
    common = ["fit", folder / "train.csv", "-t", "diagnosis", "-o", output, "--trees", 1]
    assert refused(*common).endswith("pass --force to replace it, or name another.")
    assert output.read_text() == "mine"
    assert run(*common, "--force").exit_code == 0
    assert len(load(output).ensembles[0].trees) == 1


def test_the_table_is_never_replaced_even_if_forced(write):
    path = write("x,y\n" + "1,a\n2,b\n" * 10)
    before = path.read_bytes()
    line = refused("fit", path, "-t", "y", "-o", path, "--force")
    assert "is what is read" in line
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (".", "is a folder"),
        ("missing/model", "there is no folder"),
        ("file/model", "there is no folder"),
        ("-", "cannot be written to stdout"),
        ("pipe", "is not a regular file"),
        ("x" * 300, "cannot write"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused_before_training(
    folder, tmp_path, monkeypatch, output, reason
):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    os.mkfifo("pipe")
    before = set(tmp_path.iterdir())
    monkeypatch.setattr(files, "_read_bytes", None)  # not even the table is read
    common = ["fit", folder / "train.csv", "-t", "diagnosis"]
    assert reason in refused(*common, "-o", output, "--force")
    assert set(tmp_path.iterdir()) == before


def test_a_failing_disk_leaves_the_old_file(folder, write, monkeypatch):
    output = write("old", "model.horotree")

    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    common = ["fit", folder / "train.csv", "-t", "diagnosis", "--trees", 1, "--force"]
    assert "no space left on device" in refused(*common, "-o", output)
    assert [path.read_text() for path in output.parent.iterdir()] == ["old"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--smoothing", "much"], "--smoothing must be a number above 0, or auto, got 'much'"),
        (["--smoothing", "0"], "--smoothing must be a number above 0"),
        (["--smoothing", "nan"], "--smoothing must be a number above 0"),
        (["--learning-rate", "0"], "learning_rate must be above 0"),
        (["--jobs", "0"], "n_jobs must be"),
        (["--test-size", "1"], "--test-size must be above 0 and below 1"),
        (["--test-size", "nan"], "--test-size must be above 0 and below 1"),
    ],
)
def test_numbers_out_of_range_are_refused(folder, tmp_path, options, reason):
    common = ["fit", folder / "train.csv", "-t", "diagnosis", "-o", tmp_path / "m"]
    assert reason in refused(*common, *options)
    assert not list(tmp_path.iterdir())


def test_too_few_rows_for_a_test_are_refused(write, tmp_path):
    path = write("x,y\n1,a\n2,b\n3,a\n4,b\n")
    line = refused("fit", path, "-t", "y", "-o", tmp_path / "m")
    assert "4 rows are too few to hold out 0.2 of every class" in line
    assert fit(path, tmp_path / "m", "--no-test", target="y").exit_code == 0


@pytest.mark.parametrize(
    ("rare", "reason"),
    [
        (["c"], "class 'c' has only one row, too few to train and to test on: add rows of it"),
        (["c", "d"], "these classes have only one row ('c', 'd'), too few to train"),
    ],
)
def test_a_class_of_one_row_is_named(write, tmp_path, rare, reason):
    path = write("x,y\n" + "1,a\n2,b\n" * 20 + "".join(f"3,{label}\n" for label in rare))
    assert reason in refused("fit", path, "-t", "y", "-o", tmp_path / "m")
    assert fit(path, tmp_path / "m", "--no-test", target="y").exit_code == 0


@pytest.mark.parametrize("seed", range(4))  # the row is in the test part for some
@pytest.mark.parametrize("entry", ["inf", "-inf", "1e999", "9" * 401, "-" + "9" * 401])
def test_infinite_entries_are_refused_wherever_they_fall(write, tmp_path, seed, entry):
    path = write("x,y\n" + "1,a\n2,b\n" * 10 + f"{entry},a\n")
    line = refused("fit", path, "-t", "y", "-o", tmp_path / "m", "--seed", seed)
    wanted = "-inf" if entry.startswith("-") else "inf"
    assert f"numbers up to 1.8e308 in the column 'x', got {wanted} in row 21: mend it" in line
    assert not (tmp_path / "m").exists()


def test_what_a_report_refuses_leaves_no_file(folder, tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise ValueError("it cannot be said how good this is.")

    monkeypatch.setattr("horotree.quality", refuse)
    common = ["fit", folder / "train.csv", "-t", "diagnosis", "-o", tmp_path / "m", "--trees", 1]
    assert "it cannot be said how good this is." in refused(*common)
    assert not list(tmp_path.iterdir())


def test_a_fit_without_trees_is_warned_of(write, tmp_path):
    path = write("x,y\n" + "1,a\n1,b\n" * 10)
    done = fit(path, tmp_path / "m", "--no-test", "--quiet", target="y")
    assert done.exit_code == 0
    assert done.stderr.startswith("Warning: the fit ended without a tree: both classes have the")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_outside_unicode_are_no_problem(folder, tmp_path):
    name = os.fsencode(tmp_path) + b"/m\xff.horotree"
    table = os.fsencode(tmp_path) + b"/d\xff.csv"
    with open(table, "wb") as file:  # noqa: PTH123  its name is bytes
        file.write((folder / "train.csv").read_bytes())
    done = run_outside("fit", table, "-t", "diagnosis", "-o", name, "--trees", "1")
    assert done.returncode == 0, done.stderr
    assert rb"m\udcff.horotree" in done.stdout
    done = run_outside("fit", table, "-t", "diagnosis", "-o", name)
    assert done.returncode == 2
    assert rb"m\udcff.horotree' exists already" in done.stderr


def test_of_fits_that_write_one_new_file_at_a_time_one_wins(write, tmp_path):
    """All four found no file when they began."""
    data = write("age,y\n" + "\n".join(f"{k},{'ab'[k > 60]}" for k in range(120)))
    command = [sys.executable, "-m", "horotree", "fit", data, "--target", "y", "--trees", "2"]
    started = [
        subprocess.Popen(
            [*command, "-o", tmp_path / "m"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for _ in range(4)
    ]
    errors = [process.communicate(timeout=120)[1].decode() for process in started]
    codes = [process.returncode for process in started]
    assert codes.count(0) == 1, errors
    lost = [error for error, code in zip(errors, codes, strict=True) if code]
    assert all("pass --force" in error for error in lost)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
