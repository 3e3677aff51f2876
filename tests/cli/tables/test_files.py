"""Tables as people have them: what is read, and what is refused, in one line."""

import csv

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.cli.errors import UserError
from horotree.cli.output.messages import Messages
from horotree.cli.tables.files import open_table
from tests.cli.running import refused, run

QUIET = Messages(quiet=True)


def read(path, text=(), separator=None, encoding=None):
    table = open_table(str(path), separator, encoding, QUIET)
    return table.read(text)


def fit(path, *options, **others):
    return refused("fit", path, "-t", "y", "-o", path.parent / "model.horotree", *options, **others)


GOOD = "x,y\n" + "1,a\n2,b\n" * 20

REFUSED = {
    "empty": ("", "is empty"),
    "blank": ("\n \r\n\n", "is empty"),
    "header only": ("x,y\n", "names columns but has no rows"),
    "short row": ("x,y\n1,a\n2\n3,b\n", "has 1 fields in line 3, but 2 columns"),
    "long row": ("x,y\n1,a\n2,b,3\n", "has 3 fields in line 3, but 2 columns"),
    "long first row": ("x,y\n1,a,3\n2,b\n", "has 3 fields in line 2, but 2 columns"),
    "short row after a quoted newline": ('x,y\n"1\n2",a\n2\n', "has 1 fields in line 4"),
    "open quote": ('x,y\n1,"a\n2,b\n', "is not CSV that can be read: EOF inside string"),
    "same name": ("x,x,y\n1,2,a\n", "has 2 columns called 'x'"),
    "no names": (",,\n1,2,3\n", "does not name its columns"),
    "latin-1 header": ("größe,y\n1,a\n".encode("latin-1"), "(byte 0xf6 in line 1)"),
    "latin-1 entry": ("x,y\n1,a\n2,é\n".encode("latin-1"), "(byte 0xe9 in line 3)"),
    "binary": (b"\x89PNG\r\n\x1a\n\0\0\0", "is none of CSV, Parquet and Feather"),
    "spaces": ("x y\n1 a\n2 b\n", "all of its first line is one name, 'x y'"),
    "no target": ("x,z\n1,a\n", "has no column 'y', the --target: its columns are 'x', 'z'."),
    "target of other case": ("x,target,Y_\n1,a,2\n", "has no column 'y'"),
    "target only": ("y\na\nb\n", "no column is left besides the target"),
    "one class": ("x,y\n1,a\n2,a\n", "has only one class, 'a'"),
    "missing target": ("x,y\n1,a\n2,\n3,NA\n4,b\n", "2 of 4 rows have no entry in 'y'"),
    "no target at all": ("x,y\n1,\n2,\n", "2 of 2 rows have no entry in 'y': name another"),
    "numbers as target": ("x,y\n1,.5\n2,1.25\n3,2\n", "holds numbers such as 0.5, not classes"),
    "a class a row": ("x,y\n" + "".join(f"{i},c{i}\n" for i in range(9)), "9 different values"),
    "infinite": (GOOD + "inf,a\n", "in the column 'x', got inf in row 41: mend it"),
    "infinite by overflow": (GOOD + "1e999,a\n", "in the column 'x', got inf in row 41: mend it"),
}


@pytest.mark.parametrize(("content", "reason"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_trained_on_is_refused_in_one_line(write, content, reason):
    path = write(content)
    line = fit(path)
    assert reason in line
    assert len(line) < 400
    assert [file.name for file in path.parent.iterdir()] == ["data.csv"]


@pytest.mark.parametrize(("content", "reason"), REFUSED.values(), ids=list(REFUSED))
def test_stdin_is_refused_for_the_same_reasons(tmp_path, content, reason):
    output = tmp_path / "model.horotree"
    assert reason in refused("fit", "-", "-t", "y", "-o", output, input=content)
    assert not output.exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("x" * (2**24 + 1), "has a line of more than 16,777,216 bytes"),
        (GOOD + "1," + "a" * 2**24 + "\n" + "1,a\n", "has a line of more than 16,777,216 bytes"),
        (GOOD.replace("\n", "\r") + "1," + "," * 2**24, "has a line of more than 16,777,216 bytes"),
        ("," * 2**20 + "\n", "has more than 1,048,576 columns"),
    ],
    ids=["one line", "last but one", "returns", "columns"],
)
def test_lines_that_fill_the_memory_are_refused(write, content, reason):
    assert reason in fit(write(content))


def test_a_table_longer_than_the_longest_line_is_read(write):
    assert len(read(write("x,y\n" + "1,abcdefghijkl\n" * 1_200_000))) == 1_200_000


@pytest.mark.parametrize("name", ["no-such-file.csv", ".", "a\0b.csv", "x" * 300])
def test_files_that_cannot_be_read_are_refused(tmp_path, name):
    assert "cannot read" in refused("fit", name, "-t", "y", "-o", tmp_path / "m")


def test_a_name_that_is_almost_right_is_suggested(write):
    path = write("x,Target\n1,a\n")
    line = refused("fit", path, "-t", "target", "-o", path.parent / "m")
    assert line.endswith("has no column 'target', the --target: is it 'Target'?")


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.rstrip("\n"),
        "\n\n" + GOOD + "\n\n",
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace(",", ", "),
        GOOD.replace(",", ";"),
        GOOD.replace(",", "\t"),
        GOOD.replace(",", "|"),
        GOOD.replace("x,y", '"x" , y '),
        GOOD.replace("\n", ",\n"),
        GOOD.replace("\n2", "\n\n2"),
        GOOD.encode("utf-8-sig"),
        GOOD.encode("utf-16"),
        b"\xfe\xff" + GOOD.encode("utf-16-be"),
    ],
)
def test_the_same_table_is_read_in_many_forms(write, content):
    frame = read(write(content))
    pd.testing.assert_frame_equal(frame[["x", "y"]], read(write(GOOD, "good.csv")))
    assert len(frame) == 40


def test_what_separates_columns_can_be_said(write):
    path = write("x y,z\n1 2,3\n")
    assert list(read(path, separator=" ")) == ["x", "y,z"]
    for tab in ("\t", r"\t", "tab"):
        assert list(read(write("a,b\tc\n1\t2\n"), separator=tab)) == ["a,b", "c"]
    with pytest.raises(UserError, match="must be one character, got '::'"):
        read(path, separator="::")


def test_the_encoding_can_be_said(write):
    path = write("größe,y\n1,é\n".encode("latin-1"))
    assert read(path, encoding="latin-1").to_dict("list") == {"größe": [1], "y": ["é"]}
    for wrong in ("nonsense", "ascii"):
        with pytest.raises(UserError, match=f"cannot be read as --encoding {wrong}"):
            read(path, encoding=wrong)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas_are_numbers_where_columns_are_separated_otherwise(write, separator):
    path = write("x;y;z\n1,5;a,b;1\n-2;c;2\n".replace(";", separator))
    assert read(path).to_dict("list") == {"x": [1.5, -2.0], "y": ["a,b", "c"], "z": [1, 2]}


def test_quoted_entries_may_hold_separators_quotes_and_newlines(write):
    frame = read(write('x,"a\nname"\n"1,5","say ""hi""\nand go"\n'))
    assert frame.to_dict("list") == {"x": ["1,5"], "a\nname": ['say "hi"\nand go']}


@pytest.mark.parametrize("missing", ["", "NA", "NaN", "null", "?", " "])
def test_missing_entries_are_recognized(write, missing):
    frame = read(write(f"x,y\n{missing},a\n2,b\n3,\n"))
    assert frame["x"].isna().tolist() == [True, False, False]
    assert frame["y"].isna().tolist() == [False, False, True]


def test_a_blank_line_in_a_single_column_is_a_missing_entry(write):
    assert read(write("x\n1\n\n3\n")).isna()["x"].tolist() == [False, True, False]


def test_columns_without_a_name_are_left_out_and_that_is_told(write):
    path = write(",x,,y\n0,1,5,a\n1,2,5,b\n" + "2,3,5,a\n3,4,5,b\n" * 5)
    output = path.parent / "m"
    result = run("fit", path, "-t", "y", "-o", output, "--no-test")
    assert result.exit_code == 0
    assert "has no name for column 1, 3, which is left out." in result.stderr
    assert " by 1 features" in result.stdout


def test_labels_that_look_like_numbers_stay_as_they_are_written(write):
    path = write("x,y\n01,1.0\n2,NA\n")
    assert read(path, text=("x", "y"))["x"].tolist() == ["01", "2"]
    assert read(path, text=("x", "y"))["y"].tolist()[0] == "1.0"


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_header_of_any_length_is_read(write, separator):
    wide = [f"column number {j}" for j in range(10_000)]  # 200 kB, one field with a wrong separator
    long = ["x" * 200_000, "y"]
    for names in (wide, long):
        rows = separator.join(names), separator.join("1" for _ in names)
        frame = read(write("\n".join(rows)))
        assert list(frame.columns) == names


def test_huge_numbers_are_numbers(write):
    rows = "".join(f"{10**30 + i * 10**28},-{i}e300,{'ab'[i % 2]}\n" for i in range(20))
    path = write("u,v,y\n" + rows)
    result = run("fit", path, "-t", "y", "-o", path.parent / "m", "--no-test")
    assert result.exit_code == 0
    assert "categories" not in result.stderr


@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.text(min_size=1)),
        min_size=1,
        max_size=5,
    )
)
def test_what_pandas_writes_is_read_back(tmp_path_factory, rows):
    frame = pd.DataFrame(rows, columns=["number", "text"])
    path = tmp_path_factory.mktemp("table") / "d.csv"
    try:
        frame.to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC)  # else it leaves out some
    except UnicodeEncodeError:
        return  # a lone surrogate: no file can hold it
    try:
        found = read(path, text=("text",))
    except UserError as error:
        assert "none of CSV, Parquet and Feather" in str(error)  # noqa: PT017  a NUL
        return
    assert len(found) == len(frame)
    np.testing.assert_allclose(found["number"], frame["number"], rtol=1e-15)
    for got, wanted in zip(found["text"], frame["text"], strict=True):
        assert pd.isna(got) or got == wanted


@pytest.mark.parametrize(
    ("begin", "what"),
    [
        (b"PK\x03\x04", "a ZIP file or an Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel workbook"),
        (b"\x89HDF\r\n", "an HDF5 file"),
    ],
)
def test_other_files_with_tables_are_named(write, begin, what):
    line = fit(write(begin + b"\0" * 20, "d.csv"))
    assert line.endswith(f"begins as {what} does: export the table in it as CSV.")


@given(st.binary(max_size=200))
def test_no_file_makes_a_traceback(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("binary")
    (folder / "d.csv").write_bytes(b"x,y\n" + content)
    result = run("fit", folder / "d.csv", "-t", "y", "-o", folder / "m", "--no-test", "--trees", 1)
    assert result.exit_code in (0, 2), (result.output, result.exception)
    assert (result.exit_code == 0) == (folder / "m").exists()
