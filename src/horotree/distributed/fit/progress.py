"""The trees that are finished, kept on the client: what a restart goes on from."""

import pickle
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from horotree import _native
from horotree._checks import Floats
from horotree.training import Report, Trained
from horotree.trees import Ensemble

from .plan import NewEnsemble, NewTree, Start


class Progress:
    """Collects trees and ensembles as the first worker tells of them, in any thread.

    Parameters
    ----------
    begun : mapping
        By place, ensembles that are there at the beginning.
    report : callable, optional
        Called after every tree with its validation loss, NaN if there is none, as a function.
    """

    def __init__(self, begun: Mapping[int, Ensemble], report: Report | None) -> None:
        self._lock = threading.Lock()
        self._attempt = ""
        self._report = report
        self._starts = {
            place: Start(boosted, _factors(boosted), len(boosted.trees), [])
            for place, boosted in begun.items()
        }
        self._new: dict[int, list[NewTree]] = {}
        self._done: dict[int, Trained] = {}

    def begin(self, attempt: str) -> tuple[dict[int, Start], dict[int, Trained]]:
        """Return what an attempt starts from; what earlier ones still tell comes too late."""
        with self._lock:
            self._attempt = attempt
        return self.state()

    def hear(self, attempt: str, event: tuple[float, Any]) -> None:
        """Take in what a worker tells of an attempt."""
        news = pickle.loads(event[1])  # noqa: S301 - from our own worker, as all results are
        with self._lock:
            if attempt != self._attempt:
                return
            if isinstance(news, NewEnsemble):
                self._done[news.place] = news.trained
                return
            self._new.setdefault(news.place, []).append(news)
        if self._report is not None:
            loss = news.losses[-1] if news.losses else float("nan")
            self._report(1, lambda: loss)

    @property
    def n_trees(self) -> int:
        """The number of trees that are there, of all ensembles."""
        starts, done = self.state()
        whole = [start.boosted for start in starts.values()] + [
            trained.ensemble for trained in done.values()
        ]
        return sum(len(boosted.trees) for boosted in whole)

    def state(self) -> tuple[dict[int, Start], dict[int, Trained]]:
        """Return where each ensemble that is not done starts from, and those that are done."""
        with self._lock:
            for place, new in self._new.items():
                self._starts[place] = _extended(self._starts.get(place), new)
            self._new = {}
            starts = {p: start for p, start in self._starts.items() if p not in self._done}
            return starts, dict(self._done)


def _extended(start: Start | None, new: list[NewTree]) -> Start:
    """Return a start with more trees."""
    ensembles = [tree.boosted for tree in new]
    if start is not None:
        ensembles.insert(0, start.boosted)
    whole = Ensemble(
        trees=tuple(tree for ensemble in ensembles for tree in ensemble.trees),
        leverage=np.concatenate([ensemble.leverage for ensemble in ensembles]),
        edge=np.concatenate([ensemble.edge for ensemble in ensembles]),
        base_value=0.0,
    )
    last = new[-1]
    factors = [] if start is None else start.factors
    return Start(
        whole,
        [*factors, *(tree.factors for tree in new)],
        last.round + 1,
        last.losses,
    )


def _factors(ensemble: Ensemble) -> list[Floats]:
    """Return what trees multiply odds by that were grown by an earlier fit."""
    factors = []
    for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
        both = np.empty((2, tree.n_nodes))
        _native.step_factors(leverage * tree.output, both)
        factors.append(both)
    return factors
