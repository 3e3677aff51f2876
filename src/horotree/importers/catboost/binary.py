"""CatBoost's .cbm files: a head of eight bytes, and a FlatBuffer."""

import numpy as np

from horotree.importers.formats import flatbuffers
from horotree.importers.formats.flatbuffers import BufferTable
from horotree.importers.shared.documents import whole

from .contents import CatFeature, Contents, FloatFeature, make_borders, refuse_features
from .trees import grow_stepwise, grow_symmetric

HEAD = b"CBM1"

# The places of fields in the schema, of a model and of its trees.
_TREES, _INFO = 1, 2
_DIMENSION, _SPLITS, _SIZES, _STARTS = 0, 1, 2, 3
_CATS, _FLOATS, _ONE_HOT = 4, 5, 6
_VALUES, _WEIGHTS, _STEPS, _LEAVES = 8, 9, 10, 11
_SCALE, _BIAS, _MULTI_BIAS = 14, 15, 16
_REFUSED = {7: "ctr", 12: "text", 18: "embedding", 13: "estimated"}

# Missing values of a column that had some in training go right iff its treatment is AsTrue.
_AS_TRUE = 2


def parse(data: bytes) -> Contents:
    """Read what ``save_model`` writes; raise ValueError if it is not that, or cut off."""
    size = int.from_bytes(data[4:8], "little")
    if not data.startswith(HEAD) or len(data) < 8 + size:
        raise ValueError(
            f"a .cbm file must start with CBM1 and have the {size} bytes that it says, got "
            f"{len(data) - 8}: it is damaged or cut off."
        )
    core = flatbuffers.root(data[8 : 8 + size])
    trees = core.table(_TREES)
    if trees is None:
        raise ValueError("the file must have trees, got none: it is damaged.")
    return _read(trees, {pair.text(0): pair.text(1) for pair in core.tables(_INFO)})


def _read(trees: BufferTable, info: dict[str, str]) -> Contents:
    for field, kind in _REFUSED.items():
        if trees.length(field):
            raise refuse_features(kind)
    n_classes = whole(trees.number(_DIMENSION, "int32", 0), "ApproxDimension", 1)
    values = trees.numbers(_VALUES, "float64")
    sizes = trees.numbers(_SIZES, "int32").astype(np.int64)
    splits = trees.numbers(_SPLITS, "int32").astype(np.int64)
    starts = trees.numbers(_STARTS, "int32")
    if len(starts) and starts.tolist() != (np.cumsum(sizes) - sizes).tolist():
        raise ValueError("trees must follow each other, without gaps: the file is damaged.")
    steps = trees.numbers(_STEPS, "uint32").astype(np.int64)
    if len(steps):
        both = np.stack([steps & 0xFFFF, steps >> 16], axis=1)
        leaves = trees.numbers(_LEAVES, "uint32").astype(np.int64)
        skeleton = grow_stepwise(sizes, splits, both, leaves, len(values), n_classes)
    else:
        skeleton = grow_symmetric(sizes, splits, len(values), n_classes)
    bias = trees.numbers(_MULTI_BIAS, "float64")
    if not len(bias):  # older files have one number
        bias = np.full(n_classes, trees.number(_BIAS, "float64", 0.0))
    return Contents(
        floats=[_read_float(feature) for feature in trees.tables(_FLOATS)],
        cats=_read_cats(trees),
        skeleton=skeleton,
        values=values.reshape(-1, n_classes),
        weights=trees.numbers(_WEIGHTS, "float64"),
        scale=trees.number(_SCALE, "float64", 1.0),
        bias=bias,
        info=dict(info),
    )


def _read_float(feature: BufferTable) -> FloatFeature:
    place, name = _place(feature.number(2, "int32", -1)), feature.text(4)
    has_nans, treatment = feature.number(0, "bool", False), feature.number(5, "int8", 0)
    borders = make_borders(feature.numbers(3, "float32"), name or str(place))
    return FloatFeature(place, name, borders, not (has_nans and treatment == _AS_TRUE))


def _read_cats(trees: BufferTable) -> list[CatFeature]:
    """Return the columns of categories; those with splits in the order of their splits."""
    columns = {table.number(0, "int32", -1): table for table in trees.tables(_CATS)}
    found = []
    for one_hot in trees.tables(_ONE_HOT):
        table = columns.pop(one_hot.number(0, "int32", -1), None)
        if table is None:
            raise ValueError("categories must be those of a column: the file is damaged.")
        hashes = one_hot.numbers(1, "int32").astype(np.int64)
        labels = tuple(one_hot.texts(2))
        found.append(
            CatFeature(_place(table.number(1, "int32", -1)), table.text(2), hashes, labels)
        )
    return found + [
        CatFeature(_place(table.number(1, "int32", -1)), table.text(2), np.empty(0, np.int64), ())
        for table in columns.values()
    ]


def _place(number: int) -> int:
    return whole(number, "the number of a column", 0, 2**20)
