"""Write frontend/test/golden.json: what Python computes, for the viewer to be compared with.

Run as ``python -m tests.viewer.make_golden [FILE]``; the result is the same every time.
"""

import base64
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from horotree.display.disk.held_out import find_ticks
from horotree.display.disk.isolines import find_isolines
from horotree.display.text.names import shorten_all
from horotree.display.text.nodes import describe, percent
from horotree.display.text.numbers import plain_number, posterior_text, share_text
from horotree.embedding import sample_arcs
from horotree.evaluation.held_out import held_out
from horotree.evaluation.proportions import exact_interval
from horotree.evaluation.verdicts import HeldOut
from horotree.geometry import polar
from horotree.geometry.tself import norm_t
from horotree.scene import Scene, find_scenes
from horotree.tempered import lift, unlift
from horotree.trees import Ensemble, Model, Tree, find_leaves, path_rule
from horotree.trees.rules.pandas_sql import unrounded
from horotree.trees.rules.texts import number, to_digits
from horotree.viewer.payload import encode
from tests.factories import make_tree, random_shape

GOLDEN = Path(__file__).parents[2] / "frontend" / "test" / "golden.json"

NAMES = ("age", "petal length (cm)", "city", "shoe", "<b>&\"quoted'\\\n", "x_1.5", "lone\ud800")
CATEGORIES = (
    None,
    None,
    ("Bern", "Oslo", "Rome", "new york", "it's", "7", "<i>"),
    (38, 41, 42.5, True),
    None,
    None,
    None,
)
TEMPERATURES = (-1.5, 0.0, 0.3, 0.74, 1.0)
FLOATS = (
    *(0.1, 2.4500000477, 1e16, 123456789012345680.0, 1e-5, 0.00012, 1.5e-7, 5e-324, 7.0, -0.25),
    *(1e22, 1234.5, 0.015625, 0.046875, 2.5, 99999.5, 0.99998, -1e-45, 3.0000000000000004e300),
    *(1.0 / 3.0, 1e15, 9.9995, 1024.0625),
)
# Shares of rows; the last have a tie in the digit that is rounded.
SHARES = (0.0, 1.0, 0.149, 0.0221, 4e-5, 0.99999, 0.5, 0.9996, 0.09999, 0.1225, 0.99, 0.1375)
COUNTS = (
    *((0, 1), (1, 1), (1, 2), (69, 464), (464, 464), (0, 464), (3, 7), (899, 40_000), (1, 40_000)),
    *((39_999, 40_000), (123_456, 1_000_000), (12, 100), (9, 10)),
)


def random_tree(rng: np.random.Generator, n_leaves: int) -> Tree:
    """Return a tree with numeric tests, sets of categories and codes that are compared."""
    left, right = random_shape(rng, n_leaves, swap=False)
    inner, n = left >= 0, len(left)
    feature = np.where(inner, rng.integers(0, len(NAMES), n), -1)
    threshold = np.zeros(n)
    sets: list[list[int]] = [[] for _ in range(n)]
    for node in np.flatnonzero(inner):
        labels = CATEGORIES[feature[node]]
        if labels is None:
            threshold[node] = np.float32(rng.normal()) if rng.random() < 0.5 else rng.normal() * 100
        elif rng.random() < 0.2:
            threshold[node] = float(rng.integers(0, len(labels))) + 0.5
        else:
            size = int(rng.integers(1, len(labels)))
            sets[node] = sorted(rng.choice(len(labels), size, replace=False).tolist())
    value = rng.normal(size=n) * 2.0
    return make_tree(
        left,
        right,
        value.astype(np.float32),
        feature=feature,
        threshold=threshold,
        missing_left=inner & (rng.random(n) < 0.5),
        sets=sets,
        weight=np.where(np.arange(n) == 0, 1.0, rng.random(n)),
        count=rng.integers(1, 1000, n),
    )


def random_rows(rng: np.random.Generator, n: int) -> np.ndarray[Any, Any]:
    """Return rows of a table, some values missing."""
    rows = np.empty((n, len(NAMES)), object)
    for j, labels in enumerate(CATEGORIES):
        rows[:, j] = rng.normal(size=n) if labels is None else rng.choice(len(labels), n)
        if labels is not None:
            rows[:, j] = [labels[code] for code in rows[:, j]]
    rows[rng.random(rows.shape) < 0.1] = None
    return rows


def make_model(link: str, n_ensembles: int, input_dtype: str, value_kind: str) -> Model:
    rng = np.random.default_rng(n_ensembles)
    ensembles = tuple(
        Ensemble(
            trees=tuple(random_tree(rng, n_leaves) for n_leaves in (1, 2, 9, 24)),
            leverage=rng.normal(size=4) + 0.5,
            edge=[0.5, np.nan, 0.25, 0.125],
            base_value=float(rng.normal()),
        )
        for _ in range(n_ensembles)
    )
    classes = ["no", "<yes>"] if n_ensembles == 1 else ["a", "b", "c"][:n_ensembles]
    return Model(ensembles, link, classes, NAMES, CATEGORIES, input_dtype, value_kind=value_kind)


def rounded(values: Any) -> Any:
    """Return numbers as lists, with ten digits: more differ from machine to machine."""
    array = np.asarray(values, np.float64)
    if array.ndim:
        return [rounded(part) for part in array]
    x = float(array)
    return float(f"{x:.10g}") if np.isfinite(x) else str(x)


def tell_scene(scene: Scene) -> dict[str, Any]:
    """Return what the viewer derives from the arrays of a tree."""
    monotonic = scene.embedding.monotonic
    distance, angle = sample_arcs(scene.embedding, 5)
    text = {
        "node": monotonic.node.tolist(),
        "row": monotonic.row.tolist(),
        "parent": scene.parent.tolist(),
        "nTests": scene.n_tests.tolist(),
        "nTags": scene.n_tags.tolist(),
        "distance": rounded(scene.distance),
        "arcs": {"distance": rounded(distance.ravel()), "angle": rounded(angle.ravel())},
    }
    text["isolines"] = [[rounded(line.distance), *line.texts] for line in find_isolines(scene)]
    text["worth"] = rounded(scene.worth)
    text["strongest"] = scene.strongest(5)
    text["text"] = [describe(scene, row) for row in scene.strongest(5)]
    text["rules"] = [
        [rule.text(scene.columns, show_missing=False) for rule in scene.shorter_rules(row)]
        for row in scene.strongest(5)
    ]
    return text


def tell_ticks(scene: Scene, truth: HeldOut) -> dict[str, Any]:
    """Return where the ticks of a tree are."""
    ticks = find_ticks(scene, truth)
    return {
        "row": ticks.row.tolist(),
        "positive": ticks.positive.tolist(),
        "verdict": ticks.verdict.tolist(),
        **{name: rounded(getattr(ticks, name)) for name in ("low", "middle", "high")},
    }


def widest(truth: HeldOut, other: HeldOut) -> HeldOut:
    """Return figures with the wider of two intervals where both have one: the page's."""
    known = {
        key: (low, high)
        for *key, low, high in zip(
            other.ensemble, other.tree, other.node, other.low_value, other.high_value, strict=True
        )
        for key in [tuple(map(int, key))]
    }
    keys = zip(truth.ensemble.tolist(), truth.tree.tolist(), truth.node.tolist(), strict=True)
    ends = [known.get(key, (np.inf, -np.inf)) for key in keys]
    low, high = (np.array(end) for end in zip(*ends, strict=True))
    return dataclasses.replace(
        truth,
        low_value=np.where(np.isnan(truth.low_value), np.nan, np.fmin(truth.low_value, low)),
        high_value=np.where(np.isnan(truth.high_value), np.nan, np.fmax(truth.high_value, high)),
    )


def tell_scenes(model: Model, X: Any, y: Any, center: str) -> list[dict[str, Any]]:
    """Return the scenes of all trees from one center, and their ticks."""
    other = {"half": "base", "base": "half"}[center]
    truth = widest(held_out(model, X, y, center=center), held_out(model, X, y, center=other))
    return [
        tell_scene(scene) | {"ticks": tell_ticks(scene, truth.of(scene.tree, k))}
        for k, label in enumerate(model.classes[-len(model.ensembles) :])
        for scene in find_scenes(model, X, y, class_=label, center=center)
    ]


def tell_rules(model: Model, tree: Tree) -> Iterator[dict[str, Any]]:
    """Yield the rules of a tree's nodes, in all forms; None where there is none."""
    columns, dtype = model.columns, model.input_dtype
    for node in range(0, tree.n_nodes, 3):
        rule = path_rule(tree, node)
        text: dict[str, Any] = {
            "node": node,
            "text": rule.text(columns),
            "hover": rule.text(columns, show_missing=False),
            "exact": rule.text(columns, digits=None, max_labels=None),
            "copied": rule.text(columns, max_labels=None),
            "pandas": rule.to_pandas(columns, input_dtype=dtype),
        }
        try:
            text["sql"] = rule.to_sql(columns, input_dtype=dtype)
        except ValueError:
            text["sql"] = None
        yield text


def tell_model(
    link: str, n_ensembles: int, input_dtype: str, value_kind: str = "posterior"
) -> dict[str, Any]:
    """Return a model as the viewer reads it, and what it should make of it."""
    model = make_model(link, n_ensembles, input_dtype, value_kind)
    rng = np.random.default_rng(7)
    held, examples = random_rows(rng, 60), random_rows(rng, 6)
    y = rng.choice(model.classes, len(held))
    payload = encode(
        model,
        held,
        y,
        examples=examples,
        example_classes=model.classes[[0, 1, 0, 1, 0, 1]],
        title="Golden",
    )
    X = model.to_matrix(examples)
    trees = [tree for ensemble in model.ensembles for tree in ensemble.trees]
    return {
        "payload": base64.b64encode(payload).decode(),
        "scenes": {c: tell_scenes(model, held, y, c) for c in ("half", "base")},
        "rules": [list(tell_rules(model, tree)) for tree in trees],
        "leaves": [find_leaves(tree, X).tolist() for tree in trees],
        "scores": rounded(np.atleast_2d(model.score(examples).T).T),
        "probabilities": rounded(model.predict_proba(examples)),
    }


def tell_geometry() -> dict[str, Any]:
    distances = np.array([0.0, 1e-8, 0.3, 1.0, 3.7, 12.0, 36.0])
    angles = np.array([0.0, 0.1, -2.0, 3.0, 1.5, 0.7, -0.4])
    by = (2.5, 0.8)
    return {
        "distances": distances.tolist(),
        "angles": angles.tolist(),
        "unlift": {str(t): rounded(unlift(distances, t=t)) for t in TEMPERATURES},
        "lift": {str(t): rounded(lift(distances[:5], t=t)) for t in TEMPERATURES},
        "norm": {str(t): rounded(norm_t(distances, t=t)) for t in TEMPERATURES},
        "polarDistance": rounded(polar.distance(distances, angles, *by)),
        "by": by,
        # What brings ``by`` to the origin.
        "moved": [rounded(x) for x in polar.translate(distances, angles, by[0], by[1] + np.pi)],
    }


def tell_numbers() -> dict[str, Any]:
    values = [0.0, 0.1, -2.0, 4.6, 7.5, -12.0, 30.0]
    return {
        "floats": list(FLOATS),
        "repr": [repr(x) for x in FLOATS],
        "number": [number(x) for x in FLOATS],
        "round": [[to_digits(x, digits) for digits in (1, 3, 4, 8)] for x in FLOATS],
        "unrounded": [repr(unrounded(x)) for x in FLOATS],
        "values": values,
        "shares": list(SHARES),
        "percent": [percent(share) for share in SHARES],
        "shareText": [share_text(value) for value in values],
        "intervals": [
            [positive, count, *map(rounded, exact_interval(positive, count))]
            for positive, count in COUNTS
        ],
        "posteriors": [0.9, 0.999, 0.001, 0.9999, 1e-6, 1.0 - 1e-8],
        "posteriorText": [posterior_text(p) for p in (0.9, 0.999, 0.001, 0.9999, 1e-6, 1.0 - 1e-8)],
        "plain": [plain_number(value) for value in values],
        "plain2": [plain_number(value, digits=2) for value in values],
    }


def tell_names() -> list[dict[str, Any]]:
    """Return long names, and how they are shortened."""
    visits = [
        f"average number of visits in the last {months} months before the date ({where})"
        for months in (3, 6, 12)
        for where in ("at home", "abroad")
    ]
    inner = [f"income_{'a' * 40}{i}{'b' * 30}" for i in range(14)]
    ends = [f"some_very_long_prefix_of_columns_é{i}" for i in range(20)]
    sets = [visits, inner, ends, [*visits, *inner, "age", *ends], ["no" * 40, "x" + "no" * 40]]
    return [
        {"names": names, "length": length, "short": shorten_all(names, length)}
        for names in sets
        for length in (14, 26, 36)
    ]


def main(arguments: list[str]) -> None:
    """Write the file."""
    golden = {
        "geometry": tell_geometry(),
        "numbers": tell_numbers(),
        "names": tell_names(),
        "models": [
            tell_model("logistic", 1, "float64"),
            tell_model("ovr", 3, "float32"),
            tell_model("logistic", 1, "float64", "margin"),
            tell_model("ovr", 3, "float64", "share"),
        ],
    }
    path = Path(arguments[0]) if arguments else GOLDEN
    path.write_text(json.dumps(golden, indent=None, allow_nan=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
