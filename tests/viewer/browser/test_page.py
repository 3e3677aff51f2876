"""The viewer in a real browser does what it says, and nothing else."""

import dataclasses
import math
import re

import numpy as np
import pandas as pd
import pytest

from horotree import LogLossTreeClassifier
from horotree.display.text.nodes import describe
from horotree.geometry.tself import norm_t
from horotree.scene import find_scenes
from horotree.trees import Ensemble, Model, path_rule
from horotree.viewer import View, encode, view
from horotree.viewer.page import to_iframe
from tests.viewer.conftest import Watched, wait_for
from tests.viewer.models import (
    HOSTILE,
    breast_cancer,
    hostile,
    iris,
    mixed,
    model_of,
    random_tree,
)


def part(page, name):
    """Return the element of this name."""
    return page.locator(f"[data-ht='{name}']")


def state(page, key):
    return page.evaluate(f"horotree.viewers[0].state.{key}")


def place_of(page, row):
    """Return where a node is in the window."""
    box = part(page, "disk").bounding_box()
    x, y = page.evaluate(f"horotree.viewers[0].placeOf({row})")
    return box["x"] + x, box["y"] + y


def hover(page, row):
    """Move the pointer to a node; return whether no other node is nearer to that pixel."""
    page.mouse.move(5.0, 5.0)
    page.mouse.move(*place_of(page, row))
    return state(page, "hovered") == row


def picture(page):
    """Return the disk as it looks now."""
    return part(page, "disk").screenshot()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_a_page_opens_from_a_file_and_draws(show):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y, title="Breast cancer"))
    assert page.url.startswith("file://")
    assert page.title() == "Breast cancer"
    assert part(page, "title").inner_text() == "Breast cancer"
    assert "nodes agree" in part(page, "note").inner_text()
    assert len(picture(page)) > 10_000


def test_nodes_are_drawn_where_python_draws_them(show):
    classifier = breast_cancer()[0]
    (scene,) = find_scenes(classifier, tree=0)
    page = show(view(classifier))
    box = part(page, "disk").bounding_box()
    for t in (scene.embedding.t, 0.0, 0.5):
        part(page, "t-slider").fill(str(t))
        assert state(page, "t") == t
        page.wait_for_timeout(60.0)  # until it is drawn
        norm = norm_t(scene.distance, t=t)
        expected = np.stack([norm * np.cos(scene.angle), -norm * np.sin(scene.angle)], axis=1)
        drawn = np.array([place_of(page, row) for row in range(len(scene))])
        # The disk's center and size are the page's own: all else is given.
        radius = np.ptp(drawn[:, 0]) / np.ptp(expected[:, 0])
        assert 0.8 < 2.0 * radius / min(box["width"], box["height"]) < 1.0
        shift = drawn - radius * expected
        np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=0.05)


def test_the_slider_has_the_automatic_t(show):
    classifier = breast_cancer()[0]
    (scene,) = find_scenes(classifier, tree=0)
    page = show(view(classifier))
    before = picture(page)
    assert state(page, "t") == scene.embedding.t
    part(page, "t-slider").fill("0.3")
    assert part(page, "t-value").inner_text().replace("0.3", ".3").startswith("t = .3")
    assert picture(page) != before
    part(page, "t-auto").click()
    assert state(page, "t") == scene.embedding.t
    part(page, "t-slider").focus()
    press(page, "ArrowLeft")
    assert state(page, "t") < scene.embedding.t


def test_keys_go_through_the_trees(show):
    page = show(view(breast_cancer()[0]))
    page.locator("body").evaluate("document.activeElement.blur()")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home", "]", "["):
        press(page, key)
        seen.append(state(page, "tree"))
    assert seen == [1, 2, 1, 11, 0, 1, 0]
    press(page, "End")
    assert part(page, "tree-name").inner_text() == "Tree 11 of 0–11"
    part(page, "scrubber").focus()
    press(page, "ArrowLeft")
    assert state(page, "tree") == 10


@pytest.mark.parametrize("make", [breast_cancer, mixed])
def test_hovering_tells_the_rule_that_python_tells(show, make):
    classifier = make()[0]
    page = show(view(classifier))
    n_told = 0
    for scene in find_scenes(classifier, tree=[0, 3]):
        page.evaluate("document.activeElement.blur()")
        press(page, *["]"] * (scene.tree - state(page, "tree")))
        for row in range(0, len(scene), 2):
            if hover(page, row):
                rule = part(page, "tooltip").locator(".ht-rule").inner_text()
                assert rule == scene.rule(row, show_missing=False)
                n_told += 1
    assert n_told > 10
    page.mouse.move(5.0, 5.0)
    assert part(page, "tooltip").is_hidden()


def test_hovering_tells_class_and_figures(show):
    classifier, X, y = breast_cancer()
    (scene,) = find_scenes(classifier, X, y, tree=0)
    page = show(view(classifier, X, y))
    tree = scene.embedding.monotonic.tree
    row = next(r for r in range(1, len(scene)) if hover(page, r))
    node = scene.embedding.node[row]
    text = part(page, "tooltip").inner_text()
    assert text.startswith(str(int(scene.positive[row])))
    for line in describe(scene, row):
        assert line in text
    assert f"{tree.count[node]} training row" in text
    assert f"{scene.segments.count[node]} held-out row" in text


def test_a_click_shows_the_path_and_rules_to_copy(show):
    model = mixed()[0].model_
    tree = model.ensembles[0].trees[0]
    (scene,) = find_scenes(model, tree=0)
    page = show(view(model))
    depth = tree.depth[scene.embedding.node]
    n_told = 0
    for row in np.argsort(-depth, kind="stable")[:8].tolist():
        if not hover(page, row):
            continue
        page.mouse.click(*place_of(page, row))
        assert state(page, "selected") == row
        rule = path_rule(tree, int(scene.embedding.node[row]))
        expected = {
            "text": rule.text(model.columns, max_labels=None),
            "pandas": rule.to_pandas(model.columns),
            "sql": rule.to_sql(model.columns),
        }
        for form, text in expected.items():
            part(page, f"rule-{form}").click()
            assert part(page, "rule").inner_text() == text
        part(page, "rule-text").click()
        path = [row]
        while scene.parent[path[-1]] >= 0:
            path.append(int(scene.parent[path[-1]]))
        items = part(page, "path").locator("li .ht-rule").all_inner_texts()
        steps = [scene.rule(r, whole=False, show_missing=False) for r in path[-2::-1]]
        assert items[1:] == steps
        n_told += 1
    assert n_told >= 3


def test_rules_are_copied(show):
    model = breast_cancer()[0].model_
    page = show(view(model), permissions=["clipboard-read", "clipboard-write"])
    part(page, "disk").focus()
    press(page, "ArrowDown", "Enter")
    part(page, "rule-sql").click()
    part(page, "copy").click()
    wait_for(page, "document.querySelector('[data-ht=copy]').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == part(page, "rule").inner_text()


def test_the_disk_is_walked_with_keys(show):
    (scene,) = find_scenes(breast_cancer()[0], tree=0)
    page = show(view(breast_cancer()[0]))
    part(page, "disk").focus()
    press(page, "ArrowDown")
    child = state(page, "focused")
    assert scene.parent[child] == 0
    assert scene.rule(child, show_missing=False) in part(page, "live").inner_text()
    press(page, "ArrowRight")
    assert scene.parent[state(page, "focused")] == 0
    press(page, "ArrowUp")
    assert state(page, "focused") == 0


def test_a_search_lights_up_the_nodes_that_use_a_feature(show):
    classifier, X, _ = breast_cancer()
    trees = classifier.model_.ensembles[0].trees
    feature = int(trees[0].feature[0])
    page = show(view(classifier))
    before = picture(page)
    press(page, "/")
    page.keyboard.type(X.columns[feature])
    n_here = int((trees[0].feature == feature).sum())
    n_trees = sum(bool((tree.feature == feature).any()) for tree in trees)
    expected = f"in {n_trees} of {len(trees)} trees, {n_here} tests here"
    assert part(page, "search-result").inner_text() == expected
    assert picture(page) != before
    part(page, "search").fill("no such thing")
    assert part(page, "search-result").inner_text() == "no such feature"


def test_held_out_ticks_are_switched(show):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y))
    before = picture(page)
    part(page, "held-out").uncheck()
    assert picture(page) != before
    press(page, "h")
    assert part(page, "held-out").is_checked()
    assert part(show(view(classifier)), "held-out").count() == 0


def with_score(model, row, score):
    """Return the model with another base value, so that the row gets this score."""
    ensembles = tuple(
        dataclasses.replace(ensemble, base_value=ensemble.base_value - own + score)
        for ensemble, own in zip(
            model.ensembles, np.atleast_1d(model.score(row)[0]).tolist(), strict=True
        )
    )
    return dataclasses.replace(model, ensembles=ensembles)


def score_told(page):
    """Return the score of the example that is followed, as it is written."""
    found = re.search(r"score (\S+) for", part(page, "prediction").inner_text())
    return float(found[1].replace("\u2212", "-"))


@pytest.mark.parametrize("make", [breast_cancer, mixed, iris])
def test_an_example_gets_the_score_that_the_model_gives(show, make):
    classifier, table, _ = make()
    row = pd.concat([table[table.isna().any(axis=1)], table]).head(1)  # with gaps, if any has
    # Four digits of a small number tell more than five decimals of the sum.
    model = with_score(classifier.model_, row, 0.01)
    page = show(view(model, examples=row))
    press(page, "e")
    part(page, "example-choice").select_option("0")
    assert math.isclose(score_told(page), 0.01, abs_tol=1e-5)


def test_an_example_tells_class_and_trees(show):
    classifier, table, classes = mixed()
    page = show(view(classifier, examples=table[:5], example_classes=classes[:5]))
    press(page, "e")
    part(page, "example-choice").select_option("3")
    share = classifier.predict_proba(table[3:4])[0]
    best = int(share.argmax())
    text = part(page, "prediction").inner_text()
    assert text.startswith(f"{classifier.classes_[best]} ")
    shown = float(re.match(r"\S+ ([\d.]+) %", text)[1])
    assert math.isclose(shown, 100.0 * share[best], rel_tol=1e-2)
    assert f"True class: {classes[3]}." in text
    adds = classifier.model_.ensembles[0]
    leaf = adds.apply(classifier.model_.to_matrix(table[3:4]))[0]
    pushes = [
        abs(a * tree.output[k]) for a, tree, k in zip(adds.leverage, adds.trees, leaf, strict=True)
    ]
    first = part(page, "example-trees").locator("li").first.inner_text()
    assert first.startswith(f"Tree {int(np.argmax(pushes))}\n")


def test_an_example_can_be_typed_and_bad_ones_are_explained(show):
    classifier, table, _ = mixed()
    page = show(view(classifier))
    press(page, "e")
    part(page, "example-input").fill("age = 44.5\nhome town = Bern\nshoe = 41\nincome = 3000")
    part(page, "example-follow").click()
    row = table.iloc[:1].assign(age=44.5, income=3000.0)
    row["home town"], row["shoe"] = "Bern", 41
    score = float(classifier.model_.score(row)[0])
    assert math.isclose(score_told(page), score, rel_tol=1e-3)
    for text, message in (
        ("age = old", "age must be a number, got old."),
        ("foo = 1", "There is no feature foo. The nearest names: age, shoe, income."),
    ):
        part(page, "example-input").fill(text)
        part(page, "example-follow").click()
        assert message in part(page, "example-error").inner_text()
        assert part(page, "prediction").count() == 0  # nothing of the row before
        assert state(page, "example") is None


def test_the_picture_is_exported(show, tmp_path):
    page = show(view(hostile(), title=HOSTILE[0]))
    for name, start in {"svg": b"<", "png": b"\x89PNG"}.items():
        with page.expect_download() as download:
            part(page, f"export-{name}").click()
        path = tmp_path / f"exported.{name}"
        download.value.save_as(path)
        assert download.value.suggested_filename.endswith(path.suffix)
        content = path.read_bytes()
        assert content.startswith(start)
        assert len(content) > 3_000
        assert b"<script" not in content
    parsed = page.evaluate(
        """(text) => {
          const picture = new DOMParser().parseFromString(text, "image/svg+xml");
          const { tagName } = picture.documentElement;
          return [tagName, picture.querySelector("parsererror") === null];
        }""",
        (tmp_path / "exported.svg").read_text(encoding="utf-8"),
    )
    assert parsed == ["svg", True]


def test_hostile_names_are_shown_as_text(show):
    model = hostile()
    page = show(view(model, title=HOSTILE[0], examples=[[0.0] * 6 + [HOSTILE[0]]]))
    assert part(page, "title").inner_text() == HOSTILE[0]
    n_elements = page.evaluate("document.querySelectorAll('script, img, iframe').length")
    assert n_elements == 2
    for scene in find_scenes(model):
        row = next(r for r in range(1, len(scene)) if hover(page, r))
        rule = part(page, "tooltip").locator(".ht-rule").inner_text()
        assert rule == scene.rule(row, show_missing=False)
        page.mouse.click(*place_of(page, row))
        for form in ("pandas", "sql", "text"):
            part(page, f"rule-{form}").click()
        press(page, "e")
        part(page, "example-choice").select_option("0")
        press(page, "]")
    part(page, "search").fill("<")
    assert page.evaluate("document.querySelectorAll('script, img, iframe').length") == n_elements


def test_each_of_many_classes_is_chosen(show):
    classifier, X, y = iris()
    page = show(view(classifier, X, y))
    names = part(page, "class").locator("option").all_inner_texts()
    assert names == ["setosa", "versicolor", "virginica"]
    part(page, "class").select_option("2")
    assert "virginica" in part(page, "tree-name").inner_text()
    (scene,) = find_scenes(classifier, tree=0, class_="virginica")
    row = next(r for r in range(len(scene)) if hover(page, r))
    rule = part(page, "tooltip").locator(".ht-rule").inner_text()
    assert rule == scene.rule(row, show_missing=False)


def test_a_class_without_trees_does_no_harm(show):
    empty = Ensemble((), [], [], -1.0)
    full = Ensemble((random_tree(4),), [1.0], [np.nan], 0.0)
    names = tuple(f"x{j}" for j in range(9))
    model = Model((empty, full, empty), "ovr", ["a", "b", "c"], names, (None,) * 9, "float64")
    page = show(view(model, examples=np.zeros((1, 9))))
    press(page, "e")
    part(page, "example-choice").select_option("0")
    assert "score" in part(page, "prediction").inner_text()


def test_a_tree_of_one_node_is_shown(show):
    page = show(view(model_of(random_tree(1))))
    press(page, "f", "c", "e", "i")
    assert state(page, "tree") == 0


def test_a_node_is_moved_to_the_middle_and_back(show):
    page = show(view(breast_cancer()[0]))
    box = part(page, "disk").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    row = next(r for r in range(1, 20) if hover(page, r))
    press(page, "c")
    page.wait_for_timeout(100)
    assert math.dist(place_of(page, row), middle) < 1.5
    press(page, "Escape")
    page.wait_for_timeout(100)
    assert math.dist(place_of(page, row), middle) > 20.0


def test_the_disk_is_enlarged_and_moved(show):
    page = show(view(breast_cancer()[0]))
    press(page, "End", "f")
    assert state(page, "fit")
    assert state(page, "zoom") >= 1.0
    press(page, "0")
    assert state(page, "zoom") == 1
    box = part(page, "disk").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0.0, -300.0)
    wait_for(page, "horotree.viewers[0].state.zoom > 1")
    before = place_of(page, 1)
    page.mouse.down()
    page.mouse.move(x + 60.0, y + 40.0, steps=3)
    page.mouse.up()
    after = place_of(page, 1)
    assert math.dist(after, (before[0] + 60.0, before[1] + 40.0)) < 1.0


def test_looks_are_chosen(show):
    page = show(view(breast_cancer()[0]), color_scheme="dark")
    root = page.locator("#horotree")
    assert root.get_attribute("data-theme") == "dark"
    seen = {picture(page)}
    for name, value in [("theme", "light"), ("scheme", "gray"), ("isolines", "confidence")]:
        part(page, name).select_option(value)
        seen.add(picture(page))
    assert len(seen) == 4
    assert root.get_attribute("data-theme") == "light"


def test_a_tree_of_a_hundred_thousand_nodes_is_shown(show):
    page = show(view(model_of(random_tree(50_001))))
    assert "100" in part(page, "panel-tree").inner_text()
    part(page, "t-slider").fill("0.2")
    page.wait_for_timeout(600)
    assert hover(page, 0) or state(page, "hovered") >= 0


def test_every_control_has_a_name(show):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y, examples=X[:2]))
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, [tabindex='0']")]
        .filter((e) => !(e.textContent.trim() || e.ariaLabel || e.labels?.length
                         || e.getAttribute("aria-labelledby")))
        .map((e) => e.outerHTML)"""
    )
    assert unnamed == []


def test_other_scripts_and_requests_are_refused(browser, tmp_path):
    path = view(breast_cancer()[0]).write_html(tmp_path / "page.html")
    page = browser.new_page()
    watched = Watched(page)
    page.goto(path.as_uri())
    page.evaluate(
        """() => { const script = document.createElement("script");
        script.textContent = "window.hacked = true"; document.body.append(script); }"""
    )
    assert page.evaluate("typeof window.hacked") == "undefined"
    request = "fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')"
    assert page.evaluate(request) == "refused"
    assert any("Content Security Policy" in error for error in watched.errors)
    assert watched.requests == [path.as_uri()]
    page.close()


def test_a_page_without_javascript_says_so(browser, tmp_path):
    path = view(breast_cancer()[0]).write_html(tmp_path / "page.html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert "JavaScript" in page.locator("body").inner_text()
    context.close()


def test_damaged_data_are_explained(browser, tmp_path):
    seen = View(breast_cancer()[0].model_, b"not deflated", "Damaged")
    page = browser.new_page()
    page.goto(seen.write_html(tmp_path / "page.html").as_uri())
    assert "cannot be shown" in page.get_by_role("alert").inner_text()
    page.close()


def test_a_frame_draws_and_cannot_reach_the_page_around_it(browser, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html>{to_iframe(view(iris()[0]).html)}", encoding="utf-8")
    page = browser.new_page()
    watched = Watched(page)
    page.goto(path.as_uri())
    page.frame_locator("iframe").locator("[data-ht='disk'] canvas").first.wait_for()
    (_, frame) = page.frames
    wait_for(frame, "globalThis.horotree?.stats?.firstPaint > 0")
    reach = "(() => { try { return parent.document.title; } catch { return 'refused'; } })()"
    assert frame.evaluate(reach) == "refused"
    assert watched.errors == []
    page.close()


def test_the_widgets_module_shows_and_changes_models(browser, require):
    require("anywidget")
    first, second = encode(iris()[0], title="First"), encode(mixed()[0], title="Second")
    page = browser.new_page()
    watched = Watched(page)
    page.goto("about:blank")
    page.evaluate(
        """async ([source, first, second]) => {
          const bytes = (list) => new DataView(new Uint8Array(list).buffer);
          const traits = { data: bytes(first), height: "500px" };
          const listeners = [];
          const model = { get: (name) => traits[name], on: (_, f) => listeners.push(f),
                          off: (_, f) => listeners.splice(listeners.indexOf(f), 1) };
          const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          const widget = (await import(address)).default;
          const el = document.body.appendChild(document.createElement("div"));
          window.remove = await widget.render({ model, el });
          window.change = () => { traits.data = bytes(second); return listeners[0](); };
          window.count = () => listeners.length + el.children.length;
        }""",
        [str(view(iris()[0]).widget._esm), list(first), list(second)],
    )
    assert part(page, "title").inner_text() == "First"
    assert page.locator(".horotree").bounding_box()["height"] == 500.0
    page.evaluate("window.change()")
    assert part(page, "title").inner_text() == "Second"
    assert page.evaluate("horotree.viewers.length") == 1
    page.evaluate("window.remove()")
    wait_for(page, "horotree.viewers.length === 0")
    assert page.evaluate("window.count()") == 0
    assert watched.errors == []
    page.close()


def test_the_center_is_switched_and_all_that_is_drawn_follows(show):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y))
    assert state(page, "center") == "half"
    part(page, "disk").focus()
    press(page, "ArrowDown", "Enter")
    tree = classifier.model_.ensembles[0].trees[0]
    scenes = {c: find_scenes(classifier, X, y, tree=0, center=c)[0] for c in ("half", "base")}
    chosen = int(scenes["half"].embedding.node[state(page, "selected")])
    before = picture(page)
    part(page, "center").select_option("base")
    assert state(page, "center") == "base"
    assert picture(page) != before
    shown = int(scenes["base"].embedding.monotonic.host[chosen])
    assert scenes["base"].embedding.node[state(page, "selected")] == shown
    for center, scene in scenes.items():
        part(page, "center").select_option(center)
        part(page, "tab-tree").click()
        assert state(page, "t") == scene.embedding.t
        items = part(page, "strongest").locator("li").all_inner_texts()
        rows = scene.strongest(5)
        assert len(items) == len(rows)
        for item, row in zip(items, rows, strict=True):
            assert all(line in item for line in describe(scene, row))
        count = len(scene.embedding.node)
        assert f"{count} of its {tree.n_nodes} nodes" in part(page, "panel-tree").inner_text()


@pytest.mark.parametrize("center", ["half", "base"])
def test_the_walk_of_an_example_is_counted_from_the_center(show, center):
    classifier, X, _ = breast_cancer()
    (ensemble,) = classifier.model_.ensembles
    page = show(view(classifier, examples=X[:1], center=center))
    part(page, "tab-example").click()
    part(page, "example-choice").select_option("0")
    score = float(classifier.model_.score(X[:1])[0])
    roots = ensemble.base_value + sum(
        a * tree.value[0] for a, tree in zip(ensemble.leverage, ensemble.trees, strict=True)
    )
    moves = [
        a * float(tree.output[leaf] - (tree.value[0] if center == "base" else 0.0))
        for a, tree, leaf in zip(
            ensemble.leverage, ensemble.trees, ensemble.apply(X[:1])[0], strict=True
        )
    ]
    shown = part(page, "example-trees").locator(".ht-number").all_inner_texts()
    assert len(shown) == 10
    strongest = sorted(moves, key=abs, reverse=True)[:10]
    numbers = [float(text.replace("\u2212", "-")) for text in shown]
    np.testing.assert_allclose(numbers, strongest, rtol=6e-3)
    if center == "half":
        assert part(page, "example-intercept").count() == 0
        return
    content = part(page, "example-intercept").inner_text().replace("\u2212", "-")
    intercept, moved = (float(x) for x in re.findall(r"[-+][\d.]+(?=[ :])", content))
    assert intercept == pytest.approx(roots, rel=1e-3)
    assert intercept + moved == pytest.approx(score, rel=2e-3)


@pytest.mark.parametrize("center", ["half", "base"])
def test_an_exported_picture_says_what_its_marks_mean(show, tmp_path, center):
    classifier, X, y = breast_cancer()
    page = show(view(classifier, X, y, center=center))
    with page.expect_download() as download:
        part(page, "export-svg").click()
    download.value.save_as(tmp_path / "exported.svg")
    text = (tmp_path / "exported.svg").read_text(encoding="utf-8")
    assert ("says 1" in text) == (center == "half")
    assert ("more 1 than the root" in text) == (center == "base")
    assert "Held-out data: " in text


def test_the_example_of_one_of_many_classes_says_whose_score_it_is(show):
    classifier, X, _ = iris()
    page = show(view(classifier, examples=X[:1]))
    part(page, "tab-example").click()
    part(page, "example-choice").select_option(index=1)
    text = part(page, "example-result").inner_text()
    name = classifier.classes_[0]
    assert f"Score for {name}, tree by tree" in text
    assert f"Strongest trees for {name}" in text


def test_one_tree_is_no_all_1_trees(show):
    X, y = breast_cancer()[1:]
    page = show(view(LogLossTreeClassifier(max_leaf_nodes=4).fit(X, y), examples=X[:1]))
    part(page, "tab-example").click()
    part(page, "example-choice").select_option(index=1)
    assert "from its one tree" in part(page, "prediction").inner_text()
