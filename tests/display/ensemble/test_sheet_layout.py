"""Sheets: which trees are drawn, and disks that do not meet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.display.ensemble.sheet_layout import LABEL, arrange, choose_trees, describe_subset


@given(st.integers(1, 6_000), st.integers(2, 200))
def test_chosen_trees_are_evenly_spaced_from_the_first_to_the_last(n_trees, max_trees):
    chosen = choose_trees(n_trees, max_trees)
    assert chosen[0] == 0
    assert chosen[-1] == n_trees - 1
    assert len(chosen) <= max_trees
    steps = np.diff(chosen)
    assert (steps > 0).all()
    if len(steps):
        assert (steps[:-1] == steps[0]).all()
        assert steps[-1] <= steps[0]
    if n_trees <= max_trees:
        assert len(chosen) == n_trees
    else:  # one more would have fit, had the step been smaller
        assert (n_trees - 1) / (steps[0] - 1) > max_trees - 1
        told = describe_subset(chosen, n_trees)
        assert told.startswith("every " if len(chosen) > 2 else "2 of ")


@pytest.mark.parametrize(
    ("step", "words"), [(2, "2nd"), (3, "3rd"), (5, "5th"), (11, "11th"), (21, "21st")]
)
def test_the_page_says_how_trees_were_chosen(step, words):
    n = 3 * step + 1
    assert describe_subset(range(0, n, step), n) == f"every {words} of {n} trees"
    assert (
        describe_subset([*range(0, n, step), n], n + 1)
        == f"every {words} of {n + 1} trees, and the last"
    )


@given(st.integers(1, 5_000), st.none() | st.integers(1, 60))
def test_disks_do_not_meet_and_fill_the_sheet_row_by_row(n, columns):
    sheet = arrange(n, 10.4, columns)
    assert len(sheet.centers) == n
    x, y = sheet.centers.T
    assert (x - sheet.radius >= 0.0).all()
    assert (x + sheet.radius <= 10.4 + 1e-9).all()
    assert (y - sheet.radius >= 0.0).all()
    label = LABEL if sheet.is_labeled else 0.0
    assert (y + sheet.radius + label <= sheet.height + 1e-9).all()
    ahead = np.diff(y) < -1e-9  # a new row
    assert (np.diff(x)[~ahead] >= 2.0 * sheet.radius).all()
    assert (np.diff(y)[ahead] <= -2.0 * sheet.radius - label).all()
    assert ahead.sum() == -(-n // sheet.columns) - 1
    if columns is None:
        assert sheet.height <= 25.0
    else:
        assert sheet.columns == columns
