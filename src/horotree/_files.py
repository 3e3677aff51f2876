"""Files that are written whole or not at all."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# Where an open file without a name can be found to give it one.
_OPEN_FILES = Path("/proc/self/fd")

# What systems and file systems say that know no files without a name.
_UNKNOWN = (errno.EISDIR, errno.ENOENT, errno.EOPNOTSUPP, errno.EINVAL)


@contextmanager
def whole_file(path: str | os.PathLike[str], *, replace: bool = True) -> Iterator[BinaryIO]:
    """Yield a file to write to; when all is written and on the disk, it appears at the path.

    Until then there is nothing new to see: on Linux the file has no name, so that not even a killed
    process leaves one; elsewhere it has a name that starts with ``.horotree-``. After an error what
    was at the path is as it was.

    Parameters
    ----------
    path : str or path
        Where it belongs; a link is followed.
    replace : bool
        Whether an existing file is replaced, at once. If not, and however many write at a time, one
        makes the file and the others get a FileExistsError.

    Yields
    ------
    binary file

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from horotree._files import whole_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "a.txt") as file:
    ...         n_bytes = file.write(b"all of it")
    ...     (Path(folder) / "a.txt").read_bytes()
    b'all of it'
    """
    target = Path(os.path.realpath(path))
    file, beside = _open(target)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if beside is None:
                _name(file, target, replace=replace)
        if beside is not None:
            _move(beside, target, replace=replace)
    except BaseException:
        if beside is not None:
            with contextlib.suppress(OSError):
                beside.unlink()
        raise
    with contextlib.suppress(OSError):  # the new name on the disk, too, where systems can do that
        _sync(target.parent)


def _open(target: Path) -> tuple[BinaryIO, Path | None]:
    """Return an open file of the target's folder, and its name if it has one."""
    if hasattr(os, "O_TMPFILE") and _OPEN_FILES.is_dir():
        try:
            handle = os.open(target.parent, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o666)
        except OSError as error:
            if error.errno not in _UNKNOWN or not target.parent.is_dir():
                raise
        else:
            return os.fdopen(handle, "w+b"), None
    beside = _beside(target)
    return beside.open("x+b"), beside


def _beside(target: Path) -> Path:
    return target.with_name(f".horotree-{secrets.token_hex(8)}.tmp")


def _name(file: BinaryIO, target: Path, *, replace: bool) -> None:
    """Give a file without a name its place."""
    try:
        _link_open(file, target)
    except FileExistsError:
        if not replace:
            raise
    else:
        return
    beside = _beside(target)  # no system replaces a file by one without a name
    _link_open(file, beside)
    _move(beside, target, replace=True)


def _link_open(file: BinaryIO, path: Path) -> None:
    """Give an open file a name; raise FileExistsError if something has it."""
    folder = os.open(_OPEN_FILES, os.O_RDONLY)
    try:  # given the folder, Python makes the system follow the link to the open file
        os.link(str(file.fileno()), path, src_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _move(beside: Path, target: Path, *, replace: bool) -> None:
    """Move a finished file to its place."""
    try:
        if replace:
            beside.replace(target)
        else:
            _move_new(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _move_new(beside: Path, target: Path) -> None:
    """Move a file to where none may be."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):  # no second names here
        target.open("xb").close()
        beside.replace(target)
    else:
        beside.unlink()


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
