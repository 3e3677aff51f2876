"""Fingerprints of models of other libraries, read from their objects and their files."""

import functools
import tempfile
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from horotree import from_model

from .hashes import Prints
from .names import public
from .tables import Table, table
from .trained import add_answers, add_model

# A name and what to read: an object, a file or a folder.
Models = dict[str, Any]

SKLEARN: dict[str, Callable[[], Any]] = {
    "tree": lambda: DecisionTreeClassifier(max_leaf_nodes=20, random_state=0),
    "tree balanced": lambda: DecisionTreeClassifier(
        max_depth=5, class_weight="balanced", random_state=0
    ),
    "forest": lambda: RandomForestClassifier(8, max_leaf_nodes=30, random_state=0),
    "extra trees": lambda: ExtraTreesClassifier(6, max_depth=6, random_state=0),
    "bagging": lambda: BaggingClassifier(
        DecisionTreeClassifier(max_depth=4), 6, max_features=0.6, random_state=0
    ),
    "boosting": lambda: GradientBoostingClassifier(n_estimators=8, random_state=0),
    "boosting init zero": lambda: GradientBoostingClassifier(
        n_estimators=5, init="zero", subsample=0.6, random_state=0
    ),
    "boosting exponential": lambda: GradientBoostingClassifier(
        n_estimators=5, loss="exponential", random_state=0
    ),
    "histogram": lambda: HistGradientBoostingClassifier(max_iter=8, random_state=0),
    "adaboost": lambda: AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2), n_estimators=8, random_state=0
    ),
}


def print_all(prints: Prints) -> None:
    """Add the fingerprints of all models of other libraries that are installed."""
    for name in ("breast_cancer", "iris"):
        for kind in SKLEARN:
            if not (kind == "boosting exponential" and name == "iris"):
                make = functools.partial(fit_sklearn, kind)
                prints.run(f"imported/sklearn {kind}/{name}", _read, make, table(name))
    prints.run("imported/sklearn pipeline/mixed", _read, _pipeline, table("mixed"))
    prints.run("imported/sklearn categories/mixed", _read, _histogram, table("mixed"))
    for package, train in TRAINERS.items():
        if find_spec(package) is None:
            continue
        for name in ("breast_cancer", "iris", "mixed", "mixed4"):
            prints.run(f"imported/{package}/{name}", _read, train, table(name))
        for what, options in OPTIONS[package].items():
            make = functools.partial(train, **options)
            prints.run(f"imported/{package} {what}/mixed", _read, make, table("mixed"))
    prints.run("imported/with rows/breast_cancer", _with_rows, table("breast_cancer"))


def fit_sklearn(kind: str, data: Table, _: Path | None = None) -> Models:
    """Return a fitted classifier of scikit-learn."""
    return {"object": SKLEARN[kind]().fit(data.X, data.y)}


def _pipeline(data: Table, _: Path) -> Models:
    encode = make_column_transformer(
        (
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            ["city", "code"],
        ),
        remainder="passthrough",
    )
    pipeline = make_pipeline(encode, RandomForestClassifier(4, max_depth=5, random_state=0))
    return {"object": pipeline.fit(data.X, data.y)}


def _histogram(data: Table, _: Path) -> Models:
    histogram = HistGradientBoostingClassifier(max_iter=6, categorical_features="from_dtype")
    return {"object": histogram.fit(data.X, data.y)}


def train_xgboost(data: Table, folder: Path, *, rates: Any = None, **options: Any) -> Models:
    """Return a classifier, its booster and its files; a learning rate a round if there are some."""
    import xgboost

    if rates is not None:
        options |= {"callbacks": [xgboost.callback.LearningRateScheduler(rates)]}
    y = np.unique(data.y, return_inverse=True)[1]
    given = {"n_estimators": 6, "max_depth": 4, "n_jobs": 1, "random_state": 0} | options
    classifier = xgboost.XGBClassifier(enable_categorical=True, **given).fit(data.X, y)
    paths = {kind: folder / f"model.{kind}" for kind in ("json", "ubj")}
    for path in paths.values():
        classifier.save_model(path)
    return {"object": classifier, "booster": classifier.get_booster(), **paths}


def train_lightgbm(data: Table, folder: Path, *, rates: Any = None, **options: Any) -> Models:
    """Return a classifier, its booster and its file; a learning rate a round if there are some."""
    import lightgbm

    callbacks = [] if rates is None else [lightgbm.reset_parameter(learning_rate=rates)]

    given = {"n_estimators": 6, "num_leaves": 12, "n_jobs": 1, "random_state": 0} | options
    classifier = lightgbm.LGBMClassifier(verbose=-1, deterministic=True, **given)
    classifier.fit(data.X, data.y, callbacks=callbacks)
    classifier.booster_.save_model(folder / "model.txt")
    return {
        "object": classifier,
        "booster": classifier.booster_,
        "file": folder / "model.txt",
    }


def train_catboost(data: Table, folder: Path, **options: Any) -> Models:
    """Return a classifier and its files; words and codes are one-hot, without gaps."""
    from catboost import CatBoostClassifier, Pool

    X, categorical = data.X, []
    if "city" in X:
        categorical = ["city", "code"]
        X = X.assign(city=X["city"].astype(object).fillna("none"), code=X["code"].astype(int))
    given = {"iterations": 6, "depth": 4, "thread_count": 1, "random_seed": 0} | options
    classifier = CatBoostClassifier(
        **given, one_hot_max_size=50, silent=True, allow_writing_files=False
    ).fit(X, data.y, cat_features=categorical)
    paths = {kind: folder / f"model.{kind}" for kind in ("cbm", "json")}
    pool = Pool(X, cat_features=categorical)  # from which the JSON has the labels
    for kind, path in paths.items():
        classifier.save_model(str(path), format=kind, pool=pool)
    return {"object": classifier, **paths}


def train_ydf(data: Table, folder: Path, kind: str = "GradientBoostedTrees") -> Models:
    """Return a model and its folder."""
    import ydf

    ydf.verbose(0)
    frame = data.X.astype({name: object for name in ("city", "code") if name in data.X})
    frame = frame.assign(target=data.y.astype(str))
    if "code" in frame:
        frame["code"] = frame["code"].astype(str)
    options: dict[str, Any] = {"num_trees": 6, "max_depth": 4, "num_threads": 1}
    if kind == "Cart":
        options = {"max_depth": 4, "num_threads": 1}
    learner = getattr(ydf, f"{kind}Learner")(label="target", random_seed=1, **options)
    model = learner.train(frame)
    model.save(str(folder / "ydf"))
    return {"object": model, "folder": folder / "ydf"}


TRAINERS: dict[str, Callable[..., Models]] = {
    "xgboost": train_xgboost,
    "lightgbm": train_lightgbm,
    "catboost": train_catboost,
    "ydf": train_ydf,
}

# Learning rates, a round each.
RATES = [0.5, 0.5, 0.25, 0.25, 0.1, 0.05]

# By library and what is done otherwise.
OPTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "xgboost": {
        "dart": {"booster": "dart", "rate_drop": 0.3, "max_depth": 3},
        "penalties": {"reg_alpha": 0.5, "reg_lambda": 2.0, "learning_rate": 0.07},
        "rates": {"rates": RATES},
        "forest": {"num_parallel_tree": 3, "n_estimators": 2, "subsample": 0.7},
    },
    "lightgbm": {
        "forest": {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
        "rates": {"rates": RATES},
        "dart": {"boosting_type": "dart", "drop_rate": 0.5},
        "penalties": {"reg_alpha": 0.5, "reg_lambda": 2.0, "learning_rate": 0.07},
    },
    "catboost": {
        "depthwise": {"grow_policy": "Depthwise"},
        "lossguide": {"grow_policy": "Lossguide", "learning_rate": 0.2},
    },
    "ydf": {"forest": {"kind": "RandomForest"}, "cart": {"kind": "Cart"}},
}


def _read(prints: Prints, name: str, make: Callable[..., Models], data: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = make(data, Path(folder))
        for what, foreign in found.items():
            with prints.group(f"{name}/{what}"):
                _add(prints, f"{name}/{what}", foreign, data.X_test)


def _add(prints: Prints, name: str, foreign: Any, X: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = from_model(foreign)
        except public("UnsupportedModelError") as error:
            prints.add(f"{name}/refused/text", str(error))
            return
    prints.add(f"{name}/warnings/text", sorted({str(warning.message) for warning in caught}))
    add_model(prints, name, model)
    add_answers(prints, name, model, _rows_for(model, foreign, X))


def _rows_for(model: Any, foreign: Any, X: Any) -> Any:
    """Return rows as a model reads them: a pipeline's are transformed before."""
    if hasattr(foreign, "steps"):
        return foreign[:-1].transform(X)
    if "code" in X and hasattr(X["code"], "cat"):
        known = dict(zip(model.feature_names, model.categories, strict=True))
        labels = known.get("code") or ()
        if any(isinstance(label, str) for label in labels):  # CatBoost and YDF make texts of codes
            X = X.assign(code=X["code"].astype(int).astype(str))
    return X


def _with_rows(prints: Prints, name: str, data: Table) -> None:
    """Add models whose nodes have the posteriors of rows."""
    for kind in ("boosting", "forest", "adaboost", "histogram"):
        foreign = fit_sklearn(kind, data)["object"]
        add_model(prints, f"{name}/{kind}", from_model(foreign, data.X, data.y))
