"""Parquet and Feather: recognized by content, read with types."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.cli.running import run

from .test_files import fit, read


@pytest.mark.parametrize(
    ("begin", "form"), [(b"PAR1", "Parquet"), (b"ARROW1", "Feather"), (b"FEA1", "Feather")]
)
def test_without_pyarrow_it_says_what_to_install(write, monkeypatch, begin, form):
    def fail(data):
        raise ImportError("Unable to find a usable engine; pyarrow.")

    monkeypatch.setattr(f"pandas.read_{form.lower()}", fail)
    assert fit(write(begin + b"...", "d.csv")).endswith(
        f"is a {form} file, which needs pyarrow: pip install pyarrow, or pass CSV."
    )


@pytest.mark.parametrize("begin", [b"PAR1", b"ARROW1", b"FEA1"])
def test_damaged_files_are_refused(write, require, begin):
    require("pyarrow")
    assert " file that can be read: " in fit(write(begin + b"\0\xff" * 40))


def test_a_small_file_of_many_entries_is_refused(write, require, monkeypatch):
    require("pyarrow")
    data = io.BytesIO()
    pd.DataFrame({"x": np.zeros(500_000), "y": "a"}).to_parquet(data)
    assert len(data.getvalue()) < 9_000
    path = write(data.getvalue())
    assert "has only one class" in fit(path)
    monkeypatch.setattr("horotree.cli.tables.columnar.GROWTH_OF_SMALL", 2**10)
    assert "becomes 1,000,000 entries, 100 times its bytes and more" in fit(path)


def test_a_reason_of_several_lines_is_one(write, monkeypatch):
    def fail(data):
        raise OSError("no footer\nat all")

    monkeypatch.setattr("pandas.read_parquet", fail)
    assert "is not a Parquet file that can be read: no footer at all" in fit(write(b"PAR1..."))


def test_a_parquet_file_is_a_table(write, monkeypatch, tmp_path):
    frame = pd.DataFrame(
        {
            "x": np.arange(40.0),
            "c": pd.Categorical(["u", "v"] * 20),
            "l": [[1], [2, 3]] * 20,
            "y": pd.array([0, 1] * 20, dtype="Int64"),
        },
        index=np.arange(40) + 7,
    )
    monkeypatch.setattr("pandas.read_parquet", lambda data: frame)
    path = write(b"PAR1...", "d.parquet")
    done = run("fit", path, "-t", "y", "-o", tmp_path / "m", "--no-test", "--drop", "l")
    assert done.exit_code == 0, done.output
    assert "categories: 'c'" in done.stderr
    frame = frame.assign(t=pd.Timestamp("2024-01-01"))
    assert "'t' holds dates" in fit(path, "--drop", "l")
    frame = frame.drop(columns="t")
    assert "'l' holds something that cannot be a category" in fit(path)


@pytest.mark.parametrize("form", ["parquet", "feather"])
@pytest.mark.parametrize("name", ["table.parquet", "table.feather", "table.csv", "table"])
def test_files_are_recognized_by_content(tmp_path, require, form, name):
    require("pyarrow")
    frame = pd.DataFrame({"x": [1.5, None], "y": ["a", "b"]})
    getattr(frame, f"to_{form}")(tmp_path / name)
    pd.testing.assert_frame_equal(read(tmp_path / name), frame)


def test_a_table_without_columns_is_refused(tmp_path, require):
    require("pyarrow")
    pd.DataFrame(index=range(3)).to_parquet(tmp_path / "d.parquet")
    assert "has no columns" in fit(tmp_path / "d.parquet")
