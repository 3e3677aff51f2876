"""What OpenML has is taken only if it is the same table."""

from dataclasses import replace
from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest

from benchmarks.machinery.data import Dataset
from experiments.study import openml
from experiments.study.checksum import checksum
from experiments.study.openml import SOURCES, MissingDataError, Source, fetch


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "count": pd.Categorical(["1", "2", "2", "10"]),
            "size": [0.5, np.nan, 1.5, 2.5],
            "color": pd.Categorical(["red", "blue", "red", "red"]),
            "constant": [0, 0, 0, 0],
            "rings": pd.Categorical(["9", "10", "11", "3"]),
        }
    )


@pytest.fixture
def source(frame):
    rule = SOURCES["abalone"].is_positive
    source = Source("things", 2, "rings", rule, "", drop=("constant",))
    return replace(source, digest=checksum(openml.decode("x", frame, source)))


def serve(monkeypatch, source, answer):
    monkeypatch.setitem(openml.SOURCES, "things", source)
    asked = []

    def fetch_openml(name, *, version, as_frame, parser):
        asked.append((name, version, as_frame, parser))
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(frame=answer)

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch_openml)
    return asked


def test_a_table_is_asked_for_by_name_and_version_and_decoded_as_a_file(monkeypatch, frame, source):
    asked = serve(monkeypatch, source, frame)
    found = fetch("things")
    assert asked == [("things", 2, True, "auto")]
    assert list(found.X.columns) == ["count", "size", "color"]
    assert found.X["count"].tolist() == [1, 2, 2, 10]
    assert found.X["color"].dtype == "category"
    assert found.y.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("place", [(0, "size"), (1, "color"), (0, "rings")])
def test_a_table_that_differs_in_one_cell_is_refused(monkeypatch, frame, source, place):
    row, column = place
    frame.loc[row, column] = {"size": 0.25, "color": "red", "rings": "11"}[column]
    serve(monkeypatch, source, frame)
    with pytest.raises(MissingDataError, match="version 2 is not the table"):
        fetch("things")


@pytest.mark.parametrize("error", [URLError("no network"), ValueError("no active dataset")])
def test_what_cannot_be_fetched_is_said_with_the_reason(monkeypatch, source, error):
    serve(monkeypatch, source, error)
    with pytest.raises(MissingDataError, match=r"no (network|active).*--data DIR"):
        fetch("things")


def test_a_table_without_its_columns_is_refused(monkeypatch, frame, source):
    serve(monkeypatch, source, frame.drop(columns="rings"))
    with pytest.raises(MissingDataError, match="rings"):
        fetch("things")


def test_nothing_is_asked_for_offline(monkeypatch, frame, source):
    asked = serve(monkeypatch, source, frame)
    with pytest.raises(MissingDataError, match="offline"):
        fetch("things", offline=True)
    assert asked == []


def test_a_checksum_sees_values_and_classes_but_no_names():
    X = pd.DataFrame({"a": [0.0, np.nan, 2.0], "b": pd.Categorical(["u", "v", "u"])})
    y = np.array([0, 1, 1])
    same = X.set_axis(["c", "d"], axis=1)
    same["d"] = same["d"].cat.rename_categories({"u": "z", "v": "a"})
    other = X.assign(b=pd.Categorical(["u", "v", "v"]))
    assert checksum(Dataset("x", X, y)) == checksum(Dataset("y", same, y))
    assert checksum(Dataset("x", X, y)) != checksum(Dataset("x", other, y))
    assert checksum(Dataset("x", X, y)) != checksum(Dataset("x", X.iloc[[1, 0, 2]], y))
    assert checksum(Dataset("x", X, y)) != checksum(Dataset("x", X, 1 - y))
