"""The choice between one thread and all, for small tables."""

from statistics import median

# Both are tried again after this many trees; this many trees of each are timed, since one of them
# may be interrupted.
PERIOD = 128
TRIES = 3

# One tree before the timed ones: after a change of threads the rows are in the cache of another
# core, and one thread would seem slower than it is.
RUN = 1 + TRIES


class Pace:
    """Measures whether trees take less time with one thread or with all.

    On a small table threads wait for each other as long as they work, or longer, depending on the
    machine. Trees do not depend on the choice.

    Examples
    --------
    >>> from horotree.training.pace import Pace
    >>> pace = Pace()
    >>> for _ in range(8):
    ...     together = pace.together()
    ...     pace.add(3.0 if together else 2.0)
    >>> pace.together()
    False
    """

    def __init__(self) -> None:
        self._n_trees = 0
        self._best = True
        self._seconds: tuple[list[float], list[float]] = ([], [])  # of one thread, of all

    def together(self) -> bool:
        """Return whether to grow the next tree with all threads."""
        place = self._n_trees % PERIOD
        return place < RUN if place < 2 * RUN else self._best

    def n_alike(self) -> int:
        """Return for how many trees the answer stays the same."""
        place = self._n_trees % PERIOD
        return 1 if place < 2 * RUN else PERIOD - place

    def add(self, seconds: float, n_trees: int = 1) -> None:
        """Add the time of one tree, or of some of those with the same answer."""
        place = self._n_trees % PERIOD
        if place < 2 * RUN and place % RUN > 0:
            self._seconds[self.together()].append(seconds)
        if place == 2 * RUN - 1:
            one, all_threads = map(median, self._seconds)
            self._best, self._seconds = all_threads <= one, ([], [])
        self._n_trees += n_trees
