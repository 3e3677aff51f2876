"""`horotree predict`: the classes of rows, by the names of columns."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from horotree import LogisticBoostClassifier, load, save
from tests.cli.running import refused, run


@pytest.fixture
def rows(folder):
    return pd.read_csv(folder / "test.csv").drop(columns="diagnosis")


def test_predictions_are_those_of_the_model_in_the_order_of_rows(folder, rows):
    model = load(folder / "few.horotree")
    done = run("predict", folder / "few.horotree", folder / "test.csv")
    assert done.exit_code == 0
    header, *found = done.stdout.splitlines()
    assert header == "prediction"
    assert found == model.predict(rows).tolist()


def test_probabilities_are_written_without_loss(folder, rows):
    model = load(folder / "few.horotree")
    done = run("predict", folder / "few.horotree", folder / "test.csv", "--proba")
    header, *found = csv.reader(io.StringIO(done.stdout))
    assert header == ["prediction", "probability_benign", "probability_malignant"]
    numbers = np.array([row[1:] for row in found], float)
    np.testing.assert_array_equal(numbers, model.predict_proba(rows))


def test_order_of_columns_and_other_columns_do_not_matter(folder, rows, write):
    turned = rows[rows.columns[::-1]].assign(extra="x", more=1)
    path = write(turned.to_csv(index=False))
    done = run("predict", folder / "few.horotree", path)
    assert done.stdout == run("predict", folder / "few.horotree", folder / "test.csv").stdout
    assert "not used, for the model has no such feature: 'extra', 'more'." in done.stderr
    assert run("predict", folder / "few.horotree", path, "-q").stderr == ""


def test_missing_columns_are_named(folder, rows, write):
    path = write(rows.drop(columns=["site", "mean radius"]).to_csv(index=False))
    line = refused("predict", folder / "few.horotree", path)
    assert "has no columns 'mean radius', 'site', features of the model" in line


def test_text_among_numbers_is_refused_with_its_row(folder, rows, write):
    changed = rows.astype({"mean radius": object})
    changed.loc[changed.index[2], "mean radius"] = "big"
    line = refused("predict", folder / "few.horotree", write(changed.to_csv(index=False)))
    assert "must hold numbers in the column 'mean radius'" in line
    assert "got 'big' in row 3" in line


def test_labels_not_seen_in_training_are_noted_and_count_as_missing(folder, rows, write):
    path = write(rows.assign(site="zz").to_csv(index=False))
    done = run("predict", folder / "few.horotree", path)
    assert "'site' holds labels that training did not have" in done.stderr
    assert "'zz'" in done.stderr
    none = run("predict", folder / "few.horotree", write(rows.assign(site="").to_csv(index=False)))
    assert done.stdout == none.stdout


def test_labels_that_look_like_numbers_are_found(write, tmp_path):
    path = write("code,y\n" + "01,a\n1,b\nx,b\n" * 20)
    done = run("fit", path, "-t", "y", "-o", tmp_path / "m", "--no-test", "--smoothing", 0.1)
    assert done.exit_code == 0
    done = run("predict", tmp_path / "m", write("code\n01\n1\n01\n", "new.csv"))
    assert done.stdout.splitlines() == ["prediction", "a", "b", "a"]
    assert done.stderr == ""


def test_categories_of_models_trained_in_python_may_be_numbers(write, tmp_path):
    X = pd.DataFrame({"code": pd.Categorical([3, 7] * 20), "flag": [True, False] * 20})
    save(LogisticBoostClassifier(2, smoothing=1.0).fit(X, [0, 1] * 20), tmp_path / "m")
    done = run("predict", tmp_path / "m", write("flag,code\nTrue,3\n,7\nFalse,7\n"))
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == ["prediction", "0", "1", "1"]


def test_the_output_is_written_whole_and_never_over_others(folder, tmp_path, write):
    common = ["predict", folder / "few.horotree", folder / "test.csv"]
    done = run(*common, "-o", tmp_path / "out.csv")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "out.csv").read_text() == run(*common).stdout
    before = (tmp_path / "out.csv").read_bytes()
    assert "exists already" in refused(*common, "--proba", "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == before
    assert run(*common, "--proba", "-f", "-o", tmp_path / "out.csv").exit_code == 0
    assert (tmp_path / "out.csv").read_bytes() != before
    for source in common[1:]:
        assert "is what is read" in refused(*common, "-f", "-o", source)


def test_a_table_without_rows_is_refused(folder, write):
    header = (folder / "test.csv").read_text().splitlines()[0]
    assert "has no rows" in refused("predict", folder / "few.horotree", write(header + "\n"))


def test_stdin_and_stdout_make_a_pipe(folder):
    text = (folder / "test.csv").read_text()
    done = run("predict", folder / "few.horotree", "-", "-o", "-", input=text)
    assert done.stdout == run("predict", folder / "few.horotree", folder / "test.csv").stdout


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not a known model file: pass a file that"),
        (b"x,y\n1,2\n", "is not a known model file: pass a file that"),
        (b"tree\nversion=v4\n", "it is damaged or cut off"),
        (b'{"learner":{"attributes"', "the file must be JSON"),
        (b'{\n  "learner": {', "the file must be JSON"),
        (b"{L\0\0\0\0\0\0\0\x07learner", "the file must be UBJSON"),
        (b"CBM1....", "it is damaged or cut off"),
        (b"\x80\x05\x95", "looks like a pickle or an archive, which could run any code"),
        (b"HOROTREE", "the file is incomplete"),
        (b"HOROTREE\xff" + b"\0" * 50, "upgrade horotree"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "info", "view", "compare"])
def test_other_files_are_no_models(folder, write, content, reason, command):
    path = write(content, "model.bin")
    rest = {
        "predict": [folder / "test.csv"],
        "compare": [folder / "few.horotree", "--data", folder / "test.csv", "-t", "diagnosis"],
    }
    assert reason in refused(command, path, *rest.get(command, []))
