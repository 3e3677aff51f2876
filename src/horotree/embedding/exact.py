"""The exact layout: every node at the distance of its confidence, and arcs that never cross.

Each node owns an interval of the circle at infinity, and its children disjoint parts of it. A child
is where a geodesic ray from its parent into the child's interval reaches the distance that its
confidence asks for. ``docs/embedding.md`` proves that geodesic arcs then meet in common ends only.
"""

import numpy as np

from horotree import _native
from horotree._checks import Floats, check_range
from horotree.tempered import unlift
from horotree.trees import MonotonicTree

from .embedding import DiskEmbedding, drawn_distance

# Beyond this, nodes on neighboring rays may have equal angles as doubles.
MAX_DRAWN = 15.0

# Nodes nearer to the origin than this norm ask for no more of the circle.
LEAST_NORM = 0.1

# What the spacing pass keeps free around a node, as a share of the disk's radius: 6 px of 1,000.
GAP = 0.012

# How many angles the pass tries for a node on each side. Each try looks at all nodes and arcs:
# beyond 700 nodes it tries fewer angles, beyond 3,429 none, so that no tree takes over 0.1 s. There
# is hardly room for gaps then.
N_TRIES = 24
MAX_LOOKS = N_TRIES * 700**2

# How much of the circle is dealt by training weight, and the rest by leaves. Never all: a node of
# no weight has its place, too.
WEIGHT_SHARES = {"leaves": 0.0, "both": 0.5, "weight": 0.9}


def can_place(confidence: float, *, t: float) -> bool:
    """Tell whether ``place_exact`` can draw a node of this confidence at temperature t."""
    drawn = float(unlift(confidence, t=t))
    return np.isfinite(drawn) and drawn <= MAX_DRAWN


def place_exact(
    monotonic: MonotonicTree, *, t: float = 1.0, budget: str = "leaves", spacing: bool = True
) -> DiskEmbedding:
    """Place the nodes of a monotonic tree at their confidences; arcs do not cross.

    Arcs are geodesics at the temperature ``t``, which must draw all nodes within distance 15;
    ``embed`` chooses it. ``budget`` says for what a node gets its part of the circle: "leaves" for
    the leaves below it, each by the room it needs; "weight" for the training weight; or "both".

    With ``spacing``, nodes that would be drawn within 0.6 % of the diameter of another are turned,
    as far as arcs do not meet. With more than 700 nodes fewer angles are tried, with more than
    3,429 none.
    """
    drawn = drawn_distance(monotonic.confidence, t=t)
    fix = 'lower t, or pass t="auto": angles cannot distinguish nodes farther out'
    check_range(drawn, "drawn distances", drawn <= MAX_DRAWN, f"at most {MAX_DRAWN:g}", fix)
    outline = (
        np.ascontiguousarray(monotonic.parent),
        drawn,
        _own_need(monotonic, drawn, budget),
        (monotonic.value > 0.0).astype(np.uint8),
    )
    angle = np.empty(len(monotonic))
    _native.place_nodes(*outline, angle)
    n_tries = min(N_TRIES, MAX_LOOKS // len(monotonic) ** 2)
    if spacing and n_tries:
        _native.space_nodes(*outline, GAP, n_tries, angle)
    return DiskEmbedding(monotonic, monotonic.confidence, angle, t)


def _own_need(monotonic: MonotonicTree, drawn: Floats, budget: str) -> Floats:
    """Return what part of the circle each node asks for, whatever is below it."""
    if budget not in WEIGHT_SHARES:
        raise ValueError(f"budget must be one of {', '.join(WEIGHT_SHARES)}, got {budget!r}.")
    # So the smallest arc on the screen, norm times angle, is as large as it can be.
    room = 1.0 / np.maximum(np.tanh(0.5 * drawn), LEAST_NORM)
    share = WEIGHT_SHARES[budget]
    if share == 0.0:
        return np.asarray(room)
    weight = monotonic.tree.weight[monotonic.node]
    if not weight[0] > 0.0 or np.isnan(weight).any():
        raise ValueError(
            f"budget={budget!r} needs the training weight of every node, which this tree does not "
            "have: pass budget='leaves'."
        )
    room /= room[monotonic.is_leaf].sum()
    return np.asarray((1.0 - share) * room + share * weight / weight[0])
