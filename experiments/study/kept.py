"""Parts of an experiment in parallel; what is finished is kept, so that a run can go on."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import joblib
from threadpoolctl import threadpool_limits

from experiments.context import Context
from experiments.progress import progress
from experiments.study.models import fingerprint

# To be raised when figures come to mean something else: what was kept is then not used.
FORMAT = 2


def run_kept(
    context: Context, text: str, parts: Mapping[Path, partial[Any]]
) -> list[dict[str, Any]]:
    """Return what the parts return, of those that were finished before what is kept.

    Parts run by joblib, on any backend that a ``joblib.parallel_config`` around this names.

    Parameters
    ----------
    context : Context
        How many processes.
    text : str
        What the progress bar says.
    parts : mapping of Path to partial
        What to call, by the file that keeps what it returns: a dict that JSON can hold.
    """
    missing = {path: part for path, part in parts.items() if not path.exists()}
    for folder in {path.parent for path in missing}:
        folder.mkdir(parents=True, exist_ok=True)
    if missing:
        with progress(text, len(missing)) as count:
            n_jobs = (
                None if context.jobs == 1 else context.jobs
            )  # None lets a parallel_config decide
            for path, figures in _parallel(n_jobs, list(missing.items())):
                _keep(path, figures)
                count()
    return [json.loads(path.read_text("utf-8")) for path in parts]


def digest(*parts: Any) -> str:
    """Return what file names begin with: it differs if our own code behaves differently."""
    text = json.dumps([FORMAT, fingerprint(), *parts])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def describe(function: Any) -> str:
    """Return a function's full name, with the arguments if it is a partial."""
    if isinstance(function, partial):
        return f"{describe(function.func)}{function.args}{sorted(function.keywords.items())}"
    return f"{function.__module__}.{function.__qualname__}"


def _parallel(n_jobs: int | None, parts: Sequence[tuple[Path, partial[Any]]]) -> Iterator[Any]:
    """Yield what comes out, as soon as it does where joblib's backend can; else some at a time."""
    calls = [joblib.delayed(_do)(path, part) for path, part in parts]
    try:
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # this backend cannot
        parallel = joblib.Parallel(n_jobs=n_jobs)
        step = 4 * joblib.effective_n_jobs(n_jobs)
        for first in range(0, len(calls), step):
            yield from parallel(calls[first : first + step])
        return
    yield from parallel(calls)


def _do(path: Path, part: partial[Any]) -> tuple[Path, dict[str, Any]]:
    with threadpool_limits(1):  # there are as many processes as cores
        return path, part()


def _keep(path: Path, figures: dict[str, Any]) -> None:
    """Write a file whole or not at all: a run may be killed at any time."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(figures), "utf-8")
    part.replace(path)
