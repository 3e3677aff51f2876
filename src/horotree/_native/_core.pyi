from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def polar_distances(
    a: NDArray[np.float64],
    alpha: NDArray[np.float64],
    b: NDArray[np.float64],
    beta: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def read_numbers(
    text: str, separator: str, out: NDArray[np.float64] | NDArray[np.int64]
) -> int: ...
def place_nodes(
    parent: NDArray[np.int32],
    drawn: NDArray[np.float64],
    need: NDArray[np.float64],
    positive: NDArray[np.uint8],
    angle: NDArray[np.float64],
) -> None: ...
def space_nodes(
    parent: NDArray[np.int32],
    drawn: NDArray[np.float64],
    need: NDArray[np.float64],
    positive: NDArray[np.uint8],
    gap: float,
    n_tries: int,
    angle: NDArray[np.float64],
) -> None: ...
def gather_columns(
    x: NDArray[np.float64],
    rows: NDArray[np.uint32],
    first: int,
    n_threads: int,
    out: NDArray[np.float64],
) -> None: ...
def sort_columns(
    bits: NDArray[np.uint64], few: int, n_threads: int, counts: NDArray[np.int64]
) -> None: ...
def find_missing(x: NDArray[np.float64], n_threads: int, missing: NDArray[np.uint8]) -> None: ...
def pack_bins(
    x: NDArray[np.float64],
    order: NDArray[np.uint32],
    cuts: NDArray[np.float64],
    cut_start: NDArray[np.int64],
    missing: NDArray[np.int32],
    categorical: NDArray[np.uint8],
    bits: int,
    lane: NDArray[np.int32],
    shift: NDArray[np.int32],
    n_threads: int,
    words: NDArray[np.uint64],
) -> None: ...
def grow_tree(
    words: NDArray[np.uint64],
    bits: int,
    lane: NDArray[np.int32],
    shift: NDArray[np.int32],
    n_codes: NDArray[np.int32],
    examples: NDArray[np.uint32],
    n_negative: int,
    n_bins: NDArray[np.int32],
    missing: NDArray[np.int32],
    categorical: NDArray[np.uint8],
    goes_left: NDArray[np.uint64],
    moves: NDArray[np.uint32],
    histograms: NDArray[np.int64],
    leaf: NDArray[np.int32],
    weights: NDArray[np.int32],
    *,
    unit: float,
    max_leaf_nodes: int,
    max_depth: int,
    min_samples_leaf: int,
    max_features: int,
    forbid_pure: bool,
    seed: int,
    lightest: float = 0.0,
    n_threads: int,
    reduce: Callable[[NDArray[np.int64]], None] | None = None,
    decide: Callable[[NDArray[np.int64]], None] | None = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], float]: ...
def boost_trees(
    words: NDArray[np.uint64],
    bits: int,
    lane: NDArray[np.int32],
    shift: NDArray[np.int32],
    n_codes: NDArray[np.int32],
    examples: NDArray[np.uint32],
    n_negative: int,
    n_bins: NDArray[np.int32],
    missing: NDArray[np.int32],
    categorical: NDArray[np.uint8],
    goes_left: NDArray[np.uint64],
    moves: NDArray[np.uint32],
    histograms: NDArray[np.int64],
    leaf: NDArray[np.int32],
    amount: NDArray[np.float64],
    weights: NDArray[np.int32],
    odds: NDArray[np.float64],
    *,
    n_rounds: int,
    most_nodes: int,
    max_leaf_nodes: int,
    max_depth: int,
    min_samples_leaf: int,
    max_features: int,
    forbid_pure: bool,
    seed: int,
    lightest: float,
    n_threads: int,
    smoothing: float,
    to_host: bool,
    monotonic: bool,
    tolerance: float,
    least_rest: float,
    learning_rate: float,
    least_edge: float,
    reduce: Callable[[NDArray[np.int64]], None] | None,
    decide: Callable[[NDArray[np.int64]], None] | None,
    common_unit: Callable[[float], float] | None,
) -> tuple[
    NDArray[np.uint8],
    NDArray[np.uint8],
    NDArray[np.float64],
    list[int],
    list[float],
    list[float],
    float,
    bool,
]: ...
def update_odds(
    leaf: NDArray[np.int32],
    n_negative: int,
    negative_factor: NDArray[np.float64],
    positive_factor: NDArray[np.float64],
    n_threads: int,
    odds: NDArray[np.float64],
) -> None: ...
def fixed_point_weights(
    odds: NDArray[np.float64],
    amount: NDArray[np.float64],
    least_unit: float,
    n_threads: int,
    out: NDArray[np.int32],
) -> float: ...
def judge_tree(
    parent: NDArray[np.int32],
    negative: NDArray[np.int64],
    positive: NDArray[np.int64],
    *,
    unit: float,
    smoothing: float,
    to_host: bool,
    monotonic: bool,
    tolerance: float,
    least_rest: float,
    learning_rate: float,
    out: NDArray[np.float64],
) -> tuple[float, float]: ...
def step_factors(step: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
def find_leverage(
    value: NDArray[np.float64],
    output: NDArray[np.float64],
    weights: NDArray[np.float64],
    least_rest: float,
) -> tuple[float, float]: ...

class PackedTrees:
    @property
    def n_features(self) -> int: ...

def pack_trees(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float64],
    missing_left: NDArray[np.uint8],
    set_start: NDArray[np.int64],
    codes: NDArray[np.int32],
    tree_start: NDArray[np.int64],
) -> PackedTrees: ...
def score_rows(
    trees: PackedTrees,
    output: NDArray[np.float64],
    base: float,
    first: int,
    last: int,
    x: NDArray[np.float64],
    n_threads: int,
    score: NDArray[np.float64],
) -> None: ...
def find_leaves(
    trees: PackedTrees,
    first: int,
    last: int,
    x: NDArray[np.float64],
    n_threads: int,
    leaf: NDArray[np.int32],
) -> None: ...
def monotonic_hosts(
    parent: NDArray[np.int32],
    confidence: NDArray[np.float64],
    tolerance: float,
    host: NDArray[np.int32],
) -> None: ...
