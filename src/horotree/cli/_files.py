"""Files are written whole or not at all, and never over others unless told to."""

import contextlib
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ._errors import UserError, file_name, system_errors


def check_output(path: Path, *, force: bool, sources: Iterable[str | Path] = ()) -> None:
    """Raise unless a file can be written here: before work is done that would be lost.

    Parameters
    ----------
    path : Path
        Where to write.
    force : bool
        Whether an existing file may be replaced.
    sources : iterable of path
        What is read: never replaced.
    """
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


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path to write to; what is there at the end is moved where it belongs at once.

    Parameters
    ----------
    path : Path
        Where it belongs. After an error it is as it was.

    Yields
    ------
    Path
        In the same folder, with the same suffix.
    """
    with system_errors(f"write {file_name(path)}"):
        path = Path(os.path.realpath(path))
        beside = path.with_name(f".horotree-{secrets.token_hex(8)}{path.suffix}")
        try:
            yield beside
            beside.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
