"""A credit job: every number on the first screen of its pages is recomputed.

Only what a reader has is used: the table, the labels, the model's own probabilities, and the rules
that the page gives to copy.
"""

import re

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from examples.credit import N_LOANS, fit_model, make_loans
from horotree import view

from .test_page import part

WIDE = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture(scope="module")
def job():
    """Return the model of the first month, and both months' loans that it has not seen."""
    pytest.importorskip("xgboost")
    X, y = make_loans()
    half = N_LOANS // 2
    model = fit_model(X[:half], y[:half])
    return model, {1: (X[half:], y[half:]), 2: make_loans(month=2)}


def numbers(text):
    return [float(x) for x in re.findall(r"\d+(?:\.\d+)?", text.replace("\u202f", ""))]


def tidy(text):
    """Return text without thin spaces and separators of thousands."""
    return re.sub(r"(?<=\d)[\u202f,](?=\d{3}\b)", "", text)


@pytest.mark.parametrize("month", [1, 2])
def test_every_number_on_the_first_screen_is_what_the_table_says(job, show, require, month):
    require("xgboost")
    model, months = job
    X, y = months[month]
    p = model.predict_proba(X)[:, 1]
    page = show(view(model, X, y, class_names=["paid", "defaulted"]), **WIDE)
    check_heading(tidy(part(page, "quality").inner_text()), y.to_numpy(), p)
    items = part(page, "strongest").locator("li").all_inner_texts()
    assert len(items) == 5
    assert items[0].startswith("defaulted: ")  # the rare class first
    assert {item.partition(":")[0] for item in items} == {"paid", "defaulted"}
    for i, item in enumerate(items):
        part(page, "tab-tree").click()
        part(page, "strongest").locator("button").nth(i).click()
        part(page, "rule-pandas").click()
        rows = eval(part(page, "rule").inner_text(), {"df": X}).to_numpy()  # noqa: S307
        check_rule(tidy(item), rows, y.to_numpy(), p)
        rule = item.splitlines()[-1]
        if not rule.startswith("…"):
            assert int(read(rule, X).sum()) == int(rows.sum()), rule


def read(rule, X):
    """Return the rows that a reader of the rule would count."""
    mask = np.ones(len(X), dtype=bool)
    for clause in re.split(r" and (?=[\w ]+)", rule):
        text = clause.removesuffix(" (or missing)")
        (name,) = [c for c in X.columns if re.search(rf"\b{c}\b", text)]
        labels = re.fullmatch(rf"{name} (=|!=|in|not in) \{{?([\w, ]+?)\}}?", text)
        if labels:
            known = X[name].isin(labels[2].split(", ")) == (labels[1] in ("=", "in"))
        else:
            known = X.eval(text)
        mask &= (known | (X[name].isna() & (clause != text))).to_numpy()
    return mask


def check_heading(line, y, p):
    """Compare the line about the whole model with pandas' and scikit-learn's figures."""
    base, always = y.mean(), min(y.mean(), 1.0 - y.mean())
    assert numbers(line[: line.index(" held-out")]) == [len(y)]
    expected = {
        r"([\d.]+) % of class defaulted": 100.0 * base,
        r"AUC ([\d.]+)": roc_auc_score(y, p),
        r"log-loss ([\d.]+)": log_loss(y, p),
        r"log-loss [\d.]+ \(base rate: ([\d.]+)": log_loss(y, np.full(len(y), base)),
        r"Brier score ([\d.]+)": brier_score_loss(y, p),
        r"Brier score [\d.]+ \(base rate: ([\d.]+)": base * (1.0 - base),
        r"error ([\d.]+) %": 100.0 * np.mean((p > 0.5) != y),
        r"always paid: ([\d.]+) %": 100.0 * always,
    }
    for pattern, figure in expected.items():
        found = re.search(pattern, line)
        assert found, (pattern, line)
        digits = len(found[1].partition(".")[2])
        assert float(found[1]) == pytest.approx(figure, abs=0.51 * 10.0**-digits), pattern


def check_rule(text, rows, y, p):
    """Compare what is said of a rule with the rows for which it holds."""
    own = y == int(text.startswith("defaulted"))
    found, count = int(own[rows].sum()), int(rows.sum())
    said = re.search(
        r"([\d.]+) % of (\d+) held-out rows\s+\(([\d.]+) to ([\d.]+) %\)\s+"
        r"([\d.]+) × the base rate; the model says ([\d.]+) %",
        text,
    )
    assert said, text
    share, n, low, high, lift, mean = map(float, said.groups())
    interval = binomtest(found, count).proportion_ci(0.95, method="exact")
    probability = p[rows].mean() if text.startswith("defaulted") else 1.0 - p[rows].mean()
    assert n == count
    assert share == pytest.approx(100.0 * found / count, abs=0.051)
    assert low == pytest.approx(100.0 * interval.low, abs=0.051)
    assert high == pytest.approx(100.0 * interval.high, abs=0.051)
    assert lift == pytest.approx(found / count / own.mean(), rel=0.051)
    assert mean == pytest.approx(100.0 * probability, abs=0.051)


def test_no_class_is_called_sure_that_is_not(job, show, require):
    """The page once said "1 99.910 %" where 15 % of the rows defaulted."""
    require("xgboost")
    model, months = job
    page = show(view(model, *months[1]), **WIDE)
    text = part(page, "strongest").inner_text()
    sure = [
        x for x in numbers(" ".join(re.findall(r"^1: ([\d.]+) %", text, re.MULTILINE))) if x > 50.0
    ]
    assert not sure


def test_the_second_month_shows_that_the_model_knows_less(job, show, require):
    """A driver that is new in the second month: the heading has a worse AUC and log-loss."""
    require("xgboost")
    model, months = job
    aucs, gaps = [], []
    for X, y in months.values():
        line = part(show(view(model, X, y), **WIDE), "quality").inner_text()
        aucs.append(float(re.search(r"AUC ([\d.]+)", line)[1]))
        loss, base = map(
            float, re.search(r"log-loss ([\d.]+) \(base rate: ([\d.]+)", line).groups()
        )
        gaps.append(base - loss)
    assert aucs[1] < aucs[0]
    assert gaps[1] < gaps[0]
