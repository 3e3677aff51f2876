"""`horotree info`: what is in a model file."""

import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from horotree.cli import options
from horotree.cli.errors import file_name, listed, quoted
from horotree.cli.output.messages import Messages
from horotree.cli.output.streams import check_stdout, emit
from horotree.cli.output.texts import aligned, number

if TYPE_CHECKING:
    from horotree.trees import Ensemble, Model
    from horotree.trees.importance import Importance

# How many trees and features are shown.
N_SHOWN = 5


def info(
    model: options.ModelFile,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show what a model file contains: classes, features, and the strongest trees."""
    from horotree.cli.models import read_model

    check_stdout()
    found = describe(read_model(model, Messages(quiet=False)))
    if json:
        from json import dumps

        emit(dumps(found, indent=2, allow_nan=False))
        return
    emit(f"{file_name(model)}\n\n{to_text(found)}")


def describe(model: "Model") -> dict[str, Any]:
    """Return the facts about a model, as JSON can hold them."""
    from horotree.trees import monotonic
    from horotree.trees.importance import find_importance

    trees = []
    for k, ensemble in enumerate(model.ensembles):
        for j, tree in enumerate(ensemble.trees):
            trees.append(
                {
                    "class": model.classes.tolist()[model.targets[k]],
                    "tree": j,
                    "nodes": tree.n_nodes,
                    "kept": len(monotonic(tree)),
                    "leverage": float(ensemble.leverage[j]),
                    "max_confidence": float(ensemble.max_confidence[j]),
                    "leverage_confidence": float(ensemble.leverage_confidence[j]),
                }
            )
    n_nodes, n_kept = (sum(tree[what] for tree in trees) for what in ("nodes", "kept"))
    importance = find_importance(model)
    largest = max((tree["max_confidence"] for tree in trees), default=0.0)
    return {
        "classes": model.classes.tolist(),
        "link": model.link,
        "n_features": len(model.feature_names),
        "n_trees": len(trees),
        "n_nodes": n_nodes,
        "n_kept": n_kept,
        "kept_share": n_kept / n_nodes if n_nodes else 1.0,
        "value_kind": model.value_kind,
        "largest_confidence": largest,
        "largest_posterior": None if model.value_kind == "margin" else _sigmoid(largest),
        "features": describe_features(model, importance),
        "importance_measure": importance.measure or None,
        "importance_meaning": importance.meaning or None,
        "no_importance": importance.reason or None,
        "trees": sorted(trees, key=lambda tree: -abs(tree["leverage_confidence"])),
    }


def _sigmoid(value: float) -> float:
    import math

    return 1.0 / (1.0 + math.exp(-value))


def describe_features(model: "Model", found: "Importance") -> list[dict[str, Any]]:
    """Return the facts about features, the most important first, those never tested last."""
    ranking = found.ranking()
    rest = sorted(set(range(len(model.feature_names))) - set(ranking))
    nowhere = [None] * len(model.ensembles)  # shared: classes times features may be too many
    return [
        {
            "name": model.feature_names[j],
            "categories": None if model.categories[j] is None else list(model.categories[j] or ()),
            "importance": float(found.share[j]) if found.is_known else None,
            "direction": [found.word(j, k) or None for k in range(len(model.ensembles))]
            if found.n_trees[j]
            else nowhere,
            "trees": int(found.n_trees[j]),
        }
        for j in (*ranking, *rest)
    ]


def count(model: "Model") -> tuple[int, int]:
    """Return the number of trees, and of their nodes."""
    ensembles: tuple[Ensemble, ...] = model.ensembles
    trees = [tree for ensemble in ensembles for tree in ensemble.trees]
    return len(trees), sum(tree.n_nodes for tree in trees)


def to_text(found: dict[str, Any]) -> str:
    """Return what ``describe`` found as text."""
    return f"{_summary(found)}\n\n{strongest_trees(found)}\n\n{_features(found)}"


def _summary(found: dict[str, Any]) -> str:
    classes = found["classes"]
    n_categorical = sum(feature["categories"] is not None for feature in found["features"])
    lines = {
        "classes": f"{len(classes)}: {listed(classes, 8)}",
        "features": f"{found['n_features']}, {n_categorical} of them with categories",
        "trees": f"{number(found['n_trees'])} with {number(found['n_nodes'])} nodes",
        "drawn": f"{number(found['n_kept'])} of the nodes, those of the monotonic trees",
        "largest confidence": _confidence_text(found),
    }
    width = max(map(len, lines)) + 3
    return "\n".join(f"{name.ljust(width)}{text}" for name, text in lines.items())


def _confidence_text(found: dict[str, Any]) -> str:
    """Say what the largest confidence means: it is no probability of the model."""
    largest, posterior = f"{found['largest_confidence']:.3g}", found["largest_posterior"]
    if posterior is None:
        return f"{largest}, of one tree's vote in log-odds"
    where = "in one node of one tree"
    if found["value_kind"] == "share":
        return f"{largest}, {where}: a smoothed class share of {posterior:.6g}"
    return f"{largest}, {where}: a posterior of {posterior:.6g} under the weights of its round"


def strongest_trees(found: dict[str, Any]) -> str:
    """Return the strongest trees of what ``describe`` found as text."""
    is_multiclass = len(found["classes"]) > 2
    rows = [("strongest trees", "leverage × confidence", "leverage", "confidence", "nodes")]
    for tree in found["trees"][:N_SHOWN]:
        name = f"tree {tree['tree']}" + (f" of {quoted(tree['class'])}" if is_multiclass else "")
        values = (tree[x] for x in ("leverage_confidence", "leverage", "max_confidence"))
        product, leverage, confidence = (f"{value:.3f}" for value in values)
        rows.append((name, product, leverage, confidence, number(tree["nodes"])))
    return aligned(rows)


def _features(found: dict[str, Any]) -> str:
    is_multiclass = len(found["classes"]) > 2
    towards = "" if is_multiclass else f"larger values push to {quoted(found['classes'][1])}"
    rows = [("most important features", "importance", "trees", "categories", towards)]
    for feature in found["features"][:N_SHOWN]:
        labels, way = feature["categories"], feature["direction"][0]
        rows.append(
            (
                quoted(feature["name"]),
                "-" if feature["importance"] is None else f"{feature['importance']:.3f}",
                number(feature["trees"]),
                "-" if labels is None else number(len(labels)),
                "" if is_multiclass else way or "-",
            )
        )
    reason, meaning = found["no_importance"], found["importance_meaning"]
    what = f"no importance: {reason}" if reason else f"importance: {meaning}"
    return f"{aligned(rows)}\n{textwrap.fill(what, 100)}"
