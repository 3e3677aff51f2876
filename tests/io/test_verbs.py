"""The public face: every verb takes every kind of model, and one rule for tree=, class_, n_jobs."""

import inspect

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import horotree
from horotree import LogisticBoostClassifier, LogLossTreeClassifier

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::3], Y[::3]
ROWS = X[:40], Y[:40]


def saved(model, folder):
    horotree.save(model, folder / "saved.horotree")
    return folder / "saved.horotree"


def scenes_of(embeddings):
    return [np.stack([e.distance, e.angle]).tolist() for part in embeddings for e in part]


# What each verb says of a model, in a form that can be compared.
VERBS = {
    "from_model": lambda m, _: horotree.from_model(m),
    "save": lambda m, folder: saved(m, folder).read_bytes(),
    "embed_model": lambda m, _: scenes_of(horotree.embed_model(m)),
    "agreement": lambda m, _: str(horotree.agreement(m, *ROWS)),
    "comparison": lambda m, _: str(horotree.comparison(m, m, *ROWS)),
    "held_out": lambda m, _: str(horotree.held_out(m, *ROWS)),
    "quality": lambda m, _: str(horotree.quality(m, *ROWS)),
    "segments": lambda m, _: str(horotree.evaluation.segments.segments(m, *ROWS).to_frame(m)),
    "view": lambda m, _: horotree.view(m, *ROWS, progress=False).payload,
    "DiskDisplay": lambda m, _: horotree.DiskDisplay.from_estimator(m).scene.distance.tolist(),
    "EnsembleDisplay": lambda m, _: len(horotree.EnsembleDisplay.from_estimator(m).scenes),
    "TreeDisplay": lambda m, _: horotree.TreeDisplay.from_estimator(m).monotonic.value.tolist(),
}
# Names without a model of any kind as an argument.
OTHERS = {
    "LogLossTreeClassifier",
    "LogisticBoostClassifier",
    "Model",
    "__version__",
    "embed",
    "geometry",
    "load",
    "monotonic",
    "tempered",
}


def own(_, __):
    return LogisticBoostClassifier(n_estimators=2, max_leaf_nodes=6).fit(X, Y)


def foreign(package, name, suffix=None, **options):
    """Return what makes a classifier of another library, or a file of it."""

    def make(require, folder):
        model = getattr(require(package), name)(**options).fit(X, Y)
        if suffix is None:
            return model
        path = folder / f"model{suffix}"
        getattr(model, "booster_", model).save_model(str(path))
        return path

    return make


def search(_, __):
    return GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [2, 3]}).fit(X, Y)


KINDS = {
    "Model": lambda r, f: own(r, f).model_,
    "estimator": own,
    "tree": lambda _, __: LogLossTreeClassifier(max_leaf_nodes=6).fit(X, Y),
    "own file": lambda r, f: saved(own(r, f), f),
    "own file, as text": lambda r, f: str(saved(own(r, f), f)),
    "pipeline of own": lambda r, f: make_pipeline(StandardScaler(), own(r, f)).fit(X, Y),
    "sklearn": lambda _, __: RandomForestClassifier(2, max_depth=3, random_state=0).fit(X, Y),
    "sklearn search": search,
    "xgboost": foreign("xgboost", "XGBClassifier", n_estimators=2, max_depth=3),
    "xgboost file": foreign("xgboost", "XGBClassifier", ".json", n_estimators=2, max_depth=3),
    "lightgbm": foreign("lightgbm", "LGBMClassifier", n_estimators=2, verbose=-1),
    "lightgbm file": foreign("lightgbm", "LGBMClassifier", ".txt", n_estimators=2, verbose=-1),
    "catboost": foreign("catboost", "CatBoostClassifier", n_estimators=2, depth=3, silent=True),
    "catboost file": foreign(
        "catboost", "CatBoostClassifier", ".cbm", n_estimators=2, depth=3, silent=True
    ),
}


@pytest.fixture(scope="module")
def models():
    """Each kind of model with its Model, made once."""
    return {}


@pytest.mark.filterwarnings("ignore")  # of other libraries, and of what importers estimate
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_every_kind_of_model(verb, kind, models, require, tmp_path_factory):
    if kind not in models:
        model = KINDS[kind](require, tmp_path_factory.mktemp("models"))
        models[kind] = model, horotree.from_model(model)
    model, known = models[kind]
    folder = tmp_path_factory.mktemp("saved")
    assert VERBS[verb](model, folder) == VERBS[verb](known, folder)


def test_the_table_has_every_public_name():
    assert set(horotree.__all__) == OTHERS | (VERBS.keys() - {"segments"})


def public_callables():
    """Yield the functions, constructors and methods that users call, by name."""
    modules = (horotree.trees, horotree.evaluation.segments, horotree.evaluation.predictions)
    names = {name: getattr(horotree, name) for name in horotree.__all__}
    for module in modules:
        names |= vars(module)
    for name, value in names.items():
        if inspect.isfunction(value) and not name.startswith("_"):
            yield name, value
        if inspect.isclass(value):
            members = inspect.getmembers(value, inspect.isfunction)
            yield from ((f"{name}.{m}", f) for m, f in members if not m.startswith("_"))


# What is called with a number of threads, from those that are.
KERNELS = {
    "Ensemble.apply",
    "Ensemble.score",
    "Ensemble.staged_score",
    "find_leaves",
    "node_weights",
    "score_matrix",
}


def test_threads_are_asked_for_as_n_jobs():
    takes = {"n_threads": set(), "n_jobs": set()}
    for name, value in public_callables():
        for asked in takes.keys() & inspect.signature(value).parameters.keys():
            takes[asked].add(name)
    assert {name for name in takes["n_threads"] if not name.endswith("_at")} <= KERNELS
    assert takes["n_jobs"] >= {"held_out", "agreement", "quality", "Model.score", "Model.predict"}


MODEL = LogisticBoostClassifier(n_estimators=3, max_leaf_nodes=4).fit(X, Y).model_
MANY = {
    "held_out": lambda tree: horotree.held_out(MODEL, *ROWS, tree=tree).tree,
    "segments": lambda tree: horotree.evaluation.segments.segments(MODEL, *ROWS, tree=tree).tree,
    "select": lambda tree: MODEL.select(tree=tree)[0],
}
ONE = {
    "DiskDisplay": horotree.DiskDisplay.from_estimator,
    "TreeDisplay": horotree.TreeDisplay.from_estimator,
}


@pytest.mark.parametrize("find", MANY.values(), ids=MANY)
@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (0, {0}),
        (-1, {2}),
        (np.int64(1), {1}),
        ([2, 0], {0, 2}),
        ((1, -2), {1}),
        (range(2), {0, 1}),
        (np.array([0, 2]), {0, 2}),
        ("all", {0, 1, 2}),
        (None, {0, 1, 2}),
    ],
)
def test_one_rule_says_which_trees(find, tree, expected):
    assert set(map(int, find(tree))) == expected


@pytest.mark.parametrize("find", MANY.values(), ids=MANY)
@pytest.mark.parametrize(
    ("tree", "error", "text"),
    [
        (3, ValueError, "tree must be from 0 to 2, got 3"),
        ([0, -4], ValueError, "tree must be from 0 to 2, got -4"),
        ("first", TypeError, "tree must be a whole number, a list of such, or 'all', got 'first'"),
        (1.0, TypeError, "got 1.0"),
    ],
)
def test_what_names_no_tree_is_refused(find, tree, error, text):
    with pytest.raises(error, match=text):
        find(tree)


@pytest.mark.parametrize("draw", ONE.values(), ids=ONE)
@pytest.mark.parametrize("tree", ["all", None, [0, 1], 0.5])
def test_pictures_of_one_tree_take_one_number(draw, tree):
    with pytest.raises(TypeError, match="tree must be one whole number, got"):
        draw(MODEL, tree=tree)


def test_two_classes_may_have_one_ensemble_about_the_second():
    assert MODEL.targets == (1,)
    assert [MODEL.find_ensemble(c) for c in (None, 0, 1)] == [0, 0, 0]
    three = LogisticBoostClassifier(n_estimators=1).fit(X, np.arange(len(X)) % 3).model_
    assert three.targets == (0, 1, 2)
    assert [three.find_ensemble(c) for c in (None, 0, 2)] == [0, 0, 2]
    assert three.select(2) == {2: [0]}
    with pytest.raises(ValueError, match=r"class_ must be one of \[0, 1, 2\], got 3"):
        three.select(3)
