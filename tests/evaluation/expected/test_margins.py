"""What trees of margins lead to expect, by a loop over rows; and intervals that hold the truth."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horotree.evaluation.expected.margins import MarginSums, find_differences, sum_margins
from horotree.evaluation.held_out import held_out
from horotree.evaluation.proportions import exact_interval
from horotree.losses import inverse_link
from horotree.trees import Ensemble, Model, Steps
from tests import factories
from tests.trees.oracle import leaf_of, path_to
from tests.trees.strategies import generators, models, tables

ALL_STEPS = [
    Steps(),
    Steps(hessian=1.5),
    Steps(l2=3.0),
    Steps(l2=2.0, l1=0.5, hessian=2.0, weights="hessians"),
    Steps(l2=1.0, l1=0.25),
]


def stump(value, weight=(30.0, 20.0, 10.0)):
    """Return a tree that asks whether the only column is at most 1/2."""
    return factories.stump(value, weight=weight, count=-1)


def model_of(*trees, steps=Steps(), leverage=0.1, base_value=0.0):  # noqa: B008 - frozen
    n = len(trees)
    ensemble = Ensemble(trees, np.full(n, leverage), np.full(n, np.nan), base_value)
    parts = (ensemble,), "logistic", ["no", "yes"], ("size",), (None,), "float64"
    return Model(*parts, value_kind="margin", steps=steps)


# --- sums -----------------------------------------------------------------------------------------


def probabilities(model, scores):
    if model.link == "softmax":
        shares = np.exp(np.array(scores) - max(scores))
        return shares / shares.sum()
    return np.asarray(inverse_link(np.array(scores)))


def expected_row(steps, tree, leaf, p):
    """Return what a row is expected to have, and by how much that grows with the value."""
    value, weight = tree.value[leaf], tree.weight[leaf]
    inverse = 1.0 / weight if weight > 0.0 else 0.0
    hessian = steps.hessian * p * (1.0 - p)
    if steps.weights == "hessians":
        step = value * (1.0 + steps.l2 * inverse) + np.sign(value) * steps.l1 * inverse
        return p + hessian * step, hessian * (1.0 + steps.l2 * inverse)
    pull = (steps.l2 * value + np.sign(value) * steps.l1) * inverse
    return p + hessian * value + pull, hessian + steps.l2 * inverse


@settings(max_examples=60)
@given(st.data(), st.sampled_from(ALL_STEPS))
def test_sums_are_those_of_a_loop_over_rows_and_trees(data, steps):
    model = data.draw(models().filter(lambda model: model.link != "mean"))
    X = model.to_matrix(data.draw(tables(model)))
    place = data.draw(generators).integers(0, len(model.classes), len(X))
    if any(abs(tree.value).max() > 1e3 for e in model.ensembles for tree in e.trees):
        return  # sums of such numbers are rounded in another order
    wanted = {k: list(range(len(e.trees))) for k, e in enumerate(model.ensembles)}
    for k, j, sums in sum_margins(model, steps, X, place, wanted, 1):
        tree = model.ensembles[k].trees[j]
        n = tree.n_nodes
        count, positive, expected, square, slope = (np.zeros(n) for _ in range(5))
        expected_square = np.zeros(n)
        for row, own in zip(X, place, strict=True):
            scores = [
                e.base_value
                + sum(
                    e.leverage[i] * e.trees[i].output[leaf_of(e.trees[i], row)]
                    for i in range(min(j, len(e.trees)))
                )
                for e in model.ensembles
            ]
            p = probabilities(model, scores)[k]
            leaf = leaf_of(tree, row)
            here = own == (k if len(model.ensembles) > 1 else 1)
            mean, growth = expected_row(steps, tree, leaf, p)
            for node in path_to(tree, leaf):
                count[node] += 1
                positive[node] += here
                expected[node] += mean
                square[node] += (here - mean) ** 2
                expected_square[node] += mean**2
                slope[node] += growth
        assert sums.count.tolist() == count.tolist()
        assert sums.positive.tolist() == positive.tolist()
        moved = ~sums.is_fixed
        if not moved.all():
            continue  # of these what is there is expected
        assert sums.expected == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert sums.square == pytest.approx(square, rel=1e-9, abs=1e-9)
        assert sums.expected_square == pytest.approx(expected_square, rel=1e-9, abs=1e-9)
        assert sums.slope == pytest.approx(slope, rel=1e-9, abs=1e-9)


def test_classes_that_step_together_share_what_they_move():
    p, values = np.array([0.2, 0.3, 0.5]), np.array([1.0, -0.5, 0.25])
    ensembles = tuple(
        Ensemble((stump([0.0, value, value]),), [0.1], [np.nan], math.log(q))
        for q, value in zip(p, values, strict=True)
    )
    steps = Steps(l2=4.0, coupled=True)
    model = Model(ensembles, "softmax", [0, 1, 2], ("size",), (None,), "float64")
    X, place = np.array([[0.0]] * 5), np.array([0, 1, 1, 2, 2])
    hessian = np.diag(p) - np.outer(p, p)
    expected = 5 * (p + hessian @ values + 4.0 * values / 20.0)
    sums = {k: sums for k, _, sums in sum_margins(model, steps, X, place, {0: [0], 2: [0]}, 1)}
    for k in (0, 2):
        assert sums[k].expected[1] == pytest.approx(expected[k], rel=1e-12)


def test_at_a_leaf_the_held_out_value_is_the_shrunk_newton_step():
    X, y = [[0.0]] * 20, ["no"] * 13 + ["yes"] * 7
    p = inverse_link(0.3)
    gradient, hessian = 7 - 20 * p, 20 * p * (1.0 - p)
    for steps, factor in (
        (Steps(), 1.0),
        (Steps(l2=5.0, weights="hessians"), 20.0 / 25.0),  # the training's hessian there is 20
        (Steps(l2=5.0), hessian / (hessian + 5.0)),  # 20 training rows, as many as there are here
    ):
        model = model_of(stump([0.2, 0.9, 1.0]), steps=steps, base_value=0.3)
        found = held_out(model, X, y)
        assert found.value[1] == pytest.approx(factor * gradient / hessian, rel=1e-12)
        assert found.low_value[1] < found.value[1] < found.high_value[1]


def test_the_difference_is_of_shares_that_can_be_counted():
    model = model_of(stump([0.2, 0.9, 1.0]), base_value=0.3)
    found = held_out(model, [[0.0]] * 20 + [[1.0]] * 20, ["no"] * 13 + ["yes"] * 27)
    p = inverse_link(0.3)
    assert found.difference[1] == pytest.approx(7 / 20 - (p + p * (1.0 - p) * 0.9), rel=1e-12)
    assert found.difference[2] == pytest.approx(20 / 20 - (p + p * (1.0 - p) * 1.0), rel=1e-12)
    assert found.difference[0] == pytest.approx(found.difference[1:].mean(), rel=1e-12)
    assert found.value_kind == "margin"


def test_clipped_values_agree_with_rows_that_ask_for_more():
    X, y = [[0.0]] * 400 + [[1.0]] * 400, ["yes"] * 360 + ["no"] * 440
    for limit, verdicts in ((math.inf, "stronger"), (0.5, "agrees")):
        model = model_of(stump([-0.1, 0.5, -0.5]), steps=Steps(limit=limit))
        assert set(held_out(model, X, y).verdict[1:]) == {verdicts}
    turned = held_out(model_of(stump([-0.1, -0.5, 0.5]), steps=Steps(limit=0.5)), X, y)
    assert set(turned.verdict[1:]) == {"flipped"}


def test_rows_that_no_step_moves_tell_nothing():
    model = model_of(stump([1.0, 0.5, 1.5]), base_value=-500.0)
    found = held_out(model, [[0.0]] * 99 + [[1.0]] * 99, ["yes"] * 198)
    assert set(found.verdict) == {"few"}


def test_without_steps_there_is_no_verdict():
    model = model_of(stump([0.2, 0.9, 1.0]), steps=None)
    found = held_out(model, [[0.0]] * 50, ["no"] * 50)
    assert found.verdict.tolist() == ["unknown", "unknown", "none"]
    assert found.count.tolist() == [50, 50, 0]
    for name in ("value", "low_value", "high_value", "difference"):
        assert np.isnan(getattr(found, name)).all()
    assert str(found).startswith("none of 3 nodes is compared with these rows")


# --- intervals ------------------------------------------------------------------------------------


def draw_sums(p, y):
    """Return the sums at one node, for samples of rows (axis 1), given what is expected of them."""
    return MarginSums(
        count=np.full(len(y), y.shape[1]),
        positive=y.sum(axis=1),
        expected=p.sum(axis=1),
        square=((y - p) ** 2).sum(axis=1),
        expected_square=(p**2).sum(axis=1),
        slope=(p * (1.0 - p)).sum(axis=1) + 1e-3,
    )


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 30, 100, 1000])
@pytest.mark.parametrize(
    ("truth", "model"),
    [
        ((-4.0, 0.0), (-4.0, 0.0)),  # a rare class, rows alike
        ((0.0, 0.0), (0.0, 0.0)),
        ((-3.0, 2.0), (-3.0, 2.0)),  # rows differ, and the model knows how
        ((0.0, 0.0), (0.0, 2.0)),  # they do not, but the model, which overfits, believes so
        ((0.0, 1.5), (0.0, -1.5)),  # they differ the other way
        ((6.0, 0.0), (4.0, 1.5)),  # one class only, and rows of different odds
        ((-6.0, 0.0), (-5.0, 2.0)),
        ((-3.0, 0.0), (-4.0, 2.0)),
    ],
)
def test_intervals_miss_as_seldom_as_they_say(n, truth, model):
    rng = np.random.default_rng(n)
    n_samples, miss = 4000, 0.02
    noise = rng.normal(size=(n_samples, n))
    q = np.asarray(inverse_link(truth[0] + truth[1] * noise))
    p = np.asarray(inverse_link(model[0] + model[1] * noise))
    y = (rng.random(q.shape) < q).astype(np.int64)
    big = rng.normal(size=2_000_000)
    true = (
        inverse_link(truth[0] + truth[1] * big).mean()
        - inverse_link(model[0] + model[1] * big).mean()
    )
    low, high = find_differences(draw_sums(p, y), miss)
    missed = np.mean((low > true) | (high < true))
    assert missed <= miss + 3.0 * math.sqrt(miss / n_samples)


def test_where_rows_are_alike_it_is_the_exact_interval():
    y = np.array([[1] * 7 + [0] * 33, [0] * 40])
    p = np.full(y.shape, 0.3)
    low, high = find_differences(draw_sums(p, y), 0.001)
    exact = exact_interval([7, 0], [40, 40], 0.999)
    assert low == pytest.approx(exact[0] - 0.3, abs=1e-12)
    assert high == pytest.approx(exact[1] - 0.3, abs=1e-12)


def test_a_node_without_rows_has_no_interval():
    nothing = MarginSums(*np.zeros((6, 1)))
    assert np.isnan(find_differences(replace(nothing, count=np.zeros(1, int)), 0.01)).all()
