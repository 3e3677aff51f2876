"""Standard streams that are closed, full or broken: a line or silence, and the right exit code."""

import os

import pytest

from horotree import load
from horotree.cli.output.streams import fill_closed_streams

from .running import run, run_in_shell

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells elsewhere redirect otherwise")

CLOSED_STDOUT = b"Error: stdout is closed: direct it to a file, or to /dev/null.\n"
CLOSED_STDIN = b"Error: stdin is closed: pipe a table into it, or name a file instead of -.\n"


def fit_in_shell(redirection, folder, tmp_path, table="train.csv"):
    path = table if table == "-" else folder / table
    options = ["-t", "diagnosis", "-o", tmp_path / "m", "--trees", "1"]
    return run_in_shell(redirection, "fit", path, *options)


@pytest.mark.parametrize("redirection", ["2>&-", "0<&- 2>&-", "2>/dev/full", "2</dev/null"])
def test_without_stderr_a_model_is_made_all_the_same(folder, tmp_path, redirection):
    done = fit_in_shell(redirection, folder, tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"log-loss" in done.stdout
    here = run("fit", folder / "train.csv", "-t", "diagnosis", "-o", tmp_path / "n", "--trees", 1)
    assert here.exit_code == 0
    assert load(tmp_path / "m") == load(tmp_path / "n")
    assert {path.name for path in tmp_path.iterdir()} == {"m", "n"}


def test_errors_without_stderr_have_their_exit_code(folder):
    assert run_in_shell("2>&-", "info", "no-such-file").returncode == 2


@pytest.mark.parametrize("redirection", ["1>&-", "0<&- 1>&-"])
def test_without_stdout_nothing_is_done_and_that_is_said(folder, tmp_path, redirection):
    done = fit_in_shell(redirection, folder, tmp_path)
    assert (done.returncode, done.stderr) == (2, CLOSED_STDOUT)
    assert not list(tmp_path.iterdir())
    for command in (
        ["predict", folder / "few.horotree", folder / "test.csv"],
        ["info", folder / "few.horotree"],
        ["view", folder / "few.horotree", "--html", tmp_path / "p.html", "--no-open"],
        ["demo", "--output", tmp_path / "demo"],
    ):
        done = run_in_shell(redirection, *command)
        assert (done.returncode, done.stderr) == (2, CLOSED_STDOUT), command
    assert not list(tmp_path.iterdir())


def test_what_writes_a_file_needs_no_stdout(folder, tmp_path):
    output = tmp_path / "p.csv"
    command = ["predict", folder / "few.horotree", folder / "test.csv", "-o", output, "-q"]
    done = run_in_shell("0<&- 1>&- 2>&-", *command)
    assert done.returncode == 0
    expected = run("predict", folder / "few.horotree", folder / "test.csv").stdout
    assert output.read_text() == expected


def test_without_stdin_a_file_is_read_and_a_pipe_is_refused(folder, tmp_path):
    assert fit_in_shell("0<&-", folder, tmp_path).returncode == 0
    (tmp_path / "m").unlink()
    done = fit_in_shell("0<&-", folder, tmp_path, table="-")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", CLOSED_STDIN)
    assert not list(tmp_path.iterdir())


def test_no_file_gets_the_number_of_a_closed_stream(monkeypatch):
    opened = []
    closed = {0, 2}

    def fstat(number):
        if number in closed:
            raise OSError(9, "Bad file descriptor")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", fstat)
        patch.setattr(os, "open", lambda *args: opened.append(args))
        fill_closed_streams()
    assert opened == [(os.devnull, os.O_RDWR)] * 2
