"""A rare class is drawn: by our models and by XGBoost's, on real data and on made ones."""

import functools
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.machinery.data import find_domains, find_folder
from examples.credit import make_loans
from horotree import LogisticBoostClassifier, view
from horotree.evaluation.proportions import exact_interval
from horotree.io import from_model
from horotree.scene import find_scenes
from horotree.trees import base_rates
from horotree.viewer import encode
from tests.viewer.browser.test_page import part
from tests.viewer.payload.decoder import decode

MADE = "made loans"
N_ROWS = 24_000


@functools.cache
def load(domain):
    """Return rows to train on and as many others, with their classes."""
    if domain == MADE:
        X, y = make_loans(N_ROWS)
    else:
        found = find_domains(find_folder(None)).get(domain)
        if found is None:
            pytest.skip(f"the data of {domain} are not here")
        data = found()
        rows = np.random.default_rng(0).permutation(len(data.y))[:N_ROWS]
        X, y = data.take(rows)
    half = len(y) // 2
    return X[:half], y[:half], X[half:], y[half:]


def fit(kind, X, y):
    if kind == "ours":
        return LogisticBoostClassifier(n_estimators=10).fit(X, y)
    if kind == "scikit-learn":
        return HistGradientBoostingClassifier(max_iter=10, random_state=0).fit(X, y)
    if kind == "lightgbm":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(n_estimators=10, verbose=-1).fit(X, y)
    from xgboost import XGBClassifier

    tables = isinstance(X, pd.DataFrame)
    return XGBClassifier(n_estimators=10, max_depth=5, enable_categorical=tables).fit(X, y)


@pytest.mark.parametrize("kind", ["ours", "xgboost", "scikit-learn", "lightgbm"])
@pytest.mark.parametrize(
    ("domain", "share"),
    [("online_shoppers_intention", 0.155), ("give_me_some_credit", 0.07), (MADE, 0.022)],
)
def test_both_classes_are_drawn_and_the_rare_one_comes_first(require, domain, share, kind):
    if kind in ("xgboost", "lightgbm"):
        require(kind)
    X, y, held_X, held_y = load(domain)
    model = from_model(fit(kind, X, y))
    np.testing.assert_allclose(base_rates(model), share, atol=0.03)
    header, arrays = decode(encode(model, held_X, held_y))
    assert header["center"] == "base"
    n = arrays["treeStart"][1]
    evidence = (arrays["value"] - arrays["value"][0])[:n][arrays["kept"][:n] & 2 > 0]
    assert (evidence > 0.0).sum() >= 2
    assert (evidence < 0.0).sum() >= 2
    (scene,) = find_scenes(model, held_X, held_y, tree=0)
    told = scene.strongest(5)
    says = scene.positive[told].tolist()
    assert says == sorted(says, reverse=True)  # class 1 is the rare one
    assert 1 <= sum(says) <= 4
    assert 0 not in told
    # Its segments are where it is, and the first decides most.
    nodes = scene.embedding.node[told]
    assert (scene.segments.lift[nodes][says] > 1.2).all()
    rare = [row for row in range(1, len(scene)) if scene.positive[row]]
    assert scene.worth[told[0]] == scene.worth[rare].max()
    # Without rows, too, for the model knows its base rate.
    for scene in find_scenes(model, tree=[0, 5]):
        says = scene.positive[scene.strongest(5)].tolist()
        assert says == sorted(says, reverse=True)


def test_from_even_odds_no_node_of_the_first_tree_says_the_rare_class():
    X, y, _, _ = load(MADE)
    _, arrays = decode(encode(fit("ours", X, y), center="half"))
    n = arrays["treeStart"][1]
    assert (arrays["value"][:n][arrays["kept"][:n] & 1 > 0] < 0.0).all()


def percent(text):
    """Return the percentages in a text, as shares."""
    return [float(x) / 100.0 for x in re.findall(r"([\d.]+) (?:%|to)", text)]


def test_what_a_stranger_reads_can_be_counted_in_the_table(show, require):
    require("xgboost")
    X, y, held_X, held_y = load(MADE)
    classifier = fit("xgboost", X, y)
    page = show(view(classifier, held_X, held_y, class_names=["paid", "default"]))
    probability = classifier.predict_proba(held_X)
    items = part(page, "strongest").locator("li").all_inner_texts()
    assert items[0].startswith("default: ")
    assert len(items) == 5
    for i, item in enumerate(items):
        part(page, "tab-tree").click()
        part(page, "strongest").locator("button").nth(i).click()
        part(page, "rule-pandas").click()
        rule = part(page, "rule").inner_text()
        mask = eval(rule, {"df": held_X}).to_numpy()  # noqa: S307
        own = int(item.startswith("default"))
        rows, told = held_y[mask], item.replace("\u202f", "")
        positive, count = int((rows == own).sum()), len(rows)
        lift = positive / count / (held_y == own).mean()
        shown = percent(told)
        (low,), (high,) = exact_interval([positive], [count])
        expected = [positive / count, low, high, probability[mask, own].mean()]
        np.testing.assert_allclose(shown, expected, atol=6e-4)
        assert f"of {count} held-out rows" in told
        times = float(re.search(r"([\d.]+) × the base rate", told)[1])
        assert times == pytest.approx(lift, rel=0.05)
