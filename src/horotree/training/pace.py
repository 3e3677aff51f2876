"""All threads or one, where several may be slower."""

from statistics import median

# Trees after which both are tried again, and how many of each then count: one of them may be
# interrupted.
PERIOD = 128
TRIES = 3

# One more comes before those that count: after a change of threads the rows are in the cache of
# another core, so that one thread alone would seem slower than it is.
RUN = 1 + TRIES


class Pace:
    """Whether all threads or one took less time for the last trees.

    On a small table threads wait for each other as long as they work, and longer if their cores are
    far apart: only a try tells. Trees do not depend on it.

    Examples
    --------
    >>> from horotree.training.pace import Pace
    >>> pace = Pace()
    >>> for _ in range(8):
    ...     together = pace.together()
    ...     pace.tell(3.0 if together else 2.0)
    >>> pace.together()
    False
    """

    def __init__(self) -> None:
        self._n_trees = 0
        self._best = True
        self._seconds: tuple[list[float], list[float]] = ([], [])  # of one thread, of all

    def together(self) -> bool:
        """Tell whether all threads are to grow the next tree."""
        place = self._n_trees % PERIOD
        return place < RUN if place < 2 * RUN else self._best

    def n_alike(self) -> int:
        """Return for how many trees the answer is the same, whatever they take."""
        place = self._n_trees % PERIOD
        return 1 if place < 2 * RUN else PERIOD - place

    def tell(self, seconds: float, n_trees: int = 1) -> None:
        """Take note of what those trees took, one or some of those that are alike."""
        place = self._n_trees % PERIOD
        if place < 2 * RUN and place % RUN > 0:
            self._seconds[self.together()].append(seconds)
        if place == 2 * RUN - 1:
            one, all_threads = map(median, self._seconds)
            self._best, self._seconds = all_threads <= one, ([], [])
        self._n_trees += n_trees
