// Grows trees: the heaviest impure leaf is split next.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "binning/layout.h"
#include "growing/partition.h"
#include "histograms/slots.h"
#include "splitting/split.h"

namespace horotree {

struct GrowRules {
  std::int64_t min_samples_leaf;
  bool forbid_pure;  // both children must hold both classes
  std::int64_t max_leaf_nodes;
  std::int64_t max_depth;  // of leaves; a root alone has depth 0
  std::int64_t
      max_features;  // drawn anew at each node, unless it is the number of features or more
  std::uint64_t seed;
  int n_threads;
};

// A grown node. Children come after their parents; a leaf has left = -1.
struct GrownNode {
  std::int32_t left = -1, right = -1, parent = -1;
  Split split;                              // of inner nodes
  std::int64_t negative = 0, positive = 0;  // integer weights
  std::int64_t count = 0;                   // examples
};

// Replaces integers in place by what all machines agree on.
using Exchange = std::function<void(std::int64_t*, std::size_t)>;

struct Callbacks {
  // Sums a histogram over machines: called with this machine's sums, must leave the total. Empty
  // when all examples are here.
  Exchange reduce;
  // Replaces this machine's split, as splitting/encoding.h writes it, by that of one machine:
  // logarithms differ in their last bit between machines, and so do the gains of equal splits.
  Exchange decide;
  // Called between nodes; may throw to stop (KeyboardInterrupt).
  std::function<void()> poll;
};

// Memory for moving rows.
struct MoveSpace {
  Lists lists;           // [n_rows] each; a node uses its own places
  std::uint64_t* flags;  // [n_threads, 2, n_rows / 64 + 1]
};

// Examples at their places, and memory for growing; reused from tree to tree.
struct GrowSpace {
  Places places;
  std::size_t n_negative;
  MoveSpace moving;
  HistogramSpace histograms;
  std::int32_t* leaf;  // [n_rows], by row
};

// Grows trees one after the other. Its memory is allocated once: for a small tree, allocation would
// take much of the time. `data` and `callbacks` must outlive it.
class Grower {
 public:
  Grower(const Binned& data, const GrowSpace& space, const GrowRules& rules,
         const Callbacks& callbacks);
  ~Grower();

  // Grow a tree; rows are exchanged between places, and leaf[row] becomes the index of the row's
  // leaf. `unit` is the weight that an integer weight of 1 stands for. `lightest` is a guess of the
  // lightest inner node's share of the weight, 0 if there is none. One thread calls `meanwhile`
  // while others set leaves: `nodes` are complete then except for splits and the counts of some
  // leaves.
  void grow(const std::int32_t* weights, double unit, double lightest,
            std::vector<GrownNode>& nodes, const std::function<void()>& meanwhile = {});

 private:
  class Growth;
  std::unique_ptr<Growth> growth_;
};

// The lightest inner node's share of the weight; a guess for the next tree.
double lightest_share(const std::vector<GrownNode>& nodes);

}  // namespace horotree
