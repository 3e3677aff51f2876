"""Which features share a byte of the packed bins.

The bins of a row are packed into words of several lanes, and a histogram takes one addition per
lane. A feature of few bins needs few bits: eight flags fit into one lane, whose 256 codes are
counted as fast as the bins of one feature. The counts of each flag are sums of these, per node.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Features share a lane if there are this many rows for each of its codes, divided by the number of
# lanes saved. With fewer rows, the sums over codes take longer than the counts that are saved.
ROWS_A_CODE = 128


class Lanes(NamedTuple):
    """Where the bins of each feature are."""

    bits: int  # of a lane: 8, 16 or 32
    lane: NDArray[np.int32]  # per feature
    shift: NDArray[np.int32]  # per feature its first bit in its lane
    n_codes: NDArray[np.int32]  # per lane; a code combines the bins of all its features
    n_bins: NDArray[np.int32]  # per feature

    @property
    def n_groups(self) -> int:
        """Words per row."""
        return -(-len(self.n_codes) * self.bits // 64)

    @property
    def size(self) -> int:
        """Entries of a histogram per class: all codes, and the bins of features that share them."""
        together = self.n_codes[self.lane] != self.n_bins
        return int(self.n_codes.sum() + self.n_bins[together].sum())


def one_each(n_bins: NDArray[np.int32]) -> Lanes:
    """Return one lane per feature.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.training.lanes import one_each
    >>> one_each(np.array([2, 300], np.int32)).lane.tolist()
    [0, 1]
    """
    largest = int(n_bins.max())
    bits = 8 if largest <= 2**8 else 16 if largest <= 2**16 else 32
    n = len(n_bins)
    return Lanes(bits, np.arange(n, dtype=np.int32), np.zeros(n, np.int32), n_bins, n_bins)


def share_lanes(n_bins: NDArray[np.int32], n_rows: int) -> Lanes:
    """Return lanes that features of few bins share, if there are enough rows.

    Examples
    --------
    >>> import numpy as np
    >>> from horotree.training.lanes import share_lanes
    >>> flags = np.full(10, 2, np.int32)
    >>> share_lanes(flags, 100_000).lane.tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    >>> share_lanes(flags, 100).n_groups
    2
    """
    alone = one_each(n_bins)
    if alone.bits > 8:
        return alone
    n_bits = [(n - 1).bit_length() for n in n_bins.tolist()]
    members = _find_members(n_bits, n_rows)
    if len(members) == len(n_bins):
        return alone
    lane, shift = np.zeros(len(n_bins), np.int32), np.zeros(len(n_bins), np.int32)
    n_codes = np.ones(max(len(members), 1), np.int32)
    for k, features in enumerate(members):
        first = 0
        for f in features:
            lane[f], shift[f] = k, first
            n_codes[k] = n_bins[f] << first
            first += n_bits[f]
    return Lanes(8, lane, shift, n_codes, n_bins)


def _find_members(n_bits: list[int], n_rows: int) -> list[list[int]]:
    """Return the features of each lane, those of fewer bits last; constants have none."""
    rooms: list[list[int]] = []
    with_room: list[list[list[int]]] = [[] for _ in range(9)]  # by the number of free bits
    for f in sorted(range(len(n_bits)), key=lambda f: -n_bits[f]):
        if n_bits[f] == 0:
            break
        left = next((n for n in range(n_bits[f], 9) if with_room[n]), None)
        if left is None:
            rooms.append([])
            left = 8
            with_room[8].append(rooms[-1])
        room = with_room[left].pop()
        room.append(f)
        with_room[left - n_bits[f]].append(room)
    members = []
    for features in rooms:
        n_codes = 1 << sum(n_bits[f] for f in features)
        is_worth_it = n_rows * (len(features) - 1) >= ROWS_A_CODE * n_codes
        members += [features] if is_worth_it else [[f] for f in features]
    return sorted(members, key=min)
