"""Rounds in native code against the same kernels, called one after the other."""

import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree._native import NODE, _core
from horotree.training import Settings, find_bins
from horotree.training.induction import Examples
from horotree.training.lanes import one_each
from tests.training.samples import draw, draw_large, draw_settings

seeds = st.integers(0, 2**32 - 1)
FIELDS = ("n_nodes", "edge", "leverage")


def prepare(data, settings, *, by_machines=False):
    """Return examples, their amounts, and what the kernels are told."""
    X = np.ascontiguousarray(data.X)
    binning = find_bins(X, data.n_categories, settings.max_bins)
    lanes = one_each(binning.n_bins) if by_machines else None
    examples = Examples(X, data.positive, binning, lanes, n_threads=1)
    rules = settings.rules(X.shape[1], len(X))
    amount = data.sample_weight[examples.order]
    return examples, amount, rules, rules._asdict(), settings.judging(len(X))._asdict()


def boost_trees(data, settings, n_rounds, **changes):
    """Call the kernel; return its trees by field, the odds, and whether it is over."""
    by_machines = changes.get("reduce") is not None
    examples, amount, rules, grow, judge = prepare(data, settings, by_machines=by_machines)
    options = {"amount": amount, "odds": np.ones(len(amount)), "most_nodes": 10**7}
    options |= {"seed": 0, "lightest": 0.0} | changes
    callbacks = dict.fromkeys(("reduce", "decide", "common_unit"))
    records, left_bins, judged, *told, _, is_over = _core.boost_trees(
        **examples.space(rules),
        **grow,
        **judge,
        weights=np.empty(len(amount), np.int32),
        n_rounds=n_rounds,
        **(callbacks | options),
    )
    trees = dict(zip(FIELDS, told, strict=True)) | {"left_bins": left_bins}
    trees["nodes"] = records.view(NODE)
    trees["judged"] = judged
    return trees, options["odds"], is_over


def boost_by_kernels(data, settings, n_rounds):
    """Do the same in Python."""
    examples, amount, rules, grow, judge = prepare(data, settings)
    odds, weights = np.ones(len(amount)), np.empty(len(amount), np.int32)
    found = {name: [] for name in (*FIELDS, "nodes", "left_bins", "judged")}
    least_edge = judge.pop("least_edge")
    lightest = 0.0
    for _ in range(n_rounds):
        unit = _core.fixed_point_weights(odds, amount, 0.0, 1, weights)
        records, left_bins, lightest = _core.grow_tree(
            **examples.space(rules), **grow, weights=weights, unit=unit, seed=0, lightest=lightest
        )
        nodes = records.view(NODE)
        judged = np.empty((5, len(nodes)))
        columns = (nodes[name] for name in ("parent", "negative", "positive"))
        edge, leverage = _core.judge_tree(*columns, unit=unit, **judge, out=judged)
        if edge < least_edge:
            break
        _core.update_odds(examples.leaf, examples.n_negative, judged[3], judged[4], 1, odds)
        for name, value in zip(
            found, (len(nodes), edge, leverage, nodes, left_bins, judged), strict=True
        ):
            found[name].append(value)
    found["nodes"] = np.concatenate([np.empty(0, NODE), *found["nodes"]])
    found["judged"] = np.concatenate([np.empty((5, 0)), *found["judged"]], axis=1)
    found["left_bins"] = np.concatenate([np.empty(0, np.uint8), *found["left_bins"]])
    return found, odds


def assert_same(trees, others):
    for name, value in others.items():
        np.testing.assert_array_equal(trees[name], value)


@given(seeds)
def test_rounds_are_those_of_the_kernels_one_by_one(seed):
    data, settings = draw(seed), draw_settings(np.random.default_rng(seed))
    trees, odds, is_over = boost_trees(data, settings, 4)
    expected, expected_odds = boost_by_kernels(data, settings, 4)
    assert_same(trees, expected)
    np.testing.assert_array_equal(odds, expected_odds)
    assert is_over == (len(trees["n_nodes"]) < 4)


@given(seeds)
def test_machines_that_have_nothing_to_add_change_nothing(seed):
    data, settings = draw(seed), draw_settings(np.random.default_rng(seed))
    sent, units = [], []

    def common_unit(unit):
        units.append(unit)
        return unit

    exchanges = {"reduce": sent.append, "decide": sent.append, "common_unit": common_unit}
    trees, odds, is_over = boost_trees(data, settings, 3, **exchanges)
    expected, expected_odds, ended = boost_trees(data, settings, 3)
    assert_same(trees, expected)
    np.testing.assert_array_equal(odds, expected_odds)
    assert is_over == ended
    assert len(units) == len(trees["n_nodes"]) + is_over
    # Of each tree its counts are summed, and what it predicts is decided.
    sizes = [len(numbers) for numbers in sent]
    for n in trees["n_nodes"]:
        assert n in sizes
        assert 5 * n + 2 in sizes


def test_counts_and_predictions_are_those_of_all_machines():
    data = draw(3)
    n_rows = len(data.X)
    settings = Settings(max_leaf_nodes=1, max_bins=None)

    def double(numbers):  # the other machine has the same examples
        numbers *= 2

    def decide(numbers):
        if len(numbers) == 7:  # five of the root, an edge and a leverage
            numbers.view(np.float64)[:] = [1.0, 2.0, 3.0, 0.5, 4.0, 0.25, 0.75]

    trees, odds, _ = boost_trees(data, settings, 1, reduce=double, decide=decide)
    assert trees["nodes"]["count"].tolist() == [2 * n_rows]
    assert trees["judged"].ravel().tolist() == [1.0, 2.0, 3.0, 0.5, 4.0]
    assert (trees["edge"], trees["leverage"]) == ([0.25], [0.75])
    n_negative = n_rows - np.count_nonzero(data.positive)
    assert odds.tolist() == [0.5] * n_negative + [4.0] * (n_rows - n_negative)


def test_a_larger_unit_of_another_machine_is_taken():
    data = draw(3)
    settings = Settings(max_leaf_nodes=1, max_bins=None)
    trees, _, _ = boost_trees(data, settings, 1)
    coarse, _, _ = boost_trees(data, settings, 1, common_unit=lambda unit: 2.0**20 * unit)
    weight, less = (t["nodes"]["negative"] + t["nodes"]["positive"] for t in (trees, coarse))
    assert less[0] < 2**-19 * weight[0]
    assert coarse["judged"][2] == pytest.approx(trees["judged"][2], rel=1e-2)


def test_what_fails_elsewhere_is_raised_here():
    def fail(_):
        raise RuntimeError("the other machine is gone")

    for name in ("reduce", "decide", "common_unit"):
        with pytest.raises(RuntimeError, match="the other machine is gone"):
            boost_trees(draw(3), Settings(), 2, **{name: fail})


class AlarmError(Exception):
    """What the tests' signal raises."""


@pytest.fixture
def alarm():
    """Let a signal raise an error soon."""

    def ring(*_):
        raise AlarmError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such timer")
@pytest.mark.parametrize("least", [1.0, 1e-12])
@pytest.mark.usefixtures("alarm")
def test_rounds_can_be_interrupted(least):
    """With the smaller amount no example of one class weighs anything: no node is searched."""
    data, n_rounds, odds = draw_large(1_000), 1_000_000, np.ones(1_000)
    data.sample_weight[data.positive] = least
    settings = Settings(max_leaf_nodes=4, learning_rate=1e-9, max_bins=None)
    _, after_one, _ = boost_trees(data, settings, 1)
    with pytest.raises(AlarmError):
        boost_trees(data, settings, n_rounds, odds=odds)
    # All rounds do the same here, and there were not nearly so many.
    assert (np.abs(np.log(odds)) < 0.5 * n_rounds * np.abs(np.log(after_one))).all()


def test_rounds_end_with_so_many_nodes():
    data, settings = draw(5, max_rows=100), Settings(max_leaf_nodes=4, max_bins=None)
    whole, _, _ = boost_trees(data, settings, 6)
    for most in (1, sum(whole["n_nodes"][:2]), 10**6):
        trees, _, is_over = boost_trees(data, settings, 6, most_nodes=most)
        n = len(trees["n_nodes"])
        size = sum(trees["n_nodes"]) + len(trees["left_bins"])
        assert trees["n_nodes"] == whole["n_nodes"][:n]
        assert not is_over
        assert n == 6 or size > most


def test_there_may_be_more_nodes_than_there_is_room_for_at_first():
    data, settings = draw_large(600), Settings(learning_rate=0.01)
    trees, odds, _ = boost_trees(data, settings, 400)
    expected, expected_odds = boost_by_kernels(data, settings, 400)
    assert sum(trees["n_nodes"]) > 2**16
    assert_same(trees, expected)
    np.testing.assert_array_equal(odds, expected_odds)


def test_weights_of_zero_end_it():
    data = draw(3)
    data.sample_weight[:] = 0.0
    trees, odds, is_over = boost_trees(data, Settings(), 5)
    assert trees["n_nodes"] == []
    assert trees["judged"].shape == (5, 0)
    assert is_over
    assert (odds == 1.0).all()


def test_a_leverage_that_is_not_finite_leaves_the_odds_alone():
    X = np.arange(20.0)[:, np.newaxis]
    data = draw(3)
    data.X, data.positive = X, X[:, 0] > 9.0
    data.sample_weight, data.n_categories = np.ones(20), np.zeros(1, np.int32)
    trees, odds, is_over = boost_trees(data, Settings(smoothing=1e-320), 5)
    assert len(trees["n_nodes"]) == 1
    assert not np.isfinite(trees["leverage"][0])
    assert is_over
    assert (odds == 1.0).all()


def test_wrong_sizes_are_refused():
    with pytest.raises(
        ValueError, match="boost_trees: odds, amount and weights must have an entry per example"
    ):
        boost_trees(draw(3), Settings(), 1, amount=np.ones(1))
