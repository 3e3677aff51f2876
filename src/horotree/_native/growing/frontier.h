// The order in which nodes are searched for splits, and the nodes that become the tree.
//
// The heaviest impure leaf is split next, until there are max_leaf_nodes leaves. No node is heavier
// than its parent, so the set of split nodes does not depend on the order of the searches, and
// threads can search nodes at the same time. The tree takes searched nodes by decreasing weight, as
// soon as no heavier node is missing. Nodes that are left over are discarded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "growing/node.h"
#include "shared/arena.h"

namespace horotree {

// Not thread-safe: callers hold a lock.
class Frontier {
 public:
  Frontier(std::int64_t max_leaf_nodes, std::int64_t max_depth, std::size_t n_workers)
      : max_leaf_nodes_(max_leaf_nodes), max_depth_(max_depth), queues_(n_workers) {}

  // A node of the tree; its index is its place in `tree()`.
  struct Member {
    GrowingNode* node;
    std::int32_t parent, left = -1;
  };

  // Discard all nodes; return the root of a new tree, which can be searched after `start`.
  // `lightest` is a guess of the lightest inner node's share of the weight, 0 if there is none:
  // nodes below it are searched only if no others are left.
  GrowingNode& begin(double lightest);
  void start(std::int64_t negative, std::int64_t positive);

  // The next node to search for a worker, among those likely to be in the tree: its own heaviest if
  // that is at least the guess (its rows are in this core's cache), else the heaviest of all. Null
  // if there is none for now.
  GrowingNode* take(std::size_t worker);

  // The heaviest node that passes a test and is likely to be in the tree.
  template <class Test>
  GrowingNode* take_if(const Test& test);

  // How many waiting nodes are likely to be in the tree; is a node being searched?
  std::size_t count_likely() const;
  bool is_searched() const { return n_searched_ > 0; }

  // Call after a search. The children, if any, wait to be searched from now on; the lighter one
  // only after `release`.
  void settle(GrowingNode& node, std::size_t worker);

  // The lighter of two siblings: its rows and histogram are made together with the other's.
  void release(GrowingNode& node, std::size_t worker);

  // Is the tree complete, or was it given up?
  bool is_done() const { return is_given_up_ || order_.empty() || n_leaves_ >= max_leaf_nodes_; }
  void give_up() { is_given_up_ = true; }

  const Arena<GrowingNode>& nodes() const { return nodes_; }
  GrowingNode& root() { return *nodes_.at(0); }

  // Parents before their children, in the order in which one thread would split them.
  const std::vector<Member>& tree() const { return tree_; }

 private:
  // The heaviest first; equal weights: the older.
  template <class T>
  struct Entry {
    bool operator<(const Entry& other) const {
      return weight != other.weight ? weight < other.weight : age > other.age;
    }
    std::int64_t weight;
    std::size_t age;
    T what;
  };
  using Queue = std::vector<Entry<GrowingNode*>>;  // a heap

  GrowingNode& add_child(GrowingNode& parent, std::int64_t negative, std::int64_t positive);
  void open(GrowingNode& node, std::int64_t negative, std::int64_t positive);
  void add_children(GrowingNode& node, std::size_t worker);
  void wait(GrowingNode& node, std::size_t worker);
  GrowingNode* take_from(Queue& queue, std::size_t place);
  bool is_likely(const GrowingNode& node) const;
  void append(GrowingNode* node, std::int32_t parent);
  void extend();

  const std::int64_t max_leaf_nodes_, max_depth_;
  double lightest_ = 0.0;
  Arena<GrowingNode> nodes_;
  std::vector<Queue> queues_;         // per worker
  double guess_ = 0.0;                // guess of the lightest inner node's weight
  std::int64_t n_searched_ = 0;       // nodes being searched now
  std::vector<std::int64_t> likely_;  // weights of nodes that are split or being searched
  std::vector<Member> tree_;
  std::priority_queue<Entry<std::int32_t>> order_;  // open leaves of the tree
  std::int64_t n_leaves_ = 1;
  bool is_given_up_ = false;
};

template <class Test>
GrowingNode* Frontier::take_if(const Test& test) {
  Queue* best = nullptr;
  std::size_t place = 0;
  for (Queue& queue : queues_)
    for (std::size_t i = 0; i < queue.size(); ++i)
      if (static_cast<double>(queue[i].weight) >= guess_ && test(*queue[i].what) &&
          (!best || (*best)[place] < queue[i])) {
        best = &queue;
        place = i;
      }
  return best ? take_from(*best, place) : nullptr;
}

}  // namespace horotree
