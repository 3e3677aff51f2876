// How trees are packed for walks and scans: predict.h says what for.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "keys.h"
#include "predict.h"

namespace horotree {

namespace {

constexpr std::size_t kMaxCuts = 255;  // ranks, and places in a tree, are bytes
constexpr std::size_t kMaxListed = 8;  // codes: more are looked up in a table
// What things take, measured, in units of a scan's numeric test.
constexpr std::size_t kTableCost = 10, kStepCost = 45;
constexpr std::size_t kMaxTables = std::size_t{1} << 26;  // bytes

enum Kind : std::size_t { kMissingRight, kMissingLeft, kCodes, kKinds };

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

}  // namespace

PackedTrees::PackedTrees(const Trees& trees)
    : start_(trees.tree_start, trees.tree_start + trees.n_trees + 1) {
  for (std::size_t j = 0; j < trees.n_trees; ++j)
    require(start_[j] < start_[j + 1], "forest: every tree must have a node");
  number_columns(trees);
  pack_nodes(trees);
  group_cuts();
  make_tests(trees);
}

void PackedTrees::number_columns(const Trees& trees) {
  const std::size_t n_nodes = static_cast<std::size_t>(start_.back());
  require(start_.back() < std::numeric_limits<std::int32_t>::max(), "forest: too many nodes");
  column_.assign(kKinds * trees.n_features, -1);
  column_feature_.push_back(0);
  for (std::size_t v = 0; v < n_nodes; ++v) {
    if (trees.left[v] < 0) continue;
    const std::size_t feature = static_cast<std::size_t>(trees.feature[v]);
    require(trees.feature[v] >= 0 && feature < trees.n_features,
            "forest: a feature must have its entry in n_codes");
    const std::size_t kind = trees.set_start[v] >= 0 ? kCodes
                             : trees.missing_left[v] ? kMissingLeft
                                                     : kMissingRight;
    column_[kind * trees.n_features + feature] = 0;
    n_features_ = std::max(n_features_, feature + 1);
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (std::size_t f = 0; f < trees.n_features; ++f) {
      std::int32_t& column = column_[kind * trees.n_features + f];
      if (column < 0) continue;
      column = static_cast<std::int32_t>(column_feature_.size());
      column_feature_.push_back(static_cast<std::int32_t>(f));
      if (kind != kCodes) continue;
      require(trees.n_codes[f] > 0, "forest: a feature with sets must have a code");
      missing_code_.push_back(trees.n_codes[f]);
    }
    if (kind == kMissingRight) n_right_ = column_feature_.size();
    if (kind == kMissingLeft) n_numeric_ = column_feature_.size();
  }
}

// Each tree breadth first: that puts children side by side, and what most rows see together.
void PackedTrees::pack_nodes(const Trees& trees) {
  nodes_.resize(static_cast<std::size_t>(start_.back()));
  order_.resize(nodes_.size());
  for (std::size_t j = 0; j < trees.n_trees; ++j) {
    const std::size_t start = static_cast<std::size_t>(start_[j]);
    const std::size_t end = static_cast<std::size_t>(start_[j + 1]);
    const std::int32_t size = static_cast<std::int32_t>(end - start);
    std::size_t next = start + 1;
    order_[start] = 0;
    for (std::size_t k = start; k < next; ++k) {
      const std::size_t v = start + static_cast<std::size_t>(order_[k]);
      const std::int32_t left = trees.left[v], right = trees.right[v];
      if (left < 0) {
        nodes_[k] = {kHighest, 0, static_cast<std::int32_t>(k)};
        continue;
      }
      require(left < size && right >= 0 && right < size && next + 2 <= end,
              "forest: the links must make a tree");
      const std::size_t feature = static_cast<std::size_t>(trees.feature[v]);
      const bool by_set = trees.set_start[v] >= 0;
      const std::size_t kind =
          by_set ? kCodes : (trees.missing_left[v] ? kMissingLeft : kMissingRight);
      nodes_[k] = {by_set ? pack_set(trees, v) : key_of(trees.threshold[v], kHighest),
                   column_[kind * trees.n_features + feature], static_cast<std::int32_t>(next)};
      order_[next++] = left;
      order_[next++] = right;
    }
    require(next == end, "forest: the links must make a tree");
  }
}

// Append the bits of a node's set, turned around, and one for a missing code.
std::int64_t PackedTrees::pack_set(const Trees& trees, std::size_t node) {
  const std::size_t n = static_cast<std::size_t>(trees.n_codes[trees.feature[node]]);
  const std::size_t from = static_cast<std::size_t>(trees.set_start[node]);
  require(from + n <= trees.n_bits, "forest: a set must lie within the bits");
  const std::size_t first = sets_.size() * 64;  // a word's beginning, for simplicity
  sets_.resize(sets_.size() + n / 64 + 1);
  for (std::size_t code = 0; code <= n; ++code) {
    const bool left = code < n ? bit_of(trees.sets, from + code) : trees.missing_left[node] != 0;
    if (!left) sets_[(first + code) / 64] |= std::uint64_t{1} << (code % 64);
  }
  return static_cast<std::int64_t>(first);
}

void PackedTrees::group_cuts() {
  std::vector<std::vector<std::int64_t>> keys(n_numeric_);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    const bool inner = node.child != static_cast<std::int32_t>(k);
    const std::size_t column = static_cast<std::size_t>(node.column);
    if (inner && column < n_numeric_) keys[column].push_back(node.key);
  }
  for (std::size_t column = 0; column < n_numeric_; ++column) {
    std::vector<std::int64_t>& cuts = keys[column];
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    group_start_.push_back(groups_.size());
    for (std::size_t begin = 0; begin < cuts.size(); begin += kMaxCuts) {
      const std::size_t n = std::min(kMaxCuts, cuts.size() - begin);
      int n_steps = 1;
      while ((std::size_t{1} << n_steps) - 1 < n) ++n_steps;
      groups_.push_back({column, cuts_.size(), n_steps});
      cuts_.insert(cuts_.end(), cuts.begin() + static_cast<std::ptrdiff_t>(begin),
                   cuts.begin() + static_cast<std::ptrdiff_t>(begin + n));
      cuts_.resize(groups_.back().first_cut + (std::size_t{1} << n_steps) - 1, kHighest);
    }
  }
  group_start_.push_back(groups_.size());
}

void PackedTrees::make_tests(const Trees& trees) {
  test_start_.push_back(0);
  for (std::size_t j = 0; j < trees.n_trees; ++j) {
    const std::size_t n_tests = tests_.size(), n_tables = tables_.size();
    if (!add_tests(trees, j)) {
      tests_.resize(n_tests);
      tables_.resize(n_tables);
    }
    test_start_.push_back(tests_.size());
  }
}

// Append the tests of a tree, parents first; false if bytes are too small for it, or a walk faster.
bool PackedTrees::add_tests(const Trees& trees, std::size_t tree) {
  const std::size_t start = static_cast<std::size_t>(start_[tree]);
  const std::size_t end = static_cast<std::size_t>(start_[tree + 1]);
  if (end - start > kMaxCuts + 1) return false;
  std::size_t cost = 0, depth_of_leaves = 0, depth[kMaxCuts + 1] = {0};
  for (std::size_t k = start; k < end; ++k) {
    const Node& node = nodes_[k];
    const std::int32_t v = order_[k];
    const std::size_t child = static_cast<std::size_t>(node.child);
    if (child == k) {
      depth_of_leaves += depth[k - start];
      continue;
    }
    depth[child - start] = depth[child + 1 - start] = depth[k - start] + 1;
    Test test{};
    test.node = static_cast<std::uint8_t>(v);
    test.to_left = static_cast<std::uint8_t>(trees.left[start + static_cast<std::size_t>(v)] - v);
    test.to_right = static_cast<std::uint8_t>(trees.right[start + static_cast<std::size_t>(v)] - v);
    test.by_set = static_cast<std::size_t>(node.column) >= n_numeric_;
    if (!test.by_set)
      find_cut(node, test);
    else if (!find_codes(node, test))
      return false;
    cost += !test.by_set        ? 1
            : test.n_listed < 0 ? kTableCost
                                : 1 + static_cast<std::size_t>(test.n_listed);
    tests_.push_back(test);
  }
  const std::size_t n_leaves = (end - start + 1) / 2;
  return cost * n_leaves < kStepCost * depth_of_leaves;
}

void PackedTrees::find_cut(const Node& node, Test& test) const {
  const std::size_t column = static_cast<std::size_t>(node.column);
  std::size_t group = group_start_[column];
  while (group + 1 < group_start_[column + 1] && cuts_[groups_[group + 1].first_cut] <= node.key)
    ++group;
  const std::int64_t* cuts = cuts_.data() + groups_[group].first_cut;
  const std::int64_t* cut =
      std::lower_bound(cuts, cuts + (std::size_t{1} << groups_[group].n_steps) - 1, node.key);
  test.source = static_cast<std::uint32_t>(group);
  test.cut = static_cast<std::int8_t>(cut - cuts - 128);
}

// List the codes of one side, or, if both have many, what each code does.
bool PackedTrees::find_codes(const Node& node, Test& test) {
  const std::size_t column = static_cast<std::size_t>(node.column) - n_numeric_;
  const std::size_t missing = static_cast<std::size_t>(missing_code_[column]);
  if (missing > 255 || tables_.size() > kMaxTables) return false;
  test.source = static_cast<std::uint32_t>(column);
  test.table = static_cast<std::uint32_t>(tables_.size());
  std::uint8_t right[256];
  for (std::size_t code = 0; code <= missing; ++code)
    right[code] = bit_of(sets_.data(), static_cast<std::size_t>(node.key) + code);
  const std::size_t n_right = static_cast<std::size_t>(std::count(right, right + missing + 1, 1));
  const bool list_right = 2 * n_right <= missing + 1;
  const std::size_t n_listed = list_right ? n_right : missing + 1 - n_right;
  if (n_listed > kMaxListed) {
    test.n_listed = -1;
    tables_.insert(tables_.end(), right, right + missing + 1);
    return true;
  }
  test.n_listed = static_cast<std::int8_t>(n_listed);
  if (!list_right) std::swap(test.to_left, test.to_right);
  for (std::size_t code = 0; code <= missing; ++code)
    if (right[code] == list_right) tables_.push_back(static_cast<std::uint8_t>(code));
  return true;
}

}  // namespace horotree
