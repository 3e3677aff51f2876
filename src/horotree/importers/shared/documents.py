"""Files and the nested documents in them, read without trust."""

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

# A model of a thousand trees of 255 leaves takes 20 to 60 megabytes.
MAX_FILE_BYTES = 2**29

# What the objects of a JSON text may be: lists and mappings, and whatever stands between commas.
MAX_CONTAINERS = 2**23
MAX_VALUES = 2**25

_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise if it is too large."""
    check_file(path)
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if status.st_size > MAX_FILE_BYTES:
            raise ValueError(
                f"a model file may have up to {MAX_FILE_BYTES} bytes, got {status.st_size} in "
                f"{path.name!r}: save a model of fewer trees."
            )
        return file.read(status.st_size)


def check_file(path: Path) -> None:
    """Raise if this is a pipe or a device: to open it might wait forever."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError(f"a model file must be a file, got {path.name!r}: copy it to one.")


def decode(data: bytes, what: str) -> str:
    """Return bytes as text, else raise."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{what} must be UTF-8 text, got other bytes: {error}.") from error


def parse_json(text: str, what: str, max_containers: int = MAX_CONTAINERS) -> Any:
    """Return the value of a JSON text, else raise; also if it would take much more memory."""
    for signs, most, things in (("[{", max_containers, "lists"), (",", MAX_VALUES, "values")):
        if sum(map(text.count, signs)) > most:
            raise ValueError(f"{what} may have up to {most} {things}, got more: it is damaged.")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also whole numbers of too many digits
        raise ValueError(f"{what} must be JSON, which cannot be read: {error}.") from error


def get(document: Any, *keys: str) -> Any:
    """Return what a document has under these keys, else raise."""
    for depth, key in enumerate(keys):
        if not isinstance(document, dict) or key not in document:
            name = ".".join(keys[: depth + 1])
            raise ValueError(f"the file must have {name!r}, got none: it is damaged or cut off.")
        document = document[key]
    return document


def whole(value: Any, name: str, low: int = 0, high: int = 2**31 - 1) -> int:
    """Return a whole number, which files write as text, too, else raise."""
    number = None
    # Of what Python takes for a number, C++ reads "1_0" or digits of other scripts otherwise.
    if isinstance(value, int) or (isinstance(value, str) and _WHOLE.fullmatch(value)):
        number = int(value)
    if number is None or not low <= number <= high:
        raise ValueError(
            f"{name} must be a whole number from {low} to {high}, got {str(value)[:40]!r}: the "
            "file is damaged."
        )
    return number


def items(value: Any, name: str) -> list[Any]:
    """Return a list as it is and an array as a list, else raise."""
    found = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(found, list):
        return found
    raise ValueError(f"{name} must be a list, got {type(value).__name__}: the file is damaged.")
