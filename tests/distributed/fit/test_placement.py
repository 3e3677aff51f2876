"""Partitions are spread evenly, and stay where they are as far as that allows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from horotree.distributed.fit.placement import place


def loads(chosen, sizes, workers):
    return {w: sum(n for n, at in zip(sizes, chosen, strict=True) if at == w) for w in workers}


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=40), st.integers(1, 6), st.randoms())
def test_no_worker_has_more_than_its_share_and_one_partition(sizes, n_workers, random):
    workers = [f"w{i}" for i in range(n_workers)]
    holders = [random.sample(workers, random.randint(0, n_workers)) for _ in sizes]
    chosen = place(sizes, holders, workers)
    load = loads(chosen, sizes, workers)
    assert set(chosen) <= set(workers)
    assert max(load.values()) <= sum(sizes) / n_workers + max(sizes)
    assert chosen == place(sizes, holders, workers)


def test_what_is_balanced_stays_where_it_is():
    holders = [["a"], ["b"], ["c"], ["b"], ["c"], ["a"]]
    assert place([10] * 6, holders, ["a", "b", "c"]) == ["a", "b", "c", "b", "c", "a"]


def test_what_is_all_in_one_place_is_spread():
    sizes = np.random.default_rng(0).integers(50, 150, 60).tolist()
    load = loads(place(sizes, [["a"]] * 60, ["a", "b", "c"]), sizes, "abc")
    assert max(load.values()) - min(load.values()) < 150


def test_empty_partitions_have_a_place():
    assert set(place([0, 0, 5], [["a"], [], ["b"]], ["a", "b"])) <= {"a", "b"}
