// Rows of a node to its two children.
#pragma once

#include <cstdint>

#include "layout.h"
#include "split.h"

namespace horotree {

// Room for a bit a row and a word more, for either class, and for two lists of rows.
struct Scratch {
  std::uint64_t* goes_left[2];
  std::uint32_t *out, *in;
};

// Exchange rows of a node until those of the left child are in front, in the places of either
// class. NumPy: the set of rows[goes_left], then that of rows[~goes_left]. Only as many rows move
// as are on the wrong side: few, if few leave a large node. Returns the left child's places; the
// right child's follow.
Rows partition(const Binned& data, const Places& places, Rows rows, const Split& split,
               Scratch scratch, int n_threads);

// leaf[row] = left or right for the rows of a node whose split is not applied, NumPy:
// np.where(goes_left, left, right). Returns how many go left.
std::size_t assign_leaves(const Binned& data, const Places& places, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf);

}  // namespace horotree
