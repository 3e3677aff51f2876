// How binned examples lie in memory while trees grow.
//
// Bins are packed into 64-bit words, `lanes` = 64 / bits of them a word; word g of a row holds
// features g*lanes .. g*lanes+lanes-1. Words are stored group-major: words[g * stride + row]. Rows
// of the negative class come first, then those of the positive class, in every node: so one
// addition of a weight a (row, feature) fills a histogram, and no label is ever read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

struct Binned {
  const std::uint64_t* words;  // [n_groups * stride], the rows in training order
  std::size_t n_rows, stride;
  std::size_t n_features, n_groups;
  int bits;                     // 8, 16 or 32
  const std::int32_t* n_bins;   // per feature, the missing bin included
  const std::int32_t* missing;  // per feature: its missing bin, or -1
  const std::uint8_t* categorical;
  int lanes() const { return 64 / bits; }
};

// The rows of one node: [begin, end) of a buffer, negatives in [begin, middle).
struct Rows {
  std::size_t begin = 0, middle = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// One of three places where a node's rows may lie: the training data, or one of two buffers that
// nodes and their children use in turn. ids are null for the training data (row i is row i).
struct Buffer {
  std::uint64_t* words;
  std::int32_t* weights;
  std::uint32_t* ids;
};

}  // namespace horotree
