"""Compressed tables: recognized by content, whatever the name."""

import bz2
import gzip
import itertools
import lzma
import sys
import tracemalloc

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horotree.cli.errors import UserError
from horotree.cli.tables import compressed
from horotree.cli.tables.compressed import CHUNK, expand
from tests.cli.running import run, run_outside

from .test_files import GOOD, fit, read


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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=3 * CHUNK), st.lists(st.integers(0, 3 * CHUNK), max_size=3))
def test_any_content_in_any_number_of_streams_comes_back(require, content, cuts):
    require("zstandard")
    ends = [0, *sorted(min(cut, len(content)) for cut in cuts), len(content)]
    for compress in KINDS.values():
        streams = [compress(content[a:b]) for a, b in itertools.pairwise(ends)]
        assert expand("d", b"".join(streams) + b"\0" * 8) == content


@pytest.mark.parametrize("kind", KINDS)
def test_a_small_file_cannot_fill_the_memory(write, require, monkeypatch, kind):
    require("zstandard")
    monkeypatch.setattr(compressed, "GROWTH_OF_SMALL", 2**22)
    bomb = KINDS[kind](b"0" * 2**26)
    tracemalloc.start()
    line = fit(write(bomb))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    wanted = f"becomes more than {2**22 + 100 * len(bomb):,} bytes when it is decompressed, 100"
    assert wanted in line
    assert peak < 2**26


def test_too_little_memory_is_not_a_damaged_file(monkeypatch):
    class Stream:
        eof = False

        def decompress(self, data):
            raise MemoryError

    monkeypatch.setattr("zlib.decompressobj", lambda **_: Stream())
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
