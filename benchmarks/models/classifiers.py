"""What is compared: our classifier and its peers, with the same trees × leaves or as they come."""

import functools
import hashlib
import importlib.metadata
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import horotree
from benchmarks.machinery.data import Dataset
from horotree.trees import Model, monotonic

# Parts of the package that decide what a fit returns and how long it takes.
FITTING = ("_native", "losses", "trees", "training", "estimators")

PACKAGES = {"LightGBM": "lightgbm", "XGBoost": "xgboost", "HGB": "sklearn"}


def ours(n_threads: int, **settings: Any) -> Any:
    """Return our classifier, with its defaults but for these settings."""
    from horotree.estimators import LogisticBoostClassifier

    return LogisticBoostClassifier(n_jobs=n_threads, random_state=0, **settings)


def our_tree(n_threads: int, **settings: Any) -> Any:
    """Return our classifier of a single tree, with its defaults but for these settings."""
    from horotree.estimators import LogLossTreeClassifier

    return LogLossTreeClassifier(n_jobs=n_threads, random_state=0, **settings)


def our_sized(n_threads: int, trees: int, leaves: int) -> Any:
    """Return our classifier with so many trees and leaves."""
    return ours(n_threads, n_estimators=trees, max_leaf_nodes=leaves)


def lightgbm(n_threads: int, trees: int | None = None, leaves: int | None = None) -> Any:
    """Return LightGBM's classifier, as it comes if no size is given."""
    from lightgbm import LGBMClassifier

    size: dict[str, Any] = {}
    if trees is not None:
        size = {"n_estimators": trees, "num_leaves": leaves}
    return LGBMClassifier(n_jobs=n_threads, verbosity=-1, **size)


def xgboost(n_threads: int, trees: int, leaves: int) -> Any:
    """Return XGBoost's histogram trees, grown best leaf first as the others are."""
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=trees,
        max_leaves=leaves,
        max_depth=0,
        grow_policy="lossguide",
        tree_method="hist",
        enable_categorical=True,
        learning_rate=0.1,  # as the others come; its own 0.3 soon leaves too little to split
        n_jobs=n_threads,
    )


def hist_gradient_boosting(
    n_threads: int,  # noqa: ARG001 - it has no such parameter: threadpoolctl limits it
    trees: int | None = None,
    leaves: int | None = None,
) -> Any:
    """Return scikit-learn's HistGradientBoosting; with a size it does not stop early."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    size: dict[str, Any] = {}
    if trees is not None:
        size = {"max_iter": trees, "max_leaf_nodes": leaves, "early_stopping": False}
    return HistGradientBoostingClassifier(random_state=0, **size)


PEERS: dict[str, Callable[..., Any]] = {
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
    "HGB": hist_gradient_boosting,
}


def find_peers(names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return which of these peers are installed, and which are not."""
    there = [name for name in names if find_spec(PACKAGES[name])]
    return there, [name for name in names if name not in there]


def mean_leaves(model: Any) -> float:
    """Return how many leaves a fitted model's trees really have, on average."""
    if hasattr(model, "mean_leaves"):
        return float(model.mean_leaves())
    package = type(model).__module__.partition(".")[0]
    if package == "lightgbm":
        trees = model.booster_.dump_model()["tree_info"]
        return float(np.mean([tree["num_leaves"] for tree in trees]))
    if package == "xgboost":
        return float(np.mean([text.count("leaf=") for text in model.get_booster().get_dump()]))
    if package == "sklearn":
        rounds = vars(model)["_predictors"]
        return float(np.mean([tree.get_n_leaf_nodes() for trees in rounds for tree in trees]))
    (ensemble,) = model.model_.ensembles
    return float(np.mean([tree.is_leaf.sum() for tree in ensemble.trees]))


@dataclass(frozen=True, slots=True)
class MonotonicFold:
    """What the monotonic trees say, leverages unchanged and refitted, and the nodes they keep."""

    posterior: NDArray[np.float64]
    refitted: NDArray[np.float64]
    kept: float


@dataclass(frozen=True, slots=True)
class Fold:
    """A model's posteriors on examples kept apart, its monotonic version's if it has one.

    Seconds are those of fitting and predicting without the monotonic version.
    """

    posterior: NDArray[np.float64]
    seconds: float
    monotonic: MonotonicFold | None


def predict_fold(model: Any, dataset: Dataset, train: Any, test: Any) -> Fold:
    """Fit a model on some rows, and return what it says of others."""
    start = time.perf_counter()
    model.fit(*dataset.take(train))
    table, _ = dataset.take(test)
    posterior = model.predict_proba(table)[:, 1].astype(np.float64)
    seconds = time.perf_counter() - start
    ours = getattr(model, "model_", None)
    return Fold(posterior, seconds, None if ours is None else _predict_monotonic(ours, table))


def _predict_monotonic(model: Model, table: Any) -> MonotonicFold:
    unchanged, refitted = (
        model.as_drawn(refit_leverage=refit).predict_proba(table)[:, 1] for refit in (False, True)
    )
    (ensemble,) = model.ensembles
    kept = [len(monotonic(tree)) / tree.n_nodes for tree in ensemble.trees]
    return MonotonicFold(unchanged, refitted, float(np.mean(kept)))


@functools.cache
def versions(*others: str) -> str:
    """Return the versions that results depend on, with a digest of our own fitting code."""
    distributions = importlib.metadata.packages_distributions()
    texts = [f"horotree {importlib.metadata.version('horotree')} (code {_digest()})"]
    for package in (*PACKAGES.values(), *others, "numpy", "pandas"):
        # One package may come from several distributions: xgboost from xgboost-cpu.
        (name, *_) = distributions.get(package, [""])
        texts.append(f"{name} {importlib.metadata.version(name)}" if name else f"no {package}")
    return ", ".join([*texts, f"Python {platform.python_version()}"])


def _digest() -> str:
    from horotree._native import _core

    folder = Path(horotree.__file__).parent
    paths = [Path(_core.__file__)]
    for part in FITTING:
        paths += sorted([*folder.glob(f"{part}.py"), *(folder / part).rglob("*.py")])
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:8]
