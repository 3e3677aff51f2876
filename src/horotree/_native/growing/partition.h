// Moves the rows of a node to its two children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "binning/layout.h"
#include "splitting/split.h"

namespace horotree {

// A bit per row: does it go left? By class and place.
struct Flags {
  std::uint64_t* bits[2];  // negatives, positives; room for a bit per row and one more word
};

// Memory for two lists of places.
struct Lists {
  std::uint32_t *out, *in;
};

// Exchanges of rows of one class: as many rows are misplaced in front as behind.
struct Moves {
  template <class T>
  void make(T* array) const {
    const std::uint32_t *const from = out,
                               *const to =
                                   in;  // local copies: stores to `array` might change members
    for (std::size_t k = 0, end = n; k < end; ++k) std::swap(array[from[k]], array[to[k]]);
  }

  const std::uint32_t *out = nullptr, *in = nullptr;
  std::size_t n = 0;
};

// Exchanges that move the rows of the left child to the front, in the places of either class.
// NumPy: rows[goes_left], then rows[~goes_left], in any order. Only misplaced rows move: few, if
// few leave a large node.
struct Partition {
  template <class T>
  void make(T* array) const {
    negative.make(array);
    positive.make(array);
  }

  Moves negative, positive;
};

// Flag the rows of a node; returns the places of the left child. Those of the right child follow.
Rows flag_rows(const Binned& data, const std::uint64_t* words, Rows rows, const Split& split,
               Flags flags, int n_threads);

// Find the exchanges; they point into the lists.
Partition find_moves(Rows rows, Rows left, Flags flags, Lists lists);

// Exchange words and examples.
void exchange(const Binned& data, const Places& places, const Partition& partition, int n_threads);

// leaf[row] = left or right for the rows of a node, without moving them; NumPy: np.where(goes_left,
// left, right). Returns how many go left.
std::size_t assign_leaves(const Binned& data, const Places& places, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf);

}  // namespace horotree
