"""What the page says of the whole model: recomputed from X and y, and read in Chromium."""

import itertools
import re

import numpy as np
import pytest
from sklearn import metrics

from horotree import LogisticBoostClassifier, agreement, quality
from horotree.evaluation.agreement import MAX_COMPARED
from horotree.evaluation.rows import read_rows
from horotree.trees.importance import find_importance
from horotree.viewer import view
from horotree.viewer.payload import encode
from horotree.viewer.quality import describe_agreement, describe_importance, describe_quality
from tests.viewer.browser.test_page import part, picture, state
from tests.viewer.models import breast_cancer, iris

from .decoder import decode


def rare(n=3000, seed=0):
    """Return rows of which 5 % are of the class, and a model of others like them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2 * n, 4))
    y = rng.random(2 * n) < 0.12 / (1.0 + np.exp(2.0 - 2.5 * X[:, 0] + X[:, 1]))
    y = np.where(y, "default", "repaid")
    classifier = LogisticBoostClassifier(20, max_leaf_nodes=31).fit(X[:n], y[:n])
    return classifier, X[n:], y[n:]


def rows_of(classifier, X, y):
    return read_rows(classifier.model_, X, y, "compare")


def test_every_figure_of_the_line_is_that_of_scikit_learn():
    classifier, X, y = rare()
    header, _ = decode(encode(classifier, X, y))
    p = classifier.predict_proba(X)[:, list(classifier.classes_).index("repaid")]
    own = y == "repaid"
    rows, auc, loss, brier, error, _ = header["quality"]["parts"]
    assert rows == f"3,000 held-out rows, {100 * own.mean():.1f} % of class repaid"
    assert auc.startswith(f"AUC {metrics.roc_auc_score(own, p):.3f} (95 % interval ")
    base = np.full(len(y), own.mean())
    both = [f"{metrics.log_loss(own, x):.4f}" for x in (p, base)]
    assert loss == f"log-loss {both[0]} (base rate: {both[1]})"
    both = [f"{metrics.brier_score_loss(own, x):.4f}" for x in (p, base)]
    assert brier == f"Brier score {both[0]} (base rate: {both[1]})"
    wrong = 100 * np.mean(classifier.predict(X) != y)
    assert error == f"error {wrong:.2f} % (always repaid: {100 * (~own).mean():.2f} %)"
    (groups,) = header["quality"]["calibration"]
    order = np.argsort(p, kind="stable")
    assert sum(groups["count"]) == len(y)
    starts = np.cumsum([0, *groups["count"]])
    for i, (first, last) in enumerate(itertools.pairwise(starts)):
        assert groups["positive"][i] == own[order[first:last]].sum()
        assert groups["probability"][i] == pytest.approx(p[order[first:last]].mean(), rel=1e-8)


def test_each_class_has_its_own_groups():
    classifier, X, y = iris()
    found = describe_quality(classifier.model_, rows_of(classifier, X, y))
    assert len(found["calibration"]) == 3
    p = classifier.predict_proba(X)
    for k, groups in enumerate(found["calibration"]):
        mean = np.average(groups["probability"], weights=groups["count"])
        assert mean == pytest.approx(p[:, k].mean(), rel=1e-8)
        assert sum(groups["positive"]) == np.sum(np.asarray(y) == classifier.classes_[k])


def test_the_caution_is_that_of_the_center():
    classifier, X, y = rare()
    found = describe_agreement(classifier.model_, rows_of(classifier, X, y))
    cautions = {c: agreement(classifier, X, y, center=c).caution for c in ("half", "base")}
    assert any(cautions.values())
    for center, caution in cautions.items():
        if caution:
            assert found[center] == f"Caution: {caution[:-1]} (on 3,000 held-out rows)."
        else:
            assert found[center] is None


def test_more_rows_than_are_compared_are_told_of():
    classifier, X, y = rare()
    many = np.resize(np.arange(len(y)), 3 * len(y) + 1_500)
    assert len(many) > MAX_COMPARED
    found = describe_agreement(classifier.model_, rows_of(classifier, X[many], y[many]))
    told = [text for text in found.values() if text]
    assert told
    assert all("(on 10,000 of the 10,500 held-out rows)." in text for text in told)


def test_the_ranking_is_that_of_the_model():
    classifier, _, _ = breast_cancer()
    found, wanted = describe_importance(classifier.model_), find_importance(classifier.model_)
    assert [feature for feature, *_ in found["ranking"]] == wanted.ranking()
    for feature, share, n_trees, ways in found["ranking"]:
        assert share == pytest.approx(classifier.feature_importances_[feature], rel=1e-3)
        assert n_trees == wanted.n_trees[feature]
        words = {1: "up", -1: "down", 0: "both ways", None: ""}
        assert words[ways[0]] == wanted.word(feature)
    assert found["tested"] == len(wanted.ranking())
    assert found["reason"] == ""


def test_without_data_there_is_no_quality_but_a_ranking():
    classifier, _, _ = breast_cancer()
    header, _ = decode(encode(classifier))
    assert header["quality"] is None
    assert header["agreement"] is None
    assert header["importance"]["ranking"]


# --- in the browser -------------------------------------------------------------------------------


def test_the_heading_says_how_good_the_model_is(show):
    classifier, X, y = rare()
    page = show(view(classifier, X, y))
    line = part(page, "quality").inner_text()
    found = quality(classifier, X, y)
    assert line.startswith("; ".join(found.parts("held-out")) + ".")
    for caution in found.cautions():
        assert caution in line
    told = describe_agreement(classifier.model_, rows_of(classifier, X, y))
    for center in ("half", "base"):
        part(page, "center").select_option(center)
        shown = part(page, "agreement")
        assert shown.is_visible() == bool(told[center])
        assert (shown.inner_text() if told[center] else None) == told[center]


def test_groups_of_rows_are_drawn_and_told(show):
    classifier, X, y = rare()
    page = show(view(classifier, X, y))
    strip = part(page, "calibration")
    strip.scroll_into_view_if_needed()
    (groups,) = describe_quality(classifier.model_, rows_of(classifier, X, y))["calibration"]
    titles = strip.locator("title").all_text_contents()
    n_groups = len(groups["count"])
    assert len(titles) == n_groups > 7
    for title, n, probability in zip(titles, groups["count"], groups["probability"], strict=True):
        assert title.replace("\u202f", "").startswith(f"{n} rows: the model says ")
        told = float(re.search(r"says ([\d.]+) %", title)[1])
        assert told == pytest.approx(100 * probability, abs=0.06)
    n_open = strip.locator(".ht-misses").count()
    assert (
        f"calibrated in {n_groups - n_open} of {n_groups} groups"
        in part(page, "quality-list").inner_text()
    )
    box = strip.bounding_box()
    assert box["width"] > 200
    assert f"{n_groups} groups" in part(page, "calibration-key").inner_text()


def test_a_feature_is_searched_for_by_a_click(show):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y))
    first = find_importance(classifier.model_).ranking()[0]
    before = picture(page)
    button = part(page, "features").locator("button").first
    assert X.columns[first] in button.inner_text()
    button.click()
    assert part(page, "search").input_value() == X.columns[first]
    assert state(page, "features") == [first]
    assert "tests here" in part(page, "search-result").inner_text()
    assert button.get_attribute("aria-pressed") == "true"
    assert picture(page) != before
    button.click()
    assert part(page, "search").input_value() == ""
    assert state(page, "features") == []


def test_all_features_are_listed_if_asked_for(show):
    classifier, _, _ = breast_cancer()
    page = show(view(classifier))
    n = len(find_importance(classifier.model_).ranking())
    assert n > 8
    assert part(page, "features").locator("li").count() == 8
    part(page, "features-all").click()
    assert part(page, "features").locator("li").count() == n
    assert part(page, "features-all").count() == 0
    assert part(page, "quality").count() == 0
    assert part(page, "calibration").count() == 0


def test_each_class_shows_its_own_groups_and_directions(show):
    classifier, X, y = iris()
    page = show(view(classifier, X, y))
    keys = set()
    for k in range(3):
        part(page, "class").select_option(str(k))
        text = part(page, "calibration-key").inner_text()
        assert f"gives to {classifier.classes_[k]}" in text
        keys.add(part(page, "calibration").get_attribute("aria-label"))
    assert len(keys) == 3
