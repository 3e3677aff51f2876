"""Notebooks that are exported and opened without a network show the tree, not a blank cell."""

import base64
import io
import os
import subprocess
import sys
import types
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

import horotree
from horotree.display.style import BLUE, VERMILION
from horotree.viewer import view
from horotree.viewer.notebook import is_live
from horotree.viewer.page import to_iframe

from .conftest import wait_for
from .models import breast_cancer

WIDGET = "application/vnd.jupyter.widget-view+json"
CODE = """\
from sklearn.datasets import load_breast_cancer
from horotree import LogisticBoostClassifier
from horotree.viewer import view
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
view(LogisticBoostClassifier(n_estimators=3, n_jobs=1).fit(X, y))
"""


def shell_asking(content):
    """Return a shell whose kernel was sent this with the cell that runs."""
    request = {"content": content}
    return types.SimpleNamespace(kernel=types.SimpleNamespace(get_parent=lambda channel: request))


@pytest.fixture
def ipython(monkeypatch):
    """Pretend that IPython runs, with this shell."""

    def pretend(shell):
        package = types.SimpleNamespace(get_ipython=lambda: shell, version_info=(9, 0))
        monkeypatch.setitem(sys.modules, "IPython", package)

    return pretend


@pytest.mark.parametrize(
    ("shell", "live"),
    [
        (shell_asking({"allow_stdin": True}), True),
        (shell_asking({"allow_stdin": False}), False),
        (shell_asking({}), True),
        (types.SimpleNamespace(kernel=None), True),
        (
            types.SimpleNamespace(kernel=types.SimpleNamespace(get_parent=lambda channel: None)),
            True,
        ),
        (types.SimpleNamespace(), True),
        (None, True),
    ],
)
def test_a_notebook_is_live_unless_nobody_can_answer(shell, live):
    assert is_live(shell) is live


def test_a_live_notebook_has_the_widget_and_a_picture(require, ipython):
    require("anywidget")
    ipython(shell_asking({"allow_stdin": True}))
    bundle, _ = view(breast_cancer()[0])._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/png", WIDGET}


def test_a_notebook_that_a_program_runs_has_the_page_and_a_picture(ipython):
    ipython(shell_asking({"allow_stdin": False}))
    bundle, metadata = view(breast_cancer()[0])._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/png", "text/html"}
    assert bundle["image/png"] in bundle["text/html"]
    assert metadata == {}


def test_where_frames_are_taken_out_the_picture_is_left():
    html = to_iframe("<p>page</p>", b"\x89PNG")
    before, _, rest = html.partition("<iframe")
    _, _, after = rest.partition("</iframe>")
    assert base64.b64encode(b"\x89PNG").decode() in before
    assert before.startswith("<div")
    assert after == "</div>"


# --- exported, and opened without a network -------------------------------------------------------


def share_of(png, color):
    """Return the share of the pixels of a picture that nearly have a color."""
    pixels = matplotlib.image.imread(io.BytesIO(png), format="png")[..., :3]
    wanted = np.array([int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5)])
    return float((np.abs(pixels - wanted).max(axis=-1) < 0.06).mean())


@pytest.fixture
def offline(browser):
    """Open a file in a browser that no request leaves; return the page, and what was refused."""
    contexts = []

    def open_file(path):
        context = browser.new_context(viewport={"width": 1200, "height": 1400})
        contexts.append(context)
        context.set_offline(True)
        page = context.new_page()
        refused = []
        page.on("requestfailed", lambda request: refused.append(request.url))
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        return page, refused

    yield open_file
    for context in contexts:
        context.close()


def convert(notebook, *options):
    """Export a notebook to HTML as users do; return the file."""
    source = Path(horotree.__file__).parents[1]
    command = [sys.executable, "-m", "nbconvert", "--to", "html", *options, str(notebook)]
    environment = os.environ | {"PYTHONPATH": str(source), "JUPYTER_PLATFORM_DIRS": "1"}
    done = subprocess.run(
        command, env=environment, capture_output=True, timeout=120, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    return notebook.with_suffix(".html")


def write_notebook(path, outputs=()):
    import nbformat

    cell = nbformat.v4.new_code_cell(CODE, outputs=[*outputs])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_a_notebook_that_nbconvert_runs_shows_the_page_offline(require, offline, tmp_path):
    for package in ("nbconvert", "ipykernel", "anywidget"):
        require(package)
    page, _ = offline(convert(write_notebook(tmp_path / "run.ipynb"), "--execute"))
    frame = page.locator("iframe[title='Tree model']")
    frame.scroll_into_view_if_needed()
    inside = page.frames[-1]
    wait_for(inside, "globalThis.horotree?.stats?.firstPaint > 0")
    page.wait_for_timeout(500.0)
    png = inside.locator("[data-ht='disk']").screenshot()
    assert min(share_of(png, BLUE), share_of(png, VERMILION)) > 1e-4
    assert inside.locator("[data-ht='tree-label']").inner_text().startswith("Tree 0 of 0–2")


def test_a_notebook_that_was_live_shows_the_picture_offline(require, offline, ipython, tmp_path):
    """JupyterLab does not save the states of widgets unless told to."""
    for package in ("nbconvert", "anywidget"):
        require(package)
    import nbformat

    ipython(shell_asking({"allow_stdin": True}))
    bundle, metadata = view(breast_cancer()[0])._repr_mimebundle_()
    assert WIDGET in bundle
    output = nbformat.v4.new_output(
        "execute_result", data=bundle, metadata=metadata, execution_count=1
    )
    page, _ = offline(convert(write_notebook(tmp_path / "live.ipynb", [output])))
    picture = page.locator(".jp-OutputArea-output img")
    wait_for(page, "document.querySelector('.jp-OutputArea-output img').complete")
    png = picture.screenshot()
    assert min(share_of(png, BLUE), share_of(png, VERMILION)) > 1e-4
