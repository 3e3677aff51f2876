"""Timing that means something on a shared machine: alternate, repeat, take medians and ratios."""

import statistics
import time
from collections.abc import Callable, Mapping


def alternate(functions: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median seconds of each function, all called in turn ``repeats`` times."""
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        function()  # warm up: page in, import, allocate
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}
