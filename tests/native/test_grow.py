"""The grown tree against the literal induction, and against its own arrays."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reference.induction import Induction, bayes_risk, grow, leaf_of_rows, midpoints

from .problems import (
    Problem,
    Table,
    assert_same_tree,
    bin_table,
    draw_problem,
    draw_weights,
    goes_left,
    grow_problem,
    grow_tree,
    split_categories,
)

seeds = st.integers(0, 2**32 - 1)


def matches(split, grown, problem, table, v):
    """Tell whether a split of the oracle is the test that the kernel has at node v."""
    f = grown["feature"][v]
    if split.feature != f or split.missing_left != bool(grown["missing_left"][v]):
        return False
    if problem.n_categories[f]:
        flags = split_categories(grown, table)[v][: problem.n_categories[f]]
        return set(np.flatnonzero(flags)) == split.codes
    return split.threshold == [*midpoints(problem.X[:, f]), np.inf][grown["bin"][v]]


def follow(grown, problem, table):
    """Choose the kernel's split, which must be among the oracle's best, at every node."""

    def sums(split):
        weights = np.where(split.left_rows, problem.weights, 0).astype(object)
        return weights[problem.positive].sum(), weights[~problem.positive].sum()

    def choose(v, ties):
        if not ties:
            assert grown["feature"][v] < 0, f"node {v} has no useful split, but is split"
            return None
        same = [split for split in ties if matches(split, grown, problem, table, v)]
        assert same, f"the split of node {v} is not the best: {ties}"
        # Equal sums have equal gains in any arithmetic: there the rule of ties must decide.
        rule = next(split for split in ties if sums(split) == sums(same[0]))
        assert rule.feature == same[0].feature
        assert problem.n_categories[rule.feature] or rule is same[0]
        assert grown["gain"][v] == pytest.approx(
            same[0].gain, rel=1e-9, abs=1e-13 * float(problem.weights.sum(dtype=np.int64))
        )
        return same[0]

    return choose


def check_against_oracle(problem, **rules):
    """Grow with both and compare all nodes; return the kernel's tree."""
    table = bin_table(problem)
    grown = grow_problem(problem, **rules)
    induction = Induction(
        problem.X, problem.positive, problem.weights.astype(np.int64), problem.n_categories, **rules
    )
    nodes = grow(induction, follow(grown, problem, table))
    assert len(nodes) == len(grown["left"])
    for name in ("left", "right", "parent"):
        np.testing.assert_array_equal(grown[name], [getattr(node, name) for node in nodes])
    for name, of in (("negative", False), ("positive", True)):
        expected = [induction.weight(node.rows, of=of) for node in nodes]
        np.testing.assert_array_equal(grown[name], expected)
    np.testing.assert_array_equal(grown["count"], [node.rows.sum() for node in nodes])
    np.testing.assert_array_equal(grown["leaf"], leaf_of_rows(nodes))
    return grown


@given(seeds)
def test_the_tree_is_the_literal_one(seed):
    check_against_oracle(draw_problem(np.random.default_rng(seed)))


@given(seeds)
def test_the_tree_is_the_literal_one_under_all_rules(seed):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng)
    rules = {
        "max_leaf_nodes": int(rng.integers(1, 12)),
        "max_depth": int(rng.integers(0, 6)),
        "min_samples_leaf": int(rng.integers(1, 6)),
        "forbid_pure": bool(rng.random() < 0.5),
    }
    grown = check_against_oracle(problem, **rules)
    leaves = grown["left"] < 0
    assert leaves.sum() <= rules["max_leaf_nodes"]
    assert len(leaves) == 1 or grown["count"].min() >= rules["min_samples_leaf"]
    if rules["forbid_pure"] and len(leaves) > 1:
        assert min(grown["negative"].min(), grown["positive"].min()) > 0


@given(seeds)
def test_examples_without_weight_change_no_split(seed):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng)
    problem.weights[rng.random(len(problem.weights)) < rng.choice([0.1, 0.6])] = 0
    check_against_oracle(problem)


@given(seeds)
@example(4194304)  # two cuts with the same sums, whose gain is mostly rounding
def test_larger_tables_with_many_leaves_are_the_literal_ones(seed):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng, max_rows=180, max_features=4)
    check_against_oracle(problem, max_leaf_nodes=40)


@pytest.mark.parametrize("seed", range(30))
def test_of_equal_columns_the_first_is_taken_if_the_gain_is_mostly_rounding(seed):
    # The root is split by the second column, which is looked at first then. In one child both are
    # the same, and tell next to nothing.
    rng = np.random.default_rng(seed)
    value = np.tile(np.repeat(np.arange(4.0), 50), 2)
    child = np.stack([value, value], axis=1)
    other = np.stack([rng.integers(0, 4, 300), np.full(300, 9)], axis=1)
    X = np.concatenate([child[:200], other[:10], child[200:], other[10:]])
    weights = 2**29 + rng.integers(0, 2**18, len(X))
    positive = np.arange(len(X)) >= 210
    problem = Problem(X, positive, weights.astype(np.int32), np.zeros(2, np.int32))
    grown = grow_problem(problem, max_leaf_nodes=3)
    v = 1 if grown["left"][1] >= 0 else 2
    assert grown["feature"][0] == 1
    assert grown["count"][v] == 400
    assert grown["feature"][v] == 0


@given(seeds)
def test_long_columns_with_good_cuts_are_cut_as_in_the_literal_tree(seed):
    # A good cut rules out runs of bins of other columns, by bounds that a wrong one would show in.
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(130, 250)), int(rng.integers(2, 5))
    X = rng.normal(size=(n, d)).round(int(rng.integers(1, 4)))
    signal = X @ rng.normal(size=d)
    positive = signal + rng.normal(size=n) * rng.choice([0.1, 0.5, 1.0]) > np.quantile(
        signal, rng.choice([0.1, 0.5, 0.8])
    )
    X[rng.random(X.shape) < rng.choice([0.0, 0.1])] = np.nan
    order = np.argsort(positive, kind="stable")
    problem = Problem(X[order], positive[order], draw_weights(rng, n), np.zeros(d, np.int32))
    least = int(rng.choice([1, 3]))
    check_against_oracle(problem, max_leaf_nodes=6, min_samples_leaf=least)


@pytest.mark.parametrize("n_features", range(1, 20))
def test_every_number_of_features_fills_its_words(n_features):
    rng = np.random.default_rng(n_features)
    problem = draw_problem(rng, max_rows=30, max_features=1)
    # All but the last column know nothing: the tree must find it wherever it lies.
    noise = np.zeros((len(problem.X), n_features - 1))
    problem.X = np.column_stack([noise, rng.permutation(len(problem.X)).astype(float)])
    problem.n_categories = np.zeros(n_features, np.int32)
    for bits in (8, 16, 32):
        grown = grow_problem(problem, bits=bits)
        assert set(grown["feature"]) <= {-1, n_features - 1}
    check_against_oracle(problem)


@given(seeds)
def test_weights_and_counts_add_up_and_leaves_follow_the_tests(seed):
    rng = np.random.default_rng(seed)
    problem = draw_problem(rng, max_rows=400, max_features=20)
    table = bin_table(problem)
    grown = grow_tree(table, problem.weights, int((~problem.positive).sum()))
    inner = np.flatnonzero(grown["left"] >= 0)
    for name in ("negative", "positive", "count"):
        children = grown[name][grown["left"][inner]] + grown[name][grown["right"][inner]]
        np.testing.assert_array_equal(grown[name][inner], children)
    node = np.zeros(len(problem.X), np.int64)
    for v in inner:  # parents come before their children
        here = node == v
        node[here] = np.where(goes_left(grown, table, v), grown["left"][v], grown["right"][v])[here]
    np.testing.assert_array_equal(grown["leaf"], node)
    for name, of in (("negative", False), ("positive", True)):
        weights = np.where(problem.positive == of, problem.weights, 0)
        expected = np.bincount(node, weights, len(grown["left"]))
        leaves = grown["left"] < 0
        np.testing.assert_array_equal(grown[name][leaves], expected[leaves])


@given(seeds)
def test_every_split_lowers_the_risk_by_its_gain(seed):
    problem = draw_problem(np.random.default_rng(seed), max_rows=200)
    grown = grow_problem(problem, unit=2.0**-20)
    risk = bayes_risk(grown["positive"] * 2.0**-20, grown["negative"] * 2.0**-20)
    inner = grown["left"] >= 0
    lowered = risk[inner] - risk[grown["left"][inner]] - risk[grown["right"][inner]]
    assert (grown["gain"][inner] > 0).all()
    np.testing.assert_allclose(grown["gain"][inner], lowered, rtol=1e-9, atol=1e-12 * risk.max())
    assert (grown["gain"][~inner] == 0).all()


@given(seeds)
def test_the_unit_of_weight_scales_gains_and_nothing_else(seed):
    problem = draw_problem(np.random.default_rng(seed))
    one, other = grow_problem(problem), grow_problem(problem, unit=2.0**-29)
    other["gain"] = other["gain"] * 2.0**29
    assert_same_tree(one, other)


@given(seeds)
def test_a_set_of_categories_is_a_prefix_in_the_order_of_posteriors(seed):
    rng = np.random.default_rng(seed)
    n, n_codes = int(rng.integers(5, 60)), int(rng.integers(2, 40))
    problem = draw_problem(rng, max_rows=n, max_features=1)
    problem.X = rng.integers(0, n_codes, problem.X.shape).astype(float)
    problem.n_categories = np.array([n_codes], np.int32)
    grown = grow_problem(problem, max_leaf_nodes=2)
    if len(grown["left"]) == 1:
        return
    weight = [
        np.bincount(
            problem.X[:, 0].astype(int)[problem.positive == of],
            problem.weights[problem.positive == of],
            n_codes,
        )
        for of in (False, True)
    ]
    present = weight[0] + weight[1] > 0
    posterior = weight[1][present] / (weight[0] + weight[1])[present]
    left = grown["left_bins"].astype(bool)[present]
    assert posterior[left].max() <= posterior[~left].min()
    # Categories that the node has not seen go the way of the missing.
    assert (grown["left_bins"].astype(bool)[~present] == bool(grown["missing_left"][0])).all()


@pytest.mark.parametrize("positive", [[False] * 4, [True] * 4])
def test_one_class_grows_a_root_alone(positive):
    grown = grow_problem(
        Problem(
            np.arange(4.0)[:, None], np.array(positive), np.ones(4, np.int32), np.zeros(1, np.int32)
        )
    )
    assert grown["left"].tolist() == [-1]
    assert grown["leaf"].tolist() == [0] * 4
    assert grown["count"].tolist() == [4]


def test_examples_without_any_weight_grow_a_root_alone():
    problem = draw_problem(np.random.default_rng(1))
    problem.weights[:] = 0
    grown = grow_problem(problem)
    assert grown["left"].tolist() == [-1]
    assert grown["negative"].tolist() == grown["positive"].tolist() == [0]


def test_a_useless_heavy_leaf_is_set_aside_and_the_next_goes_on():
    # Where the first column is 0 there is weight but nothing to cut; the rest is light.
    problem = Problem(
        X=np.array([[0, 1], [1, 1], [0, 1], [1, 0], [1, 2]], float),
        positive=np.array([False, False, True, True, True]),
        weights=np.array([50, 4, 50, 15, 15], np.int32),
        n_categories=np.zeros(2, np.int32),
    )
    grown = check_against_oracle(problem)
    assert (grown["negative"] + grown["positive"])[1:3].tolist() == [100, 34]
    assert (grown["left"][:3] >= 0).tolist() == [True, False, True]


def test_the_tie_of_equal_columns_goes_to_the_smaller_feature_and_cut():
    rng = np.random.default_rng(5)
    for _ in range(50):
        problem = draw_problem(rng, max_features=3)
        twice = np.hstack([problem.X, problem.X])
        problem.X, problem.n_categories = twice, np.tile(problem.n_categories, 2)
        grown = grow_problem(problem)
        assert grown["feature"].max() < problem.X.shape[1] // 2


def test_the_tie_of_mirrored_columns_goes_to_the_smaller_feature():
    rng = np.random.default_rng(6)
    for _ in range(100):
        problem = draw_problem(rng, max_features=2)
        problem.X = rng.normal(size=problem.X.shape)  # no missing value, which has but one side
        problem.X = np.hstack([problem.X, -problem.X])
        problem.n_categories = np.zeros(problem.X.shape[1], np.int32)
        grown = grow_problem(problem)
        assert grown["feature"].max() < problem.X.shape[1] // 2


def test_among_equally_heavy_leaves_the_older_is_split_first():
    problem = Problem(
        X=np.array([[0, 0], [1, 1], [0, 1], [1, 0]], float),
        positive=np.array([False, False, True, True]),
        weights=np.array([3, 2, 2, 3], np.int32),
        n_categories=np.zeros(2, np.int32),
    )
    grown = check_against_oracle(problem, max_leaf_nodes=3)
    assert (grown["negative"] + grown["positive"])[1:3].tolist() == [5, 5]
    assert (grown["left"] >= 0).tolist() == [True, True, False, False, False]


def test_min_samples_leaf_counts_examples_without_weight():
    # Cut after the first value or after the second: the same weights, but one example or two.
    problem = Problem(
        X=np.arange(4.0)[:, None],
        positive=np.array([False, False, True, True]),
        weights=np.array([1, 0, 1, 1], np.int32),
        n_categories=np.zeros(1, np.int32),
    )
    grown = check_against_oracle(problem, min_samples_leaf=2)
    assert grown["count"].tolist() == [4, 2, 2]


def test_more_than_256_values_are_cut_exactly():
    rng = np.random.default_rng(3)
    n = 500
    x = rng.permutation(n).astype(float)
    positive = np.arange(n) >= n // 2
    x[positive] += 0.25 * n * rng.random(n // 2)
    problem = Problem(
        np.column_stack([x, rng.normal(size=n)]),
        positive,
        rng.integers(1, 1000, n, dtype=np.int32),
        np.zeros(2, np.int32),
    )
    assert bin_table(problem).n_bins.min() == n
    check_against_oracle(problem, max_leaf_nodes=15)


@pytest.mark.parametrize("side", [-1, 0, 1])
def test_bins_on_either_side_of_16_bits_are_found(side):
    n = 2**16 + 5
    cut = 2**16 + side
    order = np.random.default_rng(0).permutation(n)
    positive = order >= cut  # bins 0 .. cut - 1 are negative
    table = Table(
        bins=order[np.argsort(positive, kind="stable")][:, None],
        n_bins=np.array([n], np.int32),
        missing=np.array([-1], np.int32),
        categorical=np.zeros(1, np.uint8),
    )
    grown = grow_tree(table, np.ones(n, np.int32), cut, bits=32)
    assert grown["bin"].tolist() == [cut - 1, -1, -1]
    assert grown["count"].tolist() == [n, cut, n - cut]


@pytest.mark.parametrize("seed", range(4))
def test_the_best_cut_is_found_where_doubles_do_not_tell_weights_apart(seed):
    # The last bin has positives alone, more than 2^52 of weight: by rounded sums the right child
    # would have a negative weight of -1 or so.
    rng = np.random.default_rng(seed)
    n = 5_000_001  # odd, as are the weights: so is their sum
    bins = rng.integers(0, 3, n)
    positive = (bins == 2) | (rng.random(n) < 0.3)
    weights = 2**31 - 1 - 2 * rng.integers(0, 2**20, n)
    order = np.argsort(positive, kind="stable")
    table = Table(
        bins=bins[order, None],
        n_bins=np.array([3], np.int32),
        missing=np.array([-1], np.int32),
        categorical=np.zeros(1, np.uint8),
    )
    assert weights.sum() > 2**53
    grown = grow_tree(
        table, weights[order], int((~positive).sum()), unit=2.0**-30, max_leaf_nodes=2
    )
    assert grown["bin"].tolist() == [1, -1, -1]
    assert grown["negative"][2] == 0


@pytest.mark.parametrize("min_samples_leaf", [1, 2, 3])
@pytest.mark.parametrize("categorical", [False, True])
def test_missing_without_weight_go_with_the_heavier_child(min_samples_leaf, categorical):
    # Two of them, which count as examples: with them on its side the lighter child would be allowed
    # to have a single other one.
    column = np.array([0.0] * 6 + [1.0] * 3 + [np.nan] * 2)
    positive = np.array([False] * 6 + [True] * 5)
    weights = np.array([1] * 9 + [0] * 2, np.int32)
    problem = Problem(column[:, None], positive, weights, np.array([2 * categorical], np.int32))
    grown = grow_problem(problem, min_samples_leaf=min_samples_leaf, max_leaf_nodes=2)
    assert grown["missing_left"].tolist() == [1, 0, 0]
    assert grown["count"].tolist() == [11, 8, 3]
    assert len(grow_problem(problem, min_samples_leaf=4, max_leaf_nodes=2)["count"]) == 1
