// A node while its tree grows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "binning/layout.h"
#include "histograms/slots.h"
#include "splitting/split.h"

namespace horotree {

struct alignas(64) GrowingNode {  // no two in one line of a cache
  enum class Stage { waiting, taken, searched };

  std::int64_t weight() const { return negative + positive; }
  bool is_split() const { return stage == Stage::searched && split.feature >= 0; }

  // Its rows are known.
  void place(Blocks blocks) {
    rows = blocks;
    n_rows = blocks.n_rows();
    is_placed = true;
  }

  GrowingNode *parent = nullptr, *sibling = nullptr, *left = nullptr;
  std::int64_t negative = 0, positive = 0;  // integer weights
  std::int64_t depth = 0;
  std::size_t age = 0;           // how many nodes are older
  Stage stage = Stage::waiting;  // for a thread that searches it
  bool is_open = false;          // it may be split
  bool is_placed = false;        // its parent's split has been applied
  bool is_used = false;          // a thread works with its histogram
  int histogram = HistogramSlots::kNone;
  Blocks rows;
  std::size_t n_rows = 0;
  Split split;  // of a searched one, if there is any
};

}  // namespace horotree
