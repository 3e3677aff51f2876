"""Long work says on stderr how far it is, and short work nothing; stdout has none of it."""

import io
import os
import pty
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import pytest

import horotree
from horotree.viewer import encode, progress, view
from horotree.viewer.progress import ProgressBar
from tests.viewer.models import breast_cancer

SLOW = """\
import time
from horotree.viewer import payload, view
from horotree.viewer.progress import ProgressBar
from tests.viewer.models import breast_cancer
lay_out = payload._lay_out
def slowly(*given):
    found = lay_out(*given)
    time.sleep(1.5)
    return found
payload._lay_out = slowly
view(breast_cancer()[0])
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)


def wait_for(condition):
    end = time.monotonic() + 10.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_bar_shows_how_far_it_is(monkeypatch, at_once, capsys):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressBar() as report:
        report("Laying out 7 trees", 0, 7)
        wait_for(lambda: report._bar is not None)
        for done in range(4):
            report("Laying out 7 trees", done, 7)
        report._bar.refresh()
        (task,) = report._bar.tasks
        assert (task.description, task.completed, task.total) == ("Laying out 7 trees", 3, 7)
        report("Packing", 0, 0)
        (task,) = report._bar.tasks
        assert (task.description, task.total) == ("Packing", None)
    assert "Laying out 7 trees" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_short_work_is_silent(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    view(breast_cancer()[0])
    assert terminal.getvalue() == ""
    assert not any(isinstance(thread, threading.Timer) for thread in threading.enumerate())


@pytest.mark.parametrize("shown", [None, False])
def test_without_a_terminal_nothing_is_said(monkeypatch, at_once, capsys, shown):
    with ProgressBar(shown=shown) as report:
        report("Laying out 7 trees", 0, 7)
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_a_notebook_has_one_line(monkeypatch, at_once, capsys):
    shell = types.SimpleNamespace(kernel=None)
    package = types.SimpleNamespace(get_ipython=lambda: shell, version_info=(9, 0))
    monkeypatch.setitem(sys.modules, "IPython", package)
    with ProgressBar() as report:
        timer = report._timer
        report("Laying out 7 trees", 0, 7)
        timer.join(10.0)
        report("Laying out 7 trees", 7, 7)
    out, error = capsys.readouterr()
    assert out == ""
    assert error in ("Laying out 7 trees ...\n", "Reading the model ...\n")


def test_an_error_takes_the_bar_away(monkeypatch, at_once):
    monkeypatch.setattr(sys, "stderr", Terminal())
    report = ProgressBar()

    def work():
        with report:
            wait_for(lambda: report._bar is not None)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert not report._bar.live.is_started


def test_every_tree_is_reported():
    classifier, X, y = breast_cancer()
    seen = []
    encode(classifier, X, y, report=lambda *told: seen.append(told))
    laid_out = [told[1:] for told in seen if told[0] == "Laying out 12 trees"]
    assert laid_out == [(0, 12), *((done // 2, 12) for done in range(1, 25))]
    assert [told[0] for told in seen[-2:]] == ["Looking up the nodes of rows", "Packing"]


def test_work_of_a_second_is_told_on_a_real_terminal():
    """Through a pseudo-terminal, as a person sees it; stdout stays a pipe and empty."""
    ours, theirs = pty.openpty()
    places = [Path(horotree.__file__).parents[1], Path(__file__).parents[2]]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places)), "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW], env=environment, stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    told = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side has ended
            break
        if not part:
            break
        told += part
    os.close(ours)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, told
    assert out == b""
    assert b"12/12" in told
