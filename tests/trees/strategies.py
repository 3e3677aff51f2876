"""What hypothesis draws: valid trees, ensembles and models, and rows and tables to feed them.

Columns are given by their number of categories, 0 for numbers. Shapes, names and labels are drawn
one by one; the numbers in a tree or a matrix come from one drawn seed, which is many times faster.
Thresholds and numbers share a small pool, so that rows often lie on thresholds.
"""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from horotree.trees import Ensemble, Model
from tests.factories import make_tree, random_shape

POOL = np.array([-1e300, -2.5, -1.0, -0.0, 0.0, 0.1, 1.0 / 3.0, 1.0, 3.0, 1e300])

# Any string is a feature's name or a label: nothing in it is interpreted.
names = st.text(max_size=8) | st.sampled_from(["../x", "<b>", "a\x00b", "π", "\ud800", '"', ""])
labels = st.one_of(
    names,
    st.integers(-(2**70), 2**70),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)

# Number of categories of each column: some numeric, some with few or with more than 64 labels.
n_categories = st.lists(st.sampled_from([0, 0, 1, 2, 5, 70]), min_size=1, max_size=5)
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def numbers(rng, n):
    """Return numbers of the pool and others."""
    return np.where(rng.random(n) < 0.7, rng.choice(POOL, n), rng.normal(0.0, 3.0, n))


@st.composite
def trees(draw, sizes=n_categories, *, max_leaves=8, shares=False):
    """Draw a tree that tests columns with these numbers of categories."""
    sizes = draw(sizes) if isinstance(sizes, st.SearchStrategy) else sizes
    return random_tree(draw(generators), sizes, draw(st.integers(1, max_leaves)), shares=shares)


def random_tree(rng, sizes, n_leaves, *, shares=False):
    """Return a tree with so many leaves; with shares its outputs are within [0, 1]."""
    left, right = random_shape(rng, n_leaves)
    n, inner = len(left), left >= 0
    feature = np.where(inner, rng.integers(0, len(sizes), n), -1)
    size = np.where(inner, np.asarray(sizes)[feature], -1)
    sets = [sorted({*rng.integers(0, k, rng.integers(1, 6))}) if k > 0 else [] for k in size]
    value = rng.normal(0.0, 3.0, n)
    return make_tree(
        left,
        right,
        value,
        feature=feature,
        threshold=np.where(size == 0, numbers(rng, n), 0.0),
        missing_left=rng.random(n) < 0.5,
        sets=sets,
        output=rng.random(n) if shares else np.where(rng.random(n) < 0.5, value, numbers(rng, n)),
        weight=np.where(rng.random(n) < 0.8, rng.exponential(9.0, n), np.nan),
        count=rng.integers(-1, 10**12, n),
    )


# Few confidences, of both signs, so that many tie; the value 0 is a posterior of 1/2.
TIES = np.array([0.0, 0.0, -0.25, 0.25, -1.0, 1.0, -1.5, 1.5, -4.0, 4.0])


def random_tied_tree(rng, sizes, n_leaves):
    """Return a tree whose values tie more or less often; it predicts them."""
    n = 2 * n_leaves - 1
    tied = rng.choice(TIES[: rng.integers(2, len(TIES) + 1)], n)
    value = np.where(rng.random(n) < rng.choice([0.5, 0.9, 1.0]), tied, rng.normal(0.0, 2.0, n))
    return replace(random_tree(rng, sizes, n_leaves), value=value, output=value)


@st.composite
def tied_trees(draw, sizes=n_categories, *, max_leaves=12):
    """Draw a tree with ties, that tests columns with these numbers of categories."""
    sizes = draw(sizes) if isinstance(sizes, st.SearchStrategy) else sizes
    return random_tied_tree(draw(generators), sizes, draw(st.integers(1, max_leaves)))


def chain(value, rng):
    """Return a tree in which one child of each inner node is a leaf, on either side."""
    n = len(value)
    left, right = np.full(n, -1), np.full(n, -1)
    inner = np.arange(0, n - 1, 2)
    swap = rng.random(len(inner)) < 0.5
    left[inner], right[inner] = inner + 1 + swap, inner + 2 - swap
    return make_tree(
        left,
        right,
        value,
        threshold=np.where(left >= 0, rng.normal(size=n), 0.0),
        missing_left=(left >= 0) & (rng.random(n) < 0.5),
    )


@st.composite
def ensembles(draw, sizes=n_categories, *, max_trees=4, shares=False):
    """Draw an ensemble, also one without trees; with shares its scores are within [0, 1]."""
    sizes = draw(sizes) if isinstance(sizes, st.SearchStrategy) else sizes
    forest = draw(st.lists(trees(sizes, shares=shares), min_size=shares, max_size=max_trees))
    rng, n = draw(generators), len(forest)
    if shares:
        return Ensemble(tuple(forest), np.full(n, 1.0 / n), np.full(n, np.nan), 0.0)
    edge = np.where(rng.random(n) < 0.8, rng.random(n), np.nan)
    return Ensemble(tuple(forest), rng.normal(size=n), edge, rng.normal())


@st.composite
def models(draw, links=("logistic", "softmax", "ovr", "mean")):
    """Draw a model with any link, classes and labels of any type."""
    sizes = draw(n_categories)
    link = draw(st.sampled_from(links))
    n_classes = 2 if link == "logistic" else draw(st.integers(2, 4))
    alone = link == "logistic" or (link == "mean" and n_classes == 2 and draw(st.booleans()))
    parts = [
        draw(ensembles(sizes, max_trees=2, shares=link == "mean"))
        for _ in range(1 if alone else n_classes)
    ]
    distinct = st.lists(names, min_size=len(sizes), max_size=len(sizes), unique=True)
    return Model(
        ensembles=tuple(parts),
        link=link,
        classes=draw(classes(n_classes)),
        feature_names=tuple(draw(distinct)),
        categories=tuple(draw(_labels(size)) if size else None for size in sizes),
        input_dtype=draw(st.sampled_from(["float64", "float32"])),
    )


@st.composite
def _labels(draw, size):
    """Draw that many labels: a few of any type, then numbered ones."""
    drawn = draw(st.lists(labels, max_size=min(size, 3), unique=True))
    return tuple([*drawn, *(f"label {i}" for i in range(size))][:size])


@st.composite
def classes(draw, n):
    """Draw classes: an array of one type, or of objects."""
    unique = {"min_size": n, "max_size": n, "unique": True}
    kind = draw(st.sampled_from(["int64", "uint8", "float32", "str", "object"]))
    if kind in ("int64", "uint8"):
        return np.array(draw(st.lists(st.integers(0, 255), **unique)), kind)
    if kind == "float32":
        return np.array(draw(st.lists(st.floats(-1e6, 1e6, width=32), **unique)), kind)
    if kind == "str":
        plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
        return np.array(draw(st.lists(plain, **unique)))
    array = np.empty(n, object)
    array[:] = draw(st.lists(labels, **unique))
    return array


@st.composite
def matrices(draw, sizes, max_rows=12):
    """Draw rows as the ensembles read them: numbers, codes, NaN."""
    rng, n = draw(generators), draw(st.integers(0, max_rows))
    X = np.empty((n, len(sizes)))
    for j, size in enumerate(sizes):
        X[:, j] = rng.integers(0, size, n) if size else numbers(rng, n)
    X[rng.random(X.shape) < 0.15] = np.nan
    return X


@st.composite
def tables(draw, model, max_rows=8):
    """Draw rows as users have them for a model: numbers, labels and None."""
    rng, n = draw(generators), draw(st.integers(1, max_rows))
    table = np.empty((n, len(model.feature_names)), object)
    for j, known in enumerate(model.categories):
        if known is None:
            table[:, j] = numbers(rng, n)
        else:
            table[:, j] = [known[code] for code in rng.integers(0, len(known), n)]
    table[rng.random(table.shape) < 0.15] = None
    return table
