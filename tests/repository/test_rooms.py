"""Rooms: few files in each folder, and no package reaches into another one's private parts."""

import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PACKAGE = "horotree"
# What lies beside the packages and belongs to all of them.
COMMON = {"_checks", "_files", "_frozen", "_native", "_screen"}
ROOMS = ("src", "frontend/src", "frontend/test", "benchmarks", "experiments", "tests")
MOST_FILES = 16
DATA = {"experiments/results"}


def listed() -> list[PurePosixPath]:
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *ROOMS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [PurePosixPath(p) for p in found.stdout.splitlines() if (ROOT / p).exists()]


def imports(path: PurePosixPath) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield the line of each absolute import of the library, its module, and the names."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            module = node.module.split(".")
            if module[0] == PACKAGE:
                yield node.lineno, module[1:], [name.name for name in node.names]


def home(path: PurePosixPath) -> str:
    """Return the package that a file belongs to, or the folder outside of the library."""
    inside = path.parts[:2] == ("src", PACKAGE)
    return path.parts[2].removesuffix(".py") if inside else path.parts[0]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_no_folder_holds_more_files_than_one_can_overlook():
    counts = Counter(str(path.parent) for path in listed())
    assert {f: n for f, n in counts.items() if n > MOST_FILES and f not in DATA} == {}


def test_no_package_imports_what_is_private_to_another():
    found = [
        f"{path}:{line}: {'.'.join([PACKAGE, *module])}: {', '.join(names)}"
        for path in listed()
        if path.suffix == ".py" and path.parts[:2] != ("tests", "native")
        for line, module, names in imports(path)
        if home(path) not in module[:1]
        and (module or names)[0] not in COMMON
        and any(map(is_private, [*module, *names]))
    ]
    assert found == []


def test_a_class_name_means_one_thing():
    counts = Counter(
        node.name
        for path in listed()
        if path.suffix == ".py" and path.parts[0] == "src"
        for node in ast.parse((ROOT / path).read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not is_private(node.name)
    )
    assert {name for name, n in counts.items() if n > 1} == set()


def test_packages_import_what_others_offer_at_their_top():
    """What lies deeper than ``horotree.package.module`` is the package's own."""
    found = [
        f"{path}:{line}: {'.'.join([PACKAGE, *module])}"
        for path in listed()
        if path.suffix == ".py" and path.parts[0] == "src"
        for line, module, _ in imports(path)
        if len(module) > 2 and home(path) != module[0]
    ]
    assert found == []
