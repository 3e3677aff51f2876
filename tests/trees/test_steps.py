"""How leaves were set: what is refused, and what files keep."""

import json
import math
import re

import pytest

from horotree.trees import Ensemble, Model, Steps


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"l2": -1.0}, "l2 must be 0 or more, got -1.0"),
        ({"l1": math.inf}, "l1 must be finite"),
        ({"hessian": 0.0}, "hessian must be above 0"),
        ({"weights": "rounds"}, "weights must be one of rows, hessians, got 'rounds'"),
        ({"set_l2": -1.0}, "set_l2 must be 0 or more, got -1.0"),
        ({"set_features": [0, -1]}, "set_features must be numbers from 0 on, got [0, -1]"),
        ({"set_features": [1.5]}, "set_features must be numbers from 0 on, got [1.5]"),
        ({"iterations": 2, "set_l2": 1.0}, "more than one step must be of one class"),
        ({"iterations": 10**9}, "iterations must be a number from 1 to 100, got 1000000000"),
        ({"limit": 0.0}, "limit must be above 0, got 0.0"),
        ({"limit": math.nan}, "limit must be above 0, got nan"),
    ],
)
def test_steps_are_checked(given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Steps(**given)


def test_json_has_what_makes_them_anew():
    with_sets = Steps(2.0, weights="hessians", set_l2=10.0, set_features=(3, 0))
    assert with_sets.set_features == (0, 3)
    for steps in (
        Steps(),
        Steps(2.0, 1.0, 1.5, "hessians", coupled=True, limit=50.0),
        with_sets,
    ):
        assert Steps(**json.loads(json.dumps(steps.to_json()))) == steps
    assert "limit" not in Steps().to_json()  # JSON has no infinity


def test_only_margins_have_steps():
    ensemble = Ensemble((), [], [], 0.5)
    parts = (ensemble,), "logistic", [0, 1], ("x",), (None,), "float64"
    assert Model(*parts, value_kind="margin", steps=Steps()).steps == Steps()
    with pytest.raises(ValueError, match="steps are for values of kind margin, got kind posterior"):
        Model(*parts, steps=Steps())
