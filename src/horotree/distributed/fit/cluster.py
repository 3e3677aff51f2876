"""A cluster as a fit uses it: every wait has a limit, and all futures can be released."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from horotree.distributed.ring.links import WorkerLostError

# In seconds: how often futures, and the list of workers, are checked; how long a worker, and the
# scheduler, may take to answer.
PAUSE = 0.02
PULSE = 0.5
ANSWER = 10.0
SCHEDULER = 60.0


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
    _ask_scheduler(client, client.nthreads)  # raises if there is none
    return client


class Cluster:
    """The workers of a client.

    After ``timeout`` seconds without any progress, waits look for a cause.
    """

    def __init__(self, client: Any, timeout: float) -> None:
        self.client = client
        self.timeout = timeout
        self._held: list[Any] = []

    def workers(self) -> list[str]:
        """Return the addresses of the workers that the scheduler knows, sorted."""
        return sorted(_ask_scheduler(self.client, self.client.nthreads))

    def submit(
        self, function: Callable[..., Any], *args: Any, to: Collection[str], **options: Any
    ) -> Any:
        """Return the future of a call on one of these workers and on no other."""
        future = self.client.submit(function, *args, workers=list(to), pure=False, **options)
        return self._hold([future])[0]

    def compute(
        self, tasks: Sequence[Any], rather: Collection[str] | None = None, **options: Any
    ) -> list[Any]:
        """Return futures of delayed tasks, to be run on these workers if one of them is there.

        Dask stores with a key where it may run, and a collection has the same keys in the next fit.
        If only these workers were allowed, that fit would wait for them after they have gone.
        """
        if rather is not None:
            options |= {"workers": list(rather), "allow_other_workers": True}
        return self._hold(self.client.compute(list(tasks), **options))

    def _hold(self, futures: Sequence[Any]) -> list[Any]:
        self._held.extend(futures)
        return list(futures)

    def release(self, futures: Sequence[Any] | None = None) -> None:
        """Release futures, by default all that were made here, even if objects refer to them.

        Running tasks are canceled, and Dask forgets results that no other future is for.
        """
        for future in self._held if futures is None else futures:
            future.release()
        if futures is None:
            self._held = []

    def ask(self, function: Callable[..., Any], workers: Collection[str]) -> dict[str, Any]:
        """Run a function on workers, even busy ones; return the answers that come in time."""
        client = self.client

        async def ask_one(address: str) -> Any:
            return await asyncio.wait_for(client.run(function, workers=[address]), ANSWER)

        async def ask_all() -> list[Any]:
            return await asyncio.gather(*map(ask_one, workers), return_exceptions=True)

        answers = _ask_scheduler(client, ask_all)
        return {
            address: answer[address]
            for address, answer in zip(workers, answers, strict=True)
            if not isinstance(answer, BaseException)
        }

    def holders(self, futures: Sequence[Any]) -> list[Collection[str]]:
        """Return the workers where the result of each future is."""
        found = _ask_scheduler(self.client, self.client.who_has, list(futures))
        return [found.get(future.key, ()) for future in futures]

    def forget_topic(self, name: str) -> None:
        """Drop the events of a topic, which the scheduler would keep."""
        _ask_scheduler(self.client, self.client.run_on_scheduler, _forget_topic, name)

    def follow(self, futures: Sequence[Any], needed: Collection[str] = ()) -> Iterator[Any]:
        """Yield futures as they are done.

        Raises WorkerLostError if a needed worker leaves, or another worker reports that one did, or
        if nothing happens for ``timeout`` seconds and some worker does not answer, or none has
        work; raises TimeoutError if nothing happens for so long and there is no worker at all.
        """
        pending = list(futures)
        happened = looked = time.monotonic()
        while pending:
            states = [(future, future.status) for future in pending]
            pending = [future for future, status in states if status == "pending"]
            done = [future for future, status in states if status != "pending"]
            for future in done:
                if future.status not in ("finished", "pending"):  # pending again: collect waits
                    raise self._cause(future)
                yield future
            now = time.monotonic()
            if done:
                happened = now
            else:
                time.sleep(PAUSE)
            if now - looked > PULSE:
                self._check_there(needed)
                looked = now
            if now - happened > self.timeout:
                self._check_work()
                happened = time.monotonic()

    def collect(self, futures: Sequence[Any], needed: Collection[str] = ()) -> list[Any]:
        """Return the results of futures when all are done; raises as ``follow`` does."""
        for _ in self.follow(futures, needed):
            pass
        return self._gather(futures, needed)

    def _gather(self, futures: Sequence[Any], needed: Collection[str]) -> list[Any]:
        """Return results; raise if one was lost with its worker, which Dask would compute again."""
        from distributed import KilledWorker

        async def gather() -> Any:
            return await self.client.gather(list(futures))

        deadline = time.monotonic() + self.timeout
        task = asyncio.run_coroutine_threadsafe(gather(), self.client.loop.asyncio_loop)
        try:
            while not task.done() and time.monotonic() < deadline:
                with suppress(TimeoutError, CancelledError):
                    task.exception(PULSE)
                if not task.done():
                    self._check_there(needed)  # raises also if the client was closed
            return list(task.result(0.0))
        except (CancelledError, KilledWorker, TimeoutError):
            raise WorkerLostError("results are lost with their worker") from None
        finally:
            task.cancel()

    def _check_there(self, needed: Collection[str]) -> None:
        gone = sorted(set(needed) - set(self.workers()))
        if gone:
            raise WorkerLostError(f"the scheduler has lost {', '.join(gone)}")

    def _check_work(self) -> None:
        """Raise unless there are workers, all answer, and at least one is busy."""
        for _ in range(2):  # between two tasks a worker has nothing to do
            workers = self.workers()
            if not workers:
                raise TimeoutError(
                    f"the cluster has had no worker for {self.timeout:g} seconds: start some, or "
                    "raise timeout."
                )
            answers = self.ask(_is_busy, workers)
            silent = sorted(set(workers) - set(answers))
            if silent:
                raise WorkerLostError(f"no answer from {', '.join(silent)}")
            if any(answers.values()):
                return
            time.sleep(PULSE)
        raise WorkerLostError(f"tasks wait, but nothing has run for {self.timeout:g} seconds")

    def _cause(self, future: Any) -> BaseException:
        """Return the error of a failed future; a WorkerLostError if a worker has left."""
        from distributed import KilledWorker

        if future.status != "error":
            self.workers()  # raises if the client was closed
            return WorkerLostError(f"a task was {future.status}")
        error: BaseException = future.exception(timeout=self.timeout)
        return WorkerLostError(str(error)) if isinstance(error, KilledWorker) else error


def _is_busy(dask_worker: Any) -> bool:
    """Return whether a worker runs or fetches anything, of any client."""
    state = dask_worker.state
    return bool(state.all_running_tasks) or state.transfer_incoming_count > 0


def _forget_topic(name: str, dask_scheduler: Any) -> None:
    with suppress(AttributeError, KeyError):
        del dask_scheduler._broker._topics[name]  # noqa: SLF001 - there is no public way


def _ask_scheduler(client: Any, function: Callable[..., Any], *args: Any) -> Any:
    """Call a method of the client that waits for the scheduler."""
    try:
        if client.status != "running":
            raise ConnectionError("it does not run")
        return _bounded(client, SCHEDULER, function, *args)
    except (AttributeError, OSError, RuntimeError, TimeoutError) as error:
        raise RuntimeError(
            "the client has lost its scheduler, or was closed (its status is "
            f"{client.status!r}): make a new distributed.Client and fit again."
        ) from error


def _bounded(client: Any, seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """Call a method of the client in its loop; raise ``TimeoutError`` if it takes longer."""

    async def call() -> Any:
        try:
            return await asyncio.wait_for(function(*args), seconds)
        except asyncio.CancelledError:  # client.sync would turn it into a NameError
            raise ConnectionError("the client was closed") from None

    return client.sync(call, callback_timeout=seconds + 1.0)
