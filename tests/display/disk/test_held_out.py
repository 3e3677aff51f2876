"""Ticks show where held-out data put a node: its class by color, how far to trust it by opacity."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from horotree.display.disk.held_out import AGREES, find_ticks, paint_held_out
from horotree.display.disk.painter import Lens
from horotree.evaluation.verdicts import HeldOut
from horotree.geometry.tself import norm_t
from horotree.scene import find_scene
from tests.display.models import model_of

COLORS = ("#d55e00", "#0072b2")
SCENE = find_scene(model_of([0.5, 1.0, -2.0, 3.0, -4.0]), tree=0)
TRAINED = [0.5, 1.0, -2.0, 3.0, -4.0]
# For each node the held-out value, its interval, and the verdict.
FOUND = {
    "agrees": (0.6, 0.2, 1.0),
    "flipped": (-2.0, -3.0, -1.0),
    "weaker": (-0.5, -1.0, 0.5),
    "few": (1.0, -1.0, np.inf),
    "none": (np.nan, np.nan, np.nan),
}


def truth():
    value, low, high = np.array([*FOUND.values()]).T
    return HeldOut(
        np.zeros(5, np.int32), np.zeros(5, np.int32), SCENE.embedding.node, [9, 9, 9, 2, 0],
        [9.0, 9.0, 9.0, 2.0, 0.0], TRAINED, value, low, high, np.full(5, 0.1), [*FOUND],
    )  # fmt: skip


def test_a_tick_is_on_the_side_of_its_class_and_flips_with_it():
    ticks = find_ticks(SCENE, truth())
    assert ticks.row.tolist() == [0, 1, 2, 3]
    assert ticks.positive.tolist() == [True, False, False, True]
    assert ticks.middle.tolist() == [0.6, 2.0, 0.5, 1.0]
    assert ticks.low.tolist() == [0.2, 1.0, 0.0, 0.0]  # what reaches over ends at the center
    assert ticks.high.tolist() == [1.0, 3.0, 1.0, np.inf]


@pytest.mark.parametrize("t", [1.0, 0.0])
def test_ticks_are_colored_by_class_where_they_disagree_and_faint_where_examples_are_few(t):
    ax = Figure(figsize=(6.0, 6.0)).add_axes((0, 0, 1, 1))
    rays, bars = paint_held_out(ax, Lens(t, 1.0, COLORS, 6.0), SCENE, truth())
    for part in (rays, bars):
        assert [to_hex(color) for color in part.get_colors()] == [
            AGREES, COLORS[0], COLORS[0], AGREES,
        ]  # fmt: skip
        agrees, flipped, weaker, few = part.get_colors()[:, 3]
        assert few < agrees < min(flipped, weaker)
    assert rays.get_colors()[3, 3] == 0.0  # an interval of almost all would cover everything
    ends = np.hypot(*np.array(rays.get_segments()[1]).T)
    np.testing.assert_allclose(ends, norm_t(np.array([1.0, 3.0]), t=t), rtol=1e-12)


def test_a_model_of_unknown_scale_has_no_ticks_and_is_drawn_all_the_same():
    nothing = np.full(5, np.nan)
    truth = HeldOut(
        np.zeros(5, np.int32), np.zeros(5, np.int32), SCENE.embedding.node, [9, 9, 9, 2, 0],
        [9.0, 9.0, 9.0, 2.0, 0.0], TRAINED, nothing, nothing, nothing, nothing, ["unknown"] * 5,
    )  # fmt: skip
    ax = Figure().add_axes((0, 0, 1, 1))
    assert paint_held_out(ax, Lens(1.0, 1.0, COLORS, 6.0), SCENE, truth) == []
    assert not ax.collections
