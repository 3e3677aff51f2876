"""Pages of large models have some of the trees, say so, and say of the model what holds of all."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier

from horotree import from_model, held_out
from horotree.evaluation.rows import read_rows
from horotree.evaluation.segments import segments
from horotree.scene import lay_out
from horotree.trees import Ensemble, Model
from horotree.viewer import encode, selection, view
from horotree.viewer.selection import Selection, select_trees
from tests.viewer.models import breast_cancer, iris, model_of, random_tree
from tests.viewer.payload.decoder import decode


def forest(n_trees=30):
    X, y = load_breast_cancer(return_X_y=True)
    return from_model(RandomForestClassifier(n_trees, random_state=0).fit(X, y)), X, y


def boosted(n_trees=12):
    """Return a model whose trees add more the later they are, but for the sixth."""
    leverage = np.arange(1.0, n_trees + 1.0)
    leverage[5] = -100.0
    return model_of(*(random_tree(20, seed) for seed in range(n_trees)), leverage=leverage)


def test_small_models_are_shown_whole():
    model, *_ = forest()
    chosen = select_trees(model)
    assert chosen.is_all
    assert chosen.shown is model
    assert chosen.notes == []
    assert decode(encode(model))[0]["shown"] is None


@pytest.mark.parametrize("most", [1, 400, 500, 1_000, 3_000])
def test_what_is_shown_unasked_has_so_many_nodes_at_most(monkeypatch, most):
    monkeypatch.setattr(selection, "MAX_NODES", most)
    for model in (forest()[0], boosted(), iris()[0].model_):
        n_nodes = sum(tree.n_nodes for e in model.ensembles for tree in e.trees)
        chosen = select_trees(model)
        assert chosen.is_all == (n_nodes <= most)
        shown = sum(tree.n_nodes for e in chosen.shown.ensembles for tree in e.trees)
        assert shown <= most or all(len(numbers) == 1 for numbers in chosen.trees)
        assert all(chosen.trees)


def test_as_many_trees_as_fit_are_shown(monkeypatch):
    model, *_ = forest()
    sizes = [tree.n_nodes for tree in model.ensembles[0].trees]
    monkeypatch.setattr(selection, "MAX_NODES", 300)
    (numbers,) = select_trees(model).trees
    n = len(numbers)
    assert sum(sizes[j] for j in numbers) <= 300
    more = select_trees(model, max_trees=n + 1).trees[0]
    assert sum(sizes[j] for j in more) > 300


@pytest.mark.parametrize("n", [1, 2, 7, 29, 30])
def test_trees_of_a_forest_are_evenly_spread(n):
    model, *_ = forest()
    (numbers,) = select_trees(model, max_trees=n).trees
    assert len(numbers) == n
    gaps = np.diff(numbers)
    assert numbers[0] == 0
    assert n == 1 or numbers[-1] == 29
    assert n == 1 or gaps.max() - gaps.min() <= 1


def test_of_other_models_those_that_add_most_are_shown():
    model = boosted()
    (numbers,) = select_trees(model, max_trees=3).trees
    most = np.abs(model.ensembles[0].leverage_confidence)
    assert 5 in numbers  # what is subtracted counts, too
    assert numbers == tuple(sorted(np.argsort(-most)[:3]))
    assert "strongest" in select_trees(model, max_trees=3).notes[0]


def test_trees_are_chosen_by_number_in_every_ensemble_that_has_them():
    model, *_ = forest()
    assert select_trees(model, [3, -1, 3]).trees == ((3, 29),)
    assert select_trees(model, np.array([4])).trees == ((4,),)
    trees = iris()[0].model_.ensembles[0].trees
    uneven = Model(
        tuple(Ensemble(trees[:n], np.ones(n), np.full(n, np.nan), 0.0) for n in (1, 3, 2)),
        "ovr",
        ["a", "b", "c"],
        tuple("wxyz"),
        (None,) * 4,
        "float64",
    )
    assert select_trees(uneven, [1, 2]).trees == ((), (1, 2), (1,))
    header, _ = decode(encode(uneven, tree=[1, 2]))
    assert [part["trees"] for part in header["ensembles"]] == [[0, 0], [0, 2], [2, 3]]
    assert header["shown"]["of"] == [1, 3, 2]


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"max_trees": "some"}, ValueError, "1 or more, 'auto', or None for all, got 'some'"),
        ({"max_trees": 0}, ValueError, "1 or more"),
        ({"max_trees": -3}, ValueError, "1 or more"),
        ({"max_trees": True}, ValueError, "1 or more"),
        ({"max_trees": 2.5}, TypeError, "integer"),
        ({"tree": []}, ValueError, "must name a tree"),
        ({"tree": [12]}, ValueError, "from 0 to 11"),
        ({"tree": -13}, ValueError, "from 0 to 11"),
        ({"tree": [0.5]}, TypeError, "got 0.5"),
        ({"tree": "some"}, TypeError, "got 'some'"),
    ],
)
def test_what_selects_nothing_is_refused(options, error, match):
    with pytest.raises(error, match=match):
        encode(boosted(), **options)


def test_the_page_says_that_it_lacks_trees_and_keeps_their_numbers():
    model, *_ = forest()
    header, arrays = decode(view(model, max_trees=4).payload)
    assert header["shown"] == {"numbers": [[0, 10, 19, 29]], "of": [30], "scores": None}
    assert "4 of 30 trees are shown, evenly spread" in header["notes"][0]
    assert header["title"] == "30 trees"
    assert header["nTrees"] == 4
    trees = [model.ensembles[0].trees[j] for j in (0, 10, 19, 29)]
    assert arrays["treeStart"].tolist() == np.cumsum([0, *(t.n_nodes for t in trees)]).tolist()
    assert arrays["leverage"].tolist() == pytest.approx([1.0 / 30.0] * 4)  # the whole forest's


def test_scores_of_examples_are_those_of_the_whole_model():
    model, X, _ = forest()
    header, _ = decode(encode(model, examples=X[:5], max_trees=4))
    assert header["shown"]["scores"] == model.score(X[:5])[:, None].tolist()
    classifier, table, _ = iris()
    header, _ = decode(encode(classifier, examples=table[:3], tree=[0]))
    assert header["shown"]["scores"] == classifier.model_.score(table[:3]).tolist()


@pytest.mark.parametrize("name_of", ["held_out", "segments"])
@pytest.mark.parametrize("name", ["boosting", "forest", "iris", "uneven"])
def test_what_data_say_of_the_trees_is_what_they_say_in_the_whole_model(name_of, name):
    """Verdicts of boosting depend on the weights of the round: on trees that are not shown."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    if name == "iris":
        model, y = iris()[0].model_, y.map(dict(enumerate(iris()[0].classes_)))
    elif name == "uneven":
        model = from_model(RandomForestClassifier(5, random_state=0).fit(X, y))
    elif name == "forest":
        model, X, y = forest()
    else:
        classifier, X, y = breast_cancer()
        model = classifier.model_
    trees = ((0, 3), (2,), (1, 3)) if name in ("iris", "uneven") else ((1, 5),)
    chosen = Selection(model, trees, "as asked for")
    rows = read_rows(model, X, y, "count")
    scenes = lay_out(chosen.whole, chosen.chosen, rows, center="half")
    find = {"held_out": held_out, "segments": segments}[name_of]
    found, everything = getattr(scenes, name_of), find(model, X, y)
    rows = np.concatenate(
        [
            np.flatnonzero((everything.ensemble == k) & np.isin(everything.tree, numbers))
            for k, numbers in enumerate(trees)
        ]
    )
    for column in ("ensemble", "tree", "node", "count"):
        assert getattr(found, column).tolist() == getattr(everything, column)[rows].tolist()
    value = "value" if name_of == "held_out" else "probability"
    np.testing.assert_array_equal(getattr(found, value), getattr(everything, value)[rows])


def test_a_large_forest_is_a_small_page_by_default():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"v{j}": rng.normal(size=6_000) for j in range(6)})
    y = (X.v0 + rng.normal(size=6_000) > 0.0).astype(int)
    model = from_model(RandomForestClassifier(200, random_state=0, n_jobs=2).fit(X, y))
    assert sum(tree.n_nodes for tree in model.ensembles[0].trees) > 300_000
    page = view(model, X[:2_000], y[:2_000], examples=X[:10]).html
    assert len(page) < 5e6
