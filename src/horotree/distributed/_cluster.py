"""Waiting for a cluster without ever hanging: who is there, what has failed, and how."""

import asyncio
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ._worker import StoppedError

# How often the workers are counted, and how long one that is alive takes to answer, in seconds.
PULSE = 0.5
ANSWER = 5.0


class LostError(RuntimeError):
    """A worker has left in the middle: what can be tried again."""


def find_client(client: Any) -> Any:
    """Return the client to use: this one, or the current one for None; it must be running."""
    from distributed import Client, default_client

    if client is None:
        try:
            client = default_client()
        except ValueError:
            raise ValueError(
                "there is no Dask client: make one first, client = distributed.Client(...), or "
                "pass it as client=."
            ) from None
    if not isinstance(client, Client):
        raise TypeError(f"client must be a distributed.Client, got {type(client).__name__}.")
    if client.asynchronous:
        raise ValueError("client must not be asynchronous: make it without asynchronous=True.")
    workers_of(client)
    return client


def workers_of(client: Any) -> list[str]:
    """Return the addresses of the workers that the scheduler knows, sorted."""
    if client.status != "running":
        raise _closed(client)
    try:
        return sorted(client.nthreads())
    except (AttributeError, OSError, TimeoutError) as error:  # it has no scheduler any more
        raise _closed(client) from error


def _closed(client: Any) -> RuntimeError:
    return RuntimeError(
        f"the client has lost its scheduler, or was closed (its status is {client.status!r}): make "
        "a new distributed.Client and fit again."
    )


def ask(
    client: Any, function: Callable[..., Any], *args: Any, workers: Collection[str]
) -> dict[str, Any]:
    """Run a function on workers, whatever else they do; return the answers that come in time."""

    async def ask_one(address: str) -> Any:
        return await asyncio.wait_for(client.run(function, *args, workers=[address]), ANSWER)

    async def ask_all() -> list[Any]:
        return await asyncio.gather(*map(ask_one, workers), return_exceptions=True)

    answers = client.sync(ask_all)
    return {
        address: answer[address]
        for address, answer in zip(workers, answers, strict=True)
        if not isinstance(answer, BaseException)
    }


def follow(
    client: Any, futures: Sequence[Any], timeout: float, needed: Collection[str] = ()
) -> Iterator[Any]:
    """Yield futures as they are done.

    Raises
    ------
    LostError
        If a needed worker leaves, or one that runs says that another one did, or if nothing happens
        for so many seconds and some worker does not answer.
    TimeoutError
        If there is no worker at all for so many seconds.
    """
    from concurrent.futures import CancelledError

    from distributed import TimeoutError as NothingYet
    from distributed import wait

    pending, since = set(futures), time.monotonic()
    while pending:
        try:
            done, pending = wait(pending, timeout=PULSE, return_when="FIRST_COMPLETED")
        except (NothingYet, TimeoutError):
            done = set()
        except (CancelledError, asyncio.CancelledError):
            workers_of(client)  # raises if the client was closed
            raise LostError("tasks were cancelled") from None
        for future in done:
            if future.status != "finished":
                raise _reason(client, future)
            yield future
        there = workers_of(client)
        gone = sorted(set(needed) - set(there))
        if gone:
            raise LostError(f"the scheduler has lost {', '.join(gone)}")
        if done:
            since = time.monotonic()
        elif time.monotonic() - since > timeout:
            _check_answers(client, there, timeout)
            since = time.monotonic()


def collect(
    client: Any, futures: Sequence[Any], timeout: float, needed: Collection[str] = ()
) -> list[Any]:
    """Return the results of futures when all are done; raises as ``follow`` does."""
    for _ in follow(client, futures, timeout, needed):
        pass

    async def gather() -> Any:
        # What is done may be gone again with its worker, which is then waited for.
        return await asyncio.wait_for(client.gather(list(futures), asynchronous=True), timeout)

    try:
        return list(client.sync(gather))
    except TimeoutError:
        raise LostError("results are lost with their worker") from None


def _check_answers(client: Any, workers: Collection[str], timeout: float) -> None:
    """Raise unless there are workers, and all of them answer."""
    if not workers:
        raise TimeoutError(
            f"the cluster has had no worker for {timeout:g} seconds: start some, or raise timeout."
        )
    silent = sorted(set(workers) - set(ask(client, os.getpid, workers=workers)))
    if silent:
        raise LostError(f"no answer from {', '.join(silent)}")


def _reason(client: Any, future: Any) -> BaseException:
    """Return why a future failed: as an error that can be tried again if a worker has left."""
    from distributed import KilledWorker

    if future.status != "error":
        workers_of(client)  # raises if the client was closed
        return LostError(f"a task was {future.status}")
    error: BaseException = future.exception()
    if isinstance(error, ConnectionError | KilledWorker | StoppedError):
        return LostError(str(error))
    return error
