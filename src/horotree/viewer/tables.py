"""The arrays of a payload: one entry per tree, node or leaf."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree.evaluation.verdicts import HeldOut
from horotree.scene import Scenes
from horotree.trees import Forest, Model
from horotree.trees.forest import join

from .arrays import Arrays, add_up, exact, half, narrow, shown, single
from .covers import find_cover, leaf_covers

# The verdicts, in the order of their codes.
VERDICTS = ("none", "few", "agrees", "weaker", "stronger", "flipped", "unknown")

# The suffix in the names of arrays for each center.
CENTERS = {"half": "Half", "base": "Base"}


def by_tree(scenes: Mapping[str, Scenes]) -> Arrays:
    """Return the arrays with one entry per tree."""

    def joined(name: str, center: str = "half") -> NDArray[Any]:
        drawn = scenes[center]
        return join([getattr(drawn.ensembles[k], name)[list(js)] for k, js in drawn.trees.items()])

    return {
        "leverage": joined("leverage"),
        "edge": joined("edge"),
        **{f"maxConfidence{end}": joined("max_confidence", c) for c, end in CENTERS.items()},
    }


def by_node(model: Model) -> Arrays:
    """Return the arrays of nodes."""
    table = Forest.of(model.trees)
    weights = [tree.weight for tree in model.trees]
    shares = join([w / w[0] if w[0] > 0.0 else w * np.nan for w in weights])
    left, right, children = table.left, table.right, table.children
    arrays = {
        "treeStart": narrow(table.tree_start),
        "left": narrow(left),
        "feature": narrow(table.feature),
        "threshold": exact(table.threshold[left >= 0]),
        "missingLeft": table.missing_left.view(np.uint8),
        "value": single(table.value),
        "weight": single(add_up(shares, *children)),
        "count": narrow(add_up(table.count, *children)),
        "categoryStart": narrow(table.category_start),
        "category": narrow(table.category),
    }
    if not np.array_equal(right, np.where(left >= 0, left + 1, -1)):
        arrays["right"] = narrow(right)
    if not np.array_equal(table.output, table.value):
        arrays["output"] = single(table.output)
    return arrays


def covers_of(model: Model) -> Arrays:
    """Return the exact covers of leaves, unless these are the counts: see ``find_cover``."""
    if find_cover(model) != "weight":
        return {}
    covers = leaf_covers(model, "weight")
    whole = covers.astype(np.int64) if covers.max(initial=0.0) < 2**53 else covers
    return {"cover": narrow(whole) if np.array_equal(whole, covers) else exact(covers)}


def places(scenes: Mapping[str, Scenes]) -> Arrays:
    """Return which nodes are kept for either center, and their angles."""
    kept: dict[str, NDArray[np.bool_]] = {
        center: join([embedding.monotonic.is_kept for embedding in drawn.embeddings])
        for center, drawn in scenes.items()
    }
    angles = {
        f"angle{CENTERS[center]}": join([e.angle for e in drawn.embeddings]).astype(np.float32)
        for center, drawn in scenes.items()
    }
    return {"kept": kept["half"].view(np.uint8) + 2 * kept["base"].view(np.uint8), **angles}


def by_data(scenes: Mapping[str, Scenes]) -> Arrays:
    """Return the held-out figures of nodes, and the rows at leaves; nothing without data."""
    found = {center: drawn.held_out for center, drawn in scenes.items()}
    truths = {center: truth for center, truth in found.items() if truth is not None}
    counted = scenes["half"].segments
    if counted is None:
        return {}
    leaf = join([e.monotonic.tree.is_leaf for e in scenes["half"].embeddings])
    return {
        **_held_out(truths),
        "rows": narrow(counted.count[leaf]),
        "positive": narrow(counted.positive[leaf]),
        "probability": shown(counted.probability[leaf]),
    }


def _held_out(truths: Mapping[str, HeldOut]) -> Arrays:
    """Return the held-out figures of the nodes kept for either center, and both verdicts."""
    code_of = {name: code for code, name in enumerate(VERDICTS)}
    found = list(truths.values())
    keys = np.concatenate([np.stack([t.ensemble, t.tree, t.node], axis=1) for t in found])
    unique, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    low, high = np.full(len(unique), np.inf), np.full(len(unique), -np.inf)
    with np.errstate(invalid="ignore"):  # NaN without rows
        np.minimum.at(low, place.ravel(), np.concatenate([truth.low_value for truth in found]))
        np.maximum.at(high, place.ravel(), np.concatenate([truth.high_value for truth in found]))
    return {
        "heldValue": half(np.concatenate([truth.value for truth in found])[first]),
        "heldLow": half(low),
        "heldHigh": half(high),
        **{
            f"heldVerdict{CENTERS[center]}": np.array(
                [code_of[name] for name in truth.verdict.tolist()], np.uint8
            )
            for center, truth in truths.items()
        },
    }
