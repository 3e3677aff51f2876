import copy
import pickle

import numpy as np
import pytest
from hypothesis import given

from horotree import losses
from horotree.trees import Tree
from tests.factories import make_tree
from tests.trees.oracle import path_to
from tests.trees.strategies import trees

#   0: x0 <= 0.5, missing left
#   ├── 1: x1 in {1, 3}
#   │   ├── 3
#   │   └── 4
#   └── 2
FIELDS = {
    "left": [1, 3, -1, -1, -1],
    "right": [2, 4, -1, -1, -1],
    "feature": [0, 1, -1, -1, -1],
    "threshold": [0.5, 0.0, 0.0, 0.0, 0.0],
    "missing_left": [True, False, False, False, False],
    "category_start": [0, 0, 2, 2, 2, 2],
    "category": [1, 3],
    "value": [0.0, 1.0, -2.0, 3.0, -0.5],
    "output": [0.0, 1.0, -2.0, 3.0, -0.5],
    "weight": [4.0, 3.0, 1.0, 2.0, 1.0],
    "count": [4, 3, 1, 2, 1],
}
DTYPES = {
    "left": np.int32,
    "right": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "missing_left": np.bool_,
    "category_start": np.int32,
    "category": np.int32,
    "value": np.float64,
    "output": np.float64,
    "weight": np.float64,
    "count": np.int64,
}


def make(**changes):
    return Tree(**{**FIELDS, **changes})


# --- what it holds -------------------------------------------------------------------------------


def test_arrays_have_fixed_widths_and_are_contiguous_and_read_only():
    tree = make()
    for name, dtype in DTYPES.items():
        array = getattr(tree, name)
        assert array.dtype == dtype
        assert array.flags.c_contiguous
        assert array.tolist() == FIELDS[name]
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_tree_keeps_its_own_copy_of_what_it_is_given():
    value = np.array(FIELDS["value"])
    tree = make(value=value, output=value)
    value[0] = 9.0
    assert tree.value[0] == 0.0
    assert tree.output[0] == 0.0


def test_fields_cannot_be_set():
    with pytest.raises(AttributeError):
        make().left = np.array([-1])


@given(trees())
def test_derived_arrays_are_what_a_walk_from_the_root_finds(tree):
    for node in range(tree.n_nodes):
        path = path_to(tree, node)
        assert tree.depth[node] == len(path) - 1
        assert tree.parent[node] == (path[-2] if node else -1)
        assert tree.is_leaf[node] == (tree.left[node] == -1)
    assert tree.n_leaves == tree.is_leaf.sum()
    np.testing.assert_array_equal(tree.confidence, np.abs(tree.value))
    np.testing.assert_array_equal(tree.posterior, losses.inverse_link(tree.value))
    for name in ("parent", "depth", "is_leaf", "posterior", "confidence"):
        assert getattr(tree, name) is getattr(tree, name)
        assert not getattr(tree, name).flags.writeable
    assert tree.parent.dtype == tree.depth.dtype == np.int32


def test_the_depth_of_a_chain_is_found():
    n = 2001
    inner = np.arange(0, n - 1, 2)
    left, right = np.full(n, -1), np.full(n, -1)
    left[inner], right[inner] = inner + 1, inner + 2
    tree = make_tree(left, right)
    assert tree.depth.max() == 1000
    assert tree.depth[inner].tolist() == list(range(1000))


# --- equality, copies ----------------------------------------------------------------------------


@given(trees(), trees())
def test_equal_trees_have_equal_fields_and_hashes(a, b):
    same = all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True) for name in DTYPES
    )
    assert (a == b) == same
    if same:
        assert hash(a) == hash(b)
    rebuilt = Tree(**{name: getattr(a, name) for name in DTYPES})
    assert rebuilt == a
    assert hash(rebuilt) == hash(a)


@pytest.mark.parametrize("name", ["threshold", "value", "output", "weight", "count"])
def test_a_change_of_one_entry_makes_a_tree_differ(name):
    changed = list(FIELDS[name])
    changed[0] += 1
    assert make() != make(**{name: changed})
    assert make() != "a tree"


@given(trees())
def test_pickles_are_equal_and_read_only_and_copies_are_the_tree_itself(tree):
    back = pickle.loads(pickle.dumps(tree))  # noqa: S301 - bytes of our own
    assert back == tree
    assert not back.left.flags.writeable
    assert copy.copy(tree) is tree
    assert copy.deepcopy(tree) is tree


def test_equal_trees_have_equal_bytes_also_with_signed_zeros_and_nans():
    a = make(threshold=[0.0, -0.0, 0.0, 0.0, -0.0], weight=[np.nan] * 5)
    b = make(threshold=[0.0] * 5, weight=[-np.nan] * 5)
    assert a == b
    for name in DTYPES:
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes()


def test_repr_is_short():
    assert repr(make()) == "Tree(5 nodes, 3 leaves, depth 2)"


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left": []}, "at least one node"),
        ({"value": [0.0]}, "value must have one entry a node, got 1 for 5"),
        ({"category_start": [0] * 5}, "category_start must have one entry a node and one more"),
        ({"left": [[1, 3, -1, -1, -1]]}, r"left must have one dimension, got shape \(1, 5\)"),
        ({"right": [2, -1, -1, -1, -1]}, "right must be -1 where left is, .* got -1 at node 1"),
        ({"left": [-1, 3, -1, -1, -1]}, "right must be -1 where left is, .* got 2 at node 0"),
        ({"left": [1, -2, -1, -1, -1]}, "left must be -1, or a child .* got -2 at node 1"),
        ({"left": [0, 3, -1, -1, -1]}, "left must be -1, or a child .* got 0 at node 0"),
        ({"right": [2, 5, -1, -1, -1]}, "right must be -1, or a child .* got 5 at node 1"),
        ({"left": [2, 3, -1, -1, -1]}, "the child of one node, got 0 at node 1"),
        ({"feature": [0, -1, -1, -1, -1]}, "feature must be a column .* got -1 at node 1"),
        ({"feature": [0, 1, 0, -1, -1]}, "feature must be a column .* got 0 at node 2"),
        ({"threshold": [np.inf, 0, 0, 0, 0]}, "threshold must be finite .* got inf at node 0"),
        ({"threshold": [0.5, 1, 0, 0, 0]}, "threshold must be 0 at a leaf .* got 1.0 at node 1"),
        ({"threshold": [0.5, 0, np.nan, 0, 0]}, "threshold must be 0 at a leaf .* nan at node 2"),
        ({"category_start": [0, 0, 2, 2, 2, 1]}, "never fall, and end at the number of codes"),
        ({"category_start": [0, 2, 1, 2, 2, 2]}, "category_start must start at 0, never fall"),
        ({"category_start": [0, 0, 1, 2, 2, 2]}, "must be empty at a leaf, got 1 at node 2"),
        ({"category": [3, 1]}, r"must increase, from 0 to 16777215, got \[3 1\] at node 1"),
        ({"category": [1, 1]}, "must increase"),
        ({"category": [-1, 1]}, "must increase"),
        ({"category": [1, 2**24]}, "must increase, from 0 to 16777215"),
        ({"value": [0.0, 1.0, np.inf, 0.0, 0.0]}, "value must be finite, got inf at node 2"),
        ({"output": [np.nan, 1.0, 0.0, 0.0, 0.0]}, "output must be finite, got nan at node 0"),
        ({"weight": [-1.0] * 5}, "weight must be finite and not negative, .* got -1.0 at node 0"),
        ({"weight": [np.inf] * 5}, "weight must be finite and not negative"),
        ({"count": [-2] * 5}, "count must be 0 or more, or -1 if unknown, got -2 at node 0"),
        ({"left": [2**31, 3, -1, -1, -1]}, "left must hold int32 values, got .*2147483648"),
        ({"missing_left": [2, 0, 0, 0, 0]}, "missing_left must hold bool values, got .*2"),
    ],
)
def test_what_is_no_tree_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        make(**changes)


def test_the_set_of_the_first_node_of_a_tree_may_start_lower_than_the_one_before():
    sets = [[5, 9], [0], [], [], []]
    tree = make_tree([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], feature=[1, 1, -1, -1, -1], sets=sets)
    assert tree.category.tolist() == [5, 9, 0]


@pytest.mark.parametrize("name", ["left", "category", "missing_left", "count"])
def test_floats_are_not_taken_for_whole_numbers(name):
    with pytest.raises(TypeError, match=f"{name} must hold .* values, got dtype float64"):
        make(**{name: np.array(FIELDS[name], float)})


def test_narrow_and_unsigned_types_are_taken_where_they_fit():
    tree = make(
        left=np.array(FIELDS["left"], np.int8),
        missing_left=np.array(FIELDS["missing_left"], np.uint8),
        value=np.array(FIELDS["value"], np.float32),
        count=np.array(FIELDS["count"], np.uint64),
    )
    assert tree == make()
