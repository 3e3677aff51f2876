"""Files are written whole or not at all, and replace others only with --force."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from horotree._files import whole_file
from horotree.cli.errors import UserError, file_name, system_errors


def check_output(path: Path, *, force: bool, sources: Iterable[str | Path] = ()) -> None:
    """Raise unless a file can be written here, before the work; ``sources`` are never replaced."""
    name = file_name(path)
    with system_errors(f"write {name}"):
        if str(path) == "-":
            raise UserError("this cannot be written to stdout: name a file.")
        if path.is_dir():
            raise UserError(f"{name} is a folder: name a file in it.")
        folder = path.parent
        if not folder.is_dir():
            raise UserError(f"there is no folder {file_name(folder)}: make it, or name another.")
        if path.exists():
            _check_existing(path, force=force, sources=sources)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UserError(f"cannot write into {file_name(folder)}: choose another folder.")


def _check_existing(path: Path, *, force: bool, sources: Iterable[str | Path]) -> None:
    name = file_name(path)
    if not path.is_file():
        raise UserError(f"{name} is not a regular file: name another.")
    if any(Path(source).exists() and path.samefile(source) for source in sources):
        raise UserError(f"{name} is what is read: name another file to write.")
    if not force:
        raise UserError(f"{name} exists already: pass --force to replace it, or name another.")


def write_file(path: Path, content: bytes, *, force: bool = False) -> None:
    """Write a file whole or not at all; ``force`` replaces one made since ``check_output``."""
    with writes(path), whole_file(path, replace=force) as file:
        file.write(content)


@contextmanager
def writes(path: Path) -> Iterator[None]:
    """Turn errors of writing a file into a `UserError`."""
    with system_errors(f"write {file_name(path)}"):
        try:
            yield
        except FileExistsError:
            raise UserError(
                f"{file_name(path)} was made by another program meanwhile: pass --force to replace "
                "it, or name another."
            ) from None
