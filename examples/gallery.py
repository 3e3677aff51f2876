"""A model of each library in the disk: ``python -m examples.gallery [FOLDER [PICTURE]]``.

Writes a page with a card a library, the three lines that made it and a link to the tree in the
viewer. Libraries that are not installed are named instead: the extra ``peers`` has all of them.
PICTURE, a photograph of the page, needs the extra ``browser`` and an installed Chromium.
"""

import base64
import importlib.util
import inspect
import io
import sys
import textwrap
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import horotree

TABLE, CODE = load_breast_cancer(return_X_y=True, as_frame=True)
KIND = CODE.map({0: "malignant", 1: "benign"})
X, X_test, y, y_test = train_test_split(TABLE, KIND, random_state=0)


def _show_scikit_learn() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(50, random_state=0).fit(X, y)
    return horotree.view(model, X_test, y_test)


def _show_xgboost() -> Any:
    from xgboost import XGBClassifier

    model = XGBClassifier(n_estimators=50).fit(X, y == "malignant")
    return horotree.view(model, X_test, y_test == "malignant")


def _show_lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(n_estimators=50, verbose=-1).fit(X, y)
    return horotree.view(model, X_test, y_test)


def _show_catboost() -> Any:
    from catboost import CatBoostClassifier

    model = CatBoostClassifier(n_estimators=50, silent=True, allow_writing_files=False).fit(X, y)
    return horotree.view(model, X_test, y_test)


def _show_ydf() -> Any:
    import ydf

    model = ydf.GradientBoostedTreesLearner(label="kind", num_trees=50).train(X.assign(kind=y))
    return horotree.view(model, X_test, y_test)


# The module that must be installed, the name to show, and the lines.
LIBRARIES: tuple[tuple[str, str, Callable[[], Any]], ...] = (
    ("sklearn", "scikit-learn", _show_scikit_learn),
    ("xgboost", "XGBoost", _show_xgboost),
    ("lightgbm", "LightGBM", _show_lightgbm),
    ("catboost", "CatBoost", _show_catboost),
    ("ydf", "YDF", _show_ydf),
)

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tree models in the disk</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; color: #1c1f26; margin: 2rem auto; max-width: 1240px;
  padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; margin-bottom: .2rem; }} h2 {{ font-size: 1.1rem; margin: 0; }}
main {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr));
  gap: 1.5rem; }}
article {{ border: 1px solid #dcdcda; border-radius: 6px; padding: 1rem; min-width: 0; }}
pre {{ background: #f5f5f3; padding: .6rem; white-space: pre-wrap; font-size: 12px; }}
img {{ width: 100%; height: auto; }}
p {{ color: #5c6270; }}
</style>
<h1>Tree models in the disk</h1>
<p>The first tree of each. A node's distance from the center is its confidence; ticks are where the
rows that were kept apart would put it.</p>
<main>{cards}</main>
</html>
"""


def main(folder: Path, picture: Path | None = None) -> None:
    """Write the page, and the viewer of each model beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    cards = [make_card(folder, *library) for library in LIBRARIES]
    page = folder / "gallery.html"
    page.write_text(PAGE.format(cards="\n".join(cards)), encoding="utf-8")
    if picture is not None:
        photograph(page, picture)
    print(page if picture is None else f"{page}, {picture}")


def make_card(folder: Path, module: str, name: str, show: Callable[[], Any]) -> str:
    """Return the card of a library; write its model's viewer."""
    if importlib.util.find_spec(module) is None:
        return f"<article><h2>{name}</h2><p>not installed: pip install {module}</p></article>"
    print(f"{name} ...", file=sys.stderr)
    view = show()
    view.write_html(folder / f"{module}.html")
    content = io.BytesIO()
    disk = horotree.DiskDisplay.from_estimator(view.model, X_test, labels_of(view), tree=0)
    disk.figure_.savefig(content, format="png", dpi=130)
    image = base64.b64encode(content.getvalue()).decode()
    return (
        f'<article><h2>{name}</h2><pre>{escape(lines_of(show))}</pre><a href="{module}.html">'
        f'<img alt="The first tree of a model of {name} in the disk; opens the viewer." '
        f'src="data:image/png;base64,{image}"></a></article>'
    )


def labels_of(view: Any) -> Any:
    """Return the classes of the rows kept apart, as the model names them."""
    return y_test == "malignant" if view.model.classes.dtype.kind in "bi" else y_test


def lines_of(show: Callable[[], Any]) -> str:
    """Return the lines of code of a function, as they would stand in a notebook."""
    body = inspect.getsource(show).partition(":\n")[2]
    code = textwrap.dedent(body).replace("return ", "")
    return "\n".join(line for line in code.splitlines() if line)


def photograph(page: Path, picture: Path) -> None:
    """Take a picture of the page in Chromium."""
    from benchmarks.machinery.chromium import start_chromium

    with start_chromium() as browser:
        window = browser.new_page(viewport={"width": 1280, "height": 800})
        window.goto(page.resolve().as_uri())
        window.screenshot(path=picture, full_page=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3] or ["horotree-gallery"]))
