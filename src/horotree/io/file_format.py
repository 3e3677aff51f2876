"""Model files: arrays and a JSON header; no pickle, nothing is executed or looked up elsewhere.

A file is, with all numbers little-endian,

    8 bytes     b"HOROTREE"
    uint32      VERSION
    uint32      0
    uint64      length of the header
    uint64      length of the body
    header      JSON in ASCII: link, input_dtype, feature_names, classes, categories, and the
                counts of ensembles, trees, nodes, codes and gains; notes, value_kind, steps,
                class_names and has_names where they are not what is usual
    body        the arrays of ``ARRAYS``, in that order, of the lengths in ``counts``
    32 bytes    SHA-256 of everything before

All trees' nodes follow each other, ``n_nodes`` of each tree, and all ensembles' trees, ``n_trees``
of each; ``set_size`` is the number of codes in a node's set. The arrays are those of Tree and
Ensemble otherwise. Equal models make equal files. Reading checks lengths before it allocates,
the checksum before it parses, and the constructors of Tree, Ensemble and Model check the rest.

There are no gains if none is known. Files of format 1 have none; they are read as well.

To change the format: raise VERSION, let ``load`` go on reading every earlier one (see
``_arrays_in``) and test that it does. The first 16 bytes never change their meaning: they are how
an older horotree knows that a file is too new for it.
"""

import hashlib
import json
import math
import os
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from horotree.trees import Ensemble, Forest, Model, Steps
from horotree.trees.checks import NODE_FIELDS
from horotree.trees.forest import join, offsets
from horotree.trees.model import default_value_kind
from horotree.trees.tables import check_class_texts, has_default_names

VERSION = 2

MAGIC = b"HOROTREE"
PREFIX = struct.Struct("<8sIIQQ")
_DIGEST_SIZE = 32

# name: (type, which count is its length)
ARRAYS = {
    "base_value": ("<f8", "ensembles"),
    "n_trees": ("<i8", "ensembles"),
    "leverage": ("<f8", "trees"),
    "edge": ("<f8", "trees"),
    "n_nodes": ("<i8", "trees"),
    "threshold": ("<f8", "nodes"),
    "value": ("<f8", "nodes"),
    "output": ("<f8", "nodes"),
    "weight": ("<f8", "nodes"),
    "count": ("<i8", "nodes"),
    "left": ("<i4", "nodes"),
    "right": ("<i4", "nodes"),
    "feature": ("<i4", "nodes"),
    "set_size": ("<i4", "nodes"),
    "category": ("<i4", "codes"),
    "missing_left": ("|u1", "nodes"),
    "gain": ("<f8", "gains"),
}

# The arrays of a Forest, which has starts instead of n_nodes and set_size.
_FOREST = ("n_nodes", "set_size", "category", *NODE_FIELDS)

# The types that classes may have, besides strings and objects.
_CLASS_TYPES = ("bool", *(f"{kind}int{size}" for kind in ("", "u") for size in (8, 16, 32, 64)))
_CLASS_TYPES += ("float16", "float32", "float64")

# The errors that an invalid header can cause.
_INVALID = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
    MemoryError,
)

Arrays = dict[str, NDArray[Any]]
Layout = dict[str, tuple[str, str]]


class FileFormatError(ValueError):
    """A file is not a model that this version can read: the text says why, in one line."""


# --- the file -------------------------------------------------------------------------------------


def read_whole(file: BinaryIO) -> tuple[int, bytes, bytes]:
    """Return version, header and body, after the lengths and the checksum have been found right."""
    size = os.fstat(file.fileno()).st_size
    prefix = file.read(PREFIX.size)
    if prefix[: len(MAGIC)] != MAGIC[: len(prefix)] or not prefix:
        raise FileFormatError("this is not a horotree model file.")
    if len(prefix) < PREFIX.size:
        raise FileFormatError(f"the file is incomplete: it ends after {size} bytes.")
    _, version, _, header_size, body_size = PREFIX.unpack(prefix)
    if version > VERSION:
        raise FileFormatError(
            f"the file has format {version}, this horotree reads up to {VERSION}: upgrade horotree."
        )
    expected = PREFIX.size + header_size + body_size + _DIGEST_SIZE
    if size < expected:
        raise FileFormatError(f"the file is incomplete: {size} of {expected} bytes.")
    if size > expected or version == 0:
        raise FileFormatError(f"the file is damaged: {size} bytes instead of {expected}.")
    header, body, digest = file.read(header_size), file.read(body_size), file.read()
    if _digest(prefix, header, body) != digest:
        raise FileFormatError("the file is damaged: its checksum does not match.")
    return version, header, body


def _digest(*parts: bytes) -> bytes:
    total = hashlib.sha256()
    for part in parts:
        total.update(part)
    return total.digest()


# --- a model as bytes -----------------------------------------------------------------------------


def to_bytes(model: Model) -> bytes:
    """Return the content of a model file."""
    arrays = _arrays_of(model)
    counts = {count: len(arrays[name]) for name, (_, count) in ARRAYS.items()}
    default_kind = default_value_kind(model.link)
    header = json.dumps(
        {
            "link": model.link,
            "input_dtype": model.input_dtype,
            "feature_names": model.feature_names,
            "classes": classes_to_json(model.classes),
            "categories": list(map(_labels, model.categories)),
            "counts": counts,
            **({"notes": model.notes} if model.notes else {}),
            **({"value_kind": model.value_kind} if model.value_kind != default_kind else {}),
            **_names_to_json(model),
            **({"steps": model.steps.to_json()} if model.steps else {}),
            **({} if model.vote_weight is None else {"vote_weight": model.vote_weight}),
        },
        separators=(",", ":"),
    ).encode("ascii")
    body = b"".join(
        arrays[name].astype(dtype, copy=False).tobytes() for name, (dtype, _) in ARRAYS.items()
    )
    prefix = PREFIX.pack(MAGIC, VERSION, 0, len(header), len(body))
    return b"".join([prefix, header, body, _digest(prefix, header, body)])


def _names_to_json(model: Model) -> dict[str, Any]:
    """Return the fields about names that differ from the defaults."""
    texts = tuple(str(label) for label in model.classes.tolist())
    looks_named = not has_default_names(model.feature_names)
    return {
        **({"class_names": model.class_names} if model.class_names != texts else {}),
        **({"has_names": model.has_names} if model.has_names != looks_named else {}),
    }


def _arrays_of(model: Model) -> Arrays:
    forest = Forest.of(model.trees)
    return {
        "base_value": np.array([ensemble.base_value for ensemble in model.ensembles]),
        "n_trees": np.array([len(ensemble.trees) for ensemble in model.ensembles]),
        "leverage": join([ensemble.leverage for ensemble in model.ensembles]),
        "edge": join([ensemble.edge for ensemble in model.ensembles]),
        **{name: getattr(forest, name) for name in _FOREST},
        "gain": forest.gain[: 0 if np.isnan(forest.gain).all() else None],
    }


def from_bytes(version: int, header: bytes, body: bytes) -> Model:
    """Build a model; a file made to mislead, which has a right checksum, is refused as well."""
    try:
        fields = json.loads(header.decode("ascii"))
        return Model(
            ensembles=_ensembles(_split_body(body, fields["counts"], _arrays_in(version))),
            link=fields["link"],
            classes=_classes_from_json(fields["classes"]),
            feature_names=tuple(fields["feature_names"]),
            categories=tuple(map(_labels, fields["categories"])),
            input_dtype=fields["input_dtype"],
            notes=tuple(fields.get("notes", ())),
            value_kind=fields.get("value_kind", ""),
            class_names=tuple(fields.get("class_names", ())),
            has_names=fields.get("has_names"),
            steps=Steps(**fields["steps"]) if "steps" in fields else None,
            vote_weight=fields.get("vote_weight"),
        )
    except _INVALID as error:
        text = " ".join(str(error).split())
        raise FileFormatError(f"the file does not hold a valid model: {text[:200]}") from error


def _arrays_in(version: int) -> Layout:
    """Return the arrays that files of a version have."""
    return {name: what for name, what in ARRAYS.items() if version > 1 or name != "gain"}


def _split_body(body: bytes, counts: dict[str, int], layout: Layout) -> Arrays:
    if any(type(count) is not int or count < 0 for count in counts.values()):
        raise ValueError(f"counts must be whole numbers, got {counts!r}.")
    sizes = [np.dtype(dtype).itemsize * counts[count] for dtype, count in layout.values()]
    if sum(sizes) != len(body):
        raise ValueError(f"the arrays take {sum(sizes)} bytes, got {len(body)}.")
    arrays = {}
    offset = 0
    for (name, (dtype, count)), size in zip(layout.items(), sizes, strict=True):
        arrays[name] = np.frombuffer(body, dtype, counts[count], offset)
        offset += size
    return arrays


def _ensembles(arrays: Arrays) -> tuple[Ensemble, ...]:
    forest = _forest(arrays)
    ends = offsets(arrays["n_trees"])
    if ends[-1] != forest.n_trees or (ends[1:] < ends[:-1]).any():
        raise ValueError(f"n_trees must sum to {forest.n_trees}, got {ends[-1]}.")
    return tuple(
        Ensemble(
            trees=forest.trees[a:b],
            leverage=arrays["leverage"][a:b],
            edge=arrays["edge"][a:b],
            base_value=float(base),
        )
        for a, b, base in zip(ends, ends[1:], arrays["base_value"], strict=False)
    )


def _forest(arrays: Arrays) -> Forest:
    """Return the trees of a file; the constructor of Forest checks them, starts included."""
    fields = {name: arrays[name] for name in _FOREST if name in arrays}
    del fields["n_nodes"], fields["set_size"]
    fields["tree_start"] = offsets(arrays["n_nodes"])
    fields["category_start"] = offsets(arrays["set_size"])
    return Forest(**fields)


# --- labels ---------------------------------------------------------------------------------------


def _label(label: Any) -> Any:
    """Return a label if JSON keeps it and its type, else raise."""
    if type(label) not in (str, int, float, bool) or (
        type(label) is float and not math.isfinite(label)
    ):
        raise TypeError(
            "only strings, whole numbers, finite floats and booleans can be saved as classes and "
            f"labels, got {label!r}: convert them, e.g. to strings, before training."
        )
    return label


def _labels(labels: Sequence[Any] | None) -> tuple[Any, ...] | None:
    return None if labels is None else tuple(map(_label, labels))


def classes_to_json(classes: NDArray[Any]) -> dict[str, Any]:
    """Return the classes as a file keeps them: their type and their values."""
    kind = {"U": "str", "O": "object"}.get(classes.dtype.kind, classes.dtype.name)
    plain = [x.item() if isinstance(x, np.generic) else x for x in classes]
    if kind == "str":
        check_class_texts(plain)  # what is saved can be loaded
    return {"dtype": kind, "values": list(map(_label, plain))}


def _classes_from_json(classes: dict[str, Any]) -> NDArray[Any]:
    kind = classes["dtype"]
    if kind not in (*_CLASS_TYPES, "str", "object"):
        raise ValueError(f"unknown type of classes {kind!r}.")
    values = list(map(_label, classes["values"]))
    if kind == "str":
        check_class_texts(values)
    return np.array(values, dtype=kind)
