"""Trees joined and cut apart again: checked if they come from a file, trusted from training."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horotree.trees.joining import join_trees, split_trees, trust_trees
from tests.trees.strategies import trees


def joined(parts):
    """Return writable arrays of trees whose weights are all known."""
    arrays = {name: np.array(array) for name, array in join_trees(parts).items()}
    arrays["weight"] = np.arange(len(arrays["weight"]), dtype=float)
    return arrays


@given(st.lists(trees(), min_size=1, max_size=4))
def test_trusted_trees_are_those_that_are_checked(parts):
    for trusted, checked in zip(
        trust_trees(joined(parts)), split_trees(joined(parts)), strict=True
    ):
        assert trusted == checked
        for name in checked.__match_args__:
            array, expected = getattr(trusted, name), getattr(checked, name)
            assert array.dtype == expected.dtype
            assert array.tobytes() == expected.tobytes()
            assert array.flags.c_contiguous
            assert not array.flags.writeable


@given(st.lists(trees(), min_size=1, max_size=4))
def test_trusted_trees_have_one_zero(parts):
    arrays = joined(parts)
    for name in ("threshold", "value", "output", "weight"):
        arrays[name][arrays[name] == 0.0] = -0.0
    for tree in trust_trees(arrays):
        for name in ("threshold", "value", "output", "weight"):
            array = getattr(tree, name)
            assert not np.signbit(array[array == 0.0]).any()


@pytest.mark.parametrize("name", ["value", "output", "weight"])
@given(part=trees(), bad=st.sampled_from([np.inf, -np.inf]))
def test_a_number_that_overflowed_is_not_trusted(name, part, bad):
    arrays = joined([part, part])
    arrays[name][part.n_nodes] = bad
    with pytest.raises(ValueError, match=f"{name} must be finite.*at node 0"):
        trust_trees(arrays)
