"""How leaves were set is read from models and files of each library, or is said to be unknown."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier

from horotree import from_model, load, save
from horotree.losses import inverse_link
from horotree.trees import Steps

from .foreign import training_data


def draw(n_classes=2):
    return training_data(np.random.default_rng(0), 400, n_classes, missing=0.0)


def steps_of(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of files that lack the learning rate
        return from_model(model).steps


def test_scikit_learn():
    X, y = draw()
    exact, histogram = GradientBoostingClassifier, HistGradientBoostingClassifier
    assert steps_of(exact(n_estimators=2).fit(X, y)) == Steps()
    assert steps_of(exact(n_estimators=2, loss="exponential").fit(X, y)) is None
    few = {"max_iter": 2, "l2_regularization": 2.5}
    assert steps_of(histogram(**few).fit(X, y)) == Steps(l2=2.5)
    assert steps_of(histogram(**few, class_weight="balanced").fit(X, y)) is None
    assert steps_of(histogram(**few, monotonic_cst=[0, 0, 0]).fit(X, y)) == Steps(l2=2.5)
    assert steps_of(histogram(**few, monotonic_cst=[1, 0, 0]).fit(X, y)) is None
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    assert steps_of(histogram(**few, monotonic_cst={"b": -1}).fit(table, y)) is None
    assert steps_of(exact(n_estimators=2).fit(*draw(3))) == Steps(hessian=1.5)
    assert steps_of(histogram(max_iter=2).fit(*draw(3))) == Steps()


@pytest.mark.parametrize("penalty", [(1.0, 0.0), (0.0, 0.0), (7.5, 0.0), (2.0, 1.5), (0.0, 1.5)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_xgboost(penalty, n_classes, tmp_path):
    package = pytest.importorskip("xgboost")
    options = {"n_estimators": 8, "reg_lambda": penalty[0], "reg_alpha": penalty[1]}
    model = package.XGBClassifier(**options, max_depth=4, n_jobs=1).fit(*draw(n_classes))
    hessian = 1.0 if n_classes == 2 else 2.0
    model.save_model(tmp_path / "model.json")
    for given in (model, model.get_booster(), tmp_path / "model.json"):
        found = steps_of(given)
        assert (found.l2, found.l1) == pytest.approx(penalty, rel=2e-3, abs=1e-3)
        assert (found.hessian, found.weights) == (hessian, "hessians")


@pytest.mark.parametrize(
    "options",
    [
        {"scale_pos_weight": 3.0},
        {"booster": "dart", "rate_drop": 0.5},
        {"num_parallel_tree": 2, "subsample": 0.5},
        {"max_delta_step": 0.05},
    ],
    ids=str,
)
def test_xgboost_without_steps(options):
    package = pytest.importorskip("xgboost")
    model = package.XGBClassifier(n_estimators=5, max_depth=4, n_jobs=1, **options)
    assert steps_of(model.fit(*draw())) is None


def lightgbm_steps(n_classes=2, **options):
    package = pytest.importorskip("lightgbm")
    model = package.LGBMClassifier(n_estimators=3, verbose=-1, n_jobs=1, **options)
    return steps_of(model.fit(*draw(n_classes)))


def test_lightgbm():
    hessians = {"weights": "hessians"}
    assert lightgbm_steps() == Steps(**hessians)
    assert lightgbm_steps(reg_lambda=2.0, reg_alpha=0.5) == Steps(2.0, 0.5, **hessians)
    assert lightgbm_steps(3) == Steps(hessian=1.5, **hessians)
    assert lightgbm_steps(3, objective="multiclassova") == Steps(**hessians)
    assert lightgbm_steps(sigmoid=2.0, reg_alpha=0.5) == Steps(l1=1.0, **hessians)


@pytest.mark.parametrize(
    "options",
    [
        {"is_unbalance": True},
        {"scale_pos_weight": 2.0},
        {"boosting_type": "dart"},
        {"boosting_type": "rf", "subsample": 0.5, "subsample_freq": 1},
        {"max_delta_step": 0.3},
        {"path_smooth": 1.0},
        {"monotone_constraints": [1, 0, 0]},
    ],
    ids=str,
)
def test_lightgbm_without_steps(options):
    assert lightgbm_steps(**options) is None


def with_categories(seed=0, n=3000):
    """Draw a column of 30 categories, one of 3, which has some missing, and one of numbers."""
    rng = np.random.default_rng(seed)
    many, few, number = rng.integers(0, 30, n), rng.integers(0, 3, n), rng.normal(size=n)
    signal = np.sin(1.7 * many) + 0.8 * (few == 1) + number * np.cos(many) + rng.logistic(size=n)
    few = np.where(rng.random(n) < 0.05, -1, few)
    table = {
        "many": pd.Categorical(many),
        "few": pd.Categorical.from_codes(few, list("abc")),
        "number": number,
    }
    return pd.DataFrame(table), signal > 0.3


@pytest.mark.parametrize(
    ("options", "set_l2", "features"),
    [
        ({}, 10.0, (0,)),
        ({"reg_lambda": 3.0, "reg_alpha": 0.5}, 10.0, (0,)),
        ({"cat_l2": 4.0, "max_cat_to_onehot": 3}, 4.0, (0, 1)),  # missing is a fourth bin
        ({"max_cat_to_onehot": 4}, 10.0, (0,)),
        ({"max_cat_to_onehot": 31}, 10.0, ()),
        ({"cat_l2": 0.0}, 0.0, ()),
    ],
    ids=str,
)
def test_lightgbm_with_categories(options, set_l2, features):
    package = pytest.importorskip("lightgbm")
    X, y = with_categories()
    foreign = package.LGBMClassifier(n_estimators=8, num_leaves=12, verbose=-1, n_jobs=1, **options)
    model = from_model(foreign.fit(X, y))
    steps, (ensemble,) = model.steps, model.ensembles
    assert (steps.set_l2, steps.set_features) == (set_l2, features)
    # All leaves are the steps of their own training rows.
    leaves, score = ensemble.apply(model.to_matrix(X)), np.full(len(X), ensemble.base_value)
    for j, tree in enumerate(ensemble.trees):
        p = inverse_link(score)
        gradient, hessian = (np.bincount(leaves[:, j], x, tree.n_nodes) for x in (y - p, p - p * p))
        numerator = np.sign(gradient) * np.maximum(np.abs(gradient) - steps.l1, 0.0)
        step = numerator / (hessian + steps.l2_of(tree) + ~tree.is_leaf)
        np.testing.assert_allclose(
            tree.value[tree.is_leaf], step[tree.is_leaf], rtol=1e-4, atol=1e-5
        )
        score += (ensemble.leverage[j] * tree.output)[leaves[:, j]]


@pytest.mark.parametrize("name", ["cat_l2", "max_cat_to_onehot", "feature_infos"])
def test_lightgbm_does_not_guess_what_its_text_lacks(name, tmp_path):
    package = pytest.importorskip("lightgbm")
    foreign = package.LGBMClassifier(n_estimators=2, verbose=-1, n_jobs=1).fit(*with_categories())
    foreign.booster_.save_model(tmp_path / "whole.txt")
    text = (tmp_path / "whole.txt").read_text()
    lines = [line for line in text.splitlines() if name not in line.partition("=")[0].split(":")[0]]
    assert len(lines) == len(text.splitlines()) - 1
    (tmp_path / "less.txt").write_text("\n".join(lines) + "\n")
    assert steps_of(tmp_path / "whole.txt").set_l2 == 10.0
    assert steps_of(tmp_path / "less.txt") is None


def catboost_steps(n_classes=2, **options):
    package = pytest.importorskip("catboost")
    model = package.CatBoostClassifier(3, verbose=0, allow_writing_files=False, **options)
    return steps_of(model.fit(*draw(n_classes)))


def test_catboost():
    assert catboost_steps() == Steps(l2=3.0)
    assert catboost_steps(l2_leaf_reg=9.0) == Steps(l2=9.0)
    assert catboost_steps(leaf_estimation_iterations=10) == Steps(l2=3.0, iterations=10)
    assert catboost_steps(3, leaf_estimation_iterations=2) is None
    assert catboost_steps(3) == Steps(l2=3.0, coupled=True)
    assert catboost_steps(3, loss_function="MultiClassOneVsAll") == Steps(l2=3.0)


@pytest.mark.parametrize(
    "options",
    [
        {"auto_class_weights": "Balanced"},
        {"class_weights": [1.0, 2.0]},
        {"leaf_estimation_method": "Gradient"},
        {"langevin": True},
        {"model_shrink_rate": 0.1},
        {"monotone_constraints": [1, 0, 0]},
    ],
    ids=str,
)
def test_catboost_without_steps(options):
    assert catboost_steps(**options) is None


@pytest.mark.parametrize("penalty", [(0.0, 0.0), (4.0, 0.0), (25.0, 0.0), (4.0, 0.5)])
def test_ydf(penalty):
    package = pytest.importorskip("ydf")
    X, y = draw()
    table = {f"x{j}": X[:, j] for j in range(3)} | {"y": y.astype(str)}
    options = dict(zip(("l2_regularization", "l1_regularization"), penalty, strict=True))
    learner = package.GradientBoostedTreesLearner("y", num_trees=4, **options)
    found = steps_of(learner.train(table, verbose=0))
    assert (found.l2, found.l1) == pytest.approx(penalty, rel=1e-3, abs=1e-3)
    assert found.weights == "rows"


def test_files_of_horotree_keep_them(tmp_path):
    model = from_model(HistGradientBoostingClassifier(max_iter=2).fit(*draw()))
    save(model, tmp_path / "model.horotree")
    assert load(tmp_path / "model.horotree") == model
    assert load(tmp_path / "model.horotree").steps == Steps()


def test_with_rows_there_are_posteriors_and_no_steps():
    X, y = draw()
    foreign = HistGradientBoostingClassifier(max_iter=2).fit(X, y)
    assert from_model(foreign, X, y).steps is None
