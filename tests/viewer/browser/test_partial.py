"""A page that lacks trees says nothing it cannot know: sums are the whole model's, or none."""

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from horotree import from_model
from horotree.viewer import view
from tests.viewer.conftest import wait_for
from tests.viewer.models import breast_cancer


def text_of(page, name):
    return page.locator(f"[data-ht='{name}']").inner_text()


@pytest.fixture(scope="module")
def forest():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return from_model(RandomForestClassifier(30, random_state=0).fit(X, y)), X


def test_trees_keep_their_numbers(show, forest):
    page = show(view(forest[0], max_trees=4))
    assert (
        "4 of 30 trees are shown, evenly spread"
        in page.locator("[data-ht='note']").first.inner_text()
    )
    assert text_of(page, "tree-label").startswith("Tree 0 of 0–29,")
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert text_of(page, "tree-name") == "Tree 19 of 0–29"
    wait_for(
        page, "document.querySelector('[data-ht=tree-label]').textContent.startsWith('Tree 19 ')"
    )
    strip = page.locator("[data-ht='scrubber']")
    assert strip.get_attribute("aria-valuetext").startswith("Tree 19 of 0–29,")
    assert strip.get_attribute("aria-valuemax") == "3"
    page.locator("[data-ht='search']").fill("mean")
    assert "of 4 trees here," in text_of(page, "search-result")
    page.locator("[data-ht='search']").fill("")
    label = page.locator("[data-ht='disk']").get_attribute("aria-label")
    assert label.startswith("Tree 19 of 0–29:")
    with page.expect_download() as waiting:
        page.locator("[data-ht='export-svg']").click()
    assert waiting.value.suggested_filename == "horotree-tree-19.svg"
    assert "tree 19 of 0–29" in waiting.value.path().read_text()


@pytest.mark.parametrize("name", ["forest", "boosting"])
def test_embedded_rows_have_the_answer_of_the_whole_model(show, forest, name):
    if name == "forest":
        model, X = forest
    else:
        classifier, X, _ = breast_cancer()
        model = classifier.model_
    rows = X.iloc[[3, 20]]
    page = show(view(model, examples=rows, max_trees=3))
    page.locator("[data-ht='tab-example']").click()
    n = len(model.ensembles[0].trees)
    for i, shares in enumerate(model.predict_proba(rows)):
        page.locator("[data-ht='example-choice']").select_option(str(i))
        text = text_of(page, "prediction")
        best = int(shares.argmax())
        first = float(text.split("%")[0].split()[-1])
        assert text.split()[0] == str(best)
        assert first == pytest.approx(100.0 * shares[best], rel=1e-2)
        assert f"from all {n} trees" in text
    assert page.locator("[data-ht='score-chart']").count() == 0
    assert page.locator("[data-ht='example-changes']").count() == 0
    assert page.locator("[data-ht='example-trees'] li").count() == 3


def test_other_rows_have_no_answer_and_a_reason(show, forest):
    model, X = forest
    page = show(view(model, examples=X[:1], max_trees=3))
    page.locator("[data-ht='tab-example']").click()
    page.locator("[data-ht='example-choice']").select_option("0")
    assert "%" in text_of(page, "prediction")
    box = page.locator("[data-ht='example-input']")
    page.locator("[data-ht='example-follow']").click()  # the same row, read again
    assert "%" in text_of(page, "prediction")
    box.fill(box.input_value().replace("mean radius = ", "mean radius = 1"))
    page.locator("[data-ht='example-follow']").click()
    text = text_of(page, "prediction")
    assert "%" not in text
    assert "takes all 30 trees, and this page has 3" in text
    assert text_of(page, "example-here").startswith("Tree 0 ")


def test_a_page_with_all_trees_answers_any_row(show, forest):
    model, X = forest
    page = show(view(model, max_trees=None))
    page.locator("[data-ht='tab-example']").click()
    row = ", ".join(map(str, X.iloc[7]))
    page.locator("[data-ht='example-input']").fill(row)
    page.locator("[data-ht='example-follow']").click()
    share = model.predict_proba(X[7:8])[0].max()
    assert float(text_of(page, "prediction").split("%")[0].split()[-1]) == pytest.approx(
        100.0 * share, rel=1e-2
    )
