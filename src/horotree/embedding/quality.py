"""How good an embedding is: error, crossings, arc lengths, and how near nodes come in a picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horotree._checks import Floats, check_number, check_temperature
from horotree.geometry import polar

from .crossings import Arcs, count_crossings
from .embedding import DiskEmbedding, drawn_distance

# Nodes are close if nearer than this, in pixels: their markers touch.
CLOSE = 6.0

# The figures of a summary: small ones are better, except the separation.
_FIGURES = ("error", "crossings", "mean_excess", "max_excess", "n_close", "separation")


@dataclass(frozen=True, slots=True)
class LayoutQuality:
    """The figures of an embedding, and of its picture at one temperature and size.

    Parameters
    ----------
    n_nodes : int
        How many nodes are embedded.
    error : float
        ρ: the mean of ``|confidence - distance| / confidence`` over the nodes, root included.
        Nodes with confidence 0 are left out; NaN if there are no others.
    crossings : int
        How many pairs of arcs meet elsewhere than at a common node.
    mean_excess, max_excess : float
        By how much arcs are longer than the gain in confidence, in the disk in which they are
        geodesics; 0 if there are no arcs.
    separation : float
        The smallest distance of two drawn nodes in pixels; infinite for a single node.
    n_close : int
        How many nodes are drawn nearer than 6 pixels to another.
    t : float
        The temperature of the picture.
    size : float
        The diameter of the disk in pixels.

    See Also
    --------
    measure : The quality of an embedding.

    References
    ----------
    Paper, errorEmbed.
    """

    n_nodes: int
    error: float
    crossings: int
    mean_excess: float
    max_excess: float
    separation: float
    n_close: int
    t: float
    size: float

    def __str__(self) -> str:
        return (
            f"{self.n_nodes} nodes: error {100.0 * self.error:.3g} %, {self.crossings} crossings, "
            f"arc excess {self.mean_excess:z.2f} (at most {self.max_excess:z.2f}); on "
            f"{self.size:g} px at t = {self.t:.3g} separation {self.separation:.3g} px, "
            f"{self.n_close} nodes within {CLOSE:g} px"
        )


def measure(
    embedding: DiskEmbedding, *, t: float | None = None, size: float = 1000.0
) -> LayoutQuality:
    """Measure an embedding, drawn at temperature t on a disk with a diameter of ``size`` pixels.

    The default of t is the embedding's own. Error (the paper's errorEmbed), crossings and excess
    are those of the embedding; separation depends on the picture. A node on another's arc counts as
    a crossing, and so do arcs that leave a node in one direction. Crossings take time in the square
    of the number of nodes, a second for 5,000 of them.
    """
    size = check_number(size, "size")
    if size <= 0.0:
        raise ValueError(f"size must be positive, got {size!r}: it is the disk's diameter.")
    picture_t = embedding.t if t is None else check_temperature(t)
    excess = _excess(embedding)
    nearest = _nearest(embedding, picture_t, size)
    return LayoutQuality(
        n_nodes=len(embedding),
        error=embedding.error,
        crossings=count_crossings(_arcs(embedding)),
        mean_excess=float(excess.mean()) if len(excess) else 0.0,
        max_excess=float(excess.max()) if len(excess) else 0.0,
        separation=float(nearest.min()),
        n_close=int((nearest < CLOSE).sum()),
        t=picture_t,
        size=size,
    )


def summarize(qualities: Sequence[LayoutQuality]) -> dict[str, tuple[float, float]]:
    """Return the median and the worst of each figure over at least one embedding, by its name.

    The worst separation is the smallest, the worst of all others is the largest. Errors that are
    NaN are left out.
    """
    if not qualities:
        raise ValueError("qualities must not be empty: a median needs at least one.")
    found = {}
    for name in _FIGURES:
        figures = np.array([getattr(quality, name) for quality in qualities], np.float64)
        figures = figures[~np.isnan(figures)]
        worst = np.min if name == "separation" else np.max
        middle = np.median(figures) if len(figures) else math.nan
        found[name] = float(middle), float(worst(figures)) if len(figures) else math.nan
    return found


def _arcs(embedding: DiskEmbedding) -> Arcs:
    start = embedding.monotonic.parent[1:].astype(np.intp)
    return Arcs(embedding.drawn(), embedding.angle, start, np.arange(1, len(embedding)))


def _excess(embedding: DiskEmbedding) -> Floats:
    """Return by how much the arcs are longer than the gain in confidence as it is drawn."""
    arcs = _arcs(embedding)
    radius, angle = arcs.distance, arcs.angle
    length = polar.distance(
        radius[arcs.start], angle[arcs.start], radius[arcs.end], angle[arcs.end]
    )
    wanted = drawn_distance(embedding.monotonic.confidence, t=embedding.t)
    return np.asarray(length - (wanted[arcs.end] - wanted[arcs.start]))


def _nearest(embedding: DiskEmbedding, t: float, size: float) -> Floats:
    """Return the distance in pixels from each node to the nearest other one."""
    from scipy.spatial import cKDTree

    radius, angle = 0.5 * size * np.tanh(0.5 * embedding.drawn(t=t)), embedding.angle
    points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    distances, _ = cKDTree(points).query(points, k=2)  # the nearest is the node itself
    return np.asarray(distances)[:, 1]
