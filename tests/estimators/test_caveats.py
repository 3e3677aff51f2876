"""What is said of weights of a strange scale, and of a fit that ends without a tree."""

import numpy as np
import pytest

from horotree import LogisticBoostClassifier, LogLossTreeClassifier

from .data import numbers

X, y = numbers(n=400)
ESTIMATORS = [LogisticBoostClassifier(3), LogLossTreeClassifier()]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


@each
@pytest.mark.parametrize("scale", [1 / 400, 1e-3, 1500.0])
def test_weights_of_another_scale_are_warned_of(estimator, scale):
    with pytest.warns(UserWarning, match="sample_weight") as caught:
        estimator.fit(X, y, sample_weight=np.full(400, scale))
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message) == (
        f"smoothing={estimator.smoothing} counts in the units of sample_weight, which is "
        f"{scale:.3g} in the mean: it is as much as {estimator.smoothing / scale:.3g} rows. Divide "
        "sample_weight by its mean, or pass another smoothing."
    )


def test_of_auto_the_range_of_what_it_chooses_from_is_said():
    with pytest.warns(UserWarning, match=r"smoothing='auto' .* as much as 4e\+03 to 1e\+05 rows"):
        LogisticBoostClassifier(2, smoothing="auto").fit(X, y, sample_weight=np.full(400, 1e-3))


@pytest.mark.parametrize(
    ("weight", "options"),
    [
        (np.ones(400), {}),
        (np.linspace(0.0, 2.0, 400), {}),
        (np.full(400, 9.0), {}),
        (np.full(400, 0.11), {}),
        (np.full(400, 1 / 400), {"smoothing": 0.25}),  # as much as 100 rows, of another scale
        (np.full(400, 1500.0), {"smoothing": 150_000.0}),
        (np.full(400, 1e-30), {"smoothing": 0.0, "pure_leaves": "forbid"}),
        (np.ones(400), {"class_weight": {0: 1000.0, 1: 1e-4}}),
    ],
)
def test_weights_of_the_usual_scale_are_not(weight, options):
    LogisticBoostClassifier(2, **options).fit(X, y, sample_weight=weight)


@each
def test_tiny_weights_end_without_a_tree_and_both_are_said(estimator):
    with (
        pytest.warns(UserWarning, match="the fit ended without a tree: both classes have the"),
        pytest.warns(UserWarning, match=r"1e-30 in the mean: it is as much as [12]e\+3[12] rows"),
    ):
        estimator.fit(X, y, sample_weight=np.full(400, 1e-30))
    assert estimator.predict_proba(X[:1]).tolist() == [[0.5, 0.5]]


def test_classes_without_a_tree_are_named():
    labels = list("aaaabbcc")  # nothing tells them apart, and "a" is as heavy as the rest
    with pytest.warns(UserWarning, match="ended without a tree for the classes 'a'. No split"):
        LogisticBoostClassifier(2).fit(np.ones((8, 1)), labels)


@each
@pytest.mark.parametrize("scale", [1e100, 1e200, 1e300, 1e306])
def test_weights_too_large_to_compute_with_are_refused(estimator, scale):
    weight = np.random.default_rng(0).choice([1.0, scale], 400)
    with pytest.raises(
        ValueError, match=r"must add up to at most 1e\+100 times the smoothing of|inf"
    ):
        estimator.fit(X, y, sample_weight=weight)


@pytest.mark.parametrize("least", [1e-200, 1e-305])
def test_without_smoothing_weights_may_not_be_too_far_apart(least):
    weight = np.random.default_rng(0).choice([1.0, least], 400)
    classifier = LogisticBoostClassifier(2, smoothing=0.0, pure_leaves="forbid")
    with pytest.raises(ValueError, match="times the least weight of"):
        classifier.fit(X, y, sample_weight=weight)
