"""Running the command inside this process, and as users do."""

import os
import subprocess
import sys

from typer.testing import CliRunner

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
    options = {"capture_output": True, "timeout": 60, **options}
    return subprocess.run(command, check=False, **options)
