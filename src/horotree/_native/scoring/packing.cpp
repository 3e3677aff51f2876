// Packs trees for walks and scans; see packed_trees.h.
#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "scoring/keys.h"
#include "scoring/packed_trees.h"

namespace horotree {

namespace {

constexpr std::size_t kMaxCuts = 255;  // ranks and node indices are bytes
constexpr std::size_t kMaxListed = 8;  // codes; longer lists become tables
// Measured costs, in units of a scan's numeric test.
constexpr std::size_t kTableCost = 10, kStepCost = 45;
constexpr std::size_t kMaxTables = std::size_t{1} << 26;  // bytes
// A set becomes a list if its bits would take more than kWordsACode words per code (counting
// kFewCodes more codes).
constexpr std::size_t kWordsACode = 4, kFewCodes = 4;

enum Kind : std::size_t { kMissingRight, kMissingLeft, kCodes, kKinds };

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

bool has_set(const Trees& trees, std::size_t v) {
  return trees.set_start[v] < trees.set_start[v + 1];
}

// The number of indices in a feature's sets: its largest listed code + 2. The last one stands for
// all larger codes.
std::vector<std::int32_t> count_places(const Trees& trees, std::size_t n_nodes) {
  std::vector<std::int32_t> n_places;
  for (std::size_t v = 0; v < n_nodes; ++v) {
    if (trees.left[v] < 0) continue;
    require(trees.feature[v] >= 0, "forest: an inner node must have a feature");
    const std::size_t feature = static_cast<std::size_t>(trees.feature[v]);
    if (feature >= n_places.size()) n_places.resize(feature + 1, 0);
    if (!has_set(trees, v)) continue;
    const std::int32_t* begin = trees.codes + trees.set_start[v];
    const std::int32_t* end = trees.codes + trees.set_start[v + 1];
    const bool increases = std::adjacent_find(begin, end, std::greater_equal<>()) == end;
    require(*begin >= 0 && increases && end[-1] <= std::numeric_limits<std::int32_t>::max() - 2,
            "forest: the codes of a set must increase, from 0");
    n_places[feature] = std::max(n_places[feature], end[-1] + 2);
  }
  return n_places;
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
  const std::vector<std::int32_t> n_places = count_places(trees, n_nodes);
  n_features_ = n_places.size();
  column_.assign(kKinds * n_features_, -1);
  column_feature_.push_back(0);
  for (std::size_t v = 0; v < n_nodes; ++v) {
    if (trees.left[v] < 0) continue;
    const std::size_t kind = has_set(trees, v)       ? kCodes
                             : trees.missing_left[v] ? kMissingLeft
                                                     : kMissingRight;
    column_[kind * n_features_ + static_cast<std::size_t>(trees.feature[v])] = 0;
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (std::size_t f = 0; f < n_features_; ++f) {
      std::int32_t& column = column_[kind * n_features_ + f];
      if (column < 0) continue;
      column = static_cast<std::int32_t>(column_feature_.size());
      column_feature_.push_back(static_cast<std::int32_t>(f));
      if (kind == kCodes) missing_code_.push_back(n_places[f]);
    }
    if (kind == kMissingRight) n_right_ = column_feature_.size();
    if (kind == kMissingLeft) n_numeric_ = column_feature_.size();
  }
}

// Breadth first: siblings are adjacent, and the nodes that most rows visit are close to each other.
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
      const bool by_set = has_set(trees, v);
      const std::size_t kind =
          by_set ? kCodes : (trees.missing_left[v] ? kMissingLeft : kMissingRight);
      const std::int32_t column = column_[kind * n_features_ + feature];
      nodes_[k] = {by_set ? pack_set(trees, v, column) : key_of(trees.threshold[v], kHighest),
                   column, static_cast<std::int32_t>(next)};
      order_[next++] = left;
      order_[next++] = right;
    }
    require(next == end, "forest: the links must make a tree");
  }
}

// Append a node's set: a bit per code and one for missing, set if it goes right; or a list.
std::int64_t PackedTrees::pack_set(const Trees& trees, std::size_t v, std::int32_t column) {
  const std::size_t place = static_cast<std::size_t>(column) - n_numeric_;
  const std::size_t missing = static_cast<std::size_t>(missing_code_[place]);
  const std::int32_t* begin = trees.codes + trees.set_start[v];
  const std::int32_t* end = trees.codes + trees.set_start[v + 1];
  const std::size_t n_codes = static_cast<std::size_t>(end - begin), n_words = missing / 64 + 1;
  const bool missing_left = trees.missing_left[v] != 0;
  if (n_words > kWordsACode * (n_codes + kFewCodes)) {
    const std::int64_t first = static_cast<std::int64_t>(lists_.size());
    lists_.push_back(static_cast<std::int32_t>(n_codes + (missing_left ? 1 : 0)));
    lists_.insert(lists_.end(), begin, end);
    if (missing_left) lists_.push_back(static_cast<std::int32_t>(missing));
    return -1 - first;
  }
  const std::size_t first = sets_.size() * 64;  // sets begin at a word
  sets_.resize(sets_.size() + n_words, ~std::uint64_t{0});
  const auto go_left = [&](std::size_t code) {
    sets_[(first + code) / 64] &= ~(std::uint64_t{1} << (code % 64));
  };
  for (const std::int32_t* code = begin; code != end; ++code)
    go_left(static_cast<std::size_t>(*code));
  if (missing_left) go_left(missing);
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

// Append the tests of a tree, parents first. Returns false if bytes are too small for it, or if a
// walk is faster.
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

// List the codes of the shorter side, or write a table if both sides have many.
bool PackedTrees::find_codes(const Node& node, Test& test) {
  const std::size_t column = static_cast<std::size_t>(node.column) - n_numeric_;
  const std::size_t missing = static_cast<std::size_t>(missing_code_[column]);
  if (missing > 255 || tables_.size() > kMaxTables)
    return false;  // not too many codes, so the set is made of bits
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
