// Growing one tree: the heaviest impure leaf is split next.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "histograms.h"
#include "layout.h"
#include "partition.h"
#include "split.h"

namespace horotree {

struct GrowRules {
  SplitRules split;
  std::int64_t max_leaf_nodes;
  std::int64_t max_depth;     // of leaves; a root alone has depth 0
  std::int64_t max_features;  // drawn anew at each node; all of them if as many as there are
  std::uint64_t seed;
  double lightest;  // a guess of the lightest inner node's share of the weight; 0 if there is none
  int n_threads;
};

// A grown node. Children come after their parents; a leaf has left = -1.
struct GrownNode {
  std::int32_t left = -1, right = -1, parent = -1;
  Split split;                              // of an inner node
  std::int64_t negative = 0, positive = 0;  // integer weights
  std::int64_t count = 0;                   // examples
};

struct Callbacks {
  // Sums a histogram over machines: called with the freshly built numbers, must leave the sums
  // there. Empty when all examples are here.
  std::function<void(std::int64_t*, std::size_t)> reduce;
  // Puts one machine's decision, as a Split is written in decision.h, in place of this one's:
  // logarithms, and so the gains of splits that are as good, differ between machines.
  std::function<void(std::int64_t*, std::size_t)> decide;
  // Called now and then between nodes; may throw to stop (a user's interrupt).
  std::function<void()> poll;
};

// Room to move rows in.
struct MoveSpace {
  std::int32_t* weights;  // [n_rows], by place
  Lists lists;            // [n_rows] each; those of a node are at its places
  std::uint64_t* flags;   // [n_threads, 2, n_rows / 64 + 1]
};

// Grow a tree on rows at their places, which are exchanged on the way. leaf[row] becomes the index
// of the row's leaf.
std::vector<GrownNode> grow(const Binned& data, std::uint64_t* words, std::uint32_t* ids,
                            const std::int32_t* weights, MoveSpace moving, HistogramSpace space,
                            std::size_t n_negative, const GrowRules& rules,
                            const Callbacks& callbacks, std::int32_t* leaf);

}  // namespace horotree
