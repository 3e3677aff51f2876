"""What the frozen nouns share: arrays that nobody can write, equality, copies and pickles."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Which kinds of arrays are taken for which: booleans and whole numbers never from floats.
_KINDS = {"b": "biu", "i": "iu", "f": "iuf"}


class Frozen:
    """Base of the nouns: frozen dataclasses with slots, and a ``__dict__`` for cached properties.

    Equal if all fields are, entry by entry and type by type, NaN being equal to NaN. A pickle is
    checked anew when it is opened; a copy is the object itself.
    """

    __slots__ = ("__dict__",)
    __match_args__: ClassVar[tuple[str, ...]] = ()  # the fields: a dataclass sets it

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(a, b) for a, b in zip(self._values(), other._values(), strict=True))

    def __hash__(self) -> int:
        raise NotImplementedError

    def __copy__(self) -> "Frozen":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Frozen":
        return self

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), self._values()

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)


def _same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, np.ndarray):
        if a.dtype == np.object_:
            return b.dtype == np.object_ and _same(tuple(a.tolist()), tuple(b.tolist()))
        return a.dtype.kind == b.dtype.kind and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return bool(a == b)


def freeze(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array that nobody else holds read-only, and return it."""
    array.setflags(write=False)
    return array


def as_array(values: ArrayLike, name: str, dtype: type[np.generic]) -> NDArray[Any]:
    """Return a new C-contiguous array of one dimension and this dtype, if nothing is lost by it."""
    given = np.asarray(values)
    wanted = np.dtype(dtype)
    if given.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {given.shape}.")
    if given.dtype == wanted:
        return given.copy()
    if given.dtype.kind not in _KINDS[wanted.kind] and len(given):
        raise TypeError(
            f"{name} must hold {wanted.name} values, got dtype {given.dtype}: convert it with "
            f"numpy.asarray(values, dtype={wanted.name!r})."
        )
    array = given.astype(wanted)
    if wanted.kind in "bi" and not np.array_equal(array, given):
        wrong = given[array != given][0]
        raise ValueError(f"{name} must hold {wanted.name} values, got {wrong!r}: it does not fit.")
    return array
