"""Compressed tables: recognized by content, whatever the name."""

import bz2
import gzip
import lzma
import sys

import pandas as pd
import pytest

from horotree.cli._compressed import expand
from horotree.cli._errors import UserError

from .running import run, run_outside
from .test_tables import GOOD, fit, read


def zstd(data):
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


KINDS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstd}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["d.csv.gz", "d.csv.zst", "d.csv", "d"])
def test_compressed_csv_is_read_whatever_its_name(write, require, kind, name):
    require("zstandard")
    compressed = write(KINDS[kind](GOOD.encode()), name)
    pd.testing.assert_frame_equal(read(compressed), read(write(GOOD, "plain.csv")))


@pytest.mark.parametrize("kind", KINDS)
def test_two_files_one_after_the_other_are_one(require, kind):
    require("zstandard")
    compress = KINDS[kind]
    assert expand("d", compress(b"x,y\n1,a\n") + compress(b"2,b\n")) == b"x,y\n1,a\n2,b\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_cut_off_is_refused(write, require, kind):
    require("zstandard")
    whole = KINDS[kind](GOOD.encode() * 100)
    for size in (len(whole) // 2, len(whole) - 1):
        assert f"is damaged or cut off, {kind} cannot read it: " in fit(write(whole[:size]))


def test_text_that_begins_like_bzip2_is_text(write):
    assert list(read(write("BZh9,y\n1,a\n")).columns) == ["BZh9", "y"]


def test_an_empty_table_is_refused_when_it_is_compressed(write):
    assert "is empty" in fit(write(gzip.compress(b"")))


def test_zstd_without_a_package_says_what_to_install(monkeypatch):
    for name in ("compression", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UserError, match="needs the package zstandard: pip install zstandard"):
        expand("'d.csv'", b"\x28\xb5\x2f\xfd...")


def test_too_little_memory_is_not_a_damaged_file(monkeypatch):
    def fail(data):
        raise MemoryError

    monkeypatch.setattr(gzip, "decompress", fail)
    with pytest.raises(MemoryError):
        expand("'d.csv'", b"\x1f\x8b\x08...")


def test_commands_read_compressed_tables(folder, tmp_path):
    table = tmp_path / "test.csv.gz"
    table.write_bytes(gzip.compress((folder / "test.csv").read_bytes()))
    done = run("predict", folder / "few.horotree", table)
    assert done.exit_code == 0
    assert done.stdout == run("predict", folder / "few.horotree", folder / "test.csv").stdout
    outside = run_outside("predict", folder / "few.horotree", "-", input=table.read_bytes())
    assert outside.stdout.decode() == done.stdout
