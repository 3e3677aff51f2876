"""The trees grown so far, stored by the client: a restart continues from them."""

import pickle
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from horotree import _native
from horotree.training import Report, Trained
from horotree.trees import Ensemble

from .messages import Checkpoint, NewEnsemble, NewTree

_NOTHING = Checkpoint(Ensemble((), np.empty(0), np.empty(0), 0.0), [], 0, [])


class Progress:
    """Collects the trees and ensembles that the first worker sends, in any thread.

    ``begun`` has ensembles to continue, by place. ``report`` is called after every tree with a
    function that returns its validation loss (NaN if there is none).
    """

    def __init__(self, begun: Mapping[int, Ensemble], report: Report | None) -> None:
        self._lock = threading.Lock()
        self._attempt = ""
        self._report = report
        self._starts = {place: _checkpoint(ensemble) for place, ensemble in begun.items()}
        self._new: dict[int, list[NewTree]] = {}
        self._done: dict[int, Trained] = {}

    def begin(self, attempt: str) -> tuple[dict[int, Checkpoint], dict[int, Trained]]:
        """Return what an attempt continues from; messages of earlier attempts are ignored now."""
        with self._lock:
            self._attempt = attempt
        return self.state()

    def hear(self, attempt: str, event: tuple[float, Any]) -> None:
        """Store a message of the first worker of an attempt."""
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
        """The number of trees so far, of all ensembles."""
        starts, done = self.state()
        ensembles = [start.ensemble for start in starts.values()]
        ensembles += [trained.ensemble for trained in done.values()]
        return sum(len(ensemble.trees) for ensemble in ensembles)

    def state(self) -> tuple[dict[int, Checkpoint], dict[int, Trained]]:
        """Return the ensembles to continue from, and those that are complete."""
        with self._lock:
            for place, new in self._new.items():
                start = self._starts.get(place, _NOTHING)
                self._starts[place] = _extended(start, new)
            self._new = {}
            starts = {p: start for p, start in self._starts.items() if p not in self._done}
            return starts, dict(self._done)


def _extended(start: Checkpoint, new: list[NewTree]) -> Checkpoint:
    ensembles = [start.ensemble, *(message.tree for message in new)]
    whole = Ensemble(
        trees=tuple(tree for ensemble in ensembles for tree in ensemble.trees),
        leverage=np.concatenate([ensemble.leverage for ensemble in ensembles]),
        edge=np.concatenate([ensemble.edge for ensemble in ensembles]),
        base_value=0.0,
    )
    factors = [*start.factors, *(message.factors for message in new)]
    return Checkpoint(whole, factors, new[-1].round + 1, new[-1].losses)


def _checkpoint(ensemble: Ensemble) -> Checkpoint:
    """Return the checkpoint after an earlier fit, whose factors are computed here."""
    factors = []
    for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
        both = np.empty((2, tree.n_nodes))
        _native.step_factors(leverage * tree.output, both)
        factors.append(both)
    return Checkpoint(ensemble, factors, len(ensemble.trees), [])
