"""Files appear whole or not at all, whoever is killed and however many write."""

import os
import signal
import subprocess
import sys
import time

import pytest

from horotree import _files
from horotree._files import whole_file

# With a file that has no name, and as on systems that know none.
KINDS = ["without a name", "with a name"]


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture(params=KINDS)
def _kind(request, monkeypatch):
    if request.param == "with a name":
        monkeypatch.setattr(_files, "_OPEN_FILES", _files.Path("/no/such/folder"))


@pytest.mark.usefixtures("_kind")
def test_what_is_written_appears_at_the_end(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with whole_file(path) as file:
        file.write(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"
    assert names(tmp_path) == ["a"]


@pytest.mark.usefixtures("_kind")
def test_after_an_error_everything_is_as_it_was(tmp_path):
    for path in (tmp_path / "new", tmp_path / "old"):
        if path.name == "old":
            path.write_bytes(b"before")
        with pytest.raises(ZeroDivisionError), whole_file(path) as file:
            file.write(b"half" * (1 // 0))
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"before"


@pytest.mark.usefixtures("_kind")
def test_a_file_that_is_there_is_kept_where_it_must_be_new(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with pytest.raises(FileExistsError), whole_file(path, replace=False) as file:
        file.write(b"after")
    assert path.read_bytes() == b"before"
    assert names(tmp_path) == ["a"]


@pytest.mark.usefixtures("_kind")
def test_where_files_have_one_name_only_a_new_one_is_new(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr(_files, "_OPEN_FILES", _files.Path("/no/such/folder"))
    monkeypatch.setattr(os, "link", refuse)
    with whole_file(tmp_path / "a", replace=False) as file:
        file.write(b"first")
    with pytest.raises(FileExistsError), whole_file(tmp_path / "a", replace=False) as file:
        file.write(b"second")
    assert (tmp_path / "a").read_bytes() == b"first"
    assert names(tmp_path) == ["a"]


WRITER = """
import sys, time
from horotree import _files
if sys.argv[2] == "with a name":
    _files._OPEN_FILES = _files.Path("/no/such/folder")
with _files.whole_file(sys.argv[1], replace=False) as file:
    file.write(sys.argv[3].encode())
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("kind", KINDS)
def test_of_writers_at_a_time_one_makes_the_file(tmp_path, kind):
    path = tmp_path / "model"
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, kind, str(k)], **options)
        for k in range(4)
    ]
    for writer in writers:
        assert writer.stdout.readline() == b"ready\n"
    for writer in writers:  # all have written, none has made the file
        writer.stdin.close()
    codes = [writer.wait(60) for writer in writers]
    for writer in writers:
        writer.stdout.close()
    assert sorted(map(bool, codes)) == [False, True, True, True]
    assert path.read_text() == str(codes.index(0))
    assert names(tmp_path) == ["model"]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files have names from the start here")
def test_a_killed_writer_leaves_nothing(tmp_path):
    command = [sys.executable, "-c", WRITER, tmp_path / "model", KINDS[0], "half"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"ready\n"
        writer.send_signal(signal.SIGKILL)
    time.sleep(0.05)
    assert names(tmp_path) == []
