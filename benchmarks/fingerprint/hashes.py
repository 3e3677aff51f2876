"""Fingerprints: a name and a short hash for each thing that was computed."""

import hashlib
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

# Hexadecimal digits of a hash, and up to how many characters a value is kept as it is.
N_DIGITS = 16
N_KEPT = 40


class Prints:
    """Fingerprints by name, such as ``trained/german/boost/trees/threshold``.

    Parameters
    ----------
    only : sequence of str
        The first parts of names to compute; all if there are none.

    Attributes
    ----------
    found : dict
        The fingerprints.
    failed : dict
        By name, what was raised where something could not be computed.
    """

    def __init__(self, only: tuple[str, ...] = ()) -> None:
        self.only = only
        self.found: dict[str, str] = {}
        self.failed: dict[str, str] = {}

    def add(self, name: str, value: Any) -> None:
        """Add the fingerprint of a value."""
        if name in self.found:
            raise ValueError(f"there are two fingerprints {name}: give them different names.")
        self.found[name] = fingerprint(value)

    def add_each(self, name: str, value: Any) -> None:
        """Add a fingerprint of each entry of a mapping, or of each field of a dataclass."""
        for key, entry in parts_of(value).items():
            self.add(f"{name}/{key}", entry)

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """Compute a group of fingerprints; what fails in it is recorded, and the others go on."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            text = " ".join(str(error).split())[:200]
            self.failed[name] = f"{type(error).__name__}: {text}"
            print(f"{name}: {self.failed[name]}", file=sys.stderr)

    def run(self, name: str, compute: Callable[..., None], *arguments: Any) -> None:
        """Compute a group, if it was asked for, by a function of ``Prints``, name and arguments."""
        if self.only and not any(name.startswith(start) for start in self.only):
            return
        start = time.perf_counter()
        with self.group(name):
            compute(self, name, *arguments)
        print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr)

    def write(self, path: Path, about: Mapping[str, str]) -> None:
        """Write all to a JSON file."""
        content = {"about": about, "failed": self.failed, "prints": self.found}
        path.write_text(json.dumps(content, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def fingerprint(value: Any) -> str:
    """Return a short text that differs where values differ: a small value itself, or a hash.

    Integers of all widths are the same, and so are all NaN: types are details, numbers are not.
    """
    if isinstance(value, bool | int | float | str | None | np.generic):
        text = repr(value.item() if isinstance(value, np.generic) else value)
        if len(text) <= N_KEPT:
            return text
    hashed = hashlib.sha256()
    _feed(hashed.update, value)
    return hashed.hexdigest()[:N_DIGITS]


def parts_of(value: Any) -> dict[str, Any]:
    """Return the entries of a mapping, or the fields of a dataclass."""
    if isinstance(value, Mapping):
        return {str(key): entry for key, entry in value.items()}
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _feed(update: Callable[[bytes], None], value: Any) -> None:
    """Feed a value to a hash, with marks around it that make the whole unambiguous."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        _feed_numbers(update, value)
    elif isinstance(value, np.ndarray):
        _feed(update, value.tolist())
    elif isinstance(value, bytes):
        update(b"bytes %d " % len(value) + value)
    elif isinstance(value, list | tuple):
        update(b"list %d " % len(value))
        for entry in value:
            _feed(update, entry)
    elif isinstance(value, set | frozenset):
        _feed(update, sorted(map(repr, value)))
    elif isinstance(value, Mapping) or (is_dataclass(value) and not isinstance(value, type)):
        parts = parts_of(value)
        _feed(update, [[key, parts[key]] for key in sorted(parts)])
    elif isinstance(value, bool | int | float | str | None | np.generic):
        plain = value.item() if isinstance(value, np.generic) else value
        _feed(update, repr(plain).encode("utf-8", "surrogatepass"))
    else:
        raise TypeError(f"there is no fingerprint of a {type(value).__name__}: pass its parts.")


def _feed_numbers(update: Callable[[bytes], None], array: Any) -> None:
    kind = {"b": "<u1", "f": "<f8"}.get(array.dtype.kind, "<i8")
    numbers = np.ascontiguousarray(array).astype(kind)
    if kind == "<f8":
        numbers[np.isnan(numbers)] = np.nan
    update(f"array {kind} {array.shape} ".encode() + numbers.tobytes())


def compare(old: Mapping[str, Any], new: Mapping[str, Any], ignored: Callable[[str], bool]) -> str:
    """Return what differs between two files of fingerprints, a line each; empty if nothing does."""
    lines = [
        f"made with {name} {old['about'].get(name)} and {new['about'].get(name)}: not comparable"
        for name in sorted({*old["about"], *new["about"]})
        if old["about"].get(name) != new["about"].get(name)
    ]
    for side, content in (("old", old), ("new", new)):
        failed = {name: why for name, why in content["failed"].items() if not ignored(name)}
        lines += [f"{name}: failed in the {side}: {why}" for name, why in failed.items()]
    before, after = old["prints"], new["prints"]
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name) and not ignored(name):
            lines.append(f"{name}: {before.get(name, 'not there')} -> {after.get(name, 'gone')}")
    return "\n".join(lines)
