#include <algorithm>

#include "scoring/keys.h"
#include "scoring/packed_trees.h"
#include "shared/vectors.h"
#include "threads/pool.h"

namespace horotree {

namespace {

constexpr std::size_t kBlock = 512;      // rows per task: they stay in the cache for all trees
constexpr std::size_t kLanes = 8;        // walks that take a step in turn
constexpr int kSteps = 4;                // steps between two checks whether all have ended
constexpr std::size_t kChunk = 64;       // a scan processes a multiple of this many rows
constexpr std::size_t kFewRows = 24;     // least rows for a scan,
constexpr std::size_t kGroupsATree = 2;  // and most groups per tree: computing ranks takes time

// The index of a code: 0 .. missing - 1, where the last stands for all larger codes; or `missing`.
inline std::int64_t place_of(double x, std::int32_t missing) {
  if (!(x >= 0.0)) return missing;
  return static_cast<std::int64_t>(std::min(x, static_cast<double>(missing - 1)));
}

}  // namespace

// A block of rows in the forms of walks and scans.
struct PackedTrees::Rows {
  std::size_t n = 0;
  std::vector<std::int64_t> keys;   // row-major
  std::vector<std::int8_t> ranks;   // kBlock per group
  std::vector<std::uint8_t> codes;  // kBlock per column of codes
  std::uint8_t place[kBlock];
};

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

// Make all tests of a tree on n rows, a multiple of kChunk, from the root on.
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
  const std::size_t n =
      (rows.n + kChunk - 1) / kChunk * kChunk;  // rows after the last may have any content
  make_moves(tests_.data() + test_start_[tree], tests_.data() + test_start_[tree + 1],
             rows.ranks.data(), rows.codes.data(), tables_.data(), n, rows.place);
}

// Walk kLanes rows to their leaves; keys_of(lane) are the keys of a lane's row.
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
    if (kSets) {  // a bit is read at every node, to avoid a branch
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

// Walk one row to its leaf, where sets may be lists.
std::int32_t PackedTrees::walk_lists(std::int32_t at, const std::int64_t* keys) const {
  for (;;) {
    const Node node = nodes_[static_cast<std::size_t>(at)];
    if (node.child == at) return at;
    const std::int64_t key = keys[node.column];
    bool right = key > node.key;
    if (node.column >= static_cast<std::int32_t>(n_numeric_) && node.key >= 0) {
      right = bit_of(sets_.data(), static_cast<std::size_t>(node.key + key));
    } else if (node.column >= static_cast<std::int32_t>(n_numeric_)) {
      const std::int32_t* list = lists_.data() + (-1 - node.key) + 1;
      right = !std::binary_search(list, list + list[-1], static_cast<std::int32_t>(key));
    }
    at = node.child + right;
  }
}

template <class KeysOf>
void PackedTrees::walk_any(std::int32_t* at, KeysOf keys_of) const {
  if (!lists_.empty())
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      at[lane] = walk_lists(at[lane], keys_of(lane));
  else if (sets_.empty())
    walk<false>(at, keys_of);
  else
    walk<true>(at, keys_of);
}

// Call visit(row, tree, index of the leaf in its tree); for each row in the order of trees.
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

// Walk one row through several trees at a time.
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

// Walk several rows at a time through one tree.
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
