#include "predict.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "threads.h"
#include "vectors.h"

namespace horotree {

namespace {

constexpr std::size_t kBlock = 512;   // rows a task: they stay in the cache while trees pass by
constexpr std::size_t kLanes = 8;     // walks that take a step in turn
constexpr int kSteps = 4;             // steps before it is seen whether all have ended
constexpr std::size_t kChunk = 64;    // rows of a scan are a multiple of it: no end to treat apart
constexpr std::size_t kFewRows = 24;  // a scan pays from here on,
constexpr std::size_t kGroupsATree = 2;  // and up to here: ranks take time, too
constexpr std::size_t kMaxCuts = 255;    // ranks, and places in a tree, are bytes
constexpr std::size_t kMaxListed = 8;    // codes: more are looked up in a table
// What things take, measured, in units of a scan's numeric test.
constexpr std::size_t kTableCost = 10, kStepCost = 45;
constexpr std::size_t kMaxTables = std::size_t{1} << 26;  // bytes
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

enum Kind : std::size_t { kMissingRight, kMissingLeft, kCodes, kKinds };

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

// Whole numbers in the order of the numbers; both zeros are one.
inline std::int64_t key_of(double x, std::int64_t missing) {
  const double one_zero = x + 0.0;
  std::int64_t bits;
  std::memcpy(&bits, &one_zero, sizeof bits);
  const std::int64_t key = bits >= 0 ? bits : bits ^ kHighest;
  return x != x ? missing : key;
}

// The place of a code among 0 .. missing - 1, the last of them standing for all beyond.
inline std::int64_t place_of(double x, std::int32_t missing) {
  if (!(x >= 0.0)) return missing;
  return static_cast<std::int64_t>(std::min(x, static_cast<double>(missing - 1)));
}

inline bool bit_of(const std::uint64_t* words, std::size_t place) {
  return (words[place / 64] >> (place % 64)) & 1;
}

}  // namespace

// A block of rows on its way.
struct PackedTrees::Rows {
  std::size_t n = 0;
  std::vector<std::int64_t> keys;   // row by row
  std::vector<std::int8_t> ranks;   // kBlock of each group
  std::vector<std::uint8_t> codes;  // kBlock of each column of codes
  std::uint8_t place[kBlock];
};

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

void PackedTrees::read_row(const double* x, std::int64_t* keys) const {
  const std::int32_t* feature = column_feature_.data();
  const std::size_t n_columns = column_feature_.size();
  std::size_t c = 1;
  keys[0] = 0;
  for (; c < n_right_; ++c) keys[c] = key_of(x[feature[c]], kHighest);
  for (; c < n_numeric_; ++c) keys[c] = key_of(x[feature[c]], kLowest);
  for (; c < n_columns; ++c) keys[c] = place_of(x[feature[c]], missing_code_[c - n_numeric_]);
}

void PackedTrees::rank_rows(Rows& rows) const {
  const std::size_t n_columns = column_feature_.size();
  rows.ranks.resize(groups_.size() * kBlock);
  rows.codes.resize(missing_code_.size() * kBlock);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::int64_t* cuts = cuts_.data() + groups_[g].first_cut;
    const std::int64_t* keys = rows.keys.data() + groups_[g].column;
    const std::size_t half = std::size_t{1} << (groups_[g].n_steps - 1);
    for (std::size_t i = 0; i < rows.n; ++i) {
      const std::int64_t key = keys[i * n_columns];
      std::size_t rank = 0;
      for (std::size_t step = half; step > 0; step /= 2)
        rank += static_cast<std::size_t>(cuts[rank + step - 1] < key) * step;
      rows.ranks[g * kBlock + i] = static_cast<std::int8_t>(static_cast<int>(rank) - 128);
    }
  }
  for (std::size_t c = 0; c < missing_code_.size(); ++c)
    for (std::size_t i = 0; i < rows.n; ++i)
      rows.codes[c * kBlock + i] =
          static_cast<std::uint8_t>(rows.keys[i * n_columns + n_numeric_ + c]);
}

// Make all tests of a tree on n rows, a multiple of kChunk, that start at its root.
HOROTREE_VECTORS static void make_moves(const PackedTrees::Test* test, const PackedTrees::Test* end,
                                        const std::int8_t* __restrict ranks,
                                        const std::uint8_t* __restrict codes,
                                        const std::uint8_t* __restrict tables, std::size_t n,
                                        std::uint8_t* __restrict place) {
  std::int8_t side[kBlock];
  for (std::size_t i = 0; i < n; ++i) place[i] = 0;
  for (; test != end; ++test) {
    const std::int8_t* rank = ranks + test->source * kBlock;
    if (test->by_set) {
      const std::uint8_t* code = codes + test->source * kBlock;
      const std::uint8_t* table = tables + test->table;
      if (test->n_listed < 0) {
        for (std::size_t i = 0; i < n; ++i) side[i] = static_cast<std::int8_t>(table[code[i]]);
      } else {
        for (std::size_t i = 0; i < n; ++i) side[i] = 0;
        for (const std::uint8_t* listed = table; listed != table + test->n_listed; ++listed)
          for (std::size_t i = 0; i < n; ++i) side[i] |= code[i] == *listed ? 1 : 0;
      }
      rank = side;
    }
    const std::int8_t cut = test->cut;
    const std::uint8_t node = test->node, to_left = test->to_left;
    const std::uint8_t turn = static_cast<std::uint8_t>(test->to_right - to_left);
    for (std::size_t first = 0; first < n; first += kChunk) {
      for (std::size_t i = first; i < first + kChunk; ++i) {
        const std::uint8_t here = place[i] == node ? 255 : 0;
        const std::uint8_t right = rank[i] > cut ? 255 : 0;
        place[i] = static_cast<std::uint8_t>(place[i] + (here & (to_left + (right & turn))));
      }
    }
  }
}

void PackedTrees::scan(std::size_t tree, Rows& rows) const {
  const std::size_t n = (rows.n + kChunk - 1) / kChunk * kChunk;  // the last may be any rows
  make_moves(tests_.data() + test_start_[tree], tests_.data() + test_start_[tree + 1],
             rows.ranks.data(), rows.codes.data(), tables_.data(), n, rows.place);
}

// Take kLanes places to their leaves; keys_of(lane) are the keys of a lane's row.
template <bool kSets, class KeysOf>
void PackedTrees::walk(std::int32_t* places, KeysOf keys_of) const {
  std::int32_t at[kLanes];
  std::copy(places, places + kLanes, at);
  const Node* nodes = nodes_.data();
  const std::uint64_t* sets = sets_.data();
  const std::int32_t n_numeric = static_cast<std::int32_t>(n_numeric_);
  const auto take_step = [&](std::size_t lane) {
    const Node node = nodes[at[lane]];
    const std::int64_t key = keys_of(lane)[node.column];
    bool right = key > node.key;
    if (kSets) {  // the bit is read at any node, the first where there is none
      const bool by_set = node.column >= n_numeric;
      const std::size_t place = by_set ? static_cast<std::size_t>(node.key + key) : 0;
      right = by_set ? bit_of(sets, place) : right;
    }
    at[lane] = node.child + right;
  };
  for (std::int32_t moved = 1; moved != 0;) {
    for (int step = 1; step < kSteps; ++step)
      for (std::size_t lane = 0; lane < kLanes; ++lane) take_step(lane);
    moved = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int32_t before = at[lane];
      take_step(lane);
      moved |= at[lane] ^ before;
    }
  }
  std::copy(at, at + kLanes, places);
}

template <class KeysOf>
void PackedTrees::walk_any(std::int32_t* at, KeysOf keys_of) const {
  if (sets_.empty())
    walk<false>(at, keys_of);
  else
    walk<true>(at, keys_of);
}

// Call visit(row, tree, node counted from the tree's first), for each row in the order of trees.
template <class Visit>
void PackedTrees::visit_leaves(std::size_t first, std::size_t last, const double* x,
                               std::size_t n_rows, std::size_t n_features, int n_threads,
                               Visit visit) const {
  const std::size_t n_columns = column_feature_.size();
  const std::size_t n_blocks = (n_rows + kBlock - 1) / kBlock;
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlock;
    const auto visit_here = [&](std::size_t i, std::size_t j, std::int32_t v) {
      visit(begin + i, j, v);
    };
    Rows rows;
    rows.n = std::min(kBlock, n_rows - begin);
    rows.keys.resize(rows.n * n_columns);
    for (std::size_t i = 0; i < rows.n; ++i)
      read_row(x + (begin + i) * n_features, rows.keys.data() + i * n_columns);
    if (rows.n < kLanes) {
      for (std::size_t i = 0; i < rows.n; ++i) walk_trees(first, last, rows, i, visit_here);
      return;
    }
    const bool may_scan = rows.n >= kFewRows && groups_.size() <= kGroupsATree * (last - first);
    if (may_scan) rank_rows(rows);
    for (std::size_t j = first; j < last; ++j) {
      if (may_scan && test_start_[j] < test_start_[j + 1]) {
        scan(j, rows);
        for (std::size_t i = 0; i < rows.n; ++i) visit_here(i, j, rows.place[i]);
      } else {
        walk_rows(j, rows, visit_here);
      }
    }
  });
}

// Walk one row through some trees at a time.
template <class Visit>
void PackedTrees::walk_trees(std::size_t first, std::size_t last, const Rows& rows, std::size_t i,
                             Visit visit) const {
  const std::int64_t* keys = rows.keys.data() + i * column_feature_.size();
  for (std::size_t j = first; j < last; j += kLanes) {
    const std::size_t n = std::min(kLanes, last - j);
    std::int32_t at[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      at[lane] = static_cast<std::int32_t>(start_[j + std::min(lane, n - 1)]);
    walk_any(at, [keys](std::size_t) { return keys; });
    for (std::size_t lane = 0; lane < n; ++lane)
      visit(i, j + lane, order_[static_cast<std::size_t>(at[lane])]);
  }
}

// Walk some rows at a time through one tree.
template <class Visit>
void PackedTrees::walk_rows(std::size_t tree, const Rows& rows, Visit visit) const {
  for (std::size_t i = 0; i < rows.n; i += kLanes) {
    const std::size_t n = std::min(kLanes, rows.n - i);
    std::int32_t at[kLanes];
    const std::int64_t* keys[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      at[lane] = static_cast<std::int32_t>(start_[tree]);
      keys[lane] = rows.keys.data() + (i + std::min(lane, n - 1)) * column_feature_.size();
    }
    walk_any(at, [&keys](std::size_t lane) { return keys[lane]; });
    for (std::size_t lane = 0; lane < n; ++lane)
      visit(i + lane, tree, order_[static_cast<std::size_t>(at[lane])]);
  }
}

void PackedTrees::score_rows(const double* output, double base, std::size_t first, std::size_t last,
                             const double* x, std::size_t n_rows, std::size_t n_features,
                             double* score, int n_threads) const {
  std::fill(score, score + n_rows, base);
  const std::int64_t* start = start_.data();
  visit_leaves(
      first, last, x, n_rows, n_features, n_threads,
      [=](std::size_t i, std::size_t j, std::int32_t v) { score[i] += output[start[j] + v]; });
}

void PackedTrees::find_leaves(std::size_t first, std::size_t last, const double* x,
                              std::size_t n_rows, std::size_t n_features, std::int32_t* leaf,
                              int n_threads) const {
  const std::size_t n = last - first;
  visit_leaves(first, last, x, n_rows, n_features, n_threads,
               [=](std::size_t i, std::size_t j, std::int32_t v) { leaf[i * n + j - first] = v; });
}

}  // namespace horotree
