"""Fingerprint all that a user gets from models, and compare with another build.

``python -m benchmarks.fingerprint NEW.json`` writes the fingerprints of the horotree that Python
finds; ``NEW.json --compare OLD.json`` compares them with those of another build, too, and
``--compare OLD.json NEW.json`` compares two files. Exits with 1 if something differs.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

# Before NumPy loads them: sums must not depend on the machine's load.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "matplotlib")
PACKAGES += ("xgboost", "xgboost-cpu", "lightgbm", "catboost", "ydf")


def make(path: Path, only: Sequence[str]) -> dict[str, Any]:
    """Compute the fingerprints, write them, and return what was written."""
    import horotree

    from . import answers, browser, imported, looks, numbers, tables, trained
    from .hashes import Prints

    print(f"horotree of {Path(horotree.__file__).parent}", file=sys.stderr)
    prints = Prints(tuple(only))
    numbers.print_all(prints)
    trained.print_all(prints)
    imported.print_all(prints)
    found = looks.models()
    looks.print_all(prints, found)
    answers.print_all(prints, found)
    browser.print_all(prints, found)
    about = {name: _version(name) for name in PACKAGES}
    about |= {"python": sys.version.split()[0], "tables": ", ".join(tables.names_there())}
    prints.write(path, about)
    print(f"{len(prints.found)} fingerprints, {len(prints.failed)} failures", file=sys.stderr)
    return json.loads(path.read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make fingerprints, compare them, or both."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fingerprint", description=__doc__)
    parser.add_argument("output", nargs="?", type=Path, help="where to write new fingerprints")
    parser.add_argument("--compare", nargs="+", type=Path, metavar="FILE", default=[])
    parser.add_argument("--only", nargs="+", default=[], help="first parts of names")
    parser.add_argument("--ignore", nargs="+", default=[], help="patterns, such as '*/text'")
    options = parser.parse_args(arguments)
    wanted = 2 if options.output is None else 1
    if len(options.compare) != wanted and (options.compare or options.output is None):
        parser.error("pass a file to write, and one to compare with; or two files to compare.")
    missing = [str(path) for path in options.compare if not path.is_file()]
    if missing:
        parser.error(f"there is no file {missing[0]}: write it with the other build first.")
    new = None if options.output is None else make(options.output, options.only)
    if not options.compare:
        return 1 if new is not None and new["failed"] else 0
    files = [json.loads(path.read_text(encoding="utf-8")) for path in options.compare]
    return _report(*files, *([] if new is None else [new]), options)


def _report(old: dict[str, Any], new: dict[str, Any], options: argparse.Namespace) -> int:
    from .hashes import compare

    def is_ignored(name: str) -> bool:
        asked = not options.only or any(name.startswith(start) for start in options.only)
        return not asked or any(fnmatch(name, pattern) for pattern in options.ignore)

    differences = compare(old, new, is_ignored)
    n_compared = sum(not is_ignored(name) for name in {*old["prints"], *new["prints"]})
    if differences:
        print(differences)
    n_different = len(differences.splitlines())
    print(f"{n_compared} fingerprints compared, {n_different} differences")
    return 1 if n_different or not n_compared else 0


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    sys.exit(main())
