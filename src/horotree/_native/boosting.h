// Boosting: trees on the weights of what is still wrong, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "grow.h"
#include "hypothesis.h"

namespace horotree {

struct BoostRules {
  GrowRules grow;
  JudgeRules judge;   // its unit is that of each round
  double least_edge;  // a tree of less knows nothing new: it is left out, and ends boosting
  double lightest;    // as the first tree is told
  std::size_t n_rounds;
  std::size_t most_nodes;  // with more in all, bins of categories included, the rest is left
};

// What grows with the rounds, by example.
struct BoostSpace {
  double* odds;          // exp(-y F)
  const double* amount;  // what an example counts
  std::int32_t* weights;
};

struct BoostedTree {
  std::vector<GrownNode> nodes;
  std::vector<double> judged;  // the rows of Judged, one after the other
  Leverage worth;
};

struct BoostedTrees {
  std::vector<BoostedTree> trees;
  double lightest;       // for the next rounds
  bool is_over = false;  // the last round had nothing to learn, or a leverage is not finite
};

// The largest unit of all machines; empty when all examples are here.
using CommonUnit = std::function<double(double)>;

// For each round weights, a tree on them, its values and leverage, and new odds:
// tests/native/test_boosting.py does it kernel by kernel. A tree whose leverage is not finite is
// the last, and leaves the odds as they were.
BoostedTrees boost(const Binned& data, const GrowSpace& space, const BoostSpace& examples,
                   BoostRules rules, const Callbacks& callbacks, const CommonUnit& common_unit);

}  // namespace horotree
