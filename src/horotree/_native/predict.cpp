#include "predict.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "threads.h"
#include "vectors.h"

namespace horotree {

namespace {

constexpr std::size_t kBlock = 256;   // rows a task: they stay in the cache while trees pass by
constexpr std::size_t kLanes = 16;    // walks that take a step in turn
constexpr std::size_t kFewRows = 24;  // and fewer trees: to rank the rows would not pay
constexpr std::size_t kFewTrees = 12;
constexpr std::size_t kMaxCuts = 255;  // ranks, and places in a tree, are bytes
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

// Move the rows that are at a node: to the right if the rank is above the cut.
HOROTREE_VECTORS void move_rows(const std::int8_t* rank, std::int8_t cut, std::uint8_t node,
                                std::uint8_t to_left, std::uint8_t to_right, std::size_t n,
                                std::uint8_t* place) {
  const std::uint8_t turn = static_cast<std::uint8_t>(to_right - to_left);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t here = place[i] == node ? 255 : 0;
    const std::uint8_t right = rank[i] > cut ? 255 : 0;
    place[i] = static_cast<std::uint8_t>(place[i] + (here & (to_left + (right & turn))));
  }
}

}  // namespace

// A block of rows on its way.
struct PackedTrees::Rows {
  std::size_t n = 0;
  std::vector<std::int64_t> keys;   // row by row
  std::vector<std::int8_t> ranks;   // kBlock of each group
  std::vector<std::uint8_t> codes;  // kBlock of each column of codes
  std::int8_t side[kBlock];
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

// Append the tests of a tree, parents first; false if its places or codes are too many for bytes.
bool PackedTrees::add_tests(const Trees& trees, std::size_t tree) {
  const std::size_t start = static_cast<std::size_t>(start_[tree]);
  const std::size_t end = static_cast<std::size_t>(start_[tree + 1]);
  if (end - start > kMaxCuts + 1) return false;
  for (std::size_t k = start; k < end; ++k) {
    const Node& node = nodes_[k];
    const std::int32_t v = order_[k];
    if (node.child == static_cast<std::int32_t>(k)) continue;
    const std::size_t column = static_cast<std::size_t>(node.column);
    Test test{};
    test.node = static_cast<std::uint8_t>(v);
    test.to_left = static_cast<std::uint8_t>(trees.left[start + static_cast<std::size_t>(v)] - v);
    test.to_right = static_cast<std::uint8_t>(trees.right[start + static_cast<std::size_t>(v)] - v);
    test.by_set = column >= n_numeric_;
    if (test.by_set) {
      const std::int32_t missing = missing_code_[column - n_numeric_];
      if (missing > 255) return false;
      test.source = static_cast<std::uint32_t>(column - n_numeric_);
      test.table = static_cast<std::uint32_t>(tables_.size());
      for (std::size_t code = 0; code <= static_cast<std::size_t>(missing); ++code)
        tables_.push_back(bit_of(sets_.data(), static_cast<std::size_t>(node.key) + code));
    } else {
      std::size_t group = group_start_[column];
      while (group + 1 < group_start_[column + 1] && cuts_[groups_[group + 1].first_cut] <= node.key)
        ++group;
      const std::int64_t* cuts = cuts_.data() + groups_[group].first_cut;
      const std::int64_t* cut =
          std::lower_bound(cuts, cuts + (std::size_t{1} << groups_[group].n_steps) - 1, node.key);
      test.source = static_cast<std::uint32_t>(group);
      test.cut = static_cast<std::int8_t>(cut - cuts - 128);
    }
    tests_.push_back(test);
  }
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

void PackedTrees::scan(std::size_t tree, Rows& rows) const {
  const std::size_t n = (rows.n + 63) / 64 * 64;  // whole vectors; the last rows may be anything
  std::fill(rows.place, rows.place + n, std::uint8_t{0});
  for (std::size_t k = test_start_[tree]; k < test_start_[tree + 1]; ++k) {
    const Test& test = tests_[k];
    const std::int8_t* rank = rows.side;
    if (test.by_set) {
      const std::uint8_t* code = rows.codes.data() + test.source * kBlock;
      const std::int8_t* table = tables_.data() + test.table;
      for (std::size_t i = 0; i < rows.n; ++i) rows.side[i] = table[code[i]];
    } else {
      rank = rows.ranks.data() + test.source * kBlock;
    }
    move_rows(rank, test.cut, test.node, test.to_left, test.to_right, n, rows.place);
  }
}

// Take kLanes places to their leaves; keys_of(lane) are the keys of a lane's row.
template <bool kSets, class KeysOf>
void PackedTrees::walk(std::int32_t* at, KeysOf keys_of) const {
  const Node* nodes = nodes_.data();
  const std::uint64_t* sets = sets_.data();
  const std::int32_t n_numeric = static_cast<std::int32_t>(n_numeric_);
  for (bool moved = true; moved;) {
    std::int32_t change = 0;
    for (int step = 0; step < 2; ++step) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Node node = nodes[at[lane]];
        const std::int64_t key = keys_of(lane)[node.column];
        bool right = key > node.key;
        if (kSets) {  // the bit is read at any node, the first where there is none
          const bool by_set = node.column >= n_numeric;
          const std::size_t place = by_set ? static_cast<std::size_t>(node.key + key) : 0;
          right = by_set ? bit_of(sets, place) : right;
        }
        const std::int32_t next = node.child + right;
        change |= next ^ at[lane];
        at[lane] = next;
      }
    }
    moved = change != 0;
  }
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
    Rows rows;
    rows.n = std::min(kBlock, n_rows - begin);
    rows.keys.resize(rows.n * n_columns);
    for (std::size_t i = 0; i < rows.n; ++i)
      read_row(x + (begin + i) * n_features, rows.keys.data() + i * n_columns);
    const std::int64_t* keys = rows.keys.data();
    std::int32_t at[kLanes];
    if (rows.n < kLanes) {
      for (std::size_t i = 0; i < rows.n; ++i) {
        for (std::size_t j = first; j < last; j += kLanes) {
          const std::size_t n = std::min(kLanes, last - j);
          for (std::size_t lane = 0; lane < kLanes; ++lane)
            at[lane] = static_cast<std::int32_t>(start_[j + std::min(lane, n - 1)]);
          walk_any(at, [row = keys + i * n_columns](std::size_t) { return row; });
          for (std::size_t lane = 0; lane < n; ++lane)
            visit(begin + i, j + lane, order_[static_cast<std::size_t>(at[lane])]);
        }
      }
      return;
    }
    const bool may_scan = rows.n >= kFewRows && last - first >= kFewTrees && !tests_.empty();
    if (may_scan) rank_rows(rows);
    for (std::size_t j = first; j < last; ++j) {
      if (may_scan && test_start_[j] < test_start_[j + 1]) {
        scan(j, rows);
        for (std::size_t i = 0; i < rows.n; ++i) visit(begin + i, j, rows.place[i]);
        continue;
      }
      for (std::size_t i = 0; i < rows.n; i += kLanes) {
        const std::size_t n = std::min(kLanes, rows.n - i);
        std::fill(at, at + kLanes, static_cast<std::int32_t>(start_[j]));
        walk_any(at, [&](std::size_t lane) {
          return keys + std::min(i + lane, rows.n - 1) * n_columns;
        });
        for (std::size_t lane = 0; lane < n; ++lane)
          visit(begin + i + lane, j, order_[static_cast<std::size_t>(at[lane])]);
      }
    }
  });
}

void PackedTrees::score_rows(const double* output, double base, std::size_t first,
                             std::size_t last, const double* x, std::size_t n_rows,
                             std::size_t n_features, double* score, int n_threads) const {
  std::fill(score, score + n_rows, base);
  const std::int64_t* start = start_.data();
  visit_leaves(first, last, x, n_rows, n_features, n_threads,
               [=](std::size_t i, std::size_t j, std::int32_t v) {
                 score[i] += output[start[j] + v];
               });
}

void PackedTrees::find_leaves(const double* x, std::size_t n_rows, std::size_t n_features,
                              std::int32_t* leaf, int n_threads) const {
  visit_leaves(0, n_trees(), x, n_rows, n_features, n_threads,
               [leaf, n = n_trees()](std::size_t i, std::size_t j, std::int32_t v) {
                 leaf[i * n + j] = v;
               });
}

}  // namespace horotree
