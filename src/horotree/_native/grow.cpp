#include "grow.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "histogram.h"
#include "partition.h"
#include "threads.h"

namespace horotree {

namespace {

constexpr int kNone = -1;

// With fewer rows, a node is looked through row by row, and needs no histogram.
constexpr std::size_t kFew = 64;

// With fewer rows in all, one thread tells them their weights and leaves.
constexpr std::size_t kManyRows = 1 << 15;

// Histograms on loan from a fixed space.
class Histograms {
 public:
  Histograms(HistogramSpace space, std::size_t n_bins, bool with_count)
      : data_(space.data), n_bins_(n_bins), with_count_(with_count) {
    for (std::size_t slot = space.n_slots; slot-- > 0;) free_.push_back(static_cast<int>(slot));
  }

  std::size_t size() const { return n_bins_ * (with_count_ ? 3 : 2); }
  bool is_full() const { return free_.empty(); }

  int borrow() {
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void give_back(int& slot) {
    if (slot != kNone) free_.push_back(slot);
    slot = kNone;
  }

  std::int64_t* data(int slot) { return data_ + static_cast<std::size_t>(slot) * size(); }

  Histogram operator[](int slot) {
    std::int64_t* first = data(slot);
    return {first, first + n_bins_, with_count_ ? first + 2 * n_bins_ : nullptr};
  }

  // slot -= other
  void subtract(int slot, int other) {
    std::int64_t* a = data(slot);
    const std::int64_t* b = data(other);
    for (std::size_t i = 0, n = size(); i < n; ++i) a[i] -= b[i];
  }

 private:
  std::int64_t* data_;
  std::size_t n_bins_;
  bool with_count_;
  std::vector<int> free_;
};

// What is known of a node only while its tree grows.
struct Growing {
  Rows rows;
  bool placed = false;  // its rows are known: its parent's split has been applied
  bool open = false;    // it may still be split
  int histogram = kNone;
  std::int64_t depth = 0;
};

class Grower {
 public:
  Grower(const Binned& data, const Places& places, Scratch scratch, HistogramSpace space,
         const GrowRules& rules, const Callbacks& callbacks)
      : data_(data),
        places_(places),
        scratch_(scratch),
        rules_(rules),
        callbacks_(callbacks),
        start_(first_bins(data)),
        histograms_(space, start_.back(), rules.split.min_samples_leaf > 1),
        features_(data.n_features),
        state_(rules.seed) {
    std::iota(features_.begin(), features_.end(), 0);
  }

  std::vector<GrownNode> run(std::size_t n_negative, std::int32_t* leaf) {
    add_root(n_negative);
    std::int64_t n_leaves = 1;
    while (!heap_.empty() && n_leaves < rules_.max_leaf_nodes) {
      const std::int32_t v = heap_.top().second;
      heap_.pop();
      if (callbacks_.poll) callbacks_.poll();
      place(v);
      if (needs_histogram(v)) make_histogram(v);
      Split split = find_split(v);
      growing_[v].open = false;
      if (split.feature < 0) {
        histograms_.give_back(growing_[v].histogram);
        continue;
      }
      add_children(v, std::move(split));
      ++n_leaves;
    }
    finish(leaf);
    return std::move(nodes_);
  }

 private:
  static std::vector<std::size_t> first_bins(const Binned& data) {
    std::vector<std::size_t> start(data.n_features + 1, 0);
    std::partial_sum(data.n_bins, data.n_bins + data.n_features, start.begin() + 1);
    return start;
  }

  void add_root(std::size_t n_negative) {
    nodes_.emplace_back();
    growing_.emplace_back();
    Growing& root = growing_[0];
    root.rows = {{0, n_negative}, {n_negative, data_.n_rows}};
    root.placed = true;
    make_histogram(0);
    const Histogram h = histograms_[root.histogram];
    for (std::int32_t b = 0; b < data_.n_bins[0]; ++b) {
      nodes_[0].negative += h.negative[b];
      nodes_[0].positive += h.positive[b];
    }
    open(0);
  }

  // The heaviest first; among equals the older.
  void open(std::int32_t v) {
    const GrownNode& node = nodes_[v];
    if (node.negative == 0 || node.positive == 0 || growing_[v].depth >= rules_.max_depth) return;
    growing_[v].open = true;
    heap_.push({weight(v), v});
  }

  void add_children(std::int32_t v, Split split) {
    GrownNode child[2];
    child[0].negative = split.left_negative;
    child[0].positive = split.left_positive;
    child[1].negative = nodes_[v].negative - split.left_negative;
    child[1].positive = nodes_[v].positive - split.left_positive;
    const std::int32_t left = static_cast<std::int32_t>(nodes_.size());
    nodes_[v].left = left;
    nodes_[v].right = left + 1;
    nodes_[v].split = std::move(split);
    for (int side = 0; side < 2; ++side) {
      child[side].parent = v;
      nodes_.push_back(std::move(child[side]));
      growing_.emplace_back();
      growing_.back().depth = growing_[v].depth + 1;
      open(left + side);
    }
    if (!growing_[left].open && !growing_[left + 1].open)
      histograms_.give_back(growing_[v].histogram);
  }

  std::int32_t sibling(std::int32_t v) const {
    const GrownNode& parent = nodes_[nodes_[v].parent];
    return parent.left == v ? parent.right : parent.left;
  }

  // Apply the parent's split to its rows, if that has not been done.
  void place(std::int32_t v) {
    if (growing_[v].placed) return;
    const std::int32_t p = nodes_[v].parent;
    const Rows all = growing_[p].rows;
    const Rows left = partition(data_, places_, all, nodes_[p].split, scratch_, rules_.n_threads);
    growing_[nodes_[p].left].rows = left;
    growing_[nodes_[p].right].rows = {{left.negative.end, all.negative.end},
                                      {left.positive.end, all.positive.end}};
    bool is_needed = false;
    for (const std::int32_t child : {nodes_[p].left, nodes_[p].right}) {
      growing_[child].placed = true;
      is_needed |= needs_histogram(child);
    }
    if (!is_needed) histograms_.give_back(growing_[p].histogram);
  }

  bool needs_histogram(std::int32_t v) const {
    const bool is_few = data_.bits == 8 && !callbacks_.reduce &&
                        rules_.split.min_samples_leaf <= 1 && growing_[v].rows.size() < kFew;
    return growing_[v].open && !is_few;
  }

  int build(std::int32_t v) {
    const int slot = histograms_.borrow();
    build_histogram(data_, places_, growing_[v].rows, start_, histograms_[slot], block_sums_,
                    rules_.n_threads);
    if (callbacks_.reduce) callbacks_.reduce(histograms_.data(slot), histograms_.size());
    return slot;
  }

  // Free a slot if there is none, for a histogram of v: the lightest node's, which is the least
  // likely to be asked for, but not v's parent's.
  void make_room(std::int32_t v) {
    if (!histograms_.is_full()) return;
    std::int32_t lightest = kNone;
    for (std::int32_t u = 0; u < static_cast<std::int32_t>(nodes_.size()); ++u)
      if (growing_[u].histogram != kNone && u != nodes_[v].parent &&
          (lightest == kNone || weight(u) < weight(lightest)))
        lightest = u;
    histograms_.give_back(growing_[lightest].histogram);
  }

  std::int64_t weight(std::int32_t v) const { return nodes_[v].negative + nodes_[v].positive; }

  // Is v the cheaper child to build? By rows here; over machines, where rows are counted by each of
  // them differently, by weight, on which all agree.
  bool is_smaller(std::int32_t v, std::int32_t other) const {
    if (!callbacks_.reduce) return growing_[v].rows.size() <= growing_[other].rows.size();
    return weight(v) <= weight(other);
  }

  // The smaller of two siblings from its rows, the other one as their parent's less that, at the
  // first use of either.
  void make_histogram(std::int32_t v) {
    Growing& node = growing_[v];
    if (node.histogram != kNone) return;
    make_room(v);
    const std::int32_t p = nodes_[v].parent;
    if (p == kNone || growing_[p].histogram == kNone) {
      node.histogram = build(v);
      return;
    }
    const std::int32_t other = sibling(v);
    const std::int32_t small = is_smaller(v, other) ? v : other;
    const std::int32_t large = small == v ? other : v;
    growing_[small].histogram = build(small);
    if (needs_histogram(large)) {
      std::swap(growing_[large].histogram, growing_[p].histogram);
      histograms_.subtract(growing_[large].histogram, growing_[small].histogram);
    }
    histograms_.give_back(growing_[p].histogram);
    if (!needs_histogram(other)) histograms_.give_back(growing_[other].histogram);
  }

  // The best split of some features, drawn anew; if none of them can split, of others.
  Split find_split(std::int32_t v) {
    Split best;
    for (std::size_t begin = 0; begin < data_.n_features && best.feature < 0;) {
      const std::size_t end = draw_features(begin);
      best = find_split(v, begin, end);
      begin = end;
    }
    return best;
  }

  Split find_split(std::int32_t v, std::size_t first, std::size_t last) {
    const GrownNode& node = nodes_[v];
    const std::size_t n = last - first;
    if (growing_[v].histogram == kNone)
      return best_split_of_few(data_, places_, growing_[v].rows, node.negative, node.positive,
                               rules_.split, features_.data() + first, n);
    const Histogram histogram = histograms_[growing_[v].histogram];
    const std::size_t n_tasks = rules_.n_threads > 1 && start_.back() > 2048 ? rules_.n_threads : 1;
    std::vector<Split> found(n_tasks);
    parallel_for(n_tasks, rules_.n_threads, [&](std::size_t task) {
      const std::size_t begin = n * task / n_tasks, end = n * (task + 1) / n_tasks;
      found[task] = best_split(data_, start_, histogram, node.negative, node.positive, rules_.split,
                               features_.data() + first + begin, end - begin);
    });
    Split best = std::move(found[0]);
    for (std::size_t task = 1; task < n_tasks; ++task)
      if (found[task].feature >= 0 && (best.feature < 0 || found[task].gain > best.gain))
        best = std::move(found[task]);
    return best;
  }

  // Draw max_features of the features from place `begin` on, without replacement, to stand there in
  // order; return their end.
  std::size_t draw_features(std::size_t begin) {
    const std::size_t n = data_.n_features;
    const std::size_t wanted = static_cast<std::size_t>(rules_.max_features);
    if (wanted >= n) return n;
    const std::size_t end = std::min(n, begin + wanted);
    for (std::size_t i = begin; i < end; ++i)
      std::swap(features_[i], features_[i + next_random() % (n - i)]);
    const auto first = features_.begin();
    std::sort(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
    return end;
  }

  // splitmix64: the same numbers on every machine.
  std::uint64_t next_random() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Tell each row its leaf, and each node its number of examples.
  void finish(std::int32_t* leaf) {
    const int n_threads = data_.n_rows < kManyRows ? 1 : rules_.n_threads;
    parallel_for(nodes_.size(), n_threads, [&](std::size_t node) {
      const std::int32_t v = static_cast<std::int32_t>(node);
      if (!growing_[v].placed) return;
      const Rows rows = growing_[v].rows;
      nodes_[v].count = static_cast<std::int64_t>(rows.size());
      const std::int32_t left = nodes_[v].left, right = nodes_[v].right;
      if (left < 0) {
        for (const Range& range : {rows.negative, rows.positive})
          for (std::size_t i = range.begin; i < range.end; ++i) leaf[places_.ids[i]] = v;
      } else if (!growing_[left].placed) {
        const std::size_t n_left =
            assign_leaves(data_, places_, rows, nodes_[v].split, left, right, leaf);
        nodes_[left].count = static_cast<std::int64_t>(n_left);
        nodes_[right].count = static_cast<std::int64_t>(rows.size() - n_left);
      }
    });
  }

  struct Order {
    bool operator()(const std::pair<std::int64_t, std::int32_t>& a,
                    const std::pair<std::int64_t, std::int32_t>& b) const {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
  };

  const Binned& data_;
  const Places& places_;
  const Scratch scratch_;
  const GrowRules& rules_;
  const Callbacks& callbacks_;
  std::vector<std::size_t> start_;
  Histograms histograms_;
  std::vector<std::int64_t> block_sums_;
  std::vector<std::int32_t> features_;
  std::uint64_t state_;
  std::vector<GrownNode> nodes_;
  std::vector<Growing> growing_;
  std::priority_queue<std::pair<std::int64_t, std::int32_t>,
                      std::vector<std::pair<std::int64_t, std::int32_t>>, Order>
      heap_;
};

}  // namespace

std::vector<GrownNode> grow(const Binned& data, const Places& places, const std::int32_t* weights,
                            Scratch scratch, HistogramSpace space, std::size_t n_negative,
                            const GrowRules& rules, const Callbacks& callbacks,
                            std::int32_t* leaf) {
  const std::size_t n = data.n_rows, n_blocks = n / kManyRows + 1;
  parallel_for(n_blocks, rules.n_threads, [&](std::size_t block) {
    for (std::size_t i = n * block / n_blocks; i < n * (block + 1) / n_blocks; ++i)
      places.weights[i] = weights[places.ids[i]];
  });
  return Grower(data, places, scratch, space, rules, callbacks).run(n_negative, leaf);
}

}  // namespace horotree
