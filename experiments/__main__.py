"""Run experiments by name: ``python -m experiments list | page | all | NAME``."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import experiments.figures
import experiments.tables
from experiments.context import OUTPUT, PICTURES, RESULTS, Context, MissingDataError
from experiments.page import PAGE, write_page
from experiments.progress import say

KINDS = {"fig": experiments.figures, "tab": experiments.tables}


def find_experiments() -> dict[str, ModuleType]:
    """Return the experiments by name: `figures/lift.py` is ``fig-lift``."""
    return {
        f"{kind}-{m.name.replace('_', '-')}": importlib.import_module(f"{folder.__name__}.{m.name}")
        for kind, folder in KINDS.items()
        for m in pkgutil.iter_modules(folder.__path__)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """List experiments or run some, printing the paths of what they wrote; return 0 or 1."""
    found = find_experiments()
    options = _parse(arguments, found)
    if options.name == "list":
        width = max(map(len, found))
        for name, module in found.items():
            summary = (module.__doc__ or "").partition("\n")[0]
            first, *others = module.LABEL.split()
            label = f"{first} +{len(others)}" if others else first
            print(f"{name:{width}} {label:24} {summary}")
        return 0
    try:
        return _run(options, found)
    except MissingDataError as error:
        say(f"Error: {error}.")
    except OSError as error:
        reason = error.strerror or str(error)
        say(f"Error: cannot write into {error.filename or options.output}: {reason}.")
    except KeyboardInterrupt:
        say("Stopped. The same command goes on from here.")
    return 1


def run_experiment(name: str, module: ModuleType, context: Context) -> list[Path]:
    """Run one experiment; one that only draws is saved under its name."""
    if hasattr(module, "run"):
        return list(module.run(context))
    return context.save(module.draw(), name)


def _run(options: argparse.Namespace, found: dict[str, ModuleType]) -> int:
    context = _context(options)
    names = {"all": list(found), "page": []}.get(options.name, [options.name])
    missing = []
    for name in names:
        if len(names) > 1:
            say(name)
        try:
            for path in run_experiment(name, found[name], context):
                print(path, flush=True)
        except MissingDataError as error:
            if len(names) == 1:
                raise
            missing.append(f"{name}: {error}")
    if options.name in ("all", "page"):
        print(write_page(found, context.results, _page(context)))
    for text in missing:
        say(f"Error: {text}.")
    return 1 if missing else 0


def _context(options: argparse.Namespace) -> Context:
    if options.data is not None and not options.data.is_dir():
        raise MissingDataError(f"there is no folder {options.data}; name one of <domain>.csv.gz")
    options.output.mkdir(parents=True, exist_ok=True)
    # A quick run must not replace what the repository shows.
    output = options.output / "quick" if options.quick else options.output
    results = options.results or (output / "results" if options.quick else None)
    return Context(
        data=options.data,
        output=output,
        results=results or RESULTS,
        formats=tuple(options.format),
        dpi=options.dpi,
        jobs=options.jobs,
        quick=options.quick,
        pictures=results / "images" if results else PICTURES,
        offline=options.offline,
    )


def _page(context: Context) -> Path:
    """Return where the page goes: next to results that are not the repository's own."""
    return PAGE if context.results == RESULTS else context.results / PAGE.name


def _parse(arguments: Sequence[str] | None, found: dict[str, ModuleType]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    parser.add_argument("name", choices=["list", "page", "all", *found], metavar="NAME")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of <domain>.csv.gz; others: from OpenML"
    )
    parser.add_argument("--offline", action="store_true", help="do not fetch from OpenML")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes, -1: all cores")
    parser.add_argument("--quick", action="store_true", help="few trees and folds, to see it run")
    parser.add_argument("--output", type=Path, default=OUTPUT, metavar="DIR")
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help="of tables and page, if not the repository's"
    )
    formats = ["png", "svg", "pdf"]
    parser.add_argument("--format", nargs="+", choices=formats, default=formats[:2])
    parser.add_argument("--dpi", type=float, default=200.0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
