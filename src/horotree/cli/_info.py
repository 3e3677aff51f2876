"""`horotree info`: what is in a model file."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import _options as options
from ._errors import emit, file_name, listed, quoted
from ._messages import Messages
from ._texts import aligned, number, percent

if TYPE_CHECKING:
    from horotree.trees import Ensemble, Model, Tree

# How many trees and features are shown.
N_SHOWN = 5


def info(
    model: options.ModelFile,
    *,
    json: Annotated[bool, typer.Option("--json", help="For machines: all of it, as JSON.")] = False,
) -> None:
    """Tell what is in a model file: classes, features, trees, and the strongest of these."""
    from ._models import read_model

    found = describe(read_model(model, Messages(quiet=False)))
    if json:
        from json import dumps

        emit(dumps(found, indent=2, allow_nan=False))
        return
    emit(f"{file_name(model)}\n\n{tell(found)}")


def describe(model: "Model") -> dict[str, Any]:
    """Return what there is to say of a model, as JSON can hold it.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    dict
    """
    import math

    from horotree.trees import monotonic

    trees = []
    for k, ensemble in enumerate(model.ensembles):
        for j, tree in enumerate(ensemble.trees):
            trees.append(
                {
                    "class": model.classes.tolist()[k if len(model.ensembles) > 1 else 1],
                    "tree": j,
                    "nodes": tree.n_nodes,
                    "kept": len(monotonic(tree)),
                    "leverage": float(ensemble.leverage[j]),
                    "max_confidence": float(ensemble.max_confidence[j]),
                    "leverage_confidence": float(ensemble.leverage_confidence[j]),
                }
            )
    n_nodes, n_kept = (sum(tree[what] for tree in trees) for what in ("nodes", "kept"))
    largest = max((tree["max_confidence"] for tree in trees), default=0.0)
    importance = find_importance(model)
    features = [
        {"name": name, "categories": None if labels is None else list(labels), "importance": share}
        for name, labels, share in zip(
            model.feature_names, model.categories, importance, strict=True
        )
    ]
    return {
        "classes": model.classes.tolist(),
        "link": model.link,
        "n_features": len(features),
        "n_trees": len(trees),
        "n_nodes": n_nodes,
        "kept_share": n_kept / n_nodes if n_nodes else 1.0,
        "largest_confidence": largest,
        "largest_posterior": 1.0 / (1.0 + math.exp(-largest)),
        "features": sorted(features, key=lambda feature: -feature["importance"]),
        "trees": sorted(trees, key=lambda tree: -abs(tree["leverage_confidence"])),
    }


def find_importance(model: "Model") -> list[float]:
    """Return how far the tests of each feature move the score, as shares of their sum.

    Every example of training, by its weight in a tree's round, moves from the value of a node to
    that of its child, times the tree's leverage. Where weights are not known, each test counts 1.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    list of float
        One a feature; all are 0 if there are no tests.
    """
    import numpy as np

    total = np.zeros(len(model.feature_names))
    for ensemble in model.ensembles:
        for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
            inner = np.flatnonzero(~tree.is_leaf)
            moved = np.ones(len(inner)) if np.isnan(tree.weight).any() else _moved(tree, inner)
            np.add.at(total, tree.feature[inner], abs(leverage) * moved)
    return [float(share) for share in (total / total.sum() if total.any() else total)]


def _moved(tree: "Tree", inner: Any) -> Any:
    """Return by how much, times weight, values change from inner nodes to their children."""
    return sum(
        tree.weight[child] * abs(tree.value[child] - tree.value[inner])
        for child in (tree.left[inner], tree.right[inner])
    )


def count(model: "Model") -> tuple[int, int]:
    """Return the number of trees, and of their nodes."""
    ensembles: tuple[Ensemble, ...] = model.ensembles
    trees = [tree for ensemble in ensembles for tree in ensemble.trees]
    return len(trees), sum(tree.n_nodes for tree in trees)


def tell(found: dict[str, Any]) -> str:
    """Return what ``describe`` found, for people to read."""
    return f"{_summary(found)}\n\n{tell_strongest(found)}\n\n{_features(found)}"


def _summary(found: dict[str, Any]) -> str:
    classes, largest = found["classes"], found["largest_confidence"]
    posterior = found["largest_posterior"]
    n_categorical = sum(feature["categories"] is not None for feature in found["features"])
    lines = {
        "classes": f"{len(classes)}: {listed(classes, 8)}",
        "features": f"{found['n_features']}, {n_categorical} of them with categories",
        "trees": f"{number(found['n_trees'])} with {number(found['n_nodes'])} nodes",
        "drawn": f"{percent(found['kept_share'])} of the nodes, those of the monotonic trees",
        "largest confidence": f"{largest:.3g}, a posterior of {posterior:.6g}",
    }
    width = max(map(len, lines)) + 3
    return "\n".join(f"{name.ljust(width)}{text}" for name, text in lines.items())


def tell_strongest(found: dict[str, Any]) -> str:
    """Return the strongest trees of what ``describe`` found, for people to read."""
    several = len(found["classes"]) > 2
    rows = [("strongest trees", "leverage × confidence", "leverage", "confidence", "nodes")]
    for tree in found["trees"][:N_SHOWN]:
        name = f"tree {tree['tree']}" + (f" of {quoted(tree['class'])}" if several else "")
        values = (tree[x] for x in ("leverage_confidence", "leverage", "max_confidence"))
        product, leverage, confidence = (f"{value:.3f}" for value in values)
        rows.append((name, product, leverage, confidence, number(tree["nodes"])))
    return aligned(rows)


def _features(found: dict[str, Any]) -> str:
    rows = [("most important features", "share", "categories")]
    for feature in found["features"][:N_SHOWN]:
        labels = feature["categories"]
        name, share = quoted(feature["name"]), percent(feature["importance"])
        rows.append((name, share, "-" if labels is None else number(len(labels))))
    return aligned(rows)
