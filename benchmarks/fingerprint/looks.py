"""Fingerprints of what is seen: embeddings, rules, pages and pictures."""

import base64
import json
import re
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from horotree import DiskDisplay, EnsembleDisplay, LogLossTreeClassifier, from_model, view

from .hashes import Prints, parts_of
from .imported import fit_sklearn
from .names import call, public, rule_of, trees_of
from .tables import table
from .trained import boosted

# Pixels an inch: enough to see a line that moves.
DPI = 60

EMBEDDINGS: dict[str, dict[str, Any]] = {
    "exact": {},
    "exact half": {"center": "half"},
    "exact base": {"center": "base"},
    "exact t 0.5": {"t": 0.5},
    "exact weight": {"budget": "weight"},
    "exact both": {"budget": "both"},
    "exact not spaced": {"spacing": False},
    "sarkar": {"method": "sarkar"},
    "sarkar normalized": {"method": "sarkar", "normalize": True, "center": "half"},
}


def models() -> dict[str, Any]:
    """Return the models to look at, by their name and table."""
    made = {
        "boost breast_cancer": boosted(n_estimators=6),
        "boost mixed": boosted(),
        "boost mixed4": boosted(n_estimators=5),
        "boost rare": boosted(n_estimators=6),
        "tree iris": LogLossTreeClassifier(max_leaf_nodes=8),
        "tree mixed": LogLossTreeClassifier(max_leaf_nodes=10, smoothing=8.0),
    }
    found = {}
    for name, classifier in made.items():
        data = table(name.split()[1])
        found[name] = classifier.fit(data.X, data.y).model_
    for kind in ("forest", "boosting", "adaboost"):
        foreign = fit_sklearn(kind, table("breast_cancer"))["object"]
        found[f"{kind} breast_cancer"] = from_model(foreign)
    found["forest iris"] = from_model(fit_sklearn("forest", table("iris"))["object"])
    return found


def print_all(prints: Prints, found: dict[str, Any]) -> None:
    """Add the fingerprints of all that is seen of models."""
    for name, model in found.items():
        prints.run(f"embedding/{name}", _embed, model)
        prints.run(f"rules/{name}", _rules, model)
        prints.run(f"page/{name}", _pages, model, table(name.split()[1]))
    prints.run("page/options", _page_options, found)
    prints.run("picture/disk", _disks, found)
    prints.run("picture/ensemble", _ensembles, found)
    prints.run("picture/tree", _trees, found)
    prints.run("picture/theory", _theory)


def _embed(prints: Prints, name: str, model: Any) -> None:
    for what, options in EMBEDDINGS.items():
        ensembles = public("embed_model")(model, **options)
        embeddings = [e for embeddings in ensembles for e in embeddings]
        for array in ("node", "distance", "angle"):
            joined = np.concatenate([getattr(e, array) for e in embeddings])
            prints.add(f"{name}/{what}/{array}", joined)
        prints.add(f"{name}/{what}/t", [e.t for e in embeddings])
        quality = [embedding.quality(size=400.0) for embedding in embeddings[:3]]
        for figure in parts_of(quality[0]):
            prints.add(f"{name}/{what}/quality/{figure}", [getattr(q, figure) for q in quality])
        arcs = [public("sample_arcs")(embedding, 9) for embedding in embeddings]
        prints.add(f"{name}/{what}/arcs", arcs)


def _rules(prints: Prints, name: str, model: Any) -> None:
    trees = trees_of(model)[:4]
    rules = [rule_of(tree, node) for tree in trees for node in range(tree.n_nodes)]
    prints.add(f"{name}/text", [rule.text(model.columns) for rule in rules])
    options = {"input_dtype": model.input_dtype}
    for language in ("pandas", "sql"):
        code = [getattr(rule, f"to_{language}")(model.columns, **options) for rule in rules]
        prints.add(f"{name}/{language}", code)


def _pages(prints: Prints, name: str, model: Any, data: Any) -> None:
    """Add the pages of a model: alone, with data, and with rows to follow."""
    for center in ("base", "half"):
        _page(prints, f"{name}/{center}", view(model, center=center))
    X, y = data.X_test, data.y_test
    _page(prints, f"{name}/data", view(model, X, y, examples=X[:5], title="A title"))


def _page_options(prints: Prints, name: str, found: dict[str, Any]) -> None:
    model, data = found["boost mixed"], table("mixed")
    options: dict[str, Any] = {
        "max_trees": 3,
        "example_classes": [0, 1],
        "examples": data.X_test[:2],
    }
    options |= {"class_names": ["no", "yes"], "feature_names": {"tied": "knots"}}
    shown = call(view, model, **options)
    _page(prints, f"{name}/names", shown)
    shell = re.sub(r"<script>.*?</script>|'sha256-[^']*'", "", shown.html, flags=re.DOTALL)
    packed = base64.b64encode(shown.payload).decode()
    prints.add(f"{name}/html without script and payload/text", shell.replace(packed, ""))
    prints.add(f"{name}/the html has the payload", packed in shown.html)
    prints.add(f"{name}/the widget has the payload", shown.widget.data == shown.payload)
    _page(prints, f"{name}/some trees", call(view, found["forest iris"], trees=[0, 2, -1]))


def _page(prints: Prints, name: str, shown: Any) -> None:
    header, arrays = _decode(shown.payload)
    prints.add_each(f"{name}/header", header)
    prints.add_each(f"{name}/array", arrays)


def _decode(payload: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the arrays of a payload, as the viewer reads them."""
    blob = zlib.decompress(payload, wbits=-15)
    (length,) = struct.unpack_from("<I", blob)
    header = json.loads(blob[4 : 4 + length])
    start, arrays = -(-(4 + length) // 8) * 8, {}
    for entry in header.pop("arrays"):
        kind = np.dtype(f"<{entry['dtype'][0]}{int(entry['dtype'][1:]) // 8}")
        size = kind.itemsize * entry["length"]
        data = np.frombuffer(blob, np.uint8, size, start + entry["offset"])
        if entry.get("planar"):
            data = np.ascontiguousarray(data.reshape(kind.itemsize, -1).T)
        arrays[entry["name"]] = data.ravel().view(kind)
    return header, arrays


def _disks(prints: Prints, name: str, found: dict[str, Any]) -> None:
    mixed, rare = table("mixed"), table("rare")
    drawn: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
        "breast_cancer": ("boost breast_cancer", (), {}),
        "data": ("boost mixed", (mixed.X_test, mixed.y_test), {"tree": 1, "t": 0.6}),
        "class": ("boost mixed4", (), {"class_": 2, "tree": -1, "colors": "paper"}),
        "rare data": ("boost rare", (rare.X_test, rare.y_test), {}),
        "rare half": ("boost rare", (), {"center": "half", "colors": "gray", "labels": False}),
        "forest": ("forest breast_cancer", (), {"tree": 2, "extent": 0.8}),
        "margins": ("boosting breast_cancer", (), {"center": "base"}),
    }
    for what, (model, data, options) in drawn.items():
        display = DiskDisplay.from_estimator(found[model], *data, **options)
        _picture(prints, f"{name}/{what}", display)
    ((embedding, *_), *_) = public("embed_model")(found["tree mixed"], method="sarkar")
    _picture(prints, f"{name}/sarkar", DiskDisplay.from_embedding(embedding))


def _ensembles(prints: Prints, name: str, found: dict[str, Any]) -> None:
    data = table("mixed")
    draw = EnsembleDisplay.from_estimator
    shown = draw(found["boost mixed"], data.X_test, data.y_test, order="leverage")
    _picture(prints, f"{name}/data", shown)
    options: dict[str, Any] = {"class_": "virginica", "scale": "own", "trees": [0, 1, 3]}
    _picture(prints, f"{name}/forest", call(draw, found["forest iris"], **options))
    _picture(prints, f"{name}/rare", draw(found["boost rare"], max_trees=4, colors="gray"))


def _trees(prints: Prints, name: str, found: dict[str, Any]) -> None:
    draw = public("TreeDisplay").from_estimator
    _picture(prints, f"{name}/mixed", draw(found["tree mixed"]))
    _picture(prints, f"{name}/class", draw(found["tree iris"], class_="versicolor", colors="gray"))
    _picture(prints, f"{name}/upper levels", draw(found["boost rare"], tree=2, max_nodes=9))


def _theory(prints: Prints, name: str) -> None:
    for what, draw in public("FIGURES").items():
        _figure(prints, f"{name}/{what}", draw())
    _figure(prints, f"{name}/sarkar step", public("sarkar_figure")())


def _picture(prints: Prints, name: str, display: Any) -> None:
    """Add a display's SVG, and its figure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        display.save(path)
        prints.add(f"{name}/svg", path.read_bytes())
    _figure(prints, name, display.figure_)


def _figure(prints: Prints, name: str, figure: Any) -> None:
    """Add the pixels, the texts, and the pixels without texts: words may change, lines may not."""
    figure.set_dpi(DPI)
    prints.add(f"{name}/pixels", _pixels(figure))
    texts = [text for text in figure.findobj(Text) if text.get_text()]
    prints.add(f"{name}/text", sorted(text.get_text() for text in texts if text.get_visible()))
    for text in texts:
        text.set_visible(False)
    prints.add(f"{name}/pixels without texts", _pixels(figure))


def _pixels(figure: Any) -> Any:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba()).copy()
