// Growing trees: the heaviest impure leaf is split next.
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
  std::int64_t max_depth;     // of leaves; a root alone has depth 0
  std::int64_t max_features;  // drawn anew at each node; all of them if as many as there are
  std::uint64_t seed;
  int n_threads;
};

// A grown node. Children come after their parents; a leaf has left = -1.
struct GrownNode {
  std::int32_t left = -1, right = -1, parent = -1;
  Split split;                              // of an inner node
  std::int64_t negative = 0, positive = 0;  // integer weights
  std::int64_t count = 0;                   // examples
};

// Changes numbers in place, by what other machines have.
using Exchange = std::function<void(std::int64_t*, std::size_t)>;

struct Callbacks {
  // Sums a histogram over machines: called with the freshly built numbers, must leave the sums
  // there. Empty when all examples are here.
  Exchange reduce;
  // Puts one machine's decision, as a Split is written in decision.h, in place of this one's:
  // logarithms, and so the gains of splits that are as good, differ between machines.
  Exchange decide;
  // Called now and then between nodes; may throw to stop (a user's interrupt).
  std::function<void()> poll;
};

// Room to move rows in.
struct MoveSpace {
  Lists lists;           // [n_rows] each; those of a node are at its places
  std::uint64_t* flags;  // [n_threads, 2, n_rows / 64 + 1]
};

// Examples at their places, and room to grow trees in; kept from tree to tree.
struct GrowSpace {
  Places places;
  std::size_t n_negative;
  MoveSpace moving;
  HistogramSpace histograms;
  std::int32_t* leaf;  // [n_rows], by row
};

// Grows trees one after the other. What it needs for that is made once: for a small tree it would
// take a good part of the time. The data and the callbacks must be there as long as it is.
class Grower {
 public:
  Grower(const Binned& data, const GrowSpace& space, const GrowRules& rules,
         const Callbacks& callbacks);
  ~Grower();

  // Grow a tree on rows at their places, which are exchanged on the way. leaf[row] becomes the
  // index of the row's leaf. An integer weight of 1 stands for `unit`, and `lightest` is a guess of
  // the lightest inner node's share of the weight, 0 if there is none. While other threads tell the
  // rows their leaves one calls `meanwhile`: of the nodes all is known but the splits, and how many
  // examples some leaves have.
  void grow(const std::int32_t* weights, double unit, double lightest,
            std::vector<GrownNode>& nodes, const std::function<void()>& meanwhile = {});

 private:
  class Growth;
  std::unique_ptr<Growth> growth_;
};

// The lightest inner node's share of the weight: what the next tree's is likely to be.
double lightest_share(const std::vector<GrownNode>& nodes);

}  // namespace horotree
