"""Fingerprints of horotree's own models: what is fitted, predicted, saved and loaded."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import horotree
from horotree import LogisticBoostClassifier, LogLossTreeClassifier

from .hashes import Prints
from .names import call, drawn_model, host_of, public, trees_of
from .tables import Table, names_there, table

TREE_ARRAYS = ("left", "right", "feature", "threshold", "missing_left", "category", "value")
TREE_ARRAYS += ("output", "weight", "count")
MODEL_FIELDS = ("link", "classes", "feature_names", "categories", "input_dtype", "value_kind")
MODEL_FIELDS += ("class_names", "has_names", "steps", "vote_weight")
LITERAL = {"smoothing": 0.0, "pure_leaves": "forbid", "max_bins": None, "learning_rate": 1.0}

# By what is boosted otherwise: the table, and the options.
BOOSTED: dict[str, tuple[str, dict[str, Any]]] = {
    "literal": ("breast_cancer", LITERAL),
    "literal mixed": ("mixed", LITERAL),
    "monotonic": ("mixed", {"weak_learner": "monotonic"}),
    "monotonic classes": ("iris", {"weak_learner": "monotonic"}),
    "auto smoothing": ("mixed", {"smoothing": "auto", "random_state": 0}),
    "auto smoothing classes": ("iris", {"smoothing": "auto", "random_state": 0}),
    "smoothing 5": ("mixed", {"smoothing": 5.0}),
    "few bins": ("breast_cancer", {"max_bins": 7}),
    "some features": ("digits", {"max_features": "sqrt", "random_state": 1, "n_estimators": 4}),
    "some rows": ("mixed", {"subsample": 0.5, "random_state": 2}),
    "some of both": ("mixed4", {"subsample": 0.7, "max_features": 2, "random_state": 3}),
    "balanced": ("rare", {"class_weight": "balanced"}),
    "balanced classes": ("mixed4", {"class_weight": "balanced"}),
    "shallow": ("mixed", {"max_depth": 3, "min_samples_leaf": 12}),
    "forbid": ("mixed", {"pure_leaves": "forbid"}),
    "early": ("mixed", {"early_stopping": True, "n_estimators": 150, "random_state": 4}),
    "early classes": ("mixed4", {"early_stopping": True, "n_estimators": 60, "random_state": 5}),
    "early auto": ("tall", {"early_stopping": "auto", "random_state": 6}),
    "large": ("tall", {"max_leaf_nodes": 101, "n_estimators": 20}),
    "huge": ("huge", {"max_leaf_nodes": 101, "n_estimators": 6}),
    "huge some": ("huge", {"subsample": 0.3, "max_features": 3, "random_state": 8, "n_jobs": 2}),
    "huge literal": ("huge", LITERAL | {"n_estimators": 3}),
    "wide": ("hardware", {"max_leaf_nodes": 60, "n_estimators": 25}),
    "long": ("german", {"n_estimators": 200, "max_leaf_nodes": 101}),
    "no categories": ("breast_cancer", {"categorical_features": None}),
    "named categories": ("mixed", {"categorical_features": ["city", "code", "tied"]}),
}
SINGLE: dict[str, tuple[str, dict[str, Any]]] = {
    "literal": ("mixed", {"smoothing": 0.0, "pure_leaves": "forbid", "max_bins": None}),
    "monotonic": ("mixed", {"monotonic": True}),
    "monotonic classes": ("iris", {"monotonic": True}),
    "some features": ("mixed4", {"max_features": 0.5, "random_state": 1}),
    "balanced": ("rare", {"class_weight": "balanced", "max_leaf_nodes": 12}),
}


def print_all(prints: Prints) -> None:
    """Add the fingerprints of all models."""
    there = names_there()
    for name in there:
        prints.run(f"trained/boost/{name}", _boost, table(name), {})
        prints.run(f"trained/tree/{name}", _grow, table(name), {})
    for kind, models, compute in (("boost", BOOSTED, _boost), ("tree", SINGLE, _grow)):
        for what, (name, options) in models.items():
            if name in there:
                prints.run(f"trained/{kind} {what}/{name}", compute, table(name), options)
    prints.run("trained/boost weights/mixed", _weights, table("mixed"))
    prints.run("trained/boost weights/mixed4", _weights, table("mixed4"))
    prints.run("trained/boost eval_set/mixed4", _eval_set, table("mixed4"))
    prints.run("trained/boost warm/mixed", _warm, table("mixed"))
    prints.run("trained/boost warm/iris", _warm, table("iris"))
    for name in ("mixed4", "tall", "huge"):
        if name in there:
            prints.run(f"trained/boost 2 threads/{name}", _threads, table(name))
    prints.run("trained/boost other tables/mixed", _other_tables, table("mixed"))


def boosted(**options: Any) -> Any:
    """Return a small classifier to be fitted."""
    defaults = {"n_estimators": 12, "max_leaf_nodes": 16, "n_jobs": 1}
    return LogisticBoostClassifier(**(defaults | options))


def add_model(prints: Prints, name: str, model: Any) -> None:
    """Add what a model is."""
    trees = trees_of(model)
    for array in TREE_ARRAYS:
        prints.add(f"{name}/trees/{array}", np.concatenate([getattr(t, array) for t in trees]))
    sizes = np.concatenate([np.diff(tree.category_start) for tree in trees])
    prints.add(f"{name}/trees/set_size", sizes)
    prints.add(f"{name}/trees/n_nodes", [tree.n_nodes for tree in trees])
    prints.add(f"{name}/trees/host", np.concatenate([host_of(tree) for tree in trees]))
    for array in ("leverage", "edge"):
        prints.add(f"{name}/{array}", [getattr(e, array) for e in model.ensembles])
    prints.add(f"{name}/base_value", [float(e.base_value) for e in model.ensembles])
    prints.add(f"{name}/max_confidence", [e.max_confidence for e in model.ensembles])
    for field in MODEL_FIELDS:
        prints.add(f"{name}/{field}", getattr(model, field))
    prints.add(f"{name}/notes/text", model.notes)


def add_answers(prints: Prints, name: str, model: Any, X: Any) -> None:
    """Add what a model and its monotonic versions say of rows."""
    prints.add(f"{name}/score", call(model.score, X))
    prints.add(f"{name}/score 2 threads", call(model.score, X, n_threads=2))
    prints.add(f"{name}/predict_proba", call(model.predict_proba, X))
    prints.add(f"{name}/predict", call(model.predict, X))
    for what, options in {
        "monotonic": {},
        "monotonic inner": {"evaluate": "inner"},
        "monotonic refitted": {"refit_leverage": True},
    }.items():
        if model.link != "mean" or not options.get("refit_leverage"):
            probabilities = call(drawn_model(model, **options).predict_proba, X)
            prints.add(f"{name}/{what}/predict_proba", probabilities)
    for center in ("base", "half"):
        drawn = [public("center_ensemble")(e, center) for e in model.ensembles]
        hosts = [host_of(tree) for ensemble in drawn for tree in ensemble.trees]
        prints.add(f"{name}/center {center}/host", np.concatenate(hosts))


def add_file(prints: Prints, name: str, model: Any, X: Any) -> None:
    """Add a model's file, and what is loaded from it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.horotree"
        horotree.save(model, path)
        prints.add(f"{name}/file/bytes", path.read_bytes())
        loaded = horotree.load(path)
    again = Prints()
    add_model(again, "loaded", loaded)
    prints.add(f"{name}/file/loaded", again.found)
    prints.add(f"{name}/file/loaded predict_proba", loaded.predict_proba(X))


def add_fitted(prints: Prints, name: str, classifier: Any, X: Any) -> None:
    """Add all that a fitted classifier has and says."""
    add_model(prints, name, classifier.model_)
    add_answers(prints, name, classifier.model_, X)
    add_file(prints, name, classifier.model_, X)
    prints.add(f"{name}/feature_importances_", classifier.feature_importances_)
    for attribute in ("n_estimators_", "smoothing_", "learning_rate_", "validation_loss_"):
        if hasattr(classifier, attribute):
            prints.add(f"{name}/{attribute}", getattr(classifier, attribute))
    for attribute in ("classes_", "n_features_in_"):
        prints.add(f"{name}/{attribute}", getattr(classifier, attribute))
    for method in ("predict_proba", "predict", "decision_function", "apply"):
        prints.add(f"{name}/classifier/{method}", getattr(classifier, method)(X))


def _boost(prints: Prints, name: str, data: Table, options: dict[str, Any]) -> None:
    classifier = boosted(**options).fit(data.X, data.y)
    add_fitted(prints, name, classifier, data.X_test)
    stages = list(classifier.staged_predict_proba(data.X_test))
    prints.add(f"{name}/staged_predict_proba", [stage.sum(axis=0) for stage in stages])


def _grow(prints: Prints, name: str, data: Table, options: dict[str, Any]) -> None:
    classifier = call(LogLossTreeClassifier, **options, n_jobs=1).fit(data.X, data.y)
    add_fitted(prints, name, classifier, data.X_test)


def _weights(prints: Prints, name: str, data: Table) -> None:
    weights = np.random.default_rng(0).integers(0, 4, len(data.y)) / 2.0
    classifier = boosted().fit(data.X, data.y, sample_weight=weights)
    add_fitted(prints, name, classifier, data.X_test)


def _eval_set(prints: Prints, name: str, data: Table) -> None:
    classifier = boosted(early_stopping="auto", n_iter_no_change=3, n_estimators=80)
    classifier.fit(data.X, data.y, eval_set=(data.X_test, data.y_test))
    add_fitted(prints, name, classifier, data.X_test)


def _warm(prints: Prints, name: str, data: Table) -> None:
    classifier = boosted(n_estimators=5, warm_start=True).fit(data.X, data.y)
    add_fitted(prints, name, classifier.set_params(n_estimators=9).fit(data.X, data.y), data.X_test)


def _threads(prints: Prints, name: str, data: Table) -> None:
    classifier = boosted(n_jobs=2, max_leaf_nodes=40).fit(data.X, data.y)
    add_fitted(prints, name, classifier, data.X_test)


def _other_tables(prints: Prints, name: str, data: Table) -> None:
    """Add answers for labels that training did not have, and for other types of columns."""
    model = boosted().fit(data.X, data.y).model_
    unseen = data.X_test.assign(city="Lima", code=99)
    prints.add(f"{name}/labels not seen", model.predict_proba(unseen))
    plain = data.X_test.astype({"city": object, "code": float, "tied": "float32"})
    prints.add(f"{name}/other types", model.predict_proba(plain))
