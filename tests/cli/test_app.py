"""The command as a whole: its help, how it starts, and how it ends."""

import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import horotree
from horotree.cli import EXAMPLES, main

from .running import refused, run, run_outside

COMMANDS = ["demo", "fit", "predict", "view", "info", "compare"]


def test_version_is_that_of_the_package():
    result = run("--version")
    assert result.exit_code == 0
    assert result.output == f"horotree {horotree.__version__}\n"


def test_help_names_the_commands():
    result = run("--help")
    assert result.exit_code == 0
    assert all(name in result.output for name in [*COMMANDS, "--version"])


def test_without_a_command_help_is_shown():
    assert all(name in run().output for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_has_an_example_of_it(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"horotree {name}" in result.output.partition("Examples")[2]


@pytest.mark.parametrize("example", [line for lines in EXAMPLES.values() for line in lines])
def test_options_in_examples_exist(example):
    words = example.replace("<", "|").split("|")
    words = next(part for part in words if "horotree " in part).split()
    options = {word for word in words if word.startswith("-") and word != "-"}
    shown = run(words[1], "--help", env={"COLUMNS": "200"}).output
    assert all(f" {option} " in shown for option in options)


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("demo", "--outptu", "x"),
        ("demo", "x"),
        ("fit", "data.csv"),
        ("fit", "data.csv", "-t", "y", "-o", "m", "--trees", "0"),
        ("demo", "--seed", "-1"),
        ("demo", "--seed", str(2**32)),
    ],
)
def test_wrong_usage_fails_without_a_traceback(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error" in result.stderr
    assert "Traceback" not in result.stderr


def test_loading_the_command_loads_nothing_heavy():
    heavy = {"matplotlib", "numpy", "pandas", "rich", "scipy", "sklearn"}
    code = f"import sys, horotree.cli; sys.exit(' '.join({heavy} & set(sys.modules)))"
    environment = os.environ | {"PYTHONWARNINGS": "error"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert result.stderr.strip() == ""


def test_the_installed_command_and_the_module_are_the_same(folder):
    script = Path(sysconfig.get_path("scripts")) / "horotree"
    results = [
        subprocess.run([script, "info", folder / "few.horotree"], capture_output=True, check=True),
        run_outside("info", folder / "few.horotree"),
    ]
    assert results[0].stdout == results[1].stdout
    assert results[0].stderr == results[1].stderr == b""


def test_the_command_ends_the_process_with_its_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["horotree", "info", "no-such-file"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("Error: cannot read 'no-such-file'")


def test_an_interruption_is_one_line_and_leaves_no_file(folder, tmp_path):
    command = [sys.executable, "-m", "horotree", "fit", folder / "train.csv", "-t", "diagnosis"]
    command += ["-o", tmp_path / "model.horotree", "--trees", "1000000"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Note: ")  # it has begun
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (output, errors) == ("", "Interrupted.\n")
    # Python itself may end by the signal when it came while code was compiled, as in an import of
    # named tuples; shells say 130 of both.
    assert process.returncode in (130, -signal.SIGINT)
    assert not list(tmp_path.iterdir())


def interrupt(path):
    raise KeyboardInterrupt


def fail_to_import(path):
    try:
        interrupt(path)
    except KeyboardInterrupt as error:
        raise ImportError("initialization failed") from error


@pytest.mark.parametrize("interrupt", [interrupt, fail_to_import])
def test_an_interruption_anywhere_is_one_line(interrupt, folder, monkeypatch):

    monkeypatch.setattr("horotree.io.load", interrupt)
    result = run("info", folder / "few.horotree")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Interrupted.\n")


NOT_LOADED = ImportError("_fitpack.so: failed to map segment from shared object")


@pytest.mark.parametrize("error", [MemoryError(), NOT_LOADED])
def test_too_little_memory_is_one_line(error, folder, monkeypatch):
    def fail(path):
        raise error

    monkeypatch.setattr("horotree.io.load", fail)
    assert "not enough memory" in refused("info", folder / "few.horotree")


def test_a_bug_shows_its_traceback(folder, monkeypatch):
    def fail(path):
        raise RuntimeError("a bug")

    monkeypatch.setattr("horotree.io.load", fail)
    result = run("info", folder / "few.horotree")
    assert isinstance(result.exception, RuntimeError)


def test_a_reader_that_has_seen_enough_is_no_error(folder):
    reading, writing = os.pipe()
    os.close(reading)
    result = run_outside("info", folder / "few.horotree", stdout=writing, capture_output=False)
    os.close(writing)
    assert result.returncode == 1
    assert not result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "few.horotree"],
        ["predict", "few.horotree", "test.csv", "-q"],
        ["--help"],
        ["--version"],
        ["fit", "--help"],
    ],
)
def test_a_full_disk_is_one_line(folder, arguments):
    with Path("/dev/full").open("w") as full:
        result = run_outside(
            *arguments,
            stdout=full,
            stderr=subprocess.PIPE,
            capture_output=False,
            cwd=folder,
        )
    assert result.returncode == 2
    assert result.stderr == b"Error: cannot write to stdout: no space left on device.\n"


def test_names_that_steer_terminals_are_shown_as_text(folder):
    line = refused("info", folder / "x\x1b[2J\ny\udcff")
    assert r"x\x1b[2J\ny\udcff" in line
