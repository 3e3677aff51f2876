// Boosting: each tree is grown on the weights that the trees before it leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "boosting/node_values.h"
#include "growing/grower.h"

namespace horotree {

struct BoostRules {
  GrowRules grow;
  JudgeRules judge;   // its unit is set in each round
  double least_edge;  // a tree of a smaller edge is left out, and ends boosting
  double lightest;    // passed on to the first tree
  std::size_t n_rounds;
  std::size_t
      most_nodes;  // no tree is begun if there are more; bins of categorical splits count as nodes
};

// Per example.
struct BoostSpace {
  double* odds;          // exp(-y F)
  const double* amount;  // the weight of the example in the data
  std::int32_t* weights;
};

// A node as Python reads it: NODE in __init__.py.
struct NodeRecord {
  explicit NodeRecord(const GrownNode& node);

  std::int32_t left, right, parent, feature, bin;
  std::uint8_t missing_left, unused[3] = {};
  double gain;
  std::int64_t negative, positive, count;
};

// Append a tree's nodes, and the left bins of its categorical splits.
void append_nodes(const std::vector<GrownNode>& tree, std::vector<NodeRecord>& nodes,
                  std::vector<std::uint8_t>& left_bins);

// The fields of Judged for the nodes of many trees, one row per field. Allocated with room to
// spare: copying all trees at the end would take as long as growing some of them.
class JudgedRows {
 public:
  explicit JudgedRows(std::size_t room) : room_(room), data_(new double[Judged::kFields * room]) {}

  void append(const double* judged, std::size_t n);

  double* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t room() const { return room_; }  // distance between two rows

 private:
  std::size_t size_ = 0, room_;
  std::unique_ptr<double[]> data_;
};

// The nodes and left bins of all trees, one tree after the other.
struct BoostedTrees {
  explicit BoostedTrees(std::size_t room) : judged(room) { nodes.reserve(room); }

  void append(const std::vector<GrownNode>& tree, const std::vector<double>& tree_judged,
              Leverage tree_worth);

  std::vector<NodeRecord> nodes;
  std::vector<std::uint8_t> left_bins;
  JudgedRows judged;
  std::vector<std::size_t> n_nodes;  // per tree
  std::vector<Leverage> worth;
  double lightest = 0.0;  // to pass on to the next rounds
  bool is_over = false;   // the last round had nothing to learn, or its leverage is not finite
};

// Returns the largest unit of all machines. Empty when all examples are here.
using CommonUnit = std::function<double(double)>;

// In each round: weights, a tree on them, its values and leverage, new odds.
// tests/native/test_boosting.py does the same kernel by kernel. A tree whose leverage is not finite
// is the last, and leaves the odds unchanged.
BoostedTrees boost(const Binned& data, const GrowSpace& space, const BoostSpace& examples,
                   BoostRules rules, const Callbacks& callbacks, const CommonUnit& common_unit);

}  // namespace horotree
