"""Calls of the collective, in a thread that can be left behind.

When a machine dies at the wrong moment, XGBoost's collective may wait for it forever, in code that
cannot be interrupted. It keeps its state by thread: so one thread makes all its calls.
"""

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

# How often a waiting caller looks around, in seconds.
PULSE = 0.2


class LostError(RuntimeError):
    """A worker has left, or nobody waits for the result: what can be tried again, if at all."""


class Caller:
    """Makes calls in its own thread, and waits for each.

    Parameters
    ----------
    check : callable
        Called now and then while waiting; an error that it raises ends the call.
    timeout : float
        Seconds to wait, and a moment more: the collective has the same limit.
    """

    def __init__(self, check: Callable[[], None], timeout: float) -> None:
        self.timeout = timeout
        self.is_stuck = False  # in a call that was left behind
        self._check = check
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        threading.Thread(target=_serve, args=(self._calls,), daemon=True).start()

    def __call__(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Return what a function returns; ``LostError`` for an error of the collective."""
        from xgboost.core import XGBoostError

        call = _Call(function, args, options)
        self._calls.put(call)
        self.is_stuck = True
        self._wait(call)
        self.is_stuck = False
        if isinstance(call.error, XGBoostError):
            raise LostError(f"another worker has left, or is too slow ({_why(call.error)})")
        if call.error is not None:
            raise call.error
        return call.result

    def _wait(self, call: "_Call") -> None:
        deadline = time.monotonic() + self.timeout + 1.0
        while not call.done.wait(PULSE):
            self._check()
            if time.monotonic() > deadline:
                raise LostError(f"another worker has not answered for {self.timeout:g} s")

    def leave(self) -> None:
        """Let the thread end when it can."""
        self._calls.put(None)


class _Call:
    """A call, and what came of it."""

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
    ) -> None:
        self._function, self._args, self._options = function, args, options
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self._function(*self._args, **self._options)
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            self.error = error
        self.done.set()


def _serve(calls: "queue.SimpleQueue[_Call | None]") -> None:
    while (call := calls.get()) is not None:
        call.run()


def _why(error: Exception) -> str:
    """Return the innermost reason of a collective's error, without its stack trace."""
    lines = str(error).partition("Stack trace")[0].strip().splitlines()
    return lines[-1].rpartition("]: ")[2] if lines else type(error).__name__
