#include "grow.h"

#include <algorithm>
#include <queue>

#include "decision.h"
#include "draws.h"
#include "histogram.h"
#include "partition.h"
#include "sharing.h"
#include "threads.h"

namespace horotree {

namespace {

constexpr int kNone = Histograms::kNone;

// With fewer rows than half a feature's bins, within these limits, a node is looked through row by
// row, and needs no histogram.
constexpr std::size_t kFew = 32, kNotFew = 128;

// With fewer rows for each bin of a feature, the smaller of two children is counted again if it is
// searched, too: that takes less than a histogram of its own, which is seldom asked for.
constexpr std::size_t kCountedAgain = 2;

// With fewer bins, and additions to them in all, one thread fills and scans all histograms. One or
// all: what threads take from each other's caches costs more than they save.
constexpr std::size_t kManyBins = 1 << 10;
constexpr std::size_t kManyAdditions = 1 << 16;

// With fewer rows in all, one thread tells them their weights and leaves.
constexpr std::size_t kManyRows = 1 << 15;

// What is known of a node only while its tree grows.
struct Growing {
  bool placed = false;  // its rows are known: its parent's split has been applied
  bool open = false;    // it may still be split
  int histogram = kNone;
  std::int64_t depth = 0;
};

// What a thread has to itself: its share of the features, and where it works.
struct alignas(64) Hand {  // no two in one line of a cache
  std::size_t first, last;
  Places places;  // words and ids are everybody's
  Lists lists;
  Prefixes prefixes;
  Split found;
};

class Grower {
 public:
  Grower(const Binned& data, const Places& places, Flags flags, ThreadSpace threads,
         HistogramSpace space, std::size_t n_negative, const GrowRules& rules,
         const Callbacks& callbacks)
      : data_(data),
        places_(places),
        flags_(flags),
        rules_(rules),
        callbacks_(callbacks),
        start_(first_bins(data)),
        shares_(share_features(data, is_large() ? rules.n_threads : 1)),
        n_few_(std::clamp(start_.back() / (2 * data.n_features), kFew, kNotFew)),
        histograms_(space, start_.back(), rules.split.min_samples_leaf > 1),
        draws_(data.n_features, rules.max_features, rules.seed),
        rows_(share_rows(data, n_negative, start_.back(), rules.n_threads)),
        n_blocks_(rows_.size()) {
    // Threads that share the rows have one copy of the weights, each its part.
    n_copies_ = n_blocks_ == 1 ? std::min(shares_.size() - 1, threads.n_threads) : 1;
    for (std::size_t k = 0; k + 1 < shares_.size(); ++k) {
      const std::size_t own = std::min(k, n_copies_ - 1) * data.n_rows;
      const Places there{places.words, threads.weights + own, places.ids};
      std::uint32_t* lists = threads.lists + 2 * own;
      hands_.push_back({shares_[k], shares_[k + 1], there, {lists, lists + data.n_rows}, {}, {}});
    }
  }

  std::vector<GrownNode> run(const std::int32_t* weights, std::int32_t* leaf) {
    gather(weights);
    add_root();
    std::int64_t n_leaves = 1;
    while (!heap_.empty() && n_leaves < rules_.max_leaf_nodes) {
      if (callbacks_.poll) callbacks_.poll();
      const std::int32_t v = heap_.top().second;
      heap_.pop();
      Split split = search(v);
      growing_[v].open = false;
      if (split.feature < 0) {
        histograms_.give_back(growing_[v].histogram);
        continue;
      }
      prefer(split.feature);
      add_children(v, std::move(split));
      ++n_leaves;
    }
    finish(leaf);
    return std::move(nodes_);
  }

 private:
  // The best split of a node.
  Split search(std::int32_t v) {
    place(v);
    if (!needs_histogram(v))
      return find_drawn([&](std::size_t first, std::size_t last) {
        return best_split_of_few(data_, places_, blocks(v), n_blocks_, nodes_[v].negative,
                                 nodes_[v].positive, rules_.split, draws_.features() + first,
                                 last - first, hands_[0].prefixes);
      });
    Filling filling = begin_histogram(v);
    Split best;
    if (callbacks_.reduce || !draws_.takes_all()) {
      fill(filling);
      best = find_drawn([&](std::size_t first, std::size_t last) {
        Bar bar{0.0};
        return scan(v, first, last, bar, hands_[0].prefixes);
      });
    } else {
      Bar bar{0.0};
      fill_blocks(filling);
      best = by_features([&](Hand& hand) {
        if (to_exchange_) exchange(v, hand);
        fill(filling, hand);
        return scan(v, hand.first, hand.last, bar, hand.prefixes);
      });
      to_exchange_ = false;
    }
    end_histogram(filling);
    if (callbacks_.decide) {
      decision_ = write_decision(data_, best);
      callbacks_.decide(decision_.data(), decision_.size());
      best = read_decision(data_, decision_);
    }
    return best;
  }

  void prefer(std::int32_t feature) {
    const auto f = static_cast<std::size_t>(feature);
    const auto end = std::upper_bound(shares_.begin(), shares_.end(), f);
    draws_.prefer(feature, *(end - 1), *end);
  }

  // A placed node's rows, by the thread that has them.
  Rows* blocks(std::int32_t v) { return rows_.data() + static_cast<std::size_t>(v) * n_blocks_; }
  const Rows* blocks(std::int32_t v) const { return const_cast<Grower*>(this)->blocks(v); }

  std::size_t n_rows(std::int32_t v) const {
    std::size_t n = 0;
    for (std::size_t k = 0; k < n_blocks_; ++k) n += blocks(v)[k].size();
    return n;
  }

  // Tell each place the weight of its row, in all copies.
  void gather(const std::int32_t* weights) {
    const std::size_t n = data_.n_rows, n_parts = 8 * n / kManyRows + 1;
    parallel_for(n_parts, rules_.n_threads, [&](std::size_t part) {
      for (std::size_t i = n * part / n_parts; i < n * (part + 1) / n_parts; ++i)
        places_.weights[i] = weights[places_.ids[i]];
    });
    parallel_for(n_copies_, rules_.n_threads, [&](std::size_t k) {
      if (k > 0) std::copy_n(places_.weights, n, hands_[k].places.weights);
    });
  }

  void add_root() {
    nodes_.emplace_back();
    growing_.emplace_back();
    Growing& root = growing_[0];
    root.placed = true;
    fill(begin_histogram(0));
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
    const std::int32_t left = nodes_[p].left, right = nodes_[p].right;
    rows_.resize(nodes_.size() * n_blocks_);
    parallel_for(n_blocks_, rules_.n_threads, [&](std::size_t k) {
      const Rows all = blocks(p)[k];
      const int n_threads = n_blocks_ > 1 ? 1 : rules_.n_threads;
      const Rows front = flag_rows(data_, places_.words, all, nodes_[p].split, flags_, n_threads);
      blocks(left)[k] = front;
      blocks(right)[k] = {{front.negative.end, all.negative.end},
                          {front.positive.end, all.positive.end}};
      if (n_blocks_ > 1) exchange_all(all, front);
    });
    bool is_needed = false;
    for (const std::int32_t child : {left, right}) {
      growing_[child].placed = true;
      is_needed |= needs_histogram(child);
    }
    if (!is_needed) histograms_.give_back(growing_[p].histogram);
    if (n_blocks_ > 1) return;
    to_exchange_ =
        hands_.size() > 1 && needs_histogram(v) && !callbacks_.reduce && draws_.takes_all();
    if (!to_exchange_) {
      exchange_all(*blocks(p), *blocks(left));
    } else if (has_common_) {
      moves_ = find_moves(*blocks(p), *blocks(left), flags_, hands_[0].lists);
      exchange_common(data_, places_, moves_, shares_);
    }
  }

  // Exchange the rows of a node whose left child gets those places.
  void exchange_all(Rows all, Rows left) {
    const Partition moves = find_moves(all, left, flags_, hands_[0].lists);
    exchange_own(data_, places_, moves, 0, data_.n_features);
    for (std::size_t k = 0; k < n_copies_; ++k) moves.make(hands_[k].places.weights);
  }

  // The same for what one thread reads, and nobody else does, of the rows of v and its sibling.
  void exchange(std::int32_t v, Hand& hand) {
    const std::int32_t p = nodes_[v].parent;
    const Rows all = *blocks(p), left = *blocks(nodes_[p].left);
    const bool is_known = has_common_ && &hand == &hands_[0];
    const Partition moves = is_known ? moves_ : find_moves(all, left, flags_, hand.lists);
    exchange_own(data_, hand.places, moves, hand.first, hand.last);
    moves.make(hand.places.weights);
  }

  bool needs_histogram(std::int32_t v) const {
    const bool is_few = data_.bits == 8 && !callbacks_.reduce &&
                        rules_.split.min_samples_leaf <= 1 && n_rows(v) < n_few_;
    return growing_[v].open && !is_few;
  }

  // Is a histogram to be kept of a node whose rows are counted when v is searched?
  bool keeps_histogram(std::int32_t counted, std::int32_t v) const {
    const bool is_small = n_rows(counted) * data_.n_features < kCountedAgain * start_.back();
    return needs_histogram(counted) && (counted == v || !is_small);
  }

  // Free a slot if there is none, for a histogram of v: the lightest node's, which is the least
  // likely to be asked for, but not v's parent's.
  void make_room(std::int32_t v) {
    if (histograms_.n_free() > 0) return;
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
    if (!callbacks_.reduce) return n_rows(v) <= n_rows(other);
    return weight(v) <= weight(other);
  }

  // What makes a histogram: the rows of one node, from which its own is built if it has one; and
  // the sibling whose histogram becomes their parent's less those rows, if it is needed.
  struct Filling {
    std::int32_t rows_of = kNone, rest = kNone;
    bool by_blocks = false;  // each thread's rows are in a histogram already
  };

  // The smaller of two siblings is built from its rows, the other one is what is left of their
  // parent's, at the first use of either.
  Filling begin_histogram(std::int32_t v) {
    if (growing_[v].histogram != kNone) return {};
    make_room(v);
    Filling filling{v, kNone};
    const std::int32_t p = nodes_[v].parent;
    if (p != kNone && growing_[p].histogram != kNone) {
      const std::int32_t other = sibling(v);
      filling.rows_of = is_smaller(v, other) ? v : other;
      const std::int32_t large = filling.rows_of == v ? other : v;
      if (needs_histogram(large)) {
        filling.rest = large;
        std::swap(growing_[large].histogram, growing_[p].histogram);
      }
      histograms_.give_back(growing_[p].histogram);
    }
    // Over machines a sum needs a histogram.
    if (filling.rest == kNone || callbacks_.reduce || keeps_histogram(filling.rows_of, v))
      growing_[filling.rows_of].histogram = histograms_.borrow();
    return filling;
  }

  void end_histogram(Filling filling) {
    if (filling.rows_of != kNone && !needs_histogram(filling.rows_of))
      histograms_.give_back(growing_[filling.rows_of].histogram);
  }

  // Fill one histogram a thread, if there are many rows.
  void fill_blocks(Filling& filling) {
    if (n_blocks_ < 2 || filling.rows_of == kNone) return;
    const Growing& built = growing_[filling.rows_of];
    if (built.histogram == kNone || n_rows(filling.rows_of) < kManyRows / 8) return;
    filling.by_blocks = true;
    block_bins_.resize((n_blocks_ - 1) * histograms_.size());
    parallel_for(n_blocks_, rules_.n_threads, [&](std::size_t k) {
      const Histogram own = block_histogram(built.histogram, k);
      clear(own, 0, start_.back());
      add_rows(data_, places_, blocks(filling.rows_of)[k], start_, 0, data_.n_features, own);
    });
  }

  // The first thread's is the node's own.
  Histogram block_histogram(int slot, std::size_t k) {
    if (k == 0) return histograms_[slot];
    return histograms_.at(block_bins_.data() + (k - 1) * histograms_.size());
  }

  // Fill the bins of one thread's features.
  void fill(Filling filling, const Hand& hand) {
    if (filling.rows_of == kNone) return;
    const std::size_t first = hand.first, last = hand.last;
    const Growing& built = growing_[filling.rows_of];
    const Rows* rows = blocks(filling.rows_of);
    if (built.histogram == kNone) {
      for (std::size_t k = 0; k < n_blocks_; ++k)
        remove_rows(data_, hand.places, rows[k], start_, first, last,
                    histograms_[growing_[filling.rest].histogram]);
      return;
    }
    const Histogram out = histograms_[built.histogram];
    const std::size_t begin = start_[first], end = start_[last];
    if (filling.by_blocks) {
      for (std::size_t k = 1; k < n_blocks_; ++k)
        add(out, block_histogram(built.histogram, k), begin, end);
    } else {
      clear(out, begin, end);
      for (std::size_t k = 0; k < n_blocks_; ++k)
        add_rows(data_, hand.places, rows[k], start_, first, last, out);
    }
    if (filling.rest != kNone)
      subtract(histograms_[growing_[filling.rest].histogram], out, begin, end);
  }

  // The same for all of them; summed over machines, if there are several.
  void fill(Filling filling) {
    if (filling.rows_of == kNone) return;
    Filling here{filling.rows_of, callbacks_.reduce ? kNone : filling.rest};
    fill_blocks(here);
    by_features([&](const Hand& hand) {
      fill(here, hand);
      return Split{};
    });
    if (!callbacks_.reduce) return;
    const int built = growing_[filling.rows_of].histogram;
    callbacks_.reduce(histograms_.data(built), histograms_.size());
    if (filling.rest != kNone)
      subtract(histograms_[growing_[filling.rest].histogram], histograms_[built], 0, start_.back());
  }

  Split scan(std::int32_t v, std::size_t first, std::size_t last, Bar& bar, Prefixes& space) {
    return best_split(data_, start_, histograms_[growing_[v].histogram], nodes_[v].negative,
                      nodes_[v].positive, rules_.split, draws_.features() + first, last - first,
                      bar, space);
  }

  // The best split that `find` finds among some features, drawn anew; if none of them can split,
  // among others.
  template <class Find>
  Split find_drawn(const Find& find) {
    Split best;
    for (std::size_t begin = 0; begin < data_.n_features && best.feature < 0;) {
      const std::size_t end = draws_.draw(begin);
      best = find(begin, end);
      begin = end;
    }
    return best;
  }

  // The best split that `find` finds among all features. Each thread has some of them, the same for
  // all nodes, so that their bins stay in its cache.
  template <class Find>
  Split by_features(const Find& find) {
    if (hands_.size() == 1) return find(hands_[0]);
    parallel_for(hands_.size(), rules_.n_threads,
                 [&](std::size_t k) { hands_[k].found = find(hands_[k]); });
    Split best = std::move(hands_[0].found);
    for (Hand& hand : hands_)
      if (hand.found.feature >= 0 && (best.feature < 0 || hand.found.gain > best.gain))
        best = std::move(hand.found);
    return best;
  }

  // Tell each row its leaf, and each node its number of examples.
  void finish(std::int32_t* leaf) {
    const int n_threads = data_.n_rows < kManyRows / 8 ? 1 : rules_.n_threads;
    parallel_for(nodes_.size(), n_threads, [&](std::size_t node) {
      const std::int32_t v = static_cast<std::int32_t>(node);
      if (!growing_[v].placed) return;
      nodes_[v].count = static_cast<std::int64_t>(n_rows(v));
      const std::int32_t left = nodes_[v].left, right = nodes_[v].right;
      for (std::size_t k = 0; k < n_blocks_; ++k) {
        const Rows& rows = blocks(v)[k];
        if (left < 0) {
          for (const Range& range : {rows.negative, rows.positive})
            for (std::size_t i = range.begin; i < range.end; ++i) leaf[places_.ids[i]] = v;
        } else if (!growing_[left].placed) {
          const std::size_t n_left =
              assign_leaves(data_, places_, rows, nodes_[v].split, left, right, leaf);
          nodes_[left].count += static_cast<std::int64_t>(n_left);
          nodes_[right].count += static_cast<std::int64_t>(rows.size() - n_left);
        }
      }
    });
  }

  using Entry = std::pair<std::int64_t, std::int32_t>;  // a weight and its node
  struct Order {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
  };

  // Are there enough bins, or additions to them, for several threads?
  bool is_large() const {
    return start_.back() >= kManyBins || data_.n_rows * data_.n_features >= kManyAdditions;
  }

  const Binned& data_;
  const Places places_;  // with the first copy of the weights
  const Flags flags_;
  const GrowRules& rules_;
  const Callbacks& callbacks_;
  const std::vector<std::size_t> start_, shares_;
  const std::size_t n_few_;
  std::vector<std::int64_t> block_bins_, decision_;
  Histograms histograms_;
  Draws draws_;
  std::vector<GrownNode> nodes_;
  std::vector<Growing> growing_;
  std::vector<Rows> rows_;  // of each node, by the thread that has them
  const std::size_t n_blocks_;
  std::size_t n_copies_;     // of the weights
  std::vector<Hand> hands_;  // one a share of the features
  const bool has_common_ = have_common(data_, shares_);
  Partition moves_;           // of the searched node, if there are words that two threads read
  bool to_exchange_ = false;  // the rows of the searched node, by each thread for itself
  std::priority_queue<Entry, std::vector<Entry>, Order> heap_;
};

}  // namespace

std::vector<GrownNode> grow(const Binned& data, std::uint64_t* words, std::uint32_t* ids,
                            const std::int32_t* weights, Flags flags, ThreadSpace threads,
                            HistogramSpace space, std::size_t n_negative, const GrowRules& rules,
                            const Callbacks& callbacks, std::int32_t* leaf) {
  const Places places{words, threads.weights, ids};
  return Grower(data, places, flags, threads, space, n_negative, rules, callbacks)
      .run(weights, leaf);
}

}  // namespace horotree
