"""Run experiments by name: ``python -m experiments list | all | NAME``."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import experiments
from horotree.display import save_figure


def find_experiments() -> dict[str, ModuleType]:
    """Return the experiments by name: the modules of this package, `fig_lift` as ``fig-lift``."""
    modules = (m.name for m in pkgutil.iter_modules(experiments.__path__) if m.name != "__main__")
    return {
        name.replace("_", "-"): importlib.import_module(f"experiments.{name}")
        for name in sorted(modules)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """List experiments or run some, printing the paths of what they wrote; return 0 or 1."""
    found = find_experiments()
    options = _parse(arguments, found)
    if options.name == "list":
        for name, module in found.items():
            summary = (module.__doc__ or "").partition("\n")[0]
            print(f"{name:14} {module.LABEL:22} {summary}")
        return 0
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        for name in found if options.name == "all" else [options.name]:
            figure = found[name].draw()
            for suffix in options.format:
                path = options.output / f"{name}.{suffix}"
                print(save_figure(figure, path, dpi=options.dpi))
    except OSError as error:
        reason = error.strerror or str(error)
        print(f"Error: cannot write into {options.output}: {reason}.", file=sys.stderr)
        return 1
    return 0


def _parse(arguments: Sequence[str] | None, found: dict[str, ModuleType]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    parser.add_argument("name", choices=["list", "all", *found], metavar="NAME")
    parser.add_argument("--output", type=Path, default=Path("build/experiments"), metavar="DIR")
    formats = ["png", "svg", "pdf"]
    parser.add_argument("--format", nargs="+", choices=formats, default=formats[:2])
    parser.add_argument("--dpi", type=float, default=200.0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
