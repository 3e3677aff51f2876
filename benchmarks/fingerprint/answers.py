"""Fingerprints of what data say of models, and of what the commands print."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import horotree

from .hashes import Prints
from .names import call, public
from .tables import Table, table
from .trained import boosted


def print_all(prints: Prints, found: dict[str, Any]) -> None:
    """Add the fingerprints of all answers about models."""
    for name, model in found.items():
        prints.run(f"evaluation/{name}", _evaluate, model, table(name.split()[1]))
    prints.run("evaluation/comparison", _compare, found)
    prints.run("command/mixed", _commands, table("mixed"))
    prints.run("command/mixed4", _commands, table("mixed4"))


def _evaluate(prints: Prints, name: str, model: Any, data: Table) -> None:
    rows = model, data.X_test, data.y_test
    for center in ("half", "base"):
        held = call(horotree.held_out, *rows, center=center)
        prints.add_each(f"{name}/held_out {center}", held)
        prints.add(f"{name}/held_out {center}/str/text", str(held))
        agreed = call(horotree.agreement, *rows, center=center, n_threads=2)
        prints.add_each(f"{name}/agreement {center}", agreed)
        prints.add(f"{name}/agreement {center}/str/text", str(agreed))
    last = call(horotree.held_out, *rows, tree=-1, level=0.8, n_threads=2)
    prints.add_each(f"{name}/held_out last tree", last)
    prints.add_each(f"{name}/segments", call(public("segments"), *rows))
    judged = call(horotree.quality, *rows)
    prints.add_each(f"{name}/quality", judged)
    prints.add(f"{name}/quality/str/text", str(judged))


def _compare(prints: Prints, name: str, found: dict[str, Any]) -> None:
    data = table("breast_cancer")
    pair = found["boost breast_cancer"], found["forest breast_cancer"]
    compared = horotree.comparison(*pair, data.X_test, data.y_test)
    prints.add_each(name, compared)
    prints.add(f"{name}/str/text", str(compared))


def _commands(prints: Prints, name: str, data: Table) -> None:
    """Add what the commands print of two models in files."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for file, n_trees in (("a.horotree", 6), ("b.horotree", 3)):
            horotree.save(boosted(n_estimators=n_trees).fit(data.X, data.y), root / file)
        data.X_test.assign(y=data.y_test).to_csv(root / "rows.csv", index=False)
        described = json.loads(_run(root, "info", "a.horotree", "--json"))
        prints.add_each(f"{name}/info json", described)
        prints.add(f"{name}/info/text", _run(root, "info", "a.horotree"))
        answers = _run(root, "predict", "a.horotree", "rows.csv", "--proba")
        prints.add(f"{name}/predict", answers)
        rows = ("--data", "rows.csv", "--target", "y")
        compared = _run(root, "compare", "a.horotree", "b.horotree", *rows)
        prints.add(f"{name}/compare/text", compared)
        fit = ("fit", "rows.csv", "--target", "y", "-o", "c.horotree", "--trees", "5")
        _run(root, *fit, "--jobs", "1", "--categorical", "code")
        prints.add(f"{name}/fit/file bytes", (root / "c.horotree").read_bytes())
        answers = _run(root, "predict", "c.horotree", "rows.csv", "--proba")
        prints.add(f"{name}/fit/predict", answers)
        _run(root, "view", "c.horotree", "--tree", "1", "-o", "tree.svg")
        prints.add(f"{name}/view/svg", (root / "tree.svg").read_bytes())


def _run(folder: Path, *arguments: str) -> str:
    """Return what a command of this horotree prints."""
    source = Path(horotree.__file__).parents[1]
    code = f"import sys; sys.path.insert(0, {str(source)!r}); from horotree.cli import main; main()"
    run = subprocess.run(  # noqa: S603 - this Python, with the arguments above
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"horotree {arguments[0]} ended with {run.returncode}: {run.stderr}")
    return run.stdout
