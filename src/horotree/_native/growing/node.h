// A node while its tree grows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "binning/layout.h"
#include "histograms/slots.h"
#include "splitting/split.h"

namespace horotree {

struct alignas(64) GrowingNode {  // no two in one cache line
  enum class Stage { waiting, taken, searched };

  std::int64_t weight() const { return negative + positive; }
  bool is_split() const { return stage == Stage::searched && split.feature >= 0; }

  // Set its rows.
  void place(Blocks blocks) {
    rows = blocks;
    n_rows = blocks.n_rows();
    is_placed = true;
  }

  GrowingNode *parent = nullptr, *sibling = nullptr, *left = nullptr;
  std::int64_t negative = 0, positive = 0;  // integer weights
  std::int64_t depth = 0;
  std::size_t age = 0;           // number of older nodes
  Stage stage = Stage::waiting;  // of the search for its split
  bool is_open = false;          // it may be split
  bool is_placed = false;        // its rows are known: its parent's split has been applied
  bool is_used = false;          // a thread uses its histogram
  int histogram = HistogramSlots::kNone;
  Blocks rows;
  std::size_t n_rows = 0;
  Split split;  // once searched; without a feature if it cannot be split
};

}  // namespace horotree
