// Rows of a node to its two children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "binning/layout.h"
#include "splitting/split.h"

namespace horotree {

// For each row of a node a bit that tells whether it goes left, by class and place.
struct Flags {
  std::uint64_t* bits[2];  // of negatives, of positives; room for a bit a row and a word more
};

// Room for two lists of rows.
struct Lists {
  std::uint32_t *out, *in;
};

// What is to be exchanged in the places of one class: as many rows are on the wrong side in front
// as behind.
struct Moves {
  template <class T>
  void make(T* array) const {
    const std::uint32_t *const from = out, *const to = in;  // not to be looked up again each time
    for (std::size_t k = 0, end = n; k < end; ++k) std::swap(array[from[k]], array[to[k]]);
  }

  const std::uint32_t *out = nullptr, *in = nullptr;
  std::size_t n = 0;
};

// Exchanging rows of a node until those of the left child are in front, in the places of either
// class. NumPy: the set of rows[goes_left], then that of rows[~goes_left]. Only as many rows move
// as are on the wrong side: few, if few leave a large node.
struct Partition {
  template <class T>
  void make(T* array) const {
    negative.make(array);
    positive.make(array);
  }

  Moves negative, positive;
};

// Flag the rows of a node; returns the places that the left child gets, the right child's follow.
Rows flag_rows(const Binned& data, const std::uint64_t* words, Rows rows, const Split& split,
               Flags flags, int n_threads);

// Find out what to exchange; it is kept in the lists.
Partition find_moves(Rows rows, Rows left, Flags flags, Lists lists);

// Exchange all that is at those places.
void exchange(const Binned& data, const Places& places, const Partition& partition, int n_threads);

// leaf[row] = left or right for the rows of a node whose split is not applied, NumPy:
// np.where(goes_left, left, right). Returns how many go left.
std::size_t assign_leaves(const Binned& data, const Places& places, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf);

}  // namespace horotree
