"""Our classifier in the two settings that are compared, and what tells that it has changed."""

import functools
import hashlib
import importlib.metadata
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.accuracy import LITERAL
from benchmarks.models.classifiers import our_tree, ours
from horotree import embed, monotonic
from horotree.trees import Model

# What the settings of the paper's tables and figures are called: ours, and the literal one.
SETTINGS: dict[str, dict[str, Any]] = {"default": {}, "paper": dict(LITERAL)}
PROBES: tuple[dict[str, Any], ...] = (
    *SETTINGS.values(),
    {"weak_learner": "monotonic", "smoothing": 20.0},
)


def classifier(n_trees: int, setting: str = "default", **others: Any) -> Any:
    """Return our classifier with so many trees in a setting, single-threaded."""
    return ours(1, n_estimators=n_trees, **{**SETTINGS[setting], **others})


@functools.cache
def fingerprint() -> str:
    """Return a digest of the version, and of what small fits and embeddings come out as.

    Results that were kept are used again as long as this is the same: it does not change when code
    is only written in another way.
    """
    generator = np.random.default_rng(0)
    numbers = generator.normal(size=(600, 4))
    numbers[generator.random(numbers.shape) < 0.05] = np.nan
    table = pd.DataFrame(numbers, columns=list("abcd"))
    label = generator.integers(0, 7, len(table))
    table["e"] = pd.Categorical.from_codes(label, list("pqrstuv"))
    y = (np.nan_to_num(numbers[:, :2]).sum(axis=1) + (label > 3) + generator.normal(size=600)) > 0.5
    models = [ours(1, n_estimators=8, max_leaf_nodes=20, **probe) for probe in PROBES]
    digest = hashlib.sha256(importlib.metadata.version("horotree").encode())
    for model in (*models, our_tree(1)):
        for array in _outcomes(model.fit(table, y).model_, table):
            digest.update(np.ascontiguousarray(array, np.float64).tobytes())
    return digest.hexdigest()[:16]


def _outcomes(model: Model, table: Any) -> list[Any]:
    """Return the scores of a model and its monotonic versions, and where its last tree is drawn."""
    versions = [
        model,
        model.as_drawn(),
        model.as_drawn(evaluate="inner"),
        model.as_drawn(refit_leverage=True),
    ]
    last = monotonic(model.ensembles[0].trees[-1])
    drawn = [embed(last, method) for method in ("sarkar", "exact")]
    places = [part for embedding in drawn for part in (embedding.distance, embedding.angle)]
    return [version.score(table) for version in versions] + places
