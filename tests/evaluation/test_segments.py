import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer, load_iris

from horotree import LogisticBoostClassifier
from horotree.evaluation.proportions import exact_interval
from horotree.evaluation.segments import segments
from horotree.trees import path_rule


@pytest.fixture(scope="module")
def fitted():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    names = y.map({0: "malignant", 1: "benign"})
    classifier = LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=8).fit(X[200:], names[200:])
    return classifier, X[:200], names[:200]


def test_every_figure_can_be_counted_in_the_table(fitted):
    classifier, X, y = fitted
    model = classifier.model_
    frame = segments(classifier, X, y).to_frame(classifier)
    positive = classifier.classes_[1]
    of_class = (y == positive).to_numpy()
    probability = classifier.predict_proba(X)[:, 1]
    for row in frame.itertuples():
        rule = path_rule(model.ensembles[0].trees[row.tree], row.node)
        holds = rule.holds(X)
        assert row.count == holds.sum()
        assert row.positive == (holds & of_class).sum()
        if row.count:
            assert row.share == pytest.approx(of_class[holds].mean())
            assert row.lift == pytest.approx(of_class[holds].mean() / of_class.mean())
            assert row.probability == pytest.approx(probability[holds].mean())
        else:
            assert np.isnan([row.share, row.low, row.high, row.lift, row.probability]).all()


def test_there_is_a_row_a_node_of_each_class_and_tree():
    X, y = load_iris(return_X_y=True)
    model = LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=4).fit(X, y).model_
    found = segments(model, X, y)
    for k, ensemble in enumerate(model.ensembles):
        for j, tree in enumerate(ensemble.trees):
            part = found.of(j, k)
            assert part.node.tolist() == list(range(tree.n_nodes))
            assert part.positive[0] == np.sum(y == k)
    assert len(segments(model, X, y, tree=-1, class_=2)) == model.ensembles[2].trees[-1].n_nodes
    with pytest.raises(ValueError, match="there are no nodes of tree 7"):
        found.of(7)


def test_many_rows_are_counted_as_few_are(fitted, monkeypatch):
    classifier, X, y = fitted
    whole = segments(classifier, X, y)
    monkeypatch.setattr("horotree.evaluation.segments.CHUNK", 17)
    part = segments(classifier, X, y)
    assert (part.count == whole.count).all()
    assert (part.positive == whole.positive).all()
    np.testing.assert_allclose(part.probability, whole.probability)


def test_no_rows_are_refused(fitted):
    classifier, X, y = fitted
    with pytest.raises(ValueError, match="X must have rows to count"):
        segments(classifier, X[:0], y[:0])


@pytest.mark.parametrize("share", [0.002, 0.02, 0.5])
@pytest.mark.parametrize("n", [1, 20, 700])
def test_exact_intervals_hold_the_share_as_often_as_they_say(share, n):
    k = np.arange(n + 1)
    low, high = exact_interval(k, n)
    covered = binom.pmf(k, n, share)[(low <= share) & (share <= high)].sum()
    assert covered >= 0.95
    assert low[0] == 0.0
    assert high[-1] == 1.0
    # Not wider than needed: each side alone misses at most 2.5 %, and a hair more would miss more.
    inner = (k > 0) & (k < n)
    np.testing.assert_allclose(binom.sf(k[inner] - 1, n, low[inner]), 0.025, rtol=1e-6)
    np.testing.assert_allclose(binom.cdf(k[inner], n, high[inner]), 0.025, rtol=1e-6)


def test_no_rows_have_no_interval_and_nonsense_is_refused():
    assert np.isnan(exact_interval(0, 0)).all()
    with pytest.raises(ValueError, match="from 0 to count"):
        exact_interval(3, 2)
    with pytest.raises(ValueError, match="level must be above 0 and below 1"):
        exact_interval(1, 2, 1.0)
