#include "growing/finish.h"

#include <algorithm>
#include <utility>

#include "growing/partition.h"
#include "threads/pool.h"

namespace horotree {

namespace {

// Parts of the tree's nodes: one task sets the leaves of one part in one block of rows.
constexpr std::size_t kParts = 4;

using Members = std::vector<Frontier::Member>;

// All but the splits, and the counts of nodes whose rows were not moved.
void make_nodes(const Members& tree, std::vector<GrownNode>& nodes) {
  nodes.clear();
  for (const Frontier::Member& member : tree) {
    const GrowingNode& from = *member.node;
    GrownNode& node = nodes.emplace_back();
    node.parent = member.parent;
    node.negative = from.negative;
    node.positive = from.positive;
    if (from.is_placed) node.count = static_cast<std::int64_t>(from.n_rows);
    if (member.left < 0) continue;
    node.left = member.left;
    node.right = member.left + 1;
  }
}

void set_leaf(const Rows& rows, const Example* examples, std::int32_t v, std::int32_t* leaf) {
  for (const Range& range : {rows.negative, rows.positive})
    for (std::size_t i = range.begin; i < range.end; ++i) leaf[examples[i].id] = v;
}

// Set leaf[row] for the rows of node v in a block: if v is a leaf, or if its children are leaves to
// which rows were not moved. In the second case returns how many go left.
std::int64_t set_leaves(const Binned& data, const Places& places, const Members& tree,
                        std::size_t v, std::size_t block, std::int32_t* leaf) {
  const std::int32_t left = tree[v].left;
  const GrowingNode& from = *tree[v].node;
  if (left < 0 && from.is_placed)
    set_leaf(from.rows[block], places.examples, static_cast<std::int32_t>(v), leaf);
  else if (left >= 0 && !from.left->is_placed)
    return static_cast<std::int64_t>(
        assign_leaves(data, places, from.rows[block], from.split, left, left + 1, leaf));
  return 0;
}

}  // namespace

void finish_tree(const Binned& data, const Places& places, Frontier& frontier, std::int32_t* leaf,
                 int n_threads, std::vector<GrownNode>& nodes,
                 const std::function<void()>& meanwhile) {
  const Members& tree = frontier.tree();
  const std::size_t n = tree.size(), n_blocks = frontier.root().rows.n;
  const std::size_t n_parts = n_threads > 1 ? kParts : 1;
  std::vector<std::int64_t> n_left(n_blocks * n);
  parallel_for(n_blocks * n_parts, n_threads, [&](std::size_t task) {
    if (task == 0) {
      make_nodes(tree, nodes);
      if (meanwhile) meanwhile();
    }
    // Rows move within their block, so no two threads write to the same rows.
    const std::size_t block = task / n_parts, part = task % n_parts;
    for (std::size_t v = n * part / n_parts; v < n * (part + 1) / n_parts; ++v)
      n_left[block * n + v] = set_leaves(data, places, tree, v, block, leaf);
  });
  for (std::size_t v = 0; v < n; ++v) {
    if (nodes[v].left < 0) continue;
    GrowingNode& from = *tree[v].node;
    nodes[v].split = std::move(from.split);
    if (from.left->is_placed) continue;
    std::int64_t& count = nodes[nodes[v].left].count;
    for (std::size_t block = 0; block < n_blocks; ++block) count += n_left[block * n + v];
    nodes[nodes[v].right].count = nodes[v].count - count;
  }
}

double lightest_share(const std::vector<GrownNode>& nodes) {
  const std::int64_t all = nodes[0].negative + nodes[0].positive;
  std::int64_t lightest = all;
  for (const GrownNode& node : nodes)
    if (node.left >= 0) lightest = std::min(lightest, node.negative + node.positive);
  return static_cast<double>(lightest) / std::max(static_cast<double>(all), 1.0);
}

}  // namespace horotree
