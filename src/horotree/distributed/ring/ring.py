"""All machines of a fit: sums go around a ring, and the first machine sends its decisions."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.training import Machines

from .links import Links


@dataclass(slots=True)
class Traffic:
    """The sums and decisions that a machine took part in, and the seconds that it waited."""

    n_bytes: int = 0
    n_sums: int = 0
    n_decisions: int = 0
    seconds: float = 0.0


class Ring(Machines):
    """The machines of a fit, seen from one of them; machine 0 decides."""

    def __init__(self, links: Links, rank: int, n_machines: int, traffic: Traffic) -> None:
        super().__init__(self._add, self._take, self._largest)
        self._links = links
        self._rank, self._n = rank, n_machines
        self._traffic = traffic
        self.segments: Sequence[tuple[int, int]] = ()

    def total(self, n_examples: int) -> int:
        """Return the number of examples on all machines."""
        return int(self.sums(np.array([n_examples]))[0])

    def mean(self, value: float, weight: float) -> float:
        """Return the weighted mean of a value of each machine; a weight of 0 is allowed."""
        total, weight = self.sums(np.array([value * weight, weight]))
        return float(total / weight)

    def draw(self, seed: int, n_examples: int) -> Floats:
        """Return the numbers that one machine would draw for the examples here."""
        drawn = [np.empty(0)]
        for begin, size in self.segments:
            generator = np.random.PCG64(seed)
            generator.advance(begin)
            drawn.append(np.random.Generator(generator).random(size))
        numbers = np.concatenate(drawn)
        assert len(numbers) == n_examples  # noqa: S101 - else some examples would share numbers
        return numbers

    def sums(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return the sums of numbers over all machines, the same to the bit on each."""
        sums = numbers.flatten()
        self._reduce(sums, np.add)
        return sums

    def _add(self, numbers: NDArray[np.int64]) -> None:
        self._reduce(numbers, np.add)

    def _take(self, numbers: NDArray[np.int64]) -> None:
        """Take the decision of machine 0: logarithms differ from one machine to another."""
        self._traffic.n_decisions += 1
        if self._rank == 0:
            message = _bytes_of(np.ascontiguousarray(numbers))
            self._swap(dict.fromkeys(range(1, self._n), message), {})
        else:
            message = self._swap({}, {0: numbers.nbytes})[0]
            numbers[:] = np.frombuffer(message, numbers.dtype).reshape(numbers.shape)

    def _largest(self, unit: float) -> float:
        units = np.array([unit])
        self._reduce(units, np.maximum)
        return float(units[0])

    def _reduce(self, numbers: NDArray[Any], join: np.ufunc) -> None:
        """Reduce the numbers of all machines by a commutative function, in place.

        A ring all-reduce: first each part of the numbers goes around the ring and is joined at
        every machine; then the complete parts go around.
        """
        self._traffic.n_sums += 1
        self._traffic.n_bytes += numbers.nbytes
        ends = [i * len(numbers) // self._n for i in range(self._n + 1)]
        parts = [numbers[begin:end] for begin, end in pairwise(ends)]
        for step in range(1, self._n):
            part = parts[self._rank - step - 1]
            join(part, self._pass(parts[self._rank - step], part), out=part)
        for step in range(1, self._n):
            part = parts[self._rank - step]
            part[:] = self._pass(parts[self._rank - step + 1], part)

    def _pass(self, part: NDArray[Any], like: NDArray[Any]) -> NDArray[Any]:
        """Send a part to the next machine; return that of the one before, shaped as ``like``."""
        before, after = (self._rank - 1) % self._n, (self._rank + 1) % self._n
        received = self._swap({after: _bytes_of(part)}, {before: like.nbytes})
        return np.frombuffer(received[before], like.dtype)

    def _swap(
        self, messages: Mapping[int, memoryview], sizes: Mapping[int, int]
    ) -> dict[int, memoryview]:
        start = time.perf_counter()
        try:
            return self._links.swap(messages, sizes)
        finally:
            self._traffic.seconds += time.perf_counter() - start


def _bytes_of(numbers: NDArray[Any]) -> memoryview:
    return numbers.reshape(-1).view(np.uint8).data
