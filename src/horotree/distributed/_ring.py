"""The machines of a fit, over XGBoost's collective: each exchange waits for all of them."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.training import Machines

from ._caller import Caller, LostError

# How long a machine takes to say good-bye at most, in seconds.
GOODBYE = 5.0


@dataclass(slots=True)
class Traffic:
    """How many sums and decisions a machine took part in, their bytes, and how long it waited."""

    n_bytes: int = 0
    n_sums: int = 0
    n_decisions: int = 0
    seconds: float = 0.0


class Ring(Machines):
    """The machines of a fit, of which this is one.

    Parameters
    ----------
    caller : Caller
        The thread in which the collective was joined.
    rank : int
        The place of this machine; the first decides.
    key : bytes
        A secret of this attempt, from the client: decisions have a checksum that needs it.
    traffic : Traffic
        Where to note what is sent.
    """

    def __init__(self, caller: Caller, rank: int, key: bytes, traffic: Traffic) -> None:
        from xgboost import collective

        super().__init__(self._add, self._take, self._largest)
        self._collective = collective
        self._caller = caller
        self._is_first = rank == 0
        self._key = key
        self._traffic = traffic
        self.segments: Sequence[tuple[int, int]] = ()

    def total(self, n_examples: int) -> int:
        return int(self.sums(np.array([n_examples]))[0])

    def draw(self, seed: int, n_examples: int) -> Floats:
        """Return the numbers that one machine with all examples would draw for those here."""
        drawn = [np.empty(0)]
        for begin, size in self.segments:
            generator = np.random.PCG64(seed)
            generator.advance(begin)
            drawn.append(np.random.Generator(generator).random(size))
        numbers = np.concatenate(drawn)
        assert len(numbers) == n_examples  # noqa: S101 - else some examples would share numbers
        return numbers

    def sums(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return the sums of numbers over all machines."""
        return self._reduced(numbers, self._collective.Op.SUM)

    def confirm(self) -> None:
        """Raise ``LostError`` if a sum before this may have been wrong.

        While a machine dies XGBoost may return one sum without all of its numbers, and says so only
        when it is asked for the next one.
        """
        self.total(0)

    def _add(self, numbers: NDArray[np.int64]) -> None:
        numbers[:] = self.sums(numbers.copy())

    def _take(self, numbers: NDArray[np.int64]) -> None:
        """Logarithms differ from one machine to another: so the first decides for all.

        A decision travels as a sum, to which the others add zeros: numbers cannot run code.
        """
        self._traffic.n_decisions += 1
        message = np.zeros(len(numbers) + 1, np.int64)
        if self._is_first:
            message[:-1] = numbers
            message[-1] = self._checksum(numbers)
        message = self._exchange(self._collective.allreduce, message, self._collective.Op.SUM)
        if message[-1] != self._checksum(message[:-1]):
            raise LostError("a decision has not come as the first worker has sent it")
        numbers[:] = message[:-1]

    def _checksum(self, numbers: NDArray[np.int64]) -> int:
        """Return what only a machine of this fit can know of its nth decision."""
        place = self._traffic.n_decisions.to_bytes(8, "little")
        digest = hashlib.blake2b(place + numbers.tobytes(), key=self._key, digest_size=8).digest()
        return int.from_bytes(digest, "little", signed=True)

    def _largest(self, unit: float) -> float:
        return float(self._reduced(np.array([unit]), self._collective.Op.MAX)[0])

    def _reduced(self, numbers: NDArray[Any], operation: Any) -> NDArray[Any]:
        self._traffic.n_sums += 1
        self._traffic.n_bytes += numbers.nbytes
        reduced: NDArray[Any] = self._exchange(self._collective.allreduce, numbers, operation)
        return reduced

    def _exchange(self, function: Callable[..., Any], *args: Any) -> Any:
        start = time.perf_counter()
        try:
            return self._caller(function, *args)
        finally:
            self._traffic.seconds += time.perf_counter() - start


@contextmanager
def joined(
    where: Mapping[str, Any], rank: int, timeout: int, check: Callable[[], None]
) -> Iterator[Caller]:
    """Be the machine of this rank while in the context.

    Parameters
    ----------
    where : mapping
        What the tracker says.
    rank : int
        The place of this machine.
    timeout : int
        Seconds to wait for another machine.
    check : callable
        Called while waiting; raises if nobody waits for the result any more.
    """
    from xgboost import collective, set_config

    caller = Caller(check, timeout)
    options = {"dmlc_task_id": f"{rank:08d}", "dmlc_timeout": timeout, "dmlc_retry": 1}
    try:
        caller(set_config, verbosity=0)
        caller(collective.init, **where, **options)
        try:
            yield caller
        finally:
            if not caller.is_stuck:
                caller.timeout = GOODBYE
                with suppress(LostError):  # who left before does not matter now
                    caller(collective.finalize)
    finally:
        caller.leave()
