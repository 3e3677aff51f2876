"""The maps of the code name what is there, and all of it."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "horotree"
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
# The last column of the tables: functions and modules by their dotted names, folders by paths.
PLACES = sorted(
    {
        name
        for line in ARCHITECTURE.splitlines()
        if line.startswith("| ") and "`" in line.rpartition(" | ")[2]
        for name in re.findall(r"`([^`]+)`", line.rpartition(" | ")[2])
    }
)


@pytest.mark.parametrize("name", PLACES)
def test_what_the_walks_name_is_there(name):
    if "/" in name:
        assert any((folder / name).exists() for folder in (SOURCE, ROOT))
        return
    module, _, attribute = name.rpartition(".")
    try:
        importlib.import_module(f"horotree.{name}")
    except ModuleNotFoundError:
        assert hasattr(importlib.import_module(f"horotree.{module}".rstrip(".")), attribute)


def test_the_map_of_contributors_has_every_package_in_the_order_of_the_layers():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    mapped = re.findall(r"^\| `src/horotree/(\w+?)(?:\.py)?`", text, re.MULTILINE)
    there = {
        path.name if path.is_dir() else path.stem
        for path in SOURCE.iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists())
        and path.stem not in ("__init__", "__main__", "__pycache__")
    }
    common = {"_checks", "_files", "_frozen", "_screen"}  # one row for all
    assert set(mapped) == there - common | (common & set(mapped))
    assert all(f"`{name}.py`" in text or f"/{name}.py`" in text for name in common)
    layers = re.search(r"layers = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL)[1]
    rank = {
        name: i
        for i, line in enumerate(re.findall(r'"(.*?)"', layers))
        for name in line.split(" | ")
    }
    ranks = [rank[name] for name in mapped]
    assert ranks == sorted(ranks)
