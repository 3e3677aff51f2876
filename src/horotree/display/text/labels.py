"""Positions of short labels beside points."""

from collections.abc import Sequence

import numpy as np

from horotree._checks import Floats

# Directions to try, the upper right first, and distances in sizes of the label.
_DIRECTIONS = np.deg2rad([45.0, 135.0, 0.0, 180.0, 315.0, 225.0, 90.0, 270.0, 20.0, 160.0])
_REACHES = (1.0, 1.35, 1.9, 2.6)


def find_places(
    points: Floats, sizes: Sequence[tuple[float, float]], crowd: Floats, *, clearance: float
) -> Floats:
    """Return the centers of labels beside points; NaN where there is no room for one.

    The most important points come first; sizes and points have the same units. Labels must not
    cover the crowd: nodes, and points on lines. The clearance is the least distance of a label's
    center from its point, beyond half the label.
    """
    centers = np.full((len(points), 2), np.nan)
    placed: list[tuple[Floats, Floats]] = []
    for i, (point, size) in enumerate(zip(points, sizes, strict=True)):
        half = 0.5 * np.asarray(size)
        tried = _candidates(point, half, clearance)
        near = crowd[(np.abs(crowd - point) < half + 4.0 * (half + clearance)).all(axis=1)]
        covered = (np.abs(tried[:, None, :] - near[None, :, :]) < half).all(axis=2).sum(axis=1)
        for center, other in placed:
            meets = (np.abs(tried - center) < half + other).all(axis=1)
            covered = np.where(meets, len(near) + 1, covered)
        best = int(np.argmin(covered))
        if covered[best] <= len(near):
            centers[i] = tried[best]
            placed.append((tried[best], half))
    return centers


def _candidates(point: Floats, half: Floats, clearance: float) -> Floats:
    """Return centers to try, the nearest first."""
    around = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)], axis=-1)
    reach = (half * 0.7 + clearance)[None, :]
    return np.concatenate([point + around * reach * factor for factor in _REACHES])
