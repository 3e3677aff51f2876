"""The painters draw what the paper's figures must show."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Wedge

from horotree.display import draw_isolines, draw_lift, draw_norm_map
from horotree.display.theory.painters import LIFT_TEMPERATURES, NORM_TEMPERATURES, POSTERIORS

FOUR = (1.0, 0.6, 0.3, 0.0)


def new_axes():
    return Figure().subplots()


def texts(ax):
    return [text.get_text().strip() for text in ax.texts]


def norm_by_definition(distance, t):
    """Solve log_t((1 + r) / (1 - r)) = distance for r, with 50 digits."""
    with mpmath.workdps(50):
        s = 1 - mpmath.mpf(t)
        d = mpmath.mpf(distance)
        ratio = mpmath.exp(d) if s == 0 else (1 + s * d) ** (1 / s)
        return float((ratio - 1) / (ratio + 1))


def test_the_lift_at_t_1_is_the_identity_widest_and_in_ink():
    lines = dict(zip(LIFT_TEMPERATURES, draw_lift(new_axes()), strict=True))
    identity = lines.pop(1.0)
    np.testing.assert_array_equal(identity.get_xdata(), identity.get_ydata())
    assert identity.get_linewidth() > max(line.get_linewidth() for line in lines.values())
    assert max(to_rgb(identity.get_color())) < 0.15
    assert all(identity.get_zorder() > line.get_zorder() for line in lines.values())


def test_the_lift_is_drawn_from_minus_1_to_3_and_follows_its_formula():
    assert min(LIFT_TEMPERATURES) == -1.0
    assert max(LIFT_TEMPERATURES) == 3.0
    for t, line in zip(LIFT_TEMPERATURES, draw_lift(new_axes()), strict=True):
        z = line.get_xdata()
        expected = z if t == 1.0 else (np.exp((1.0 - t) * z) - 1.0) / (1.0 - t)
        np.testing.assert_allclose(line.get_ydata(), expected, rtol=1e-12, atol=1e-12)


def test_convex_and_concave_lifts_bend_apart_and_have_hues_apart():
    for t, line in zip(LIFT_TEMPERATURES, draw_lift(new_axes()), strict=True):
        red, _, blue = to_rgb(line.get_color())
        bend = np.diff(line.get_ydata(), 2)
        if t < 1.0:
            assert (bend > 0.0).all()
            assert blue > red + 0.2
        elif t > 1.0:
            assert (bend < 0.0).all()
            assert red > blue + 0.2


def test_whole_temperatures_of_the_lift_are_labeled_at_both_ends():
    ax = new_axes()
    draw_lift(ax)
    expected = [f"$t$ = {t}" for t in ("−1", "0", "1", "2", "3") for _ in range(2)]
    assert sorted(texts(ax)) == sorted(expected)


@given(st.floats(0.0, 1.0), st.booleans())
def test_the_norm_map_follows_the_definition_of_the_t_self(t, border):
    (line,) = draw_norm_map(new_axes(), temperatures=[t], border=border)
    x, norm = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    for i in (100, 500, 640):
        r = x[i] if not border else 1.0 - x[i]
        distance = np.log((1.0 + r) / (1.0 - r)) if not border else np.log((2.0 - x[i]) / x[i])
        assert norm[i] == pytest.approx(norm_by_definition(distance, t), rel=1e-11)


def test_the_norm_map_at_t_1_is_the_diagonal_widest_and_in_ink():
    lines = dict(zip(NORM_TEMPERATURES, draw_norm_map(new_axes()), strict=True))
    assert (min(lines), max(lines)) == (0.0, 1.0)
    diagonal = lines.pop(1.0)
    np.testing.assert_allclose(diagonal.get_xdata(), diagonal.get_ydata(), rtol=0, atol=1e-15)
    assert diagonal.get_linewidth() > max(line.get_linewidth() for line in lines.values())
    assert max(to_rgb(diagonal.get_color())) < 0.15


def test_norms_fall_with_t_and_curves_lighten_evenly_with_it():
    lines = draw_norm_map(new_axes())
    norms = np.array([line.get_ydata() for line in lines])
    assert (np.diff(norms[:, 1:700], axis=0) > 0.0).all()
    luminance = [np.dot(to_rgb(line.get_color()), (0.2126, 0.7152, 0.0722)) for line in lines[:-1]]
    assert (np.diff(luminance) > 0.0).all()


def test_norm_maps_start_at_the_center_and_end_on_the_border():
    for line in draw_norm_map(new_axes()):
        r, norm = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        assert (r[0], norm[0]) == (0.0, 0.0)
        assert r[-1] == 1.0
        assert norm[-1] > 0.999
        slope = norm[1] / r[1]
        assert slope == pytest.approx(1.0, abs=1e-3)


def test_the_border_is_read_off_as_the_erratum_says():
    ax = new_axes()
    for t, expected in ((0.7, 0.98003), (0.0, 0.83198)):
        (line,) = draw_norm_map(ax, temperatures=[t], border=True)
        gap, norm = np.asarray(line.get_xdata())[:700], np.asarray(line.get_ydata())[:700]
        read = np.interp(-np.log(1e-4), -np.log(gap), norm)
        assert read == pytest.approx(expected, abs=2e-5)
    assert ax.get_xscale() == "log"
    assert ax.xaxis_inverted()


@pytest.mark.parametrize("t", FOUR)
def test_isolines_have_the_radii_of_the_t_self(t):
    for p, circle in zip(POSTERIORS, draw_isolines(new_axes(), t=t), strict=True):
        with mpmath.workdps(50):
            distance = mpmath.log(mpmath.mpf(p) / (1 - mpmath.mpf(p)))
        assert circle.radius == pytest.approx(norm_by_definition(distance, t), rel=1e-12)
        assert circle.center == (0.0, 0.0)


def test_isolines_of_even_posteriors_are_even_in_the_poincare_disk():
    posteriors = (0.6, 0.7, 0.8, 0.9)
    radii = [circle.radius for circle in draw_isolines(new_axes(), posteriors=posteriors)]
    np.testing.assert_allclose(radii, [0.2, 0.4, 0.6, 0.8], rtol=1e-14)


@given(st.floats(1e-6, 1.0 - 1e-6), st.sampled_from(FOUR))
def test_a_posterior_and_its_complement_share_their_isoline(p, t):
    first, second = draw_isolines(new_axes(), posteriors=[p, 1.0 - p], t=t)
    assert first.radius == pytest.approx(second.radius, abs=1e-9)


@pytest.mark.parametrize("t", FOUR)
def test_the_emphasized_isoline_is_wider_and_tints_what_is_more_certain(t):
    ax = new_axes()
    *others, emphasized = draw_isolines(ax, t=t)
    assert emphasized.get_linewidth() > 2.0 * max(circle.get_linewidth() for circle in others)
    assert emphasized.get_edgecolor() not in [circle.get_edgecolor() for circle in others]
    (ring,) = [patch for patch in ax.patches if isinstance(patch, Wedge)]
    assert ring.r == 1.0
    assert ring.r - ring.width == pytest.approx(emphasized.radius)


def test_lower_t_moves_isolines_inward():
    radii = [[circle.radius for circle in draw_isolines(new_axes(), t=t)] for t in FOUR]
    assert (np.diff(radii, axis=0) < 0.0).all()


def test_isolines_name_both_posteriors():
    ax = new_axes()
    draw_isolines(ax)
    expected = [".4 | .6", ".3 | .7", ".2 | .8", ".1 | .9", ".01 | .99", ".001 | .999"]
    assert texts(ax) == [".5", *expected]


def test_without_the_emphasized_posterior_no_isoline_stands_out():
    circles = draw_isolines(new_axes(), posteriors=[0.6, 0.9])
    assert len({circle.get_linewidth() for circle in circles}) == 1


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, 1.5])
def test_a_posterior_outside_the_open_interval_is_refused(p):
    with pytest.raises(ValueError, match=r"posteriors must be between 0 and 1, .* got "):
        draw_isolines(new_axes(), posteriors=[0.6, p])


@pytest.mark.parametrize("draw", [draw_lift, draw_norm_map])
@pytest.mark.parametrize("wrong", [[np.nan], [np.inf]])
def test_a_temperature_that_is_not_finite_is_refused(draw, wrong):
    with pytest.raises(ValueError, match=r"must (be finite|not hold NaN)"):
        draw(new_axes(), temperatures=wrong)


def test_a_temperature_that_is_not_a_number_is_refused():
    with pytest.raises(TypeError, match="temperatures must hold real numbers"):
        draw_lift(new_axes(), temperatures=["cold"])
    with pytest.raises(TypeError, match="real number"):
        draw_isolines(new_axes(), t="cold")
