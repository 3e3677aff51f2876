"""`horotree view` calls classes and features as asked for, or as in the given table."""

import numpy as np
import pandas as pd
import pytest

from horotree import LogisticBoostClassifier, save
from horotree.cli.errors import UserError
from horotree.cli.tables.names import read_names
from tests.cli.running import refused, run

from .test_view import read_payload


def header_of(page):
    return read_payload(page.read_text(encoding="utf-8"))[0]


def test_names_reach_the_page_and_the_picture(folder, tmp_path):
    page, picture = tmp_path / "p.html", tmp_path / "p.svg"
    names = ["--class-names", "0=Bristle,2=Virgin", "--feature-names", 'a,b,"c, d",e']
    done = run("view", folder / "iris.horotree", "--html", page, "-o", picture, *names)
    assert done.exit_code == 0, done.output
    header = header_of(page)
    assert header["classes"] == ["Bristle", "1", "Virgin"]
    assert header["features"] == ["a", "b", "c, d", "e"]
    assert picture.read_bytes().startswith(b"<?xml")


def test_a_model_without_names_takes_those_of_the_table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] > 0.0).astype(int)
    save(LogisticBoostClassifier(n_estimators=2).fit(X, y), tmp_path / "m.horotree")
    table = pd.DataFrame(X, columns=["height", "width"]).assign(tall=y)
    table.to_csv(tmp_path / "rows.csv", index=False)
    page = tmp_path / "p.html"
    data = ["--data", tmp_path / "rows.csv", "--target", "tall"]
    done = run("view", tmp_path / "m.horotree", *data, "--html", page)
    assert done.exit_code == 0, done.output
    assert header_of(page)["features"] == ["height", "width"]


def test_named_features_are_found_in_a_table_of_training(folder, tmp_path):
    page = tmp_path / "p.html"
    data = ["--data", folder / "iris.csv", "--target", "kind"]
    names = ["--feature-names", "petal width (cm)=Breadth"]
    done = run("view", folder / "iris.horotree", *data, *names, "--html", page)
    assert done.exit_code == 0, done.output
    assert header_of(page)["features"][3] == "Breadth"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["--class-names", "a,b"], "one name a class, got 2 for 3"),
        (["--class-names", "0=a,b"], "OLD is one of '0', '1', '2'"),
        (["--class-names", "a,b,a"], "'a' twice"),
        (["--feature-names", "a,,c,d"], "must not be empty"),
        (["--feature-names", 'a,"b'], "names between commas"),
    ],
)
def test_names_that_do_not_fit_are_refused(folder, tmp_path, names, told):
    line = refused("view", folder / "iris.horotree", "--html", tmp_path / "p.html", *names)
    assert told in line
    assert not (tmp_path / "p.html").exists()


def test_labels_with_an_equals_sign_are_named_by_label():
    known = {"<=50K": "<=50K", ">50K": ">50K"}
    assert read_names(">50K=rich", "--class-names", known) == {">50K": "rich"}
    with pytest.raises(UserError, match="OLD=NEW"):
        read_names(">50K=rich,<50K=poor", "--class-names", known)
