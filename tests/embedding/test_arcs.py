"""Sampled arcs are geodesics between their nodes."""

import mpmath
import numpy as np
import pytest

from horotree.embedding import embed, sample_arcs
from horotree.geometry import polar
from horotree.tempered import unlift
from horotree.trees import monotonic
from tests.display.models import breast_cancer, model_of


@pytest.mark.parametrize("t", [1.0, 0.4, "auto"])
def test_points_of_an_arc_lie_between_its_ends(t):
    tree = monotonic(breast_cancer()[0].model_.ensembles[0].trees[0])
    embedding = embed(tree, t=t)
    distance, angle = sample_arcs(embedding, 9)
    drawn = unlift(distance, t=embedding.t)
    ends = drawn[:, :1], angle[:, :1], drawn[:, -1:], angle[:, -1:]
    whole = polar.distance(*ends)
    before = polar.distance(ends[0], ends[1], drawn, angle)
    after = polar.distance(drawn, angle, ends[2], ends[3])
    np.testing.assert_allclose(before + after, np.broadcast_to(whole, before.shape), rtol=1e-7)
    share = np.linspace(0.0, 1.0, 9)
    np.testing.assert_allclose(before, whole * share, rtol=1e-6, atol=1e-7)


def test_arcs_far_out_do_not_overflow():
    embedding = embed(monotonic(model_of([600.0, 720.0, -745.0]).ensembles[0].trees[0]), "sarkar")
    distance, angle = sample_arcs(embedding, 5)
    assert np.isfinite(distance).all()
    assert np.isfinite(angle).all()
    assert (distance <= 745.0 + mpmath.log(2)).all()


def test_an_arc_has_two_ends():
    embedding = embed(monotonic(model_of([0.1, 1.0, -2.0]).ensembles[0].trees[0]))
    with pytest.raises(ValueError, match="at least 2"):
        sample_arcs(embedding, 1)
