"""Running the command inside this process, and as users do."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

import horotree
from horotree.cli import app


def run(*arguments, **options):
    """Run the command here; the result has exit_code, stdout and stderr."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], **options)


def refused(*arguments, **options):
    """Run what must be refused; return the one line that says why."""
    result = run(*arguments, **options)
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.stdout == ""
    *notes, line = result.stderr.splitlines()
    assert all(note.startswith("Note: ") for note in notes)
    assert line.startswith("Error: ")
    assert line.endswith((".", "?"))
    return line.removeprefix("Error: ")


def run_outside(*arguments, **options):
    """Run the command as a process of its own."""
    command = [sys.executable, "-W", "error", "-m", "horotree", *map(os.fspath, arguments)]
    return _run_process(command, options)


def run_in_shell(redirection, *arguments, **options):
    """Run the command as a process of its own, in a shell that redirects as 2>&- does."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "horotree"]
    return _run_process([*command, *map(os.fspath, arguments)], options)


def _run_process(command, options):
    source = str(Path(horotree.__file__).parents[1])  # the same package, in whatever folder
    options = {
        "capture_output": True,
        "timeout": 60,
        "env": os.environ | {"PYTHONPATH": source},
        **options,
    }
    return subprocess.run(command, check=False, **options)
