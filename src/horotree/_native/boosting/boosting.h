// Boosting: trees on the weights of what is still wrong, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "boosting/judge.h"
#include "growing/grower.h"

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

// A node as Python gets it: NODE in __init__.py.
struct NodeRecord {
  explicit NodeRecord(const GrownNode& node);

  std::int32_t left, right, parent, feature, bin;
  std::uint8_t missing_left, unused[3] = {};
  double gain;
  std::int64_t negative, positive, count;
};

// Append a tree's nodes, and the bins that go left where a node splits by categories.
void append_nodes(const std::vector<GrownNode>& tree, std::vector<NodeRecord>& nodes,
                  std::vector<std::uint8_t>& left_bins);

// What Judged has of many nodes, a row a field. It grows in place as long as there is room: a
// copy of all trees would take as long as some of them.
class JudgedRows {
 public:
  explicit JudgedRows(std::size_t room) : room_(room), data_(new double[Judged::kFields * room]) {}

  void append(const double* judged, std::size_t n);

  double* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t room() const { return room_; }  // from row to row

 private:
  std::size_t size_ = 0, room_;
  std::unique_ptr<double[]> data_;
};

// Nodes and bins that go left are those of one tree after the other.
struct BoostedTrees {
  explicit BoostedTrees(std::size_t room) : judged(room) { nodes.reserve(room); }

  void append(const std::vector<GrownNode>& tree, const std::vector<double>& tree_judged,
              Leverage tree_worth);

  std::vector<NodeRecord> nodes;
  std::vector<std::uint8_t> left_bins;
  JudgedRows judged;
  std::vector<std::size_t> n_nodes;  // of each tree
  std::vector<Leverage> worth;
  double lightest = 0.0;  // for the next rounds
  bool is_over = false;   // the last round had nothing to learn, or a leverage is not finite
};

// The largest unit of all machines; empty when all examples are here.
using CommonUnit = std::function<double(double)>;

// For each round weights, a tree on them, its values and leverage, and new odds:
// tests/native/test_boosting.py does it kernel by kernel. A tree whose leverage is not finite is
// the last, and leaves the odds as they were.
BoostedTrees boost(const Binned& data, const GrowSpace& space, const BoostSpace& examples,
                   BoostRules rules, const Callbacks& callbacks, const CommonUnit& common_unit);

}  // namespace horotree
