"""Embedding by name: methods and their options, the automatic t, whole models, real trees."""

import doctest
import itertools
import math
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import horotree
from benchmarks.machinery import data
from horotree import LogisticBoostClassifier, LogLossTreeClassifier
from horotree.embedding import automatic_t, embed, embed_model, largest_confidence
from horotree.embedding.embed import OUTERMOST
from horotree.embedding.exact import place_exact
from horotree.embedding.sarkar import place_sarkar
from horotree.trees import monotonic
from tests.embedding.samples import (
    generators,
    make_tree,
    monotonic_trees,
    path,
    random_monotonic,
    random_tree,
)

PAGE = Path(__file__).parents[2] / "docs" / "embedding.md"

# Smoothed and not: the second is the paper's, and keeps more nodes.
SETTINGS = [
    {},
    {"smoothing": 0, "learning_rate": 1, "pure_leaves": "forbid", "max_bins": None},
]
# The least that is wanted of real trees: by t, the median of the smallest distance of two nodes on
# a disk of 1000 px, and of how many are nearer than 6 px to another.
WANTED = {1.0: (5.6, 2), 0.0: (4.2, 2)}


@pytest.fixture(scope="module")
def tree():
    return random_monotonic(np.random.default_rng(0), 20)


@pytest.fixture(scope="module")
def classifier():
    dataset = data.generated()["moons-10"]()
    return LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=30).fit(dataset.X, dataset.y)


def test_the_page_on_embedding_runs_and_prints_what_it_says():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_links_of_the_page_lead_to_files():
    text = PAGE.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert "images/fig-sarkar.png" in targets
    for target in targets:
        assert (PAGE.parent / target).exists(), target


def test_embed_is_public():
    assert horotree.embed is embed


def test_exact_is_the_default(tree):
    assert embed(tree) == embed(tree, "exact") == embed(tree, method="exact", t="auto")
    assert embed(tree) == place_exact(tree, t=automatic_t(tree.confidence.max()))


def test_options_reach_their_method(tree):
    plain = place_exact(tree, t=0.3, budget="both", spacing=False)
    assert embed(tree, t=0.3, budget="both", spacing=False) == plain
    assert plain.t == 0.3
    for normalize in (False, True):
        expected = place_sarkar(tree, normalize=normalize)
        assert embed(tree, "sarkar", normalize=normalize) == expected
        assert embed(tree, "sarkar", normalize=normalize, t=1) == expected
    assert embed(tree, "sarkar") != embed(tree, "sarkar", normalize=True)


@pytest.mark.parametrize(("confidence", "t"), [(8.0, 0.618), (20.7, 0.226), (36.0, 0.020)])
def test_the_automatic_t_of_some_confidences(confidence, t):
    assert automatic_t(confidence) == pytest.approx(t, abs=5e-4)


def test_the_automatic_t_is_1_while_that_draws_within_norm_95():
    most = 2.0 * math.atanh(OUTERMOST)
    assert most == pytest.approx(3.6636, abs=1e-4)
    for confidence in (0.0, 1e-300, 1.0, most * (1.0 - 1e-9)):
        assert automatic_t(confidence) == 1.0
    assert 0.9999 < automatic_t(most * (1.0 + 1e-9)) < 1.0


@given(monotonic_trees())
def test_the_automatic_t_draws_the_most_confident_node_at_norm_95(monotonic_tree):
    embedding = embed(monotonic_tree)
    norm = np.tanh(0.5 * embedding.drawn().max())
    assert norm <= OUTERMOST * (1.0 + 1e-12)
    assert embedding.t == 1.0 or norm == pytest.approx(OUTERMOST, rel=1e-12)


def test_all_trees_of_a_model_are_embedded_at_one_temperature(classifier):
    model = classifier.model_
    (embeddings,) = embed_model(model)
    largest = max(tree.confidence.max() for tree in model.ensembles[0].trees)
    assert largest_confidence(*model.ensembles) == largest
    assert {embedding.t for embedding in embeddings} == {automatic_t(largest)}
    for embedding, tree in zip(embeddings, model.ensembles[0].trees, strict=True):
        assert embedding.monotonic == monotonic(tree)
        assert embedding == embed(monotonic(tree), t=automatic_t(largest))
    assert embed_model(classifier) == (embeddings,)


def test_a_model_is_embedded_with_the_options_given(classifier):
    trees = [monotonic(tree) for tree in classifier.model_.ensembles[0].trees]
    (embeddings,) = embed_model(classifier, t=0.2, spacing=False, budget="weight")
    assert embeddings == tuple(embed(x, t=0.2, spacing=False, budget="weight") for x in trees)
    (embeddings,) = embed_model(classifier, "sarkar", normalize=True)
    assert embeddings == tuple(embed(x, "sarkar", normalize=True) for x in trees)


def test_a_model_of_many_classes_has_a_tuple_of_embeddings_for_each():
    X = np.random.default_rng(0).normal(size=(90, 2))
    y = np.arange(90) % 3
    fitted = LogisticBoostClassifier(n_estimators=2, max_leaf_nodes=4).fit(X + y[:, None], y)
    parts = embed_model(fitted)
    assert [len(part) for part in parts] == [len(e.trees) for e in fitted.model_.ensembles]
    assert len({embedding.t for part in parts for embedding in part}) == 1


def test_children_go_around_in_one_order_in_every_tree(classifier):
    """First those whose leaves are mostly positive, by rising gain, then the others, by falling."""
    n_families = 0
    for embedding in embed_model(classifier, spacing=False)[0]:
        kept = embedding.monotonic
        balance = np.where(kept.is_leaf, np.where(kept.value > 0.0, 1, -1), 0)
        for node in range(len(kept) - 1, 0, -1):
            balance[kept.parent[node]] += balance[node]
        first = np.where(balance == 0, kept.value > 0.0, balance > 0)
        key = np.where(first, kept.confidence - 1e9, 1e9 - kept.confidence)
        for node in np.flatnonzero(~kept.is_leaf):
            children = np.flatnonzero(kept.parent == node)
            in_order = children[np.argsort(embedding.angle[children])]
            assert (np.diff(key[in_order]) >= 0.0).all()
            n_families += len(children) > 1
    assert n_families > 20


@given(generators, st.integers(1, 30))
def test_which_child_is_the_left_one_makes_no_difference(rng, n_leaves):
    tree = random_tree(rng, n_leaves)
    value = rng.normal(0.0, 3.0, tree.n_nodes)
    one = embed(monotonic(make_tree(tree.left, tree.right, value)))
    two = embed(monotonic(make_tree(tree.right, tree.left, value)))
    np.testing.assert_array_equal(one.angle, two.angle)


def test_a_tree_or_an_estimator_in_place_of_a_monotonic_tree_is_refused(tree):
    for wrong in (tree.tree, LogLossTreeClassifier(), None):
        with pytest.raises(TypeError, match=r"pass monotonic\(tree\), or call embed_model"):
            embed(wrong)


def test_what_is_no_model_is_refused(tree):
    with pytest.raises(ValueError, match=r"of a supported library, got a .*MonotonicTree"):
        embed_model(tree)


def test_an_unknown_method_is_refused(tree):
    with pytest.raises(ValueError, match="method must be 'exact' or 'sarkar', got 'best'"):
        embed(tree, "best")


@pytest.mark.parametrize(
    ("method", "option"),
    [
        ("exact", {"normalize": True}),
        ("sarkar", {"t": 0.5}),
        ("sarkar", {"budget": "weight"}),
        ("sarkar", {"spacing": False}),
    ],
)
def test_an_option_of_the_other_method_is_refused(tree, method, option):
    (name,) = option
    with pytest.raises(ValueError, match=f"method '{method}' has no option '{name}'"):
        embed(tree, method, **option)


@pytest.mark.parametrize("t", ["warm", None, math.nan, math.inf])
def test_a_temperature_that_is_none_is_refused(tree, t):
    with pytest.raises((TypeError, ValueError), match=r"\bt must"):
        embed(tree, t=t)


def test_another_temperature_moves_nodes_along_their_radii():
    embedding = embed(path([0.5, 2.0, 30.0]))
    drawn = [embedding.drawn(t=t) for t in (-1.0, 0.0, embedding.t)]
    assert all((low < high).all() for low, high in itertools.pairwise(drawn))


def learned_trees(datasets):
    """Return the monotonic trees with 20 nodes or more that boosting learns in three rounds."""
    found = []
    for dataset in datasets:
        for setting in SETTINGS:
            fitted = LogisticBoostClassifier(n_estimators=3, **setting).fit(dataset.X, dataset.y)
            found += [monotonic(tree) for tree in fitted.model_.ensembles[0].trees]
    return [monotonic_tree for monotonic_tree in found if len(monotonic_tree) >= 20]


def check_real_trees(monotonic_trees):
    assert len(monotonic_trees) >= 10
    for t, (separation, n_close) in WANTED.items():
        qualities = [embed(monotonic_tree, t=t).quality() for monotonic_tree in monotonic_trees]
        assert {(quality.error, quality.crossings) for quality in qualities} == {(0.0, 0)}
        assert np.median([quality.separation for quality in qualities]) >= separation
        assert np.median([quality.n_close for quality in qualities]) <= n_close


def test_trees_learned_from_generated_data_are_well_separated():
    generated = data.generated()
    loaders = [data.breast_cancer, *(generated[f"{name}-10"] for name in ("moons", "clusters"))]
    check_real_trees(learned_trees([load() for load in loaders]))


def test_trees_learned_from_the_domains_are_well_separated():
    folder = data.find_folder(None)
    if folder is None:
        pytest.skip("there is no folder of domains")
    domains = data.find_domains(folder)
    names = ("ionosphere", "german", "winered", "qsar", "abalone")
    check_real_trees(learned_trees([domains[name]() for name in names if name in domains]))


@pytest.mark.parametrize("n_threads", [0, 1])
def test_where_the_system_has_no_more_threads_trees_are_embedded_all_the_same(
    monkeypatch, n_threads
):
    X, y = np.random.default_rng(0).normal(size=(300, 3)), np.arange(300) % 3
    model = LogisticBoostClassifier(n_estimators=4, max_leaf_nodes=8).fit(X, y).model_
    expected = embed_model(model)
    start, left = threading.Thread.start, itertools.repeat(None, n_threads)

    def refuse(thread):
        if next(left, thread) is thread:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    reports = []
    assert embed_model(model, report=lambda: reports.append(1)) == expected
    assert len(reports) == sum(len(ensemble.trees) for ensemble in model.ensembles)
