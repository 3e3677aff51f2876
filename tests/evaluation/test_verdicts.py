"""What intervals say of trained values, and the words for it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from horotree.evaluation.verdicts import (
    DIFFERS,
    VERDICTS,
    HeldOut,
    judge,
    to_posterior,
)

INF, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("trained", "low", "high", "verdict"),
    [
        (1.0, 0.5, 1.5, "agrees"),
        (1.0, 1.0, 1.5, "agrees"),
        (1.0, 0.5, 1.0, "agrees"),
        (1.0, -0.5, 1.5, "agrees"),
        (1.0, 0.5, 0.9, "weaker"),
        (1.0, -0.5, 0.9, "weaker"),
        (1.0, -9.0, 0.9, "weaker"),
        (1.0, -0.5, 0.0, "weaker"),
        (1.0, -0.9, -0.1, "flipped"),
        (1.0, -INF, -0.1, "flipped"),
        (1.0, 1.1, 2.0, "stronger"),
        (1.0, 1.1, INF, "stronger"),
        (1.0, -INF, INF, "few"),
        (1.0, -1.1, 1.1, "few"),
        (1.0, 0.0, INF, "agrees"),
        (1.0, NAN, NAN, "none"),
        (0.0, -0.1, 0.1, "agrees"),
        (0.0, 0.1, 0.2, "stronger"),
        (0.0, -0.2, -0.1, "stronger"),
        (0.0, -5.0, 5.0, "few"),
        (0.0, NAN, NAN, "none"),
    ],
)
def test_verdicts(trained, low, high, verdict):
    def judged(*numbers, matters=True):
        values = tuple(np.array([number]) for number in numbers)
        width = to_posterior(values[2]) - to_posterior(values[1])
        return judge(values, np.array([matters]), width).tolist()

    assert judged(trained, low, high) == [verdict]
    assert judged(-trained, -high, -low) == [verdict]
    assert judged(trained, low, high, matters=False)[0] not in DIFFERS


def table(*verdicts, kind="posterior", center="half"):
    n = len(verdicts)
    integers, numbers = [np.arange(n)] * 4, [np.zeros(n)] * 6
    return HeldOut(*integers, *numbers, [*verdicts], kind, center)


def test_the_summary_says_what_was_found_and_what_counts():
    found = table(*VERDICTS)
    assert str(found) == (
        "1 of 7 nodes agrees with these rows, 1 leans the other way, 1 is less sure than it "
        "seems, 1 is surer than it seems (beyond chance, and by 1 percentage point or more), 1 has "
        "too few rows to tell, 1 has no rows, 1 is on a scale that is not known"
    )
    assert repr(found).startswith("HeldOut(7 nodes: 1 agrees, 1 flipped, 1 weaker, 1 stronger,")
    assert str(table("few", "few")) == (
        "0 of 2 nodes agree with these rows, 2 have too few rows to tell"
    )


def test_from_the_root_no_node_says_a_class():
    """Of 97 % paid rows, none of those that say so "leans the other way"."""
    found = table("agrees", "flipped", "weaker", "weaker", "stronger", center="base")
    assert str(found) == (
        "1 of 5 nodes agrees with these rows, 1 belongs on the other side of the root, 2 belong "
        "nearer to the root, 1 belongs farther from the root (beyond chance, and by 1 percentage "
        "point or more)"
    )


def test_what_cannot_be_compared_is_said_to_be_so():
    for kind, what in (("margin", "set its leaves"), ("posterior", "weighted its rows")):
        assert str(replace(table("unknown", "none"), value_kind=kind)) == (
            "none of 2 nodes is compared with these rows, for how the model's training "
            f"{what} is not known"
        )


def test_margins_have_no_posteriors_in_the_frame():
    values = ["trained_value", "value", "low_value", "high_value"]
    posteriors = ["trained", "posterior", "low", "high"]
    assert [*table("few").to_frame()][5:] == [*posteriors, "difference", "verdict"]
    assert [*table("few", kind="margin").to_frame()][5:] == [*values, "difference", "verdict"]
