"""A table, models trained on it, and a browser that must not open."""

import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from .running import run


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """Give the addresses that a browser was asked to open; none opens."""
    addresses = []
    monkeypatch.setattr("webbrowser.open", lambda url: not addresses.append(url))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return addresses


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Give a folder with tables and models; tests only read it."""
    folder = tmp_path_factory.mktemp("cli")
    data = load_breast_cancer(as_frame=True)
    frame = data.data.iloc[:, [0, 1, 7, 20, 22]].assign(
        site=pd.Series(["a", "b", "c"] * 190)[: len(data.target)],
        diagnosis=data.target_names[data.target.to_numpy()],
    )
    frame.iloc[::2].to_csv(folder / "train.csv", index=False)
    frame.iloc[1::2].to_csv(folder / "test.csv", index=False)
    iris = load_iris(as_frame=True).frame.rename(columns={"target": "kind"})
    iris.to_csv(folder / "iris.csv", index=False)
    for table, target, name, *options in (
        ("train.csv", "diagnosis", "few.horotree", "--trees", 3),
        ("train.csv", "diagnosis", "more.horotree", "--trees", 4),
        ("iris.csv", "kind", "iris.horotree", "--trees", 2),
    ):
        done = run("fit", folder / table, "-t", target, "-o", folder / name, "--no-test", *options)
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def write(tmp_path):
    """Write bytes or text to a new file, and return its path."""

    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
