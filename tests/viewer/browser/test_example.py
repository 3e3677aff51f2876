"""What the page says of one row: what each feature did, and what would turn the answer."""

import math
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from horotree import LogisticBoostClassifier
from horotree.io import from_model
from horotree.viewer import view
from tests.reference.shapley import shapley
from tests.viewer.browser.test_page import part, press, score_told
from tests.viewer.models import breast_cancer, iris, mixed, model_of, random_tree


def forest():
    """Return a forest of three classes, its table and its classes."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    return RandomForestClassifier(20, random_state=0).fit(X, y), X, y


def number(text):
    return float(text.replace("\u2212", "-").removesuffix(" %"))


def listed(page):
    """Return names and numbers of the list, first and last what it starts from and comes to."""
    items = part(page, "contributions").locator("li").all()
    texts = [re.split(r"\n+", item.inner_text().strip()) for item in items]
    return ["".join(text[:-1]) for text in texts], [number(text[-1]) for text in texts]


def share_told(page):
    """Return the probability that is said below the list."""
    return float(re.search(r"([\d.]+)\s%", part(page, "contributions-sum").inner_text())[1])


@pytest.fixture
def followed(show):
    """Show a model with its rows as examples, the first followed."""

    def followed(model, rows):
        page = show(view(model, examples=rows))
        press(page, "e")
        part(page, "example-choice").select_option("0")
        return page

    return followed


# --- what each feature did ------------------------------------------------------------------------


def test_features_are_listed_with_what_they_did(followed):
    classifier, table, _ = mixed()
    model = classifier.model_
    row = table[table.age.isna()].head(1)
    page = followed(model, row)
    base, values = shapley(
        model.ensembles[0], model.to_matrix(row)[0].tolist(), lambda tree: tree.count
    )
    names, numbers = listed(page)
    order = sorted(range(4), key=lambda feature: -abs(values[feature]))
    score = float(model.score(row)[0])
    np.testing.assert_allclose(numbers, [base, *(values[j] for j in order), score], atol=1e-3)
    told = {"age": "missing", **{name: str(row[name].iloc[0]) for name in ("home town", "shoe")}}
    told["income"] = f"{row.income.iloc[0]:.6g}"
    expected = [f"{model.feature_names[j]} = {told[model.feature_names[j]]}" for j in order]
    assert names == ["Before any feature is known", *expected, "Together: the score"]
    assert math.isclose(score_told(page), numbers[-1], abs_tol=1e-3)
    assert math.isclose(share_told(page), 100.0 / (1.0 + math.exp(-score)), abs_tol=0.06)


def test_many_features_are_summed(followed):
    classifier, X, _ = breast_cancer()
    page = followed(classifier, X[:1])
    names, numbers = listed(page)
    assert len(names) == 1 + 12 + 1 + 1
    assert re.fullmatch(r"\d+ others", names[-2])
    assert math.isclose(sum(numbers[:-1]), numbers[-1], abs_tol=14 * 0.0006)


def test_shares_are_told_in_percent_and_points(followed):
    model, X, _ = forest()
    page = followed(model, X[100:101])
    names, numbers = listed(page)
    share = model.predict_proba(X[100:101])[0, 0]
    assert math.isclose(numbers[-1], 100.0 * share, abs_tol=0.1)
    assert math.isclose(share_told(page), 100.0 * share, abs_tol=0.06)
    assert math.isclose(sum(numbers[:-1]), numbers[-1], abs_tol=0.1)
    assert 25.0 < numbers[0] < 40.0  # a third of the irises are of each class
    assert "Percentage points" in part(page, "example-result").inner_text()
    assert len(names) == 6


def test_each_class_has_its_own_list(followed):
    classifier, X, _ = iris()
    page = followed(classifier, X[:1])
    first = listed(page)[1]
    part(page, "class").select_option("2")
    second = listed(page)[1]
    scores = classifier.model_.score(X[:1])[0]
    np.testing.assert_allclose([first[-1], second[-1]], scores[[0, 2]], atol=1e-3)
    share = classifier.predict_proba(X[:1])[0, 2]
    assert math.isclose(share_told(page), 100.0 * share, abs_tol=0.06)


def test_why_nothing_can_be_said_is_said(followed):
    page = followed(model_of(random_tree(4)), np.zeros((1, 9)))
    assert "does not know how many" in part(page, "contributions-unknown").inner_text()
    assert part(page, "contributions").count() == 0


def test_pages_that_lack_trees_say_nothing_of_features(show):
    classifier, X, _ = breast_cancer()
    page = show(view(classifier, examples=X[:1], max_trees=3))
    press(page, "e")
    part(page, "example-choice").select_option("0")
    assert "found in all trees" in part(page, "contributions-unknown").inner_text()
    assert part(page, "example-change").count() == 0
    row = X[:1].to_numpy().tolist()[0]
    for name, expected in (("attributions", [None]), ("change", None)):
        assert page.evaluate(f"row => horotree.viewers[0].{name}(row)", row) == expected


# --- what would turn the answer -------------------------------------------------------------------


def changes(page, X):
    """Return what the page finds for the rows of a matrix."""
    rows = [[None if np.isnan(x) else x for x in row] for row in X.tolist()]
    return page.evaluate("rows => rows.map(row => horotree.viewers[0].change(row))", rows)


def decide(model, X):
    """Return the places of the classes that a model says of a matrix."""
    scores = np.stack([ensemble.score(X) for ensemble in model.ensembles], axis=-1)
    if scores.shape[1] > 1:
        return scores.argmax(axis=1)
    return (scores[:, 0] > (0.5 if model.link == "mean" else 0.0)).astype(int)


def thresholds(model, feature):
    """Return all thresholds of a feature that are not codes."""
    trees = [tree for ensemble in model.ensembles for tree in ensemble.trees]
    return np.unique(np.concatenate([tree.threshold[tree.feature == feature] for tree in trees]))


def single_moves(model, row, feature):
    """Return a value between all thresholds, or all labels, and how far each is."""
    if model.categories[feature] is not None:
        codes = np.arange(len(model.categories[feature]), dtype=float)
        return codes, (codes != row[feature]).astype(float)
    cuts = thresholds(model, feature)
    values = np.concatenate([[cuts[0] - 1.0], (cuts[1:] + cuts[:-1]) / 2.0, [cuts[-1] + 1.0]])
    if np.isnan(row[feature]):
        return values, np.ones(len(values))
    at = np.searchsorted(cuts, row[feature])
    return values, np.abs(np.arange(len(values)) - at) / len(cuts)


@pytest.mark.parametrize("make", [breast_cancer, mixed, iris, forest])
def test_the_change_turns_the_whole_model_and_none_of_one_value_is_smaller(show, make):
    model, table, _ = make()
    known = from_model(model)
    X = known.to_matrix(table)[::9]
    page = show(view(known))
    n_pairs = 0
    for row, found in zip(X, changes(page, X), strict=True):
        before = decide(known, row[None])[0]
        change = found["change"]
        size = np.inf
        for feature in {int(j) for e in known.ensembles for t in e.trees for j in t.feature} - {-1}:
            values, moves = single_moves(known, row, feature)
            changed = np.repeat(row[None], len(values), axis=0)
            changed[:, feature] = values
            size = min(size, moves[decide(known, changed) != before].min(initial=np.inf))
        if change is None:
            assert np.isinf(size)
            continue
        changed = row.copy()
        for move in change["moves"]:
            changed[move["feature"]] = move["value"]
        assert decide(known, changed[None])[0] == change["class"] != before
        score = np.array([[ensemble.score(changed[None])[0] for ensemble in known.ensembles]])
        share = known.probabilities(score[:, 0] if score.shape[1] == 1 else score)[0]
        least, most = change["probability"]
        assert least - 1e-6 <= share[change["class"]] <= most + 1e-6
        if len(change["moves"]) == 1:
            assert math.isclose(change["size"], size, rel_tol=1e-9)
        else:
            assert np.isinf(size)
            n_pairs += 1
    assert n_pairs or make is not breast_cancer


def few_features():
    """Return a model of four numbers with gaps and two categories, all of which count alike."""
    rng = np.random.default_rng(4)
    table = pd.DataFrame(rng.normal(size=(1500, 4)).round(1), columns=list("abcd"))
    odds = table.sum(axis=1)
    table = table.mask(rng.random(table.shape) < 0.05)
    for name in ("e", "f"):
        codes = rng.integers(3, size=len(table))
        table[name] = pd.Categorical.from_codes(codes, ["low", "middle", "high"])
        odds += codes - 1.0
    classifier = LogisticBoostClassifier(n_estimators=10, max_leaf_nodes=16)
    return classifier.fit(table, np.where(odds > 0.0, "yes", "no")).model_, table


def smallest_of_two(model, row, features):
    """Return the smallest move of two features that turns the answer, by trying all."""
    before = decide(model, row[None])[0]
    size = np.inf
    for f, g in combinations(features, 2):
        (a, down), (b, across) = single_moves(model, row, f), single_moves(model, row, g)
        changed = np.repeat(row[None], len(a) * len(b), axis=0)
        changed[:, f], changed[:, g] = np.repeat(a, len(b)), np.tile(b, len(a))
        moves = np.repeat(down, len(b)) + np.tile(across, len(a))
        size = min(size, moves[decide(model, changed) != before].min(initial=np.inf))
    return size


def test_changes_of_two_values_are_the_smallest_of_all(show):
    model, table = few_features()
    X = model.to_matrix(table)
    # Far from the middle: where one value may not be enough.
    chosen = X[np.argsort(-np.abs(model.ensembles[0].score(X)))[::20]]
    features = sorted({int(j) for t in model.ensembles[0].trees for j in t.feature} - {-1})
    sizes = []
    for row, found in zip(chosen, changes(show(view(model)), chosen), strict=True):
        change = found["change"]
        if change is not None and len(change["moves"]) == 1:
            continue
        assert found["searched"] == found["pairs"] == len(features) * (len(features) - 1) // 2
        size = smallest_of_two(model, row, features)
        sizes.append(size)
        assert math.isclose(np.inf if change is None else change["size"], size, rel_tol=1e-9)
    assert np.isfinite(sizes).sum() > 5


def test_the_changed_row_can_be_followed(followed):
    classifier, table, _ = mixed()
    page = followed(classifier, table[3:4])
    before = part(page, "prediction").inner_text().split()[0]
    sentence = part(page, "example-change").inner_text()
    after = re.search(r"the model would say (\S+), with a probability of ([\d.]+)", sentence)
    assert after[1] != before
    assert re.search(r"\(now [^)]+\)", sentence)
    part(page, "example-turn").click()
    answer, share = part(page, "prediction").inner_text().split()[:2]
    assert answer == after[1]
    assert float(share) >= float(after[2]) - 0.06


def test_what_nothing_turns_is_said(followed):
    page = followed(model_of(random_tree(1)), np.zeros((1, 9)))
    assert "whatever one value or two become" in part(page, "example-change").inner_text()
    assert part(page, "example-turn").count() == 0
