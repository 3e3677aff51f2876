"""Lists of numbers in texts, read many times faster than number by number."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree import _native


def read_floats(text: str, separator: str = " ") -> NDArray[np.float64] | None:
    """Return the numbers of a text, as Python's ``float`` reads them; None if it has others.

    Between two numbers are blanks, or one comma.
    """
    return _read(text, separator, np.float64)


def read_whole(text: str, separator: str = " ") -> NDArray[np.int64] | None:
    """Return the whole numbers of a text; None if it has others, or some beyond 64 bits."""
    return _read(text, separator, np.int64)


def _read(text: str, separator: str, dtype: type[Any]) -> NDArray[Any] | None:
    room = np.empty(len(text) // 2 + 1, dtype)  # a number has a digit and a separator
    n = _native.read_numbers(text, separator, room)
    return None if n < 0 else room[:n].copy()
