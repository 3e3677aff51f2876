"""The learning rates of LightGBM's trees, and the average that it adds to the first of them.

Every tree has its ``shrinkage`` in the file. Adding the average to the leaves of a first tree sets
it to 1: then the rate of the next round is taken for it.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from horotree._checks import Floats
from horotree.importers.shared.forest import RawForest
from horotree.importers.shared.notes import MARGINS, changed_rate_notes
from horotree.importers.shared.number_lists import read_floats

from .text import Fields, ModelText

# Shrinkages have six digits in a file.
DIGITS = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Scales:
    """The forest without averages in its leaves, the scales of its trees, and the averages."""

    forest: RawForest
    unit: Floats
    leverage: Floats
    base: Floats
    notes: tuple[str, ...]


def take_out_average(forest: RawForest, text: ModelText, n_groups: int) -> Scales:
    """Return the ordered trees in units of their learning rates, and what comes before them."""
    shrinkage = np.array([as_positive(tree.get("shrinkage"), "shrinkage") for tree in text.trees])
    is_mean = "average_output" in text.header
    root = _root_values(forest, text.trees if is_mean else text.trees[:n_groups])
    shift, base = np.zeros(forest.n_trees), np.zeros(n_groups)
    n_rounds = forest.n_trees // n_groups
    notes: tuple[str, ...] = (MARGINS,)
    if is_mean:  # a random forest: the average is in every tree
        unit, leverage = np.ones(forest.n_trees), np.full(forest.n_trees, 1.0 / max(n_rounds, 1))
        if n_rounds and text.parameters.get("boost_from_average", "1") != "0":
            base = np.mean(root.reshape(n_rounds, n_groups), axis=0)
            shift = np.tile(base, n_rounds)
    else:
        unit = shrinkage.copy()
        is_leaf = np.diff(forest.start) == 1
        rate = _usual_rate(shrinkage[n_groups:][~is_leaf[n_groups:]], text.parameters)
        for group in range(n_groups if n_rounds else 0):
            if is_leaf[group] or _has_average(shrinkage[group], rate, text.parameters):
                base[group] = shift[group] = root[group]
                unit[group] = rate * shrinkage[group]
        leverage = unit
        if text.parameters.get("boosting") != "dart":
            notes = _rate_notes(unit[~is_leaf])
    leaf_shift = np.repeat(shift, np.diff(forest.start))
    with np.errstate(over="ignore", invalid="ignore"):
        output = np.where(forest.left < 0, forest.output - leaf_shift, 0.0)
    return Scales(replace(forest, output=output), unit, leverage, base, notes)


def as_positive(text: str | None, name: str) -> float:
    """Return a positive number, else raise."""
    numbers = read_floats(text or "")
    number = float(numbers[0]) if numbers is not None and len(numbers) == 1 else math.nan
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name} must be a positive number, got {text!r}: the file is damaged.")
    return number


def _rate_notes(rates: Floats) -> tuple[str, ...]:
    low, high = float(rates.min(initial=np.inf)), float(rates.max(initial=0.0))
    return changed_rate_notes(low, high) if low < high * (1.0 - DIGITS) else (MARGINS,)


def _root_values(forest: RawForest, trees: list[Fields]) -> Floats:
    """Return LightGBM's own value of each root: the average, where it was added.

    Regularized leaves have a slightly different mean. It is used if the file has no such value, or
    an impossible one.
    """
    value = forest.mean_output()[forest.start[:-1]]
    for j, tree in enumerate(trees):
        first = tree.get("internal_value", "").lstrip().partition(" ")[0]
        try:
            given = float(first)
        except ValueError:
            continue
        leaves = forest.output[forest.start[j] : forest.start[j + 1]]
        leaves = leaves[forest.left[forest.start[j] : forest.start[j + 1]] < 0]
        if leaves.min() <= given <= leaves.max():
            value[j] = given
    return value


def _usual_rate(later: Floats, parameters: Fields) -> float:
    """Return the learning rate next to that of the first round, given the later shrinkages."""
    is_dart = parameters.get("boosting") == "dart"  # dropping a tree shrinks it
    if len(later) and not (is_dart and "learning_rate" in parameters):
        return float(later[0])
    return as_positive(parameters.get("learning_rate", "1"), "learning_rate")


def _has_average(shrinkage: float, rate: float, parameters: Fields) -> bool:
    """Tell whether the average was added to a first tree, which sets its shrinkage to 1."""
    flag = parameters.get("boost_from_average")
    if flag == "0":
        return False
    if parameters.get("boosting") != "dart":
        return shrinkage == 1.0 and (rate != 1.0 or flag == "1")
    # Dropping the tree again and again has made its shrinkage small, from 1 or from the rate.
    return shrinkage > rate * (1.0 + DIGITS) or flag == "1"
