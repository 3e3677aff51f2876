"""Where the nodes of a monotonic tree are in the disk."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from horotree._checks import Floats, check_range, check_temperature
from horotree._frozen import Frozen, as_array, freeze
from horotree.tempered import unlift
from horotree.trees import MonotonicTree

if TYPE_CHECKING:
    from .quality import LayoutQuality


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DiskEmbedding(Frozen):
    """Where the nodes of a monotonic tree are in the disk: distance and angle of each kept node.

    A node at distance d is drawn at the norm ``norm_t(d, t=t)``, for any t. The arcs are geodesics
    of the disk as it is drawn at the embedding's own temperature; another t moves them along with
    all points, each on its radius, so that what did not cross does not cross.

    Parameters
    ----------
    monotonic : MonotonicTree
        What is embedded.
    distance : float64 array
        The hyperbolic distance of each kept node to the origin.
    angle : float64 array
        The angle of each kept node, in radians, counterclockwise.
    t : float
        The temperature at which the arcs are geodesics.

    See Also
    --------
    embed : Find an embedding.
    """

    monotonic: MonotonicTree
    distance: Floats
    angle: Floats
    t: float

    def __post_init__(self) -> None:
        if not isinstance(self.monotonic, MonotonicTree):
            raise TypeError(
                f"monotonic must be a MonotonicTree, got a {type(self.monotonic).__name__}: pass "
                "monotonic(tree)."
            )
        for name in ("distance", "angle"):
            array = as_array(getattr(self, name), name, np.float64) + 0.0
            if len(array) != len(self.monotonic):
                raise ValueError(
                    f"{name} must have one entry a kept node, {len(self.monotonic)}, got "
                    f"{len(array)}."
                )
            check_range(array, name, np.isfinite(array), "finite", f"pass a {name} for every node")
            object.__setattr__(self, name, freeze(array))
        fix = "pass hyperbolic distances to the origin"
        check_range(self.distance, "distance", self.distance >= 0.0, "not negative", fix)
        object.__setattr__(self, "t", check_temperature(self.t))

    def __hash__(self) -> int:
        return hash((self.monotonic, self.angle.tobytes(), self.t))

    def __repr__(self) -> str:
        return f"DiskEmbedding({len(self)} nodes, t = {self.t:.3g})"

    def __len__(self) -> int:
        return len(self.distance)

    @property
    def node(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """The kept nodes, by their number in the tree."""
        return self.monotonic.node

    @property
    def error(self) -> float:
        """The mean relative error of distances, ρ, over nodes with confidence; NaN if none has."""
        confidence = self.monotonic.confidence
        some = confidence > 0.0
        if not some.any():
            return float("nan")
        gap = np.abs(confidence[some] - self.distance[some])
        return float((gap / confidence[some]).mean())

    def drawn(self, *, t: float | None = None) -> Floats:
        """Return how far from the origin the nodes are drawn: ``unlift(distance, t=t)``.

        Parameters
        ----------
        t : float, optional
            The temperature; that of the embedding if not given.

        Returns
        -------
        float64 array
            Distances of the classical disk: the norm is ``tanh`` of half of them.
        """
        return drawn_distance(self.distance, t=self.t if t is None else check_temperature(t))

    def quality(self, *, t: float | None = None, size: float = 1000.0) -> "LayoutQuality":
        """Measure the embedding as drawn at temperature t on a disk of so many pixels.

        Parameters
        ----------
        t : float, optional
            The temperature of the picture; that of the embedding if not given.
        size : float
            The diameter of the disk, in pixels.

        Returns
        -------
        LayoutQuality
        """
        from .quality import measure

        return measure(self, t=t, size=size)


def drawn_distance(distance: Floats, *, t: float) -> Floats:
    """Return the classical distance at which a distance of the t-self is drawn."""
    drawn = np.asarray(unlift(distance, t=t))
    fix = "lower t: at t > 1 all distances of the t-self are smaller"
    check_range(distance, "distance", np.isfinite(drawn), "below 1/(t-1)", fix)
    return drawn
