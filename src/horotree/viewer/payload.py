"""A model as the viewer reads it: a JSON header and typed arrays, deflated.

The deflated bytes (raw, without a zlib header) are, with all numbers little-endian,

    uint32      length of the header
    header      JSON in UTF-8
    zeros       up to a multiple of 8
    arrays      each from a multiple of 8 on, counted from the first

The header's ``arrays`` say of each array its name, dtype (i8 u8 i16 u16 i32 u32 f16 f32 f64),
offset in bytes from the first array, and length in entries; if it is ``planar``, the first bytes of
all entries come first, then the second ones, and so on. Integers are as narrow as they fit. The
trees of all ensembles follow each other: T trees with N nodes, L of them leaves. Pictures have two
centers, even odds ("half") and the root ("base"): H nodes are kept for the one, B for the other, U
for either. The header's ``center`` is the one to begin with; ``layoutT`` has the temperature of
both layouts, ``heldOut`` what came of held-out data.

    treeStart [T+1]             where the nodes of each tree start
    leverage edge [T]           NaN if unknown
    maxConfidenceHalf maxConfidenceBase [T]     of the leaves, from either center
    left right [N]              children, counted from the tree's first node; -1 at leaves; right
                                only if it does not always follow left
    feature [N]                 -1 at leaves
    threshold [inner nodes]     0 at sets of categories
    missingLeft [N]
    value [N]                   what is drawn: the logit of a posterior or class share, or a margin
    output [N]                  what a leaf adds to the score; only if it is not its value
    weight [L or N]             share of the root's; NaN if unknown
    count [L or N]              training examples; -1 if unknown
    cover [L]                   training rows, as weighed; only where the header's cover is "weight"
    categoryStart [N+1], category       the codes that go left at each node; none at numeric tests
    kept [N]                    1 if kept for "half", 2 for "base", 3 for both, else 0
    angleHalf [H], angleBase [B]        where the kept nodes are

and, if there are held-out data,

    heldValue heldLow heldHigh [U]      as in ``held_out``: of the two intervals the wider
    heldVerdictHalf [H], heldVerdictBase [B]
    rows positive [L]           how many rows end at a leaf, and how many of them are of the class
    probability [L]             the model's mean probability of the class over these rows

and, if there are examples,

    exampleX [n × features]     numbers, codes, NaN for missing

Arrays of L are of what adds up: an inner node has the sum of its children (of ``probability`` the
mean over their rows).

If the page does not have all trees, ``shown`` in the header has of each ensemble the ``numbers`` of
those that it has, ``of`` how many, and the ``scores`` of the examples by all of them; else None.

``names`` in the header has, where they are not plain words, the texts of names and labels in rules:
for people, pandas and SQL (None where there is none); see ``rule_texts``.
"""

from itertools import count
from typing import Any

import numpy as np

from horotree._checks import Floats
from horotree.evaluation.rows import Rows, read_rows_if_given
from horotree.io import from_model
from horotree.scene import Scenes, lay_out
from horotree.trees import Model, base_rates, find_center, rename_with_tables
from horotree.trees.choice import TreeChoice
from horotree.trees.naming import Names
from horotree.trees.rules import one_line
from horotree.trees.tables import find_places

from .arrays import Arrays, pack
from .covers import find_cover
from .examples import classes_of_examples
from .names import are_codes, rule_texts
from .progress import Reporter, ignore
from .quality import describe_agreement, describe_importance, describe_quality
from .selection import Selection, select_trees
from .tables import CENTERS, by_data, by_node, by_tree, covers_of, places

VERSION = 2

# The most rows that can be followed.
MAX_EXAMPLES = 1_000


def encode(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    examples: Any = None,
    example_classes: Any = None,
    class_names: Names | None = None,
    feature_names: Names | None = None,
    tree: TreeChoice = "all",
    max_trees: int | str | None = "auto",
    center: str = "auto",
    title: str | None = None,
    report: Reporter = ignore,
) -> bytes:
    """Return a model as the viewer reads it.

    ``report`` is called with the current work, how much of it is done, and its total, 0 if unknown;
    all other parameters are those of ``view``. No row of X is in the result.

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
    rows = read_rows_if_given(known, X, y, "hold nodes against")
    if not any(ensemble.trees for ensemble in known.ensembles):
        raise ValueError("the model has no trees to show: nothing could be learned from its data.")
    selection = select_trees(known, tree, max_trees)
    shown, scenes = selection.shown, _lay_out(selection, rows, report)
    report("Looking up the nodes of rows", 0, 0)
    if example_classes is None:
        example_classes = classes_of_examples(known, X, y, examples)
    followed, described = _take_examples(known, examples, example_classes)
    arrays = {
        **by_tree(scenes),
        **by_node(shown),
        **covers_of(shown),
        **places(scenes),
        **by_data(scenes),
        **followed,
    }
    header = _header(shown, title or _count_trees(known), base_rates(known)) | {
        "center": find_center(known, center),
        "layoutT": {c: drawn.t for c, drawn in scenes.items()},
        "heldOut": rows and {c: f"Held-out data: {s.held_out}." for c, s in scenes.items()},
        "quality": rows and describe_quality(known, rows),
        "agreement": rows and describe_agreement(known, rows),
        "importance": describe_importance(known),
        "gaps": sorted(scenes["half"].gaps),
        "examples": described,
        "shown": selection.to_header(None if examples is None else known.to_matrix(examples)),
        "notes": [*selection.notes, *known.notes],
    }
    report("Packing", 0, 0)
    return pack(header, arrays)


def _lay_out(selection: Selection, rows: Rows | None, report: Reporter) -> dict[str, Scenes]:
    """Return the scenes of the selected trees, by center."""
    text, n = f"Laying out {_count_trees(selection.shown)}", sum(map(len, selection.trees))
    done = count(1)

    def follow() -> None:
        report(text, next(done) // len(CENTERS), n)

    report(text, 0, n)
    options: dict[str, Any] = {"rows": rows, "t": "chosen", "report": follow}
    return {c: lay_out(selection.whole, selection.chosen, center=c, **options) for c in CENTERS}


def _count_trees(model: Model) -> str:
    n = sum(len(ensemble.trees) for ensemble in model.ensembles)
    return f"{n:,} {'tree' if n == 1 else 'trees'}"


def _header(model: Model, title: str, rates: Floats) -> dict[str, Any]:
    classes = [one_line(name) for name in model.class_names]
    n_trees = [len(ensemble.trees) for ensemble in model.ensembles]
    last = np.cumsum(n_trees).tolist()
    one = len(model.ensembles) == 1
    names = rule_texts(model.columns)
    return {
        "version": VERSION,
        "title": one_line(title),
        "link": model.link,
        "valueKind": model.value_kind,
        "classes": classes,
        "features": [one_line(name) for name in model.feature_names],
        "categories": list(map(_labels, model.categories)),
        **({} if names is None else {"names": names}),
        "inputDtype": model.input_dtype,
        "method": "exact",
        "cover": find_cover(model),
        "ensembles": [
            {
                "positive": model.targets[k],
                "negative": classes[0] if one else f"not {classes[k]}",
                "baseValue": ensemble.base_value,
                "baseRate": float(rates[k]),
                "trees": [last[k] - n_trees[k], last[k]],
            }
            for k, ensemble in enumerate(model.ensembles)
        ],
        "nTrees": last[-1],
    }


def _labels(labels: tuple[Any, ...] | None) -> list[str] | int | None:
    """Return the displayed labels; for codes only their number."""
    if labels is None or are_codes(labels):
        return None if labels is None else len(labels)
    return [one_line(label) for label in labels]


def _take_examples(model: Model, table: Any, classes: Any) -> tuple[Arrays, dict[str, Any] | None]:
    """Return the examples as an array, and their part of the header."""
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
        labels = [one_line(model.class_names[place]) for place in places]
    # A data frame of pandas has an index of labels, a list a method of that name.
    index = getattr(table, "index", None)
    names = range(len(X)) if index is None or callable(index) else index.tolist()
    shown = [f"row {name}" if isinstance(name, int) else one_line(name) for name in names]
    return {"exampleX": X.ravel()}, {"n": len(X), "labels": labels, "names": shown}
