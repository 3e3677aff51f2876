"""How long it takes to import a large model, and to write its page.

Run as ``python -m benchmarks.importers``: 1,000 trees of 255 leaves, of every library that is
installed, as an object and as its files. The times are wall times, the median of three.
"""

import argparse
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from horotree import view
from horotree.io import from_model


def make_data(n_rows: int) -> tuple[Any, Any]:
    """Return numbers and classes with enough noise for deep trees."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 20))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n_rows) > 0.0).astype(int)


def train_xgboost(X: Any, y: Any, trees: int, leaves: int, folder: Path) -> dict[str, Any]:
    """Return a booster and its files."""
    import xgboost

    options = {"objective": "binary:logistic", "max_leaves": leaves, "max_depth": 0, "eta": 0.05}
    options |= {"grow_policy": "lossguide", "min_child_weight": 0.0, "reg_lambda": 0.1}
    booster = xgboost.train(options, xgboost.DMatrix(X, y), trees)
    paths = [folder / "xgboost.ubj", folder / "xgboost.json"]
    for path in paths:
        booster.save_model(path)
    return {"XGBoost": booster} | {f"XGBoost {path.suffix}": path for path in paths}


def train_lightgbm(X: Any, y: Any, trees: int, leaves: int, folder: Path) -> dict[str, Any]:
    """Return a booster and its file."""
    import lightgbm

    options = {"objective": "binary", "num_leaves": leaves, "verbose": -1, "learning_rate": 0.05}
    options |= {"min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0}
    booster = lightgbm.train(options, lightgbm.Dataset(X, y), trees)
    booster.save_model(folder / "lightgbm.txt")
    return {"LightGBM": booster, "LightGBM .txt": folder / "lightgbm.txt"}


def train_catboost(X: Any, y: Any, trees: int, leaves: int, folder: Path) -> dict[str, Any]:
    """Return a classifier and its files."""
    from catboost import CatBoostClassifier

    depth = max(1, leaves.bit_length())
    classifier = CatBoostClassifier(
        n_estimators=trees, depth=depth, silent=True, allow_writing_files=False
    ).fit(X, y)
    paths = {"cbm": folder / "catboost.cbm", "json": folder / "catboost.json"}
    for kind, path in paths.items():
        classifier.save_model(str(path), format=kind)
    return {"CatBoost": classifier} | {f"CatBoost .{kind}": path for kind, path in paths.items()}


def train_ydf(X: Any, y: Any, trees: int, leaves: int, folder: Path) -> dict[str, Any]:
    """Return a model and its folder."""
    import ydf

    ydf.verbose(0)
    learner = ydf.GradientBoostedTreesLearner(
        label="y",
        num_trees=trees,
        growing_strategy="BEST_FIRST_GLOBAL",
        max_num_nodes=leaves,
        max_depth=-1,
        min_examples=1,
        validation_ratio=0.0,
        early_stopping="NONE",
    )
    model = learner.train({"y": y} | {f"x{j}": X[:, j] for j in range(X.shape[1])})
    model.save(str(folder / "ydf"))
    return {"YDF": model, "YDF folder": folder / "ydf"}


TRAINERS: dict[str, Callable[..., dict[str, Any]]] = {
    "xgboost": train_xgboost,
    "lightgbm": train_lightgbm,
    "catboost": train_catboost,
    "ydf": train_ydf,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.importers", description=__doc__)
    parser.add_argument("--trees", type=int, default=1_000)
    parser.add_argument("--leaves", type=int, default=255)
    parser.add_argument("--rows", type=int, default=20_000)
    options = parser.parse_args(arguments)
    X, y = make_data(options.rows)
    print("| | seconds |\n|---|---|")
    warnings.filterwarnings("ignore", "the model does not have its learning rate")
    for module, train in TRAINERS.items():
        if find_spec(module) is None:
            print(f"left out: {module} is not installed", file=sys.stderr)
            continue
        print(f"{module} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory() as name:
            models = train(X, y, options.trees, options.leaves, Path(name))
            for what, model in models.items():
                print(f"| import {what} | {_seconds(from_model, model):.2f} |", flush=True)
            first = next(iter(models.values()))
            page = Path(name) / "page.html"
            seconds = _seconds(lambda model, page=page: view(model).write_html(page), first)
            print(f"| ... and write its page | {seconds:.2f} |", flush=True)
    return 0


def _seconds(function: Callable[[Any], Any], model: Any) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        function(model)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main())
