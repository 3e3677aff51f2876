"""What pictures say of the whole model."""

import numpy as np
import pytest

from horotree import DiskDisplay, EnsembleDisplay, LogisticBoostClassifier, agreement, quality
from horotree.display.text.models import describe_features, judge_model
from horotree.evaluation.rows import read_rows
from horotree.trees import find_center
from horotree.trees.importance import find_importance


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = np.where(rng.random(2000) < 0.3 / (1.0 + np.exp(2.0 - 2.5 * X[:, 0])), "late", "paid")
    return LogisticBoostClassifier(6, max_leaf_nodes=15).fit(X[:1000], y[:1000]), X[1000:], y[1000:]


def texts(figure):
    from matplotlib.text import Text

    return " ".join(text.get_text() for text in figure.findobj(Text))


def test_the_sentences_are_those_of_quality_and_agreement(fitted):
    classifier, X, y = fitted
    model = classifier.model_
    center = find_center(model)
    rows = read_rows(model, X, y, "judge")
    found, _ = judge_model(model, rows, center=center, k=0)
    assert found[0] == f"The whole model: {'; '.join(quality(classifier, X, y).parts('held-out'))}."
    assert found[0].startswith("The whole model: 1,000 held-out rows, ")
    caution = agreement(classifier, X, y, center=center).caution
    told = [text for text in found if text.startswith("Caution: ")]
    assert told == ([f"Caution: {caution[:-1]} (on 1,000 held-out rows)."] if caution else [])
    assert judge_model(model, None, center=center, k=0) == ((), None)


def test_a_disk_and_a_page_say_how_good_the_model_is(fitted):
    classifier, X, y = fitted
    auc = f"AUC {quality(classifier, X, y).auc:.3f}"
    for display in (DiskDisplay, EnsembleDisplay):
        assert auc in texts(display.from_estimator(classifier, X, y).figure_)
        assert "AUC" not in texts(display.from_estimator(classifier).figure_)


def test_all_trees_of_a_model_have_its_ranking(fitted):
    classifier, *_ = fitted
    found = find_importance(classifier.model_)
    (told,) = describe_features(classifier.model_, 0)
    first = found.ranking()[0]
    share = f"{classifier.feature_importances_[first]:.3f}"[1:]
    assert f"score of paid: x{first} {share}, {found.word(first)};" in told
    page = texts(EnsembleDisplay.from_estimator(classifier).figure_)
    assert f"x{first} {share}, down" in page


def test_x_and_y_belong_together(fitted):
    classifier, X, _ = fitted
    with pytest.raises(ValueError, match="got X only: pass y, too"):
        EnsembleDisplay.from_estimator(classifier, X)


@pytest.mark.parametrize("display", [DiskDisplay, EnsembleDisplay])
def test_pictures_with_rows_have_a_strip_of_calibration(fitted, display):
    classifier, X, y = fitted
    drawn = display.from_estimator(classifier, X, y)
    found = drawn.calibration
    np.testing.assert_array_equal(found.count.sum(), len(X))
    (strip,) = [ax for ax in drawn.figure_.axes if ax.get_title(loc="left").startswith("Probab")]
    dots = [line for line in strip.get_lines() if line.get_marker() == "o"]
    np.testing.assert_allclose([dot.get_ydata()[0] for dot in dots], found.share)
    missed = (found.probability < found.low) | (found.probability > found.high)
    assert [dot.get_markerfacecolor() == "white" for dot in dots] == missed.tolist()
    said, intervals = strip.collections
    np.testing.assert_allclose([s[0, 1] for s in said.get_segments()], found.probability)
    ends = np.array([s[:, 1] for s in intervals.get_segments()])
    np.testing.assert_allclose(ends, np.stack([found.low, found.high], axis=1))
    without = display.from_estimator(classifier).figure_
    assert without.get_size_inches()[1] < drawn.figure_.get_size_inches()[1]


def test_the_rules_beside_a_disk_are_of_both_classes_where_there_is_little_room(fitted):
    classifier, X, y = fitted
    display = DiskDisplay.from_estimator(classifier, X, y)
    rows = display.scene.strongest(2)
    assert {bool(display.scene.positive[row]) for row in rows} == {True, False}
    page = texts(display.figure_)
    for kind in (0, 1):
        assert f"{display.scene.classes[kind]}: " in page
