// The best split of a node.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "histograms/lanes.h"
#include "splitting/prefixes.h"

namespace horotree {

struct Split {
  // Is it better? Equal gains: the smaller feature wins.
  bool precedes(const Split& other) const {
    return gain != other.gain ? gain > other.gain : feature < other.feature;
  }

  double gain = 0.0;  // decrease of the node's risk; 0 if there is no split
  std::int32_t feature = -1;
  std::int32_t bin = -1;  // numeric: bins up to this one go left
  bool missing_left = false;
  std::vector<std::uint8_t> left_bins;  // categorical: 1 for each bin that goes left
  std::int64_t left_negative = 0, left_positive = 0;
};

struct SplitRules {
  double unit;  // the weight that an integer weight of 1 stands for
  std::int64_t min_samples_leaf;
  bool forbid_pure;  // both children must hold both classes
};

// Shared lower bound on the best gain: cuts below it are skipped; raised when a better one is
// found.
using SharedGain = std::atomic<double>;

// The split of largest gain over some features, tried in this order; equal gains: the smaller
// feature, then the smaller bin. NumPy: argmax of risk(node) - risk(left) - risk(right) over all
// cuts. `total` are the node's weights.
Split best_split(const Binned& data, const HistogramLayout& layout, Histogram histogram,
                 const Sums& total, const SplitRules& rules, const std::int32_t* features,
                 std::size_t n_features, SharedGain& shared, Prefixes& space);

// The same from the rows, without a histogram of all features: for nodes of few rows. Requires bins
// of 8 bits, and min_samples_leaf is not checked.
Split best_split_of_few(const Binned& data, const Places& places, Blocks blocks, const Sums& total,
                        const SplitRules& rules, const std::int32_t* features,
                        std::size_t n_features, SharedGain& shared, Prefixes& space);

}  // namespace horotree
