"""A model as the viewer reads it: a JSON header and typed arrays, deflated.

What is deflated (raw, without a zlib header) is, with all numbers little-endian,

    uint32      length of the header
    header      JSON in UTF-8
    zeros       up to a multiple of 8
    arrays      each from a multiple of 8 on, counted from the first

The header's ``arrays`` say of each array its name, dtype (i8 u8 i16 u16 i32 u32 f32 f64), offset in
bytes from the first array, and length in entries. Integers are as narrow as they fit. The trees of
all ensembles follow each other: T trees with N nodes, of which K are kept.

    treeStart [T+1]             where the nodes of each tree start
    leverage edge maxConfidence leverageConfidence [T]      NaN if unknown
    left right [N]              children, counted from the tree's first node; -1 at leaves
    feature [N]                 -1 at leaves
    threshold [inner nodes]     0 at sets of categories
    missingLeft [N]
    value [N]                   what is drawn: the logit of the posterior
    output [N]                  what a leaf adds to the score; only if it is not its value
    weight [N]                  share of the root's; NaN if unknown
    count [N]                   -1 if unknown
    cover [leaves]              training rows, as weighed; only where the header's cover is "weight"
    categoryStart [N+1], category       the codes that go left at each node; none at numeric tests
    kept [N], angle [K]         the nodes of the monotonic trees, and where they are
    heldValue heldLow heldHigh heldCount heldVerdict [K]    if there are held-out data
    exampleX [n × features]     if there are examples: numbers, codes, NaN for missing

If the page does not have all trees, ``shown`` in the header has of each ensemble the ``numbers`` of
those that it has, ``of`` how many, and the ``scores`` of the examples by all of them; else None.

``names`` in the header has, where they are not plain words, the texts of names and labels in rules:
for people, pandas and SQL (None where there is none); see ``rule_texts``.
"""

import json
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from horotree._checks import Floats
from horotree.embedding import DiskEmbedding, embed_model
from horotree.importers import from_model
from horotree.trees import HeldOut, Model, held_out, rename_with_tables
from horotree.trees._joining import join, join_trees
from horotree.trees._labels import find_places
from horotree.trees.covers import find_cover, leaf_covers
from horotree.trees.naming import Names

from .names import display, rule_texts
from .selection import Trees, select_trees

VERSION = 1

# More rows cannot be looked at one by one.
MAX_EXAMPLES = 1_000

# The verdicts by their code.
VERDICTS = ("none", "few", "agrees", "weaker", "stronger", "flipped")

# What is only shown keeps so many bits, four digits: the rest would be most of the file.
SHOWN_BITS = 13

_INTEGERS = ("i1", "u1", "i2", "u2", "i4", "u4")

Arrays = dict[str, NDArray[Any]]


def encode(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    examples: Any = None,
    example_classes: Any = None,
    class_names: Names | None = None,
    feature_names: Names | None = None,
    trees: Trees = "auto",
    title: str | None = None,
) -> bytes:
    """Return a model as the viewer reads it.

    Parameters
    ----------
    model : Model, estimator, or what ``from_model`` takes
        The trees.
    X, y : table and classes, optional
        Data that were not used in training, for the held-out positions of nodes. No row of them is
        in the result.
    examples : data frame or array_like, optional
        Rows to follow through the trees, at most 1,000. All that is known of a row is in the
        result, its name in a data frame's index, too.
    example_classes : array_like, optional
        The classes of these rows.
    class_names, feature_names : mapping or sequence of str, optional
        What classes and features are called, as in ``view``.
    trees : {"auto", "all"}, int or sequence of int
        Which trees are in the result, as in ``view``.
    title : str, optional
        What the picture is of.

    Returns
    -------
    bytes

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from horotree import LogisticBoostClassifier
    >>> from horotree.viewer.payload import encode
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> payload = encode(LogisticBoostClassifier(n_estimators=5).fit(X, y))
    >>> len(payload) < 10_000
    True
    """
    known, X, examples = rename_with_tables(
        from_model(model), X, examples, class_names=class_names, feature_names=feature_names
    )
    if (X is None) != (y is None):
        given, other = ("X", "y") if y is None else ("y", "X")
        raise ValueError(f"X and y belong together, got {given} only: pass {other}, too.")
    if not any(ensemble.trees for ensemble in known.ensembles):
        raise ValueError("the model has no trees to show: nothing could be learned from its data.")
    selection = select_trees(known, trees)
    shown = selection.shown
    embeddings = [embedding for part in embed_model(shown) for embedding in part]
    truth = None if X is None else selection.evaluate(held_out, X, y)
    rows, told = _take_examples(known, examples, example_classes)
    arrays = {
        **_by_tree(shown),
        **_by_node(shown),
        **_covers(shown),
        **_places(embeddings),
        **({} if truth is None else _truths(truth)),
        **rows,
    }
    header = _header(shown, title or _count_trees(known)) | {
        "layoutT": embeddings[0].t,
        "heldOut": truth is not None,
        "examples": told,
        "shown": selection.to_header(None if examples is None else known.to_matrix(examples)),
        "notes": [
            *selection.notes,
            *known.notes,
            *([] if truth is None else [f"Held-out data: {truth}."]),
        ],
    }
    return _pack(header, arrays)


# --- the header -----------------------------------------------------------------------------------


def _count_trees(model: Model) -> str:
    n = sum(len(ensemble.trees) for ensemble in model.ensembles)
    return f"{n:,} {'tree' if n == 1 else 'trees'}"


def _header(model: Model, title: str) -> dict[str, Any]:
    classes = [display(name) for name in model.class_names]
    n_trees = [len(ensemble.trees) for ensemble in model.ensembles]
    last = np.cumsum(n_trees).tolist()
    one = len(model.ensembles) == 1
    names = rule_texts(model.columns)
    return {
        "version": VERSION,
        "title": display(title),
        "link": model.link,
        "classes": classes,
        "features": [display(name) for name in model.feature_names],
        "categories": [
            None if labels is None else [display(label) for label in labels]
            for labels in model.categories
        ],
        **({} if names is None else {"names": names}),
        "inputDtype": model.input_dtype,
        "method": "exact",
        "cover": find_cover(model),
        "ensembles": [
            {
                "positive": 1 if one else k,
                "negative": classes[0] if one else f"not {classes[k]}",
                "baseValue": ensemble.base_value,
                "trees": [last[k] - n_trees[k], last[k]],
            }
            for k, ensemble in enumerate(model.ensembles)
        ],
        "nTrees": last[-1],
    }


def _take_examples(model: Model, table: Any, classes: Any) -> tuple[Arrays, dict[str, Any] | None]:
    """Return rows as an array, and what the header says of them."""
    if table is None:
        if classes is not None:
            raise ValueError("example_classes are those of examples, got no examples: pass both.")
        return {}, None
    X = model.to_matrix(table)
    if not 1 <= len(X) <= MAX_EXAMPLES:
        raise ValueError(
            f"examples must be 1 to {MAX_EXAMPLES:,} rows, to be looked at one by one, got "
            f"{len(X):,}: pass those to follow through the trees."
        )
    labels = None
    if classes is not None:
        places = find_places(classes, model.classes, len(X))
        labels = [display(model.class_names[place]) for place in places]
    # A data frame of pandas has an index of labels, a list a method of that name.
    index = getattr(table, "index", None)
    names = range(len(X)) if index is None or callable(index) else index.tolist()
    shown = [f"row {name}" if isinstance(name, int) else display(name) for name in names]
    return {"exampleX": X.ravel()}, {"n": len(X), "labels": labels, "names": shown}


# --- the arrays -----------------------------------------------------------------------------------


def _by_tree(model: Model) -> Arrays:
    def joined(name: str) -> NDArray[Any]:
        return join([getattr(ensemble, name) for ensemble in model.ensembles])

    return {
        "leverage": joined("leverage"),
        "edge": joined("edge"),
        "maxConfidence": joined("max_confidence"),
        "leverageConfidence": joined("leverage_confidence"),
    }


def _by_node(model: Model) -> Arrays:
    trees = [tree for ensemble in model.ensembles for tree in ensemble.trees]
    table = join_trees(trees)
    weights = [tree.weight for tree in trees]
    arrays = {
        "treeStart": _narrow(_starts(table["n_nodes"])),
        "left": _narrow(table["left"]),
        "right": _narrow(table["right"]),
        "feature": _narrow(table["feature"]),
        "threshold": _exact(table["threshold"][table["left"] >= 0]),
        "missingLeft": table["missing_left"].view(np.uint8),
        "value": _single(table["value"]),
        "weight": _shown(join([w / w[0] if w[0] > 0.0 else w * np.nan for w in weights])),
        "count": _narrow(table["count"]),
        "categoryStart": _narrow(_starts(table["set_size"])),
        "category": _narrow(table["category"]),
    }
    if not np.array_equal(table["output"], table["value"]):
        arrays["output"] = _single(table["output"])
    return arrays


def _covers(model: Model) -> Arrays:
    """Return the exact covers of leaves, unless they are among the counts: see ``find_cover``."""
    if find_cover(model) != "weight":
        return {}
    covers = leaf_covers(model, "weight")
    whole = covers.astype(np.int64) if covers.max(initial=0.0) < 2**53 else covers
    return {"cover": _narrow(whole) if np.array_equal(whole, covers) else _exact(covers)}


def _places(embeddings: Sequence[DiskEmbedding]) -> Arrays:
    kept = join([embedding.monotonic.is_kept for embedding in embeddings])
    angle = join([embedding.angle for embedding in embeddings])
    return {"kept": kept.view(np.uint8), "angle": angle.astype(np.float32)}


def _truths(truth: HeldOut) -> Arrays:
    code_of = {name: code for code, name in enumerate(VERDICTS)}
    return {
        "heldValue": _shown(truth.value),
        "heldLow": _shown(truth.low_value),
        "heldHigh": _shown(truth.high_value),
        "heldCount": _narrow(truth.count),
        "heldVerdict": np.array([code_of[name] for name in truth.verdict.tolist()], np.uint8),
    }


def _starts(sizes: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def _narrow(integers: NDArray[Any]) -> NDArray[Any]:
    """Return integers in the narrowest type that holds them; floats hold what no other does."""
    low, high = (int(f(integers, initial=0)) for f in (np.min, np.max))
    for name in _INTEGERS:
        kind = np.iinfo(name)
        if kind.min <= low and high <= kind.max:
            return integers.astype(name)
    return integers.astype(np.float64)


def _exact(floats: Floats) -> NDArray[Any]:
    """Return floats in single precision if they are the same in it."""
    with np.errstate(over="ignore"):
        single = floats.astype(np.float32)
    return single if np.array_equal(single, floats) else floats


def _single(floats: Floats) -> NDArray[Any]:
    """Return floats in single precision, unless some would become infinite or zero."""
    with np.errstate(over="ignore", under="ignore"):
        single = floats.astype(np.float32)
    fits = np.isfinite(single).all() and np.array_equal(single == 0.0, floats == 0.0)
    return single if fits else floats


def _shown(floats: Floats) -> NDArray[np.float32]:
    """Return floats in single precision, rounded to the bits that are shown."""
    bits = floats.astype(np.float32).view(np.uint32)
    dropped = 24 - SHOWN_BITS
    half, rest = np.uint32(1 << (dropped - 1)), np.uint32((1 << dropped) - 1)
    return ((bits + half) & ~rest).view(np.float32)  # infinity and NaN stay what they are


# --- the bytes ------------------------------------------------------------------------------------


def _pack(header: dict[str, Any], arrays: Arrays) -> bytes:
    listed, parts, offset = [], [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        dtype = f"{array.dtype.kind}{8 * array.dtype.itemsize}"
        listed.append({"name": name, "dtype": dtype, "offset": offset, "length": len(array)})
        parts.append(data + _padding(len(data)))
        offset += len(parts[-1])
    text = json.dumps(
        header | {"arrays": listed}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    ).encode()
    start = struct.pack("<I", len(text)) + text
    # 9 takes six times as long, for files that are less than a hundredth smaller.
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    blob = b"".join([start, _padding(len(start)), *parts])
    return deflate.compress(blob) + deflate.flush()


def _padding(length: int) -> bytes:
    return bytes(-length % 8)
