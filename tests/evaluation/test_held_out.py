import copy
import math
import pickle
import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import binomtest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.evaluation.held_out import held_out
from horotree.evaluation.segments import segments
from horotree.importers import UnknownModelError
from horotree.io import from_model
from horotree.losses import inverse_link, link
from horotree.trees import Ensemble, Model, find_leaves, monotonic
from horotree.trees.rules.paths import path_rule
from horotree.trees.shares import find_intervals, sum_weights
from tests.factories import model_of, stump
from tests.trees.oracle import leaf_of, path_to
from tests.trees.strategies import generators, models, random_tree, tables

LITERAL = {"smoothing": 0.0, "pure_leaves": "forbid", "max_bins": None, "random_state": 0}
DISAGREE = ["flipped", "weaker", "stronger"]


def passes(tree):
    """Return for every node (axis 0) which nodes are on its path."""
    nodes = range(tree.n_nodes)
    return np.array([np.isin(nodes, path_to(tree, node)) for node in nodes])


def draw_data(n, seed, n_classes=2):
    """Draw a table with numbers, categories and missing values, and classes that depend on it."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=["a", "b", "c", "d"])
    frame["city"] = pd.Categorical(rng.choice(["Bern", "Oslo", "Rome", "Ulm"], n))
    signal = frame.a * frame.b + np.sin(3.0 * frame.c) + (frame.city == "Oslo")
    noisy = signal + rng.normal(size=n)
    frame[frame.columns[:4]] = frame[frame.columns[:4]].where(rng.random((n, 4)) > 0.1)
    cuts = np.quantile(noisy, np.arange(1, n_classes) / n_classes)
    return frame, np.array(["no", "yes", "maybe"])[np.searchsorted(cuts, noisy)]


# --- the posterior and its weights ---------------------------------------------------------------


def expected_row(model, k, j, node, X, positive):
    """Return count, effective count and value of a node, by a loop over rows and trees."""
    ensemble, log_weights, inside = model.ensembles[k], [], []
    for row, is_positive in zip(X, positive, strict=True):
        score = ensemble.base_value if model.link != "mean" else 0.0
        for i in range(j if model.link != "mean" else 0):
            tree = ensemble.trees[i]
            score += ensemble.leverage[i] * tree.output[leaf_of(tree, row)]
        log_weights.append(-np.logaddexp(0.0, score if is_positive else -score))
        inside.append(node in path_to(ensemble.trees[j], leaf_of(ensemble.trees[j], row)))
    log_weight, inside = np.array(log_weights), np.array(inside, bool)
    if not inside.any():
        return 0, 0.0, math.nan
    log_weight -= log_weight[inside].max()  # scores may be 1e300
    effective = math.exp(2.0 * logsumexp(log_weight[inside]) - logsumexp(2.0 * log_weight[inside]))
    parts = [log_weight[inside & (positive == sign)] for sign in (True, False)]
    logs = [logsumexp(part) if len(part) else -math.inf for part in parts]
    return inside.sum(), effective, logs[0] - logs[1]


@given(st.data())
def test_every_node_has_what_a_loop_over_rows_and_trees_finds(data):
    model = data.draw(models())
    table = data.draw(tables(model))
    X = model.to_matrix(table)
    place = data.draw(generators).integers(0, len(model.classes), len(X))
    found = held_out(model, table, model.classes[place])
    row = 0
    for k, ensemble in enumerate(model.ensembles):
        positive = place == (k if len(model.ensembles) > 1 else 1)
        for j, tree in enumerate(ensemble.trees):
            for node in monotonic(tree).node:
                count, effective, value = expected_row(model, k, j, node, X, positive)
                got = found.ensemble[row], found.tree[row], found.node[row], found.count[row]
                assert got == (k, j, node, count)
                assert found.effective_count[row] == pytest.approx(effective, rel=1e-9)
                assert found.value[row] == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)
                assert found.trained_value[row] == tree.value[node]
                row += 1
    assert row == len(found)


@pytest.mark.parametrize("weak_learner", ["tree", "monotonic"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_training_data_put_nodes_of_every_round_where_they_are(n_classes, weak_learner):
    X, y = draw_data(1500, 1, n_classes)
    boost = LogisticBoostClassifier(
        n_estimators=12, max_leaf_nodes=20, weak_learner=weak_learner, **LITERAL
    ).fit(X, y)
    found = held_out(boost, X, y)
    assert {*zip(found.ensemble, found.tree, strict=True)} == {
        (k, j) for k in range(n_classes if n_classes > 2 else 1) for j in range(12)
    }
    assert np.abs(found.posterior - found.trained).max() < 1e-6
    assert set(found.verdict) <= {"agrees", "few"}
    counts = [
        boost.model_.ensembles[k].trees[j].count[node]
        for k, j, node in zip(found.ensemble, found.tree, found.node, strict=True)
    ]
    assert found.count.tolist() == counts


def test_weights_matter_after_the_first_round():
    X, y = draw_data(1500, 1)
    boost = LogisticBoostClassifier(n_estimators=5, max_leaf_nodes=20, **LITERAL).fit(X, y)
    ensemble = boost.model_.ensembles[0]
    alone = replace(ensemble, trees=ensemble.trees[4:], leverage=[1.0], edge=[0.1])
    unweighted = held_out(replace(boost.model_, ensembles=(alone,)), X, y)
    assert np.abs(unweighted.posterior - unweighted.trained).max() > 0.05
    assert unweighted.effective_count.tolist() == unweighted.count.tolist()
    weighted = held_out(boost, X, y, tree=4)
    assert (weighted.effective_count < weighted.count).all()


def test_a_single_tree_has_equal_weights():
    X, y = draw_data(800, 2)
    tree = LogLossTreeClassifier(max_leaf_nodes=15, smoothing=0.0, pure_leaves="forbid").fit(X, y)
    found = held_out(tree, X, y)
    assert found.effective_count.tolist() == found.count.tolist()
    assert found.posterior == pytest.approx(found.trained, abs=1e-6)


def test_class_shares_have_equal_weights_in_every_tree():
    tree = stump([0.2, -1.0, 1.0], output=[0.5, 0.2, 0.8])
    model = model_of(tree, tree, link="mean", leverage=0.5)
    X, y = [[0.0]] * 10 + [[1.0]] * 30, ["no"] * 7 + ["yes"] * 3 + ["no"] * 6 + ["yes"] * 24
    found = held_out(model, X, y)
    assert found.posterior.tolist() == pytest.approx(2 * [27 / 40, 0.3, 0.8])
    assert found.effective_count.tolist() == 2 * [40.0, 10.0, 30.0]


def test_a_base_value_weighs_the_classes_of_the_first_round():
    found = held_out(model_of(stump([0.2, -1.0, 1.0]), base_value=2.0), [[0.0]] * 2, ["no", "yes"])
    assert found.value[:2].tolist() == pytest.approx([-2.0, -2.0])


# --- intervals -----------------------------------------------------------------------------------


def test_intervals_are_exact_binomial_ones_for_as_many_nodes_as_have_examples():
    rng = np.random.default_rng(3)
    tree = random_tree(rng, [0, 0], 30)
    model = Model(
        (Ensemble((tree,), [1.0], [0.1], 0.0),), "logistic", [0, 1], ("a", "b"), (None, None),
        "float64",
    )  # fmt: skip
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    found = held_out(model, X, y, level=0.9)
    n_looked_at = np.count_nonzero(found.count)
    assert 3 < n_looked_at < len(found)
    for row in np.flatnonzero(found.count):
        n, k = int(found.count[row]), round(found.posterior[row] * found.count[row])
        level = 1.0 - 0.1 / n_looked_at
        exact = binomtest(k, n).proportion_ci(level, method="exact")
        assert found.low[row] == pytest.approx(exact.low, rel=1e-9)
        assert found.high[row] == pytest.approx(exact.high, rel=1e-9)


def test_intervals_of_later_rounds_are_adjusted_too():
    X, y = draw_data(400, 4)
    boost = LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=8, random_state=0).fit(X, y)
    X, y = draw_data(400, 5)
    found = held_out(boost, X, y, tree=3, level=0.8)
    matrix, ensemble = boost.model_.to_matrix(X), boost.model_.ensembles[0]
    score = [*ensemble.staged_score(matrix)][2]
    tree = ensemble.trees[3]
    sums = sum_weights(tree, find_leaves(tree, matrix), y == boost.classes_[1], score)
    low, high = find_intervals(sums.take(found.node), 0.2 / np.count_nonzero(found.count))
    assert found.low_value == pytest.approx(low, rel=1e-9)
    assert found.high_value == pytest.approx(high, rel=1e-9)


def test_all_intervals_of_a_tree_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(6)
    tree = random_tree(rng, [0, 0, 0], 12)
    population = rng.normal(0.0, 3.0, (2000, 3))
    leaf = find_leaves(tree, population)
    posterior = inverse_link(rng.normal(0.0, 2.0, tree.n_nodes))[leaf]
    inside = passes(tree)[leaf]
    truth = posterior @ inside / np.maximum(inside.sum(axis=0), 1)
    true_value = link(np.where(inside.any(axis=0), truth, 0.5))
    ensemble = Ensemble((replace(tree, value=true_value),), [1.0], [0.1], 0.0)
    model = Model((ensemble,), "logistic", [0, 1], tuple("abc"), (None,) * 3, "float64")
    n_wrong, n_samples = 0, 600
    for _ in range(n_samples):
        rows = rng.integers(0, len(population), 150)
        y = (rng.random(150) < posterior[rows]).astype(int)
        n_wrong += np.isin(held_out(model, population[rows], y).verdict, DISAGREE).any()
    assert n_wrong <= 0.05 * n_samples + 3.0 * math.sqrt(0.05 * n_samples)


def test_all_intervals_of_a_boosted_tree_hold_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(7)
    X, y = draw_data(500, 8)
    boost = LogisticBoostClassifier(n_estimators=15, max_leaf_nodes=12, random_state=0).fit(X, y)
    population, _ = draw_data(3000, 9)
    posterior = boost.predict_proba(population)[:, 1] * 0.8 + 0.1
    matrix, ensemble = boost.model_.to_matrix(population), boost.model_.ensembles[0]
    tree, score = ensemble.trees[-1], [*ensemble.staged_score(matrix)][-2]
    leaf, weight = find_leaves(tree, matrix), inverse_link(-score)
    inside = passes(tree)[leaf]
    odds = ((posterior * weight) @ inside) / (((1.0 - posterior) * (1.0 - weight)) @ inside)
    true_tree = replace(tree, value=np.log(odds), output=np.log(odds))
    parts = replace(ensemble, trees=(*ensemble.trees[:-1], true_tree))
    model = replace(boost.model_, ensembles=(parts,))
    n_wrong, n_samples = 0, 150
    for _ in range(n_samples):
        rows = rng.integers(0, len(population), 120)
        y = boost.classes_[(rng.random(120) < posterior[rows]).astype(int)]
        found = held_out(model, population.iloc[rows], y, tree=-1)
        n_wrong += np.isin(found.verdict, DISAGREE).any()
    assert n_wrong <= 0.05 * n_samples + 3.0 * math.sqrt(0.05 * n_samples)


# --- verdicts ------------------------------------------------------------------------------------


def test_a_tree_that_learned_noise_is_told_so():
    rng = np.random.default_rng(10)
    X, noise = rng.normal(size=(4000, 5)), rng.integers(0, 2, 4000)
    tree = LogLossTreeClassifier(max_leaf_nodes=60, smoothing=1.0, random_state=0)
    found = held_out(tree.fit(X[:2000], noise[:2000]), X[2000:], noise[2000:])
    assert np.count_nonzero(found.verdict == "weaker") > 5
    assert "stronger" not in found.verdict
    assert np.isin(held_out(tree, X[:2000], noise[:2000]).verdict, ["agrees", "few"]).all()


def test_drifted_data_flip_nodes():
    X, y = draw_data(3000, 11)
    tree = LogLossTreeClassifier(max_leaf_nodes=8, random_state=0).fit(X[:1500], y[:1500])
    before = held_out(tree, X[1500:], y[1500:])
    assert not np.isin(before.verdict, ["flipped"]).any()
    after = held_out(tree, X[1500:], np.where(y[1500:] == "yes", "no", "yes"))
    sure = (np.abs(after.trained - 0.5) > 0.15) & (after.count > 100)
    assert np.count_nonzero(sure) > 3
    assert set(after.verdict[sure]) == {"flipped"}
    assert after.value == pytest.approx(-before.value, abs=1e-9)


def test_nodes_without_examples_know_nothing():
    model = model_of(stump([0.2, -1.0, 1.0]))
    found = held_out(model, [[0.0]] * 20, ["no"] * 15 + ["yes"] * 5)
    assert found.count.tolist() == [20, 20, 0]
    assert found.effective_count.tolist() == [20.0, 20.0, 0.0]
    assert found.verdict.tolist()[2] == "none"
    for column in (found.posterior, found.low, found.high, found.value, found.low_value):
        assert np.isnan(column).tolist() == [False, False, True]
    assert found.trained[2] == pytest.approx(inverse_link(1.0))


def test_pure_nodes_have_infinite_values_and_finite_posteriors():
    found = held_out(model_of(stump([0.2, -1.0, 1.0])), [[0.0], [1.0]], ["no", "yes"])
    assert found.value.tolist() == [0.0, -math.inf, math.inf]
    assert found.posterior.tolist() == [0.5, 0.0, 1.0]
    assert [found.low_value[1], found.high_value[2]] == [-math.inf, math.inf]
    assert [found.low[1], found.high[2]] == [0.0, 1.0]


# --- what is asked for ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three():
    """Return a model for three classes, and data that it has not seen."""
    X, y = draw_data(600, 12, 3)
    boost = LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=6, random_state=0)
    return boost.fit(X[:300], y[:300]), X[300:], y[300:]


def test_parts_are_those_of_the_whole(three):
    boost, X, y = three
    found = held_out(boost, X, y)
    for k, label in enumerate(boost.classes_):
        one_class = held_out(boost, X, y, class_=label)
        assert set(one_class.ensemble) == {k}
        for j in range(4):
            part = held_out(boost, X, y, tree=j, class_=label)
            assert part == found.of(j, k) == one_class.of(j, k)
            tree = boost.model_.ensembles[k].trees[j]
            assert part.node.tolist() == monotonic(tree).node.tolist()
    last = held_out(boost, X, y, tree=-1)
    assert last == held_out(boost, X, y, tree=np.int64(3))
    assert set(last.tree) == {3}
    assert set(last.ensemble) == {0, 1, 2}
    assert set(held_out(boost, X, y, tree=[3, 1, -1]).tree) == {1, 3}
    with pytest.raises(ValueError, match="tree 7 of ensemble 0"):
        found.of(7)


def test_neither_threads_nor_the_kind_of_table_matter(three):
    boost, X, y = three
    found = held_out(boost, X, y)
    assert found == held_out(boost.model_, X, [*y], n_jobs=2)
    assert found == held_out(boost, X.astype(object), pd.Series(y, dtype="category"))


def test_nothing_is_found_of_a_model_without_trees():
    found = held_out(model_of(), [[0.0]], ["no"])
    assert len(found) == 0
    assert str(found) == "0 of 0 nodes agree with these rows"
    assert len(found.to_frame(model_of())) == 0
    with pytest.raises(ValueError, match="there are no trees to choose from, got tree=0"):
        held_out(model_of(), [[0.0]], ["no"], tree=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": np.empty((0, 1)), "y": []}, "X must have rows"),
        ({"y": ["no"]}, "one length, got 2 rows and 1 labels"),
        ({"y": ["no", "perhaps"]}, "classes of the model.*'perhaps'"),
        ({"y": ["no", None]}, "label in every row"),
        ({"level": 1.0}, "level must be above 0 and below 1, got 1.0"),
        ({"level": 95}, "level must be above 0 and below 1, got 95"),
        ({"tree": 1}, "tree must be from 0 to 0, got 1"),
        ({"tree": [0, -2]}, "tree must be from 0 to 0, got -2"),
        ({"class_": "perhaps"}, r"class_ must be one of \['no', 'yes'\], got 'perhaps'"),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0"),
    ],
)
def test_errors_say_what_is_wrong(change, message):
    given = {"X": [[0.0], [1.0]], "y": ["no", "yes"], **change}
    with pytest.raises(ValueError, match=message):
        held_out(model_of(stump([0.2, -1.0, 1.0])), **given)


def test_other_types_are_refused():
    model = model_of(stump([0.2, -1.0, 1.0]))
    with pytest.raises(UnknownModelError, match="model must be"):
        held_out(3, [[0.0]], ["no"])
    with pytest.raises(TypeError, match="level must be a real number"):
        held_out(model, [[0.0]], ["no"], level="95 %")
    with pytest.raises(TypeError):
        held_out(model, [[0.0]], ["no"], tree=0.5)


# --- the table -----------------------------------------------------------------------------------


def test_the_frame_is_readable(three):
    boost, X, y = three
    found = held_out(boost, X, y)
    columns = ["ensemble", "tree", "node", "count", "effective_count", "trained", "posterior"]
    assert [*found.to_frame()] == [*columns, "low", "high", "difference", "verdict"]
    frame = found.to_frame(boost)
    assert [*frame] == ["ensemble", "class", "tree", "node", "rule", *columns[3:], "low", "high",
                        "difference", "verdict"]  # fmt: skip
    assert frame["class"].tolist() == boost.classes_[found.ensemble].tolist()
    for row in (0, 7, len(frame) - 1):
        tree = boost.model_.ensembles[found.ensemble[row]].trees[found.tree[row]]
        rule = path_rule(tree, int(found.node[row]))
        assert frame.rule[row] == rule.text(boost.model_.columns)
        assert rule.holds(boost.model_.to_matrix(X)).sum() == frame["count"][row]


def test_the_one_ensemble_of_two_classes_is_for_the_second():
    model = model_of(stump([0.2, -1.0, 1.0]))
    found = held_out(model, [[0.0], [1.0]], ["no", "yes"], class_="no")
    assert found == held_out(model, [[0.0], [1.0]], ["no", "yes"])
    assert found.to_frame(model)["class"].tolist() == ["yes"] * 3


def test_rules_are_of_the_same_model(three):
    boost, X, y = three
    found = held_out(boost, X, y)
    one = boost.model_.ensembles[0]
    fewer = replace(one, trees=one.trees[:1], leverage=[1.0], edge=[0.1])
    parts = (replace(one, trees=one.trees[::-1]), fewer)
    others = [replace(boost.model_, ensembles=(part, one, one)) for part in parts]
    for other in (model_of(stump([0.2, -1.0, 1.0])), *others):
        with pytest.raises(ValueError, match="model must be what held_out was called with"):
            found.to_frame(other)


def test_tables_are_frozen_checked_and_compared(three):
    boost, X, y = three
    found = held_out(boost, X, y)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - what was just written
    assert copy.deepcopy(found) is found
    assert hash(found) == hash(held_out(boost, X, y))
    assert found != held_out(boost, X, y, level=0.5)
    with pytest.raises(ValueError, match="read-only"):
        found.posterior[0] = 0.0
    with pytest.raises(ValueError, match="one entry a node"):
        replace(found, count=[1])
    with pytest.raises(ValueError, match="verdicts must be among agrees"):
        replace(found, verdict=["good"] * len(found))


def test_memory_does_not_grow_with_the_number_of_trees():
    tree = stump([0.2, -1.0, 1.0])
    X, y = np.random.default_rng(0).random((20_000, 1)), ["no", "yes"] * 10_000
    peaks = []
    for n_trees in (2, 200):
        model = model_of(*[tree] * n_trees, leverage=0.01)
        tracemalloc.start()
        held_out(model, X, y)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # What is told of 198 more trees takes some memory, but not two bits for every row and tree.
    assert peaks[1] - peaks[0] < 198 * len(X) / 4


# --- what counts as a difference ------------------------------------------------------------------


def test_a_sure_difference_of_less_than_a_point_is_no_verdict():
    for share, verdict in ((0.49, "weaker"), (0.494, "agrees")):
        model = model_of(stump([0.0, float(link(0.502)), 0.3]))
        n = 1_000_000
        found = held_out(model, [[0.0]] * n, ["yes"] * int(share * n) + ["no"] * int(n - share * n))
        sure = (found.high < found.trained)[1]
        assert sure
        assert (found.verdict[1] != "agrees") == (verdict != "agrees")
    assert found.difference[1] == pytest.approx(-0.008, abs=1e-9)


def test_smoothing_is_no_verdict_but_what_it_does_not_explain_is():
    X, y = draw_data(3000, 13)
    boost = LogisticBoostClassifier(n_estimators=6, smoothing=400.0, random_state=0).fit(X, y)
    own = held_out(boost, X, y)
    raw = ((own.trained < own.low) | (own.trained > own.high)).sum()
    assert raw > 0  # less sure than their own training rows are
    assert np.isin(own.verdict, ["agrees", "few"]).all()
    turned = held_out(boost, X, np.where(y == "yes", "no", "yes"), tree=0)
    assert np.isin(turned.verdict, ["flipped", "weaker"]).mean() > 0.5


def test_models_of_other_libraries_are_taken_as_they_are():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(3, max_depth=3, random_state=0).fit(X[:300], y[:300])
    for find in (held_out, segments):
        found = find(forest, X[300:], y[300:])
        expected = find(from_model(forest), X[300:], y[300:])
        assert found.to_frame(forest).equals(expected.to_frame(from_model(forest)))
