"""The names by which horotree is asked: the one place to change when a public name changes.

The same script must run on the old and the new build, so names are searched, and options are
passed under the name that a function has for them.
"""

import functools
import importlib
import inspect
import pkgutil
from typing import Any

import horotree

# Options that have had another name, and what they are called otherwise.
ALSO_CALLED: dict[str, tuple[str, ...]] = {
    "max_trees": ("trees",),
    "monotonic": ("as_drawn",),
    "n_threads": ("n_jobs",),
    "trees": ("tree",),
}

# Where modules are not searched: they need other packages, or run something.
_LEFT_OUT = ("horotree.__main__", "horotree.cli", "horotree.distributed", "horotree._native")


@functools.cache
def public(name: str) -> Any:
    """Return what has a public name: at the top level, or in any public module."""
    found = _member(horotree, name)
    if found is not None:
        return found
    for module in _modules("horotree", horotree.__path__):
        found = _member(module, name)
        if found is not None:
            return found
    raise LookupError(f"horotree has no public {name}: add its new name to {__name__}.")


def _modules(package: str, path: Any) -> Any:
    """Yield the public modules of a package, each before those inside of it."""
    for info in pkgutil.iter_modules(path, f"{package}."):
        if info.name.rpartition(".")[2].startswith("_") or info.name in _LEFT_OUT:
            continue
        module = importlib.import_module(info.name)
        yield module
        if info.ispkg:
            yield from _modules(info.name, module.__path__)


def _member(module: Any, name: str) -> Any:
    found = getattr(module, name, None)
    return None if inspect.ismodule(found) else found


def call(function: Any, *arguments: Any, **options: Any) -> Any:
    """Call a function, with options under the names that it has for them."""
    known = inspect.signature(function).parameters
    renamed = {
        next((n for n in (name, *ALSO_CALLED.get(name, ())) if n in known), name): value
        for name, value in options.items()
    }
    return function(*arguments, **renamed)


def trees_of(model: Any) -> list[Any]:
    """Return all trees of a model, ensemble after ensemble."""
    return [tree for ensemble in model.ensembles for tree in ensemble.trees]


def host_of(tree: Any) -> Any:
    """Return for each node of a tree the node that speaks for it."""
    return tree.host if hasattr(tree, "host") else public("monotonic")(tree).host


def drawn_model(model: Any, **options: Any) -> Any:
    """Return the model that predicts by its confidence-monotonic trees."""
    return call(getattr(model, "as_drawn", None) or model.monotonic, **options)


def rule_of(tree: Any, node: int) -> Any:
    """Return the rule from the root to a node, which has ``text``, ``to_pandas`` and ``to_sql``."""
    return public("path_rule")(tree, node)
