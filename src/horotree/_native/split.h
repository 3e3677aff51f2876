// The best split of a node, from its histogram.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "histogram.h"
#include "lanes.h"
#include "layout.h"

namespace horotree {

struct Split {
  // Of another feature: among equals the smaller one.
  bool precedes(const Split& other) const {
    return gain != other.gain ? gain > other.gain : feature < other.feature;
  }

  double gain = 0.0;  // by how much it lowers the node's risk; 0 if there is none
  std::int32_t feature = -1;
  std::int32_t bin = -1;  // numeric: bins up to this one go left
  bool missing_left = false;
  std::vector<std::uint8_t> left_bins;  // categorical: 1 for each bin that goes left
  std::int64_t left_negative = 0, left_positive = 0;
};

struct SplitRules {
  double unit;  // what an integer weight of 1 stands for in this tree
  std::int64_t min_samples_leaf;
  bool forbid_pure;  // both children must hold both classes
};

// Weighted log-loss Bayes risk of a node: a log((a+b)/a) + b log((a+b)/b), 0 if it is pure.
double bayes_risk(double a, double b);

// Runs of a feature's bins: the sums before each of them, and which may have a good cut.
struct Runs {
  void reserve(std::size_t n) {
    if (marks.size() >= n) return;
    marks.resize(n);
    for (auto* array : {&positive, &weight}) array->resize(n + 1);
  }

  std::vector<std::int64_t> positive, weight, marks;
};

struct Category {
  double posterior;
  std::int32_t code;
};

// Sums over the first bins of a feature, in some order, one entry a bin that is not empty. Kept
// from node to node, since new memory takes as long as a small node.
struct Prefixes {
  void reserve(std::size_t n) {
    if (bin.size() >= n) return;
    bin.resize(n);
    for (auto* array : {&positive, &weight, &count}) array->resize(n);
    bound.resize(n);
  }

  std::int32_t size = 0;
  std::vector<std::int32_t> bin;  // the last bin of each prefix
  std::vector<std::int64_t> positive, weight, count;
  std::vector<double> bound;  // of the gain of a cut there
  Runs runs;
  std::vector<Category> present;
  std::vector<std::uint8_t> is_apart;  // by lane
};

// The split of largest gain over some features, tried in this order; among equals the one with the
// smaller feature, then the smaller bin. NumPy: argmax of risk(node) - risk(left) - risk(right)
// over all cuts; here most cuts are ruled out by a bound without a logarithm. `bar` is a gain that
// is known to be there, of these features or of others that another thread looks at: what is below
// need not be found. It is raised.
using Bar = std::atomic<double>;
Split best_split(const Binned& data, const Starts& starts, Histogram histogram,
                 std::int64_t negative, std::int64_t positive, const SplitRules& rules,
                 const std::int32_t* features, std::size_t n_features, Bar& bar, Prefixes& space);

// The same from the rows themselves, without a histogram of all bins: for nodes of few rows. Bins
// have 8 bits, and nobody asks for counts.
Split best_split_of_few(const Binned& data, const Places& places, Blocks blocks,
                        std::int64_t negative, std::int64_t positive, const SplitRules& rules,
                        const std::int32_t* features, std::size_t n_features, Bar& bar,
                        Prefixes& space);

}  // namespace horotree
