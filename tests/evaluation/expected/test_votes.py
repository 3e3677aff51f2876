"""AdaBoost: its rows have the weights of SAMME, and its own training rows agree."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from horotree import from_model, held_out, load, save
from horotree.evaluation.expected.votes import sum_votes
from horotree.trees import find_leaves


def fitted(n_classes=2, rate=1.0, depth=3, n=1200, **options):
    X, y = make_classification(
        n, 8, n_informative=5, n_classes=n_classes, flip_y=0.1, random_state=0
    )
    base = DecisionTreeClassifier(max_depth=depth, class_weight=options.pop("class_weight", None))
    foreign = AdaBoostClassifier(base, n_estimators=20, learning_rate=rate, random_state=0)
    return X, y, foreign.fit(X, y, **options)


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_sums_are_those_of_the_weights_of_its_training(n_classes, rate):
    X, y, foreign = fitted(n_classes, rate)
    model = from_model(foreign)
    matrix = model.to_matrix(X)
    every = {k: list(range(20)) for k in range(len(model.ensembles))}
    weight, done = np.full(len(X), 1.0 / len(X)), -1
    for k, j, sums in sorted(sum_votes(model, matrix, y, every, 1), key=lambda x: (x[1], x[0])):
        if j > done:
            if j:  # as its fit does
                wrong = foreign.estimators_[j - 1].predict(X) != y
                weight = weight * np.exp(foreign.estimator_weights_[j - 1] * wrong)
                weight /= weight.sum()
            done = j
        tree, theirs = model.ensembles[k].trees[j], foreign.estimators_[j].tree_
        share = theirs.value[:, 0, 1 if n_classes == 2 else k]
        negative, positive = sums.total * np.exp(sums.unit)
        np.testing.assert_allclose(positive / (positive + negative), share, rtol=1e-9, atol=1e-12)
        leaf = find_leaves(tree, matrix)
        total = np.bincount(leaf, weight, tree.n_nodes)[tree.is_leaf]
        np.testing.assert_allclose(
            (positive + negative)[tree.is_leaf] / (positive + negative)[0], total, rtol=1e-9
        )
        assert (sums.largest >= sums.unit - 1e-12).all()
    assert done == 19


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("depth", [1, 3, 6])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_its_own_training_rows_agree(n_classes, depth, rate):
    X, y, foreign = fitted(n_classes, rate, depth)
    for center in ("half", "base"):
        found = held_out(from_model(foreign), X, y, center=center)
        assert set(found.verdict.tolist()) <= {"agrees", "few"}
        assert (found.verdict == "agrees").mean() > 0.05


def test_rows_that_weighed_otherwise_have_no_verdict():
    X, y, _ = fitted()
    for options in ({"sample_weight": 1.0 + y}, {"class_weight": "balanced"}):
        _, _, foreign = fitted(**options)
        found = held_out(from_model(foreign), X, y)
        assert set(found.verdict.tolist()) == {"unknown"}
        assert "how the model's training weighted its rows is not known" in str(found)


def test_files_keep_the_weight_of_votes(tmp_path):
    X, y, foreign = fitted()
    model = from_model(foreign)
    assert model.vote_weight == pytest.approx(foreign.estimator_weights_.sum())
    save(model, tmp_path / "model.horotree")
    again = load(tmp_path / "model.horotree")
    assert again.vote_weight == model.vote_weight
    assert again == model
    assert from_model(foreign, X, y).vote_weight is None  # posteriors of boosting's own weights


@pytest.mark.parametrize(("weight", "kind"), [(-1.0, "posterior"), (1.0, "margin")])
def test_only_posteriors_have_a_weight_of_votes(weight, kind):
    model = from_model(fitted()[2])
    with pytest.raises(ValueError, match="vote_weight must be 0 or more, of values of kind"):
        replace(model, vote_weight=weight, value_kind=kind)
