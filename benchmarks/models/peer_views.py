"""What other viewers write for a tree: seconds and bytes."""

import contextlib
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Tree = Any


def supertree_page(tree: Tree, X: Any, y: Any, folder: Path) -> Path:
    """Write supertree's page of a scikit-learn tree."""
    from supertree import SuperTree

    names = [f"x{j}" for j in range(X.shape[1])]
    SuperTree(tree, X, y, names, ["no", "yes"]).save_html(str(folder / "tree"))
    return folder / "tree.html"


def dtreeviz_picture(tree: Tree, X: Any, y: Any, folder: Path) -> Path:
    """Write dtreeviz's picture of a scikit-learn tree."""
    import dtreeviz

    names = [f"x{j}" for j in range(X.shape[1])]
    model = dtreeviz.model(tree, X, y, feature_names=names, target_name="y", class_names=[0, 1])
    model.view().save(str(folder / "tree.svg"))
    return folder / "tree.svg"


PEERS: dict[str, Callable[[Tree, Any, Any, Path], Path]] = {
    "supertree": supertree_page,
    "dtreeviz": dtreeviz_picture,
}


def measure_peer(name: str, tree: Tree, X: Any, y: Any) -> tuple[float, int] | str:
    """Return the seconds and bytes of a peer's output, or why there are none."""
    if find_spec(name) is None:
        return "not installed"
    if name == "dtreeviz" and shutil.which("dot") is None:
        return "graphviz's dot, which it needs, is not installed"
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(sys.stderr),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # theirs
        start = time.perf_counter()
        path = PEERS[name](tree, X, y, Path(folder))
        return time.perf_counter() - start, path.stat().st_size
