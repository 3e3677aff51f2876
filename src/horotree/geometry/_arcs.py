"""Geodesics of the disk as circular arcs, for drawing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from horotree._checks import Floats, check_number

from ._inputs import as_positive
from ._vectors import as_ball_points, cross_product, dot, norm, one_minus_square


@dataclass(frozen=True, slots=True)
class GeodesicArc:
    """The geodesic between two points of the disk, as it is drawn.

    A circular arc that meets the border at right angles, or a straight segment if it passes
    through the origin: then ``radius`` is inf and ``center`` and the angles are None.

    Parameters
    ----------
    start, end : tuple of float
        The end points.
    center : tuple of float or None
        Center of the circle, outside the disk.
    radius : float
        Radius of the circle.
    start_angle, end_angle : float or None
        Where on the circle the arc starts and ends. The arc turns from one to the other, by less
        than π; clockwise where ``end_angle`` is smaller.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    center: tuple[float, float] | None
    radius: float
    start_angle: float | None
    end_angle: float | None

    @property
    def is_straight(self) -> bool:
        """Whether to draw a straight segment."""
        return self.center is None


def geodesic_arc(x: ArrayLike, y: ArrayLike, *, tolerance: float = 1e-7) -> GeodesicArc:
    """Geodesic between two points of the disk: a circle with center ``c``, or a segment.

    With the cross product k = x1 y2 - x2 y1, u = y - x and m = 1 - xy, the center is
    (x+y)/2 - m/(2k) (-u2, u1), the radius |u| hypot(k, m) / (2|k|), and the arc turns by
    -2 atan2(k, m).

    Parameters
    ----------
    x, y : array of shape (2,)
        Points of the disk.
    tolerance : float
        An arc that stays this close to its chord is straight. The default is a twenty-thousandth
        of a pixel on a disk 1000 pixels wide, and keeps the circle's radius below 5e6.

    Returns
    -------
    GeodesicArc
        What to draw.

    Examples
    --------
    >>> from horotree.geometry import poincare
    >>> arc = poincare.geodesic_arc([0.5, 0.0], [0.0, 0.5])
    >>> [round(c, 6) for c in arc.center], round(arc.radius, 6)
    ([1.25, 1.25], 1.457738)
    >>> poincare.geodesic_arc([0.5, 0.0], [-0.3, 0.0]).is_straight
    True
    """
    margin = float(as_positive(check_number(tolerance, "tolerance"), "tolerance", "try 1e-7"))
    points = [as_ball_points(point, name) for point, name in ((x, "x"), (y, "y"))]
    for point, name in zip(points, ("x", "y"), strict=True):
        if point.shape != (2,):
            raise ValueError(
                f"{name} must be one point of the disk, got shape {point.shape}: "
                "pass two coordinates and call once for each arc."
            )
    (start, p), (end, q) = ((point, one_minus_square(point)) for point in points)
    u = end - start
    cross = float(cross_product(start, end))
    m = 0.5 * float(p + q + dot(u, u))
    half_chord = 0.5 * float(norm(u))
    ends = _pair(start), _pair(end)
    turn = -2.0 * float(np.arctan2(cross, m))
    if half_chord * abs(np.tan(0.25 * turn)) <= margin:  # how far the arc leaves its chord
        return GeodesicArc(*ends, None, np.inf, None, None)
    lever = (m / (2.0 * cross)) * np.array([-u[1], u[0]])
    out = lever - 0.5 * u
    first = float(np.arctan2(out[1], out[0]))
    center = _pair(0.5 * (start + end) - lever)
    radius = half_chord * float(np.hypot(cross, m)) / abs(cross)
    return GeodesicArc(*ends, center, radius, first, first + turn)


def _pair(x: Floats) -> tuple[float, float]:
    return float(x[0]), float(x[1])
