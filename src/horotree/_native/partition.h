// Rows of a node to its two children.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"
#include "split.h"

namespace horotree {

// For each bin of the split's feature, 1 if it goes left.
std::vector<std::uint8_t> left_table(const Binned& data, const Split& split);

// Move the rows of a node from one buffer to another, the left child's first, each side in its old
// order. NumPy: np.concatenate([rows[goes_left], rows[~goes_left]]). `target` is scratch space for
// the new place of each row. Returns the left child's rows; the right child's follow.
Rows partition(const Binned& data, const Buffer& from, const Buffer& to, Rows rows,
               const Split& split, std::uint32_t* target, int n_threads);

// leaf[row] = left or right for the rows of a node whose split is not applied, NumPy:
// np.where(goes_left, left, right). Returns how many go left.
std::size_t assign_leaves(const Binned& data, const Buffer& from, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf);

}  // namespace horotree
