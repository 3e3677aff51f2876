"""The paper's figures of domains: drawn from any data, the same again, and truthful."""

import contextlib
import dataclasses
import hashlib
import io
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from experiments.context import MissingDataError
from experiments.drawing import contact_sheet, pictures
from experiments.drawing.disks import new_page, paint_disks
from experiments.figures import dt_vs_mdt_paper, first_ten, papers_example, summary, t_self
from experiments.results_table import read_table
from experiments.study.synthetic import twitter_like
from horotree.geometry.tself import norm_t
from tests.experiments.made import quick_context

FIGURES = (dt_vs_mdt_paper, first_ten, papers_example, summary, t_self)
NAMES = ("online_shoppers_intention", "analcatdata_supreme", "abalone", "hardware")
LABELS = Path(__file__).parents[1] / "paper" / "labels.txt"


@pytest.fixture(scope="module", autouse=True)
def few_pixels():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "DPI", 50.0)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return where each figure was made, its paths, and what was said meanwhile."""
    all_ = quick_context(tmp_path_factory.mktemp("figures"), *NAMES)
    one = quick_context(tmp_path_factory.mktemp("figure"), NAMES[0])
    contexts = {module: one if module is first_ten else all_ for module in FIGURES}
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        paths = {module: module.run(context) for module, context in contexts.items()}
    return contexts, paths, said.getvalue()


@pytest.fixture(scope="module")
def trees(made):
    context = made[0][summary]
    return {name: pictures.grow(context.domain(name), 3) for name in NAMES[:2]}


def texts_of(figure):
    found = [text.get_text() for text in figure.texts]
    return found + [text.get_text() for ax in figure.axes for text in ax.texts]


def test_the_paper_s_pictures_of_domains_all_have_an_experiment():
    wanted = {label for label in LABELS.read_text("utf-8").split() if "exerpt" in label}
    assert len(wanted) == 10
    assert set(first_ten.LABEL.split()) | {summary.LABEL} == wanted


def digests_of(paths, pictures):
    """Return digests of pictures by whether they are for the page, and by name."""
    return {
        (path.parent == pictures, path.name): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.suffix == ".png"
    }


@pytest.mark.parametrize("module", FIGURES, ids=lambda module: module.NAME)
def test_a_figure_is_the_same_when_made_again_elsewhere(made, module, tmp_path):
    contexts, paths, _ = made
    context = contexts[module]
    folders = {name: tmp_path / name for name in ("output", "results", "pictures")}
    again = module.run(dataclasses.replace(context, **folders))
    before, after = (
        digests_of(paths[module], context.pictures),
        digests_of(again, folders["pictures"]),
    )
    assert after
    assert after == before


@pytest.mark.parametrize("module", FIGURES, ids=lambda module: module.NAME)
def test_the_section_of_a_figure_shows_the_pictures_that_were_made_for_it(made, module):
    contexts, paths, _ = made
    context = contexts[module]
    page = module.page(context.results)
    assert page.startswith("## ")
    shown = re.findall(r"\]\(images/([^)]+)\)", page)
    assert sorted(shown) == sorted(p.name for p in paths[module] if p.parent == context.pictures)
    for line in page.splitlines():
        assert len(line) <= 100 or line.startswith(("|", "![")), line


@pytest.mark.parametrize("module", FIGURES, ids=lambda module: module.NAME)
def test_without_data_a_figure_is_refused(tmp_path, module):
    with pytest.raises(MissingDataError, match="data not available"):
        module.run(quick_context(tmp_path))


def test_a_picture_of_the_page_looks_like_the_figure(made, trees):
    image = pytest.importorskip("PIL.Image")
    context = made[0][summary]
    scenes = pictures.take_scenes(trees[NAMES[0]], NAMES[0], "exact", [0])
    figure = contact_sheet.contact_sheet(scenes, "x", "exact")
    *_, small = pictures.save(context, figure, "look", on_page=True)
    path = pictures.style.save_figure(figure, context.output / "full.png", dpi=pictures.DPI)
    few, full = (np.asarray(image.open(p).convert("RGB"), float) for p in (small, path))
    assert few.shape == full.shape
    assert np.abs(few - full).mean() < 0.5
    for color in pictures.MARK_COLORS[:2]:  # marks keep their colors, even if there are few
        here = (np.abs(full - 255.0 * np.array(to_rgb(color))) < 1.0).all(axis=2)
        assert here.any()
        assert np.abs(few - full)[here].max() <= 2.0
    assert len(np.unique(few.reshape(-1, 3), axis=0)) <= pictures.N_COLORS
    assert small.stat().st_size < path.stat().st_size


def test_the_first_trees_of_few_are_those_of_many(made):
    context = made[0][summary]
    data = context.domain(NAMES[0])
    few, many = (pictures.grow(data, n).ensembles[0].trees for n in (2, 4))
    assert len(many) == 4
    for tree, other in zip(few, many, strict=False):
        assert np.array_equal(tree.value, other.value)
        assert np.array_equal(tree.threshold, other.threshold)


def test_trees_are_grown_by_the_paper_s_setting(made):
    context = made[0][summary]
    data = context.domain(NAMES[0])
    (tree,) = pictures.grow(data, 1).ensembles[0].trees
    assert np.isfinite(tree.value).all()
    # Not smoothed: the root is the logit of the class share.
    share = data.y.mean()
    assert tree.value[0] == pytest.approx(np.log(share / (1.0 - share)), abs=1e-9)


@pytest.mark.parametrize("t", [1.0, 0.0])
def test_nodes_are_drawn_at_the_norm_of_their_confidence(trees, t):
    scenes = pictures.take_scenes(trees[NAMES[0]], NAMES[0], "exact", [0, 1])
    _, page = new_page(8.0, 4.0, "", "")
    centers = np.array([[2.0, 2.0], [6.0, 2.0]])
    paint_disks(page, scenes, centers, 1.5, t=t, isolines=(0.9,))
    drawn = np.concatenate(
        [np.asarray(c.get_offsets()) for c in page.collections if c.get_zorder() == 3.0]
    )
    gaps = np.hypot(*(drawn[:, None, :] - centers).transpose(2, 0, 1)).min(axis=1)
    wanted = np.concatenate([1.5 * np.asarray(norm_t(s.distance, t=t)) for s in scenes])
    assert np.allclose(np.sort(gaps), np.sort(wanted), atol=1e-9)


@pytest.mark.parametrize("method", pictures.METHODS)
def test_a_contact_sheet_tells_rounds_errors_and_temperatures(trees, method):
    scenes = pictures.take_scenes(trees[NAMES[1]], NAMES[1], method, range(3))
    texts = texts_of(contact_sheet.contact_sheet(scenes, NAMES[1], method))
    assert {"#1", "#2", "#3", "t = 1", "t = 0", "says courts agreed"} <= set(texts)
    errors = [f"ρ = {100.0 * scene.embedding.error:.1f} %" for scene in scenes]
    if method == "sarkar":
        assert set(errors) <= set(texts)
    else:
        assert any("ρ = 0" in text for text in texts)
        assert all(scene.embedding.error == 0.0 for scene in scenes)


def test_the_table_of_the_first_ten_has_both_embeddings_of_every_tree(made):
    context = made[0][first_ten]
    lines = read_table(context.results, first_ten.NAME)
    assert len(lines) == 2 * context.n_trees
    for line in lines:
        is_exact = line["method"] == "exact"
        assert (float(line["error"]) == 0.0 and line["crossings"] == "0") or not is_exact
        assert int(line["kept"]) <= int(line["nodes"])
    assert any(float(line["error"]) > 0.0 for line in lines)


def test_data_in_place_of_twitter_are_said_to_be_made(made):
    contexts, _, said = made
    context = contexts[t_self]
    assert re.search("data not available: .*twitter.*synthetic data of the same shape", said)
    lines = read_table(context.results, t_self.NAME)
    assert {line["domain"] for line in lines} == {NAMES[0], "synthetic", "hardware"}
    page = t_self.page(context.results)
    assert "**the data are not available**" in page
    data = twitter_like(300)
    scenes = pictures.take_scenes(pictures.grow(data, 1), data.name, "exact", [0])
    texts = texts_of(t_self.draw_page([t_self.Panel(data.name, scenes[0])], "exact"))
    assert "synthetic, in place of twitter, tree #1" in texts


def test_made_data_are_as_wide_as_twitter_and_the_same_again():
    first, second = twitter_like(500), twitter_like(500)
    assert first.X.shape == (500, 78)
    assert np.array_equal(first.X, second.X)
    assert 0.05 < first.y.mean() < 0.45
    assert (np.floor(first.X) == first.X).all()


def test_the_surest_nodes_come_apart_in_the_t_self(trees):
    (scene,) = pictures.take_scenes(trees[NAMES[0]], NAMES[0], "exact", [0])
    panel = t_self.Panel(NAMES[0], scene)
    surest = np.sort(np.abs(scene.value))[::-1][: t_self.N_BEST]
    assert np.array_equal(np.abs(scene.value)[panel.best], surest)
    for t in (1.0, 0.0):
        norm = np.asarray(norm_t(surest, t=t))
        assert panel.spread(t) == pytest.approx(500.0 * (norm[0] - norm[-1]))
