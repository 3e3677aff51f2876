"""Which examples are held out: a share of every class, or folds."""

import numpy as np
from numpy.typing import NDArray


def hold_out(y: NDArray[np.intp], fraction: float, *, seed: int) -> NDArray[np.bool_]:
    """Return which examples to hold out: about this share of every class, never all of one."""
    place, size = _shuffled_places(y, seed)
    is_held_out = place < np.minimum(np.round(fraction * size), size - 1)
    if not is_held_out.any():
        raise ValueError(
            f"{len(y)} examples are too few to hold out {fraction:g} of every class: pass an "
            "eval_set, a larger validation_fraction, or early_stopping=False."
        )
    return np.asarray(is_held_out)


def folds(y: NDArray[np.intp], n_folds: int, *, seed: int) -> list[NDArray[np.bool_]]:
    """Return which examples are in each fold, every class spread evenly over them.

    The only example of a class is in none, so that no class is absent from training.
    """
    place, size = _shuffled_places(y, seed)
    return [(place % n_folds == fold) & (size > 1) for fold in range(n_folds)]


def _shuffled_places(y: NDArray[np.intp], seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return each example's place in a random order of its class, and that class's size."""
    order = np.random.default_rng(seed).permutation(len(y))
    by_class = order[np.argsort(y[order], kind="stable")]
    sizes = np.bincount(y)
    starts = np.cumsum(sizes) - sizes
    place = np.empty_like(y)
    place[by_class] = np.arange(len(y)) - starts[y[by_class]]
    return place, sizes[y]
