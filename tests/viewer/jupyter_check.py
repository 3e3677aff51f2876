"""The viewer in a real JupyterLab: as a widget, and in a frame where anywidget is missing.

Run by hand, as ``python -m tests.viewer.jupyter_check [FOLDER]``, where jupyterlab, anywidget,
playwright and Chromium are installed. It starts JupyterLab on the loopback interface, runs a
notebook of two cells in Chromium, waits until both views have drawn, and writes a screenshot of
each into the folder. Keys that are pressed in a view must not reach the notebook. Anything that the
browser's console calls an error is printed, and makes the check fail.
"""

import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Error

from benchmarks.machinery.chromium import start_chromium

MODEL = """\
from sklearn.datasets import load_breast_cancer
from horotree import LogisticBoostClassifier
from horotree.viewer import view
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
classifier = LogisticBoostClassifier(n_estimators=20).fit(X[200:], y[200:])
"""
CELLS = {
    "widget": MODEL + "view(classifier, X[:200], y[:200], examples=X[:5], title='A widget')",
    "frame": "import sys\nfrom horotree.viewer import widget\nwidget._find_class.cache_clear()\n"
    "sys.modules['anywidget'] = None\n"
    "view(classifier, X[:200], y[:200], examples=X[:5], title='In a frame')",
}
PATIENCE = 60.0


def main(folder):
    """Run the check; return the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, start_lab(Path(home)) as address:
        errors = look(address, folder)
    told = [f"console: {error}\n" for error in errors]
    sys.stderr.writelines(told)
    sys.stdout.write(f"screenshots in {folder}: {', '.join(f'{name}.png' for name in CELLS)}\n")
    return 1 if errors else 0


def look(address, folder):
    """Run the cells, take the pictures, and return the errors of the console."""
    errors = []
    with start_chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1100})
        page.set_default_timeout(1e3 * PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        try:
            page.goto(address)
            page.wait_for_selector(".jp-NotebookPanel-toolbar [data-status='idle']")
            # Errors of JupyterLab before this are not ours.
            page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
            for number, name in enumerate(CELLS):
                run(page, page.locator(".jp-CodeCell").nth(number), name, folder)
        except (AssertionError, Error):
            page.screenshot(path=folder / "failed.png")
            raise
    return errors


def run(page, cell, name, folder):
    """Run one cell, wait until its view has drawn, and take a picture of it."""
    inside = cell.frame_locator("iframe") if name == "frame" else cell
    disk = inside.locator("[data-ht='disk']")
    end = time.monotonic() + PATIENCE
    while not disk.is_visible():
        assert time.monotonic() < end, f"the {name} did not draw"
        if cell.locator(".jp-InputPrompt").inner_text().strip() == "[ ]:":
            # Not run yet: a kernel that has just started forgets what it was asked.
            cell.locator(".cm-content").click()
            page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(1e3)
    disk.focus()
    n_cells = page.locator(".jp-CodeCell").count()
    for key in ("b", "a", "ArrowDown", "Enter"):  # b and a would add cells
        page.keyboard.press(key)
    inside.locator("[data-ht='rule']").wait_for()
    assert page.locator(".jp-CodeCell").count() == n_cells, "the notebook took the keys"
    inside.locator("[data-ht='tab-tree']").click()
    output = cell.locator(".jp-OutputArea-output").last
    output.scroll_into_view_if_needed()
    time.sleep(1.0)
    output.screenshot(path=folder / f"{name}.png")


@contextlib.contextmanager
def start_lab(home):
    """Start JupyterLab on a notebook, and yield the notebook's address."""
    notebook = {
        "cells": [
            {"cell_type": "code", "execution_count": None, "id": name, "metadata": {}}
            | {"outputs": [], "source": source}
            for name, source in CELLS.items()
        ],
        "metadata": {"kernelspec": {"display_name": "Python 3", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (home / "check.ipynb").write_text(json.dumps(notebook))
    settings = home / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    token = secrets.token_hex(16)
    places = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "RUNTIME")}
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--IdentityProvider.token={token}", f"--notebook-dir={home}"]
    lab = subprocess.Popen(
        command, env=os.environ | places, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"{find_server(lab, home / 'runtime')}lab/tree/check.ipynb?token={token}"
    finally:
        lab.terminate()
        lab.wait(timeout=PATIENCE)


def find_server(lab, runtime):
    """Wait for the server's file, and return the address in it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if lab.poll() is not None:
            raise RuntimeError(f"JupyterLab ended with code {lab.returncode}: is it installed?")
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(ValueError):
                return json.loads(file.read_text())["url"]
        time.sleep(0.2)
    raise TimeoutError(f"JupyterLab did not start within {PATIENCE:g} s.")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "jupyter-check")))
