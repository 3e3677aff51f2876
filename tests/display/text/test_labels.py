"""Labels cover neither each other nor, as far as there is room, what is drawn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from horotree.display.text.fonts import printable
from horotree.display.text.labels import find_places

SIZE = (0.1, 0.06)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_labels_never_overlap(n, seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(0.0, 0.2, (n, 2))
    places = find_places(points, [SIZE] * n, points, clearance=0.03)
    shown = places[np.isfinite(places[:, 0])]
    assert len(shown) >= 1
    gap = np.abs(shown[:, None, :] - shown[None, :, :])
    apart = (gap >= np.array(SIZE) - 1e-12).any(axis=2)
    assert (apart | np.eye(len(shown), dtype=bool)).all()


def test_a_label_with_room_covers_nothing():
    points = np.array([[0.0, 0.0], [0.1, 0.08]])
    places = find_places(points, [SIZE, SIZE], points, clearance=0.03)
    for place in places:
        assert not (np.abs(points - place) < np.array(SIZE) / 2).all(axis=1).any()


def test_no_room_is_told():
    points = np.zeros((60, 2))
    places = find_places(points, [SIZE] * 60, points, clearance=0.03)
    assert np.isnan(places).any()


def test_characters_without_a_font_are_written_by_their_numbers():
    assert printable("größe") == "größe"
    assert printable("a\U000e0041") == "a\\U000e0041"
    assert printable("\ud800") == "\\ud800"
