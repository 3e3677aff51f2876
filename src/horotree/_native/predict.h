// Walking trees with raw values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// Trees one after the other; children are counted from the tree's first node.
struct Forest {
  const std::int32_t* left;  // -1 at a leaf
  const std::int32_t* right;
  const std::int32_t* feature;
  const double* threshold;
  const std::uint8_t* missing_left;
  const std::int64_t* set_start;  // a node's category set: bits of `sets` from here; -1 if numeric
  const std::int32_t* set_size;   // codes at or beyond it count as missing
  const std::uint64_t* sets;
  const std::int64_t* tree_start;  // n_trees + 1 of them
  std::size_t n_trees;
};

// score[i] = base + sum over trees of output[leaf of row i], added in the order of the trees.
void score_rows(const Forest& forest, const double* output, double base, const double* x,
                std::size_t n_rows, std::size_t n_features, double* score, int n_threads);

// leaf[i * n_trees + j] = node of tree j in which row i ends.
void find_leaves(const Forest& forest, const double* x, std::size_t n_rows, std::size_t n_features,
                 std::int32_t* leaf, int n_threads);

}  // namespace horotree
