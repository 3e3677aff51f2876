"""The examples in the docstrings run and print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import horotree

MODULES = [horotree.__name__] + [
    module.name for module in pkgutil.walk_packages(horotree.__path__, "horotree.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name), verbose=False).failed == 0


def test_every_public_function_of_the_algebra_has_an_example():
    algebra = importlib.import_module("horotree.tempered.algebra")
    finder = doctest.DocTestFinder()
    with_examples = {test.name for test in finder.find(algebra) if test.examples}
    public = [name for name in horotree.tempered.__all__ if hasattr(algebra, name)]
    assert {f"horotree.tempered.algebra.{name}" for name in public} <= with_examples
