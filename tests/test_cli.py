"""The `horotree` command, inside this process and as users run it."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from typer.testing import CliRunner

import horotree
from horotree.cli import main
from horotree.display import FIGURES

FILES = {f"{name}.{suffix}" for name in FIGURES for suffix in ("png", "svg")}


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_version_is_that_of_the_package():
    result = run("--version")
    assert result.exit_code == 0
    assert result.output == f"horotree {horotree.__version__}\n"


def test_help_names_the_commands():
    result = run("--help")
    assert result.exit_code == 0
    assert "demo" in result.output
    assert "--version" in result.output


def test_without_a_command_help_is_shown():
    assert "demo" in run().output


@pytest.mark.parametrize("arguments", [("nonsense",), ("demo", "--outptu", "x"), ("demo", "x")])
def test_wrong_usage_fails_without_a_traceback(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_demo_writes_into_horotree_demo_by_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("demo")
    assert result.exit_code == 0
    assert {path.name for path in (tmp_path / "horotree-demo").iterdir()} == FILES


def test_demo_may_run_twice(tmp_path):
    for _ in range(2):
        assert run("demo", "--output", tmp_path / "again").exit_code == 0


@pytest.mark.parametrize("below", [".", "deeper"])
def test_an_unwritable_directory_is_one_readable_line(tmp_path, below):
    file = tmp_path / "file"
    file.touch()
    result = run("demo", "--output", file / below)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    (line,) = result.output.splitlines()
    assert line.startswith(f"Error: cannot write into {file / below}: ")
    assert line.endswith("Choose another directory with --output.")


def test_an_error_without_a_reason_still_says_what(tmp_path, monkeypatch):
    def fail(directory):
        raise OSError(f"no room in {directory}")

    monkeypatch.setattr("horotree.display.write_figures", fail)
    result = run("demo", "--output", tmp_path)
    assert result.exit_code == 1
    assert f"no room in {tmp_path}" in result.output


def test_the_installed_command_prints_paths_to_stdout_and_messages_to_stderr(tmp_path):
    command = Path(sysconfig.get_path("scripts")) / "horotree"
    result = subprocess.run(
        [command, "demo", "-o", "out"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = result.stdout.splitlines()
    assert {Path(line).name for line in lines} == FILES
    assert all((tmp_path / line).stat().st_size > 10_000 for line in lines)
    assert result.stderr == "Drew the theory figures:\n"


def test_the_installed_command_fails_with_one_line_on_stderr(tmp_path):
    command = Path(sysconfig.get_path("scripts")) / "horotree"
    (tmp_path / "out").touch()
    result = subprocess.run(
        [command, "demo", "-o", "out"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_loading_the_command_loads_nothing_heavy():
    heavy = {"matplotlib", "numpy", "pandas", "scipy", "sklearn"}
    code = f"import sys, horotree.cli; sys.exit(' '.join({heavy} & set(sys.modules)))"
    environment = os.environ | {"PYTHONWARNINGS": "error"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert result.stderr.strip() == ""
