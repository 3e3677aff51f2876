"""Which features move the score: against variances of single examples, and other libraries."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from horotree import LogisticBoostClassifier, from_model, save
from horotree.display.text.models import describe_features
from horotree.trees import Ensemble, Model, find_leaves, node_weights
from horotree.trees.importance import find_importance
from horotree.viewer.quality import describe_importance
from tests.cli.running import run
from tests.trees.strategies import generators, random_tree


def literal(model, field):
    """Return the explained variance by feature: every example of every node is written out."""
    total = np.zeros(len(model.feature_names))
    for ensemble in model.ensembles:
        for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
            examples = [[] for _ in range(tree.n_nodes)]
            for node in range(tree.n_nodes - 1, -1, -1):
                if tree.is_leaf[node]:
                    amount = int(getattr(tree, field)[node])
                    examples[node] = [leverage * tree.output[node]] * amount
                else:
                    examples[node] = examples[tree.left[node]] + examples[tree.right[node]]
            n = len(examples[0])
            for node in np.flatnonzero(~tree.is_leaf):
                parts = [examples[c] for c in (tree.left[node], tree.right[node])]
                if not all(parts):
                    continue
                within = sum(len(part) * np.var(part) for part in parts)
                explained = len(examples[node]) * np.var(examples[node]) - within
                total[tree.feature[node]] += explained / n
    return total


def made(rng, sizes=(0, 0, 3), n_trees=3, **fields):
    trees = []
    for _ in range(n_trees):
        tree = random_tree(rng, sizes, int(rng.integers(2, 8)))
        n = tree.n_nodes
        known = {"count": rng.integers(0, 6, n), "weight": rng.integers(0, 6, n) * 1.0}
        trees.append(replace(tree, output=rng.normal(size=n), **known | fields))
    names, categories = ("a", "b", "c"), (None, None, ("x", "y", "z"))
    ensemble = Ensemble(tuple(trees), rng.normal(size=n_trees), [np.nan] * n_trees, 0.0)
    return Model((ensemble,), "logistic", [0, 1], names, categories, "float64")


def by_variance(model):
    """Return a model without gains, as those of other libraries are."""
    return unknown(model, gain=np.nan)


def unknown(model, **fields):
    """Return a model whose trees do not know these fields."""
    ensembles = tuple(
        replace(
            ensemble,
            trees=tuple(
                replace(tree, **{name: np.full(tree.n_nodes, x) for name, x in fields.items()})
                for tree in ensemble.trees
            ),
        )
        for ensemble in model.ensembles
    )
    return replace(model, ensembles=ensembles)


@settings(max_examples=50)
@given(generators)
def test_shares_are_those_of_the_variance_that_tests_explain(rng):
    model = made(rng)
    for field, of in (("count", model), ("weight", unknown(model, count=-1))):
        wanted, found = literal(model, field), find_importance(of).share
        if wanted.sum() > 1e-9:
            np.testing.assert_allclose(found, wanted / wanted.sum(), atol=1e-9)
        else:
            assert found.tolist() == [0.0] * 3


def test_the_tests_of_a_tree_explain_all_of_its_variance():
    """The explained parts sum to the variance of what the tree adds to its training examples."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=500) > 0
    model = LogisticBoostClassifier(4, max_leaf_nodes=12).fit(X, y).model_
    (ensemble,) = model.ensembles
    leaves = ensemble.apply(X)
    variance = sum(
        np.var(leverage * tree.output[leaves[:, j]])
        for j, (leverage, tree) in enumerate(zip(ensemble.leverage, ensemble.trees, strict=True))
    )
    assert literal(model, "count").sum() == pytest.approx(variance)


@settings(max_examples=30)
@given(generators)
def test_units_of_the_score_do_not_matter(rng):
    model = made(rng)
    (ensemble,) = model.ensembles
    for factor in (1e-200, -3.0, 1e200):
        scaled = replace(model, ensembles=(replace(ensemble, leverage=factor * ensemble.leverage),))
        found, wanted = find_importance(scaled), find_importance(model)
        np.testing.assert_allclose(found.share, wanted.share, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(found.pair, wanted.pair)
        turned = np.sign(factor) * wanted.way
        np.testing.assert_allclose(found.way, turned, rtol=1e-9, atol=1e-12)


def problem(n=2000, seed=0):
    """Return columns that push up, down, both ways, and not at all, and a category."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, size=(n, 5))
    X[:, 4] = rng.integers(0, 3, n)
    score = 3.0 * X[:, 0] - 2.0 * X[:, 1] + 3.0 * (np.abs(X[:, 2]) - 0.5) + 1.0 * (X[:, 4] == 1)
    return X, (score + rng.logistic(size=n) > 0).astype(int)


def fit_own(_):
    return LogisticBoostClassifier(20, categorical_features=[4])


def fit_forest(_):
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(30, max_depth=6, random_state=0)


def fit_boosting(_):
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=30, random_state=0)


def fit_xgboost(require):
    return require("xgboost").XGBClassifier(n_estimators=30, max_depth=3)


def fit_lightgbm(require):
    return require("lightgbm").LGBMClassifier(n_estimators=30, verbose=-1)


def fit_catboost(require):
    return require("catboost").CatBoostClassifier(
        n_estimators=50, verbose=0, allow_writing_files=False
    )


PEERS = [fit_own, fit_forest, fit_boosting, fit_xgboost, fit_lightgbm, fit_catboost]


@pytest.mark.parametrize("make", PEERS)
def test_all_libraries_are_ranked_and_given_a_direction(make, require):
    X, y = problem()
    model = from_model(make(require).fit(X, y))
    found = find_importance(model)
    assert found.is_known
    assert found.measure == ("gain" if make is fit_own else "variance")
    assert found.share.sum() == pytest.approx(1.0)
    assert found.ranking()[0] == 0
    assert set(found.ranking()[:3]) == {0, 1, 2}
    assert found.share[3] < 0.1
    assert [found.word(j) for j in range(3)] == ["up", "down", "both ways"]
    if model.categories[4] is not None:
        assert found.word(4) == ""
        assert np.isnan(found.direction(4))


def test_directions_are_those_of_each_class():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(900, 1))
    y = (3 * X[:, 0]).astype(int)
    found = find_importance(LogisticBoostClassifier(5).fit(X, y).model_)
    assert found.pair.tolist() == [0, 1, 2]
    assert [found.word(0, k) for k in range(3)] == ["down", "both ways", "up"]
    assert found.share.tolist() == [1.0]


def test_the_estimator_says_the_same():
    X, y = problem()
    classifier = fit_own(None).fit(X, y)
    np.testing.assert_array_equal(
        classifier.feature_importances_, find_importance(classifier.model_).share
    )


def weighted_losses(model, X, positive, weights):
    """Yield each tree of a model with what each node loses by its output, and the row weights."""
    (ensemble,) = model.ensembles
    score = np.zeros(len(X))
    for leverage, tree in zip(ensemble.leverage, ensemble.trees, strict=True):
        w = weights / (1.0 + np.exp(np.where(positive, score, -score)))
        sums = node_weights(tree, X, positive, w)
        output = tree.output
        loss = sums.positive * np.log1p(np.exp(-output)) + sums.negative * np.log1p(np.exp(output))
        before = weights @ np.logaddexp(0.0, np.where(positive, -score, score))
        score = score + leverage * output[find_leaves(tree, X)]
        after = weights @ np.logaddexp(0.0, np.where(positive, -score, score))
        yield leverage, tree, loss, sums.weight[0], before - after


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smoothing": 0.0, "pure_leaves": "forbid"},
        {"weak_learner": "monotonic", "smoothing": 2.0},
        {"max_features": 2, "categorical_features": [4]},
    ],
)
def test_gains_are_what_tests_take_off_the_weighted_log_loss(options):
    X, y = problem(700)
    weights = np.random.default_rng(3).uniform(0.5, 2.0, len(X))
    model = LogisticBoostClassifier(6, max_leaf_nodes=12, **options).fit(X, y, weights).model_
    importance = np.zeros(5)
    for leverage, tree, loss, *_ in weighted_losses(model, X, y == 1, weights):
        for node in range(tree.n_nodes):
            gain = 0.0
            if not tree.is_leaf[node]:
                gain = loss[node] - loss[tree.left[node]] - loss[tree.right[node]]
                importance[tree.feature[node]] += leverage * gain
            assert tree.gain[node] == pytest.approx(gain, rel=1e-5, abs=1e-4)
    found = find_importance(model)
    np.testing.assert_allclose(found.share, importance / importance.sum(), rtol=1e-4, atol=1e-5)


def test_twice_leverage_times_gains_are_sure_to_come_off_the_log_loss():
    X, y = problem(700)
    options = {"smoothing": 0.0, "pure_leaves": "forbid", "learning_rate": 0.5}
    model = LogisticBoostClassifier(30, max_leaf_nodes=8, **options).fit(X, y).model_
    parts = []
    for leverage, tree, loss, weight, lowered in weighted_losses(model, X, y == 1, np.ones(700)):
        root = weight * np.log(2.0) - loss[0]
        sure = 2.0 * leverage * (root + tree.gain.sum())
        assert 0.0 < sure <= lowered
        parts.append(sure / lowered)
    assert min(parts) > 0.3


def test_monotonic_versions_do_not_claim_the_gains_of_their_trees():
    X, y = problem(300)
    model = fit_own(None).fit(X, y).model_
    assert not np.isnan(model.ensembles[0].trees[0].gain).any()
    assert find_importance(model).measure == "gain"
    assert find_importance(model.as_drawn()).measure == "variance"


def test_all_places_say_the_same_of_a_real_data_set(tmp_path):
    """The attribute, the command, the page and the displays have one definition."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    classifier = LogisticBoostClassifier(10).fit(X, y)
    share = classifier.feature_importances_
    save(classifier, tmp_path / "model")
    result = run("info", tmp_path / "model", "--json")
    command = {f["name"]: f["importance"] for f in json.loads(result.output)["features"]}
    page = {j: part for j, part, *_ in describe_importance(classifier.model_)["ranking"]}
    (sentence,) = describe_features(classifier.model_, 0)
    order = np.argsort(-share, kind="stable")
    for j, name in enumerate(X.columns):
        assert command[name] == share[j]
        if share[j]:
            assert page[j] == pytest.approx(share[j], rel=1e-3)
    assert [*page] == [j for j in order if j in page]
    first = X.columns[order[0]]
    assert f": {first} {share[order[0]]:.3f}".replace(" 0.", " .") in sentence.replace(" 0.", " .")
    assert "gain" in sentence


def test_where_examples_are_not_known_there_are_no_shares():
    model = unknown(made(np.random.default_rng(2), n_trees=8), count=-1, weight=np.nan)
    found = find_importance(model)
    assert not found.is_known
    assert "how many training examples" in found.reason
    assert np.isnan(found.share).all()
    assert found.word(0) == ""
    n_trees = [found.n_trees[j] for j in found.ranking()]
    assert n_trees == sorted(n_trees, reverse=True)


def test_a_model_without_trees_has_nothing_to_rank():
    empty = Model((Ensemble((), [], [], 0.5),), "logistic", [0, 1], ("x",), (None,), "float64")
    found = find_importance(empty)
    assert found.share.tolist() == [0.0]
    assert found.ranking() == []
    assert repr(found) == "Importance(0 of 1 features tested)"
