#include "growing/grower.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "growing/finish.h"
#include "growing/frontier.h"
#include "growing/node_histograms.h"
#include "splitting/encoding.h"
#include "splitting/feature_sampler.h"
#include "threads/pool.h"
#include "threads/sharing.h"

namespace horotree {

namespace {

// With fewer rows, starting all threads on a node takes longer than its work.
constexpr std::size_t kTogether = 1 << 11;

// Rows whose weights are copied in one task.
constexpr std::size_t kRowsATask = 1 << 12;

// The state of one thread.
struct alignas(64) Worker {  // no two in one cache line
  std::size_t index;
  Flags flags;
  FeatureSampler sampler;
  Prefixes prefixes;
  Split found;
};

}  // namespace

// All threads work together on large nodes, one node at a time. Then each thread searches nodes by
// itself as long as there are several.
class Grower::Growth {
 public:
  Growth(const Binned& data, const GrowSpace& space, const GrowRules& rules,
         const Callbacks& callbacks)
      : data_(data),
        places_(space.places),
        lists_(space.moving.lists),
        leaf_(space.leaf),
        rules_(rules),
        split_rules_{0.0, rules.min_samples_leaf, rules.forbid_pure},
        callbacks_(callbacks),
        layout_(data),
        n_threads_(rules.n_threads),
        shares_(share_lanes(data, n_threads_)),
        blocks_(share_rows(data.n_rows, space.n_negative, n_threads_)),
        features_(share_features(data, shares_)),
        histograms_(data, places_, layout_, shares_, space.histograms, rules.min_samples_leaf > 1,
                    callbacks.reduce),
        frontier_(rules.max_leaf_nodes, rules.max_depth, static_cast<std::size_t>(n_threads_)),
        rows_(2 * blocks_.size()) {
    const std::size_t n_words = data.n_rows / 64 + 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(n_threads_); ++k) {
      std::uint64_t* flags = space.moving.flags + 2 * k * n_words;
      workers_.push_back({k, {{flags, flags + n_words}}, sampler(), {}, {}});
    }
    // Threads search alone only if features are not drawn (draws have one order), if there are no
    // other machines (which must agree), and if each thread has room for two histograms.
    if (workers_[0].sampler.takes_all() && !callbacks.reduce)
      n_alone_ = std::min(n_threads_, static_cast<int>(space.histograms.n_slots / 2));
  }

  void run(const std::int32_t* weights, double unit, double lightest, std::vector<GrownNode>& nodes,
           const std::function<void()>& meanwhile) {
    split_rules_.unit = unit;
    histograms_.give_all_back();
    rows_.forget_all();
    frontier_.begin(lightest).place({blocks_.data(), blocks_.size()});
    for (Worker& worker : workers_)
      if (!worker.sampler.takes_all()) worker.sampler = sampler();
    gather(weights);
    weigh_root();
    while (!frontier_.is_done()) {
      if (GrowingNode* node = take_for_all()) {
        search(*node, workers_[0], n_threads_);
      } else {
        is_scarce_ = false;
        parallel_for(static_cast<std::size_t>(n_alone_), n_alone_,
                     [&](std::size_t k) { work(workers_[k], n_alone_ > 1 ? 1 : n_threads_); });
      }
    }
    finish_tree(data_, places_, frontier_, leaf_, n_threads_, nodes, meanwhile);
  }

 private:
  using Guard = std::lock_guard<Lock>;

  FeatureSampler sampler() const { return {data_.n_features, rules_.max_features, rules_.seed}; }

  // Copy each row's weight to its place.
  void gather(const std::int32_t* weights) {
    for_rows(blocks_, kRowsATask, n_threads_, [&](const Rows& rows, std::size_t) {
      // Local copies: variables captured from another thread's stack would be loaded again for each
      // row.
      const std::size_t n = data_.n_rows;
      const std::int32_t* const by_row = weights;
      const Places places = places_;
      for (const Range& range : {rows.negative, rows.positive})
        for (std::size_t i = range.begin; i < range.end; ++i) {
          Example& example = places.examples[i];
          if (example.id >= n)
            throw std::invalid_argument("grow_tree: ids must be those of the rows");
          example.weight = by_row[example.id];
        }
    });
  }

  void weigh_root() {
    GrowingNode& root = frontier_.root();
    FillPlan plan = histograms_.begin(root, frontier_.nodes());
    histograms_.fill(plan, n_threads_);
    const Histogram h = histograms_[root];
    const std::size_t n_codes = static_cast<std::size_t>(data_.n_codes[0]);
    frontier_.start(std::accumulate(h.negative, h.negative + n_codes, std::int64_t{0}),
                    std::accumulate(h.positive, h.positive + n_codes, std::int64_t{0}));
    histograms_.end(plan);
  }

  // A node that is worth the work of all threads: the only one, or one whose parent has many rows
  // and more than three quarters of a thread's share of all rows.
  GrowingNode* take_for_all() {
    if (n_alone_ == 1) return nullptr;
    const std::size_t n_large = data_.n_rows / static_cast<std::size_t>(n_threads_) / 4 * 3;
    const bool is_only = frontier_.count_likely() == 1;
    return frontier_.take_if([&](const GrowingNode& node) {
      return is_only || (!node.is_placed && node.parent->n_rows > std::max(n_large, kTogether));
    });
  }

  // Search nodes until the tree is complete, or a single node is left for all threads.
  void work(Worker& worker, int n_threads) {
    try {
      while (GrowingNode* node = take(worker)) search(*node, worker, n_threads);
    } catch (...) {
      const Guard guard(lock_);
      frontier_.give_up();
      ++n_changes_;
      throw;
    }
  }

  // The next node; waits while other threads search all there are. Null if none is left for one
  // thread alone.
  GrowingNode* take(Worker& worker) {
    for (;;) {
      const unsigned now = n_changes_.load(std::memory_order_acquire);
      {
        const Guard guard(lock_);
        if (n_alone_ > 1 && !frontier_.is_searched() && frontier_.count_likely() == 1) {
          is_scarce_ = true;
          ++n_changes_;
        }
        if (frontier_.is_done() || is_scarce_) return nullptr;
        if (GrowingNode* node = frontier_.take(worker.index)) return node;
      }
      wait_for_change(n_changes_, now);
    }
  }

  // Find the split of a node with this many threads: this one, or all.
  void search(GrowingNode& node, Worker& worker, int n_threads) {
    if (callbacks_.poll && worker.index == 0) callbacks_.poll();
    const bool is_first = !node.is_placed;
    place(node, worker, n_threads);
    FillPlan plan;
    {
      const Guard guard(lock_);
      plan = histograms_.begin(node, frontier_.nodes());
    }
    const bool together = n_threads > 1 && !callbacks_.reduce && worker.sampler.takes_all();
    if (together)
      node.split = find_together(node, plan, n_threads);
    else
      histograms_.fill(plan, n_threads);
    if (is_first) {
      const Guard guard(lock_);
      frontier_.release(*node.sibling, worker.index);
      ++n_changes_;
    }
    if (!together) node.split = find(node, worker);
    if (callbacks_.decide) {
      decision_ = encode_split(data_, node.split);
      callbacks_.decide(decision_.data(), decision_.size());
      node.split = decode_split(data_, decision_);
    }
    worker.sampler.prefer(node.split.feature);
    const Guard guard(lock_);
    histograms_.end(plan);
    frontier_.settle(node, worker.index);
    if (!node.left || (!node.left->is_open && !node.left->sibling->is_open))
      histograms_.give_back(node);
    ++n_changes_;
  }

  // Move the rows of the parent to its children, if that has not been done.
  void place(GrowingNode& node, Worker& worker, int n_threads) {
    if (node.is_placed) return;
    GrowingNode& parent = *node.parent;
    const std::size_t n_blocks = parent.rows.n;
    const Blocks left{make_rows(), n_blocks}, right{left.end(), n_blocks};
    const int n_inner = n_blocks > 1 ? 1 : n_threads;
    parallel_by_thread(n_blocks, n_threads, [&](std::size_t k, std::size_t thread) {
      const Flags flags = n_threads > 1 ? workers_[thread].flags : worker.flags;
      const Rows all = parent.rows[k];
      const Rows front = flag_rows(data_, places_.words, all, parent.split, flags, n_inner);
      left[k] = front;
      right[k] = {{front.negative.end, all.negative.end}, {front.positive.end, all.positive.end}};
      exchange(data_, places_, find_moves(all, front, flags, lists_), n_inner);
    });
    parent.left->place(left);
    parent.left->sibling->place(right);
  }

  Rows* make_rows() {
    const Guard guard(lock_);
    return rows_.make();
  }

  // The best split among some drawn features; if none of them can split, among others.
  Split find(const GrowingNode& node, Worker& worker) {
    Split best;
    for (std::size_t begin = 0; begin < data_.n_features && best.feature < 0;) {
      const std::size_t end = worker.sampler.draw(begin);
      SharedGain shared{0.0};
      best = scan(node, worker.sampler.features() + begin, end - begin, shared, worker);
      begin = end;
    }
    return best;
  }

  Split scan(const GrowingNode& node, const std::int32_t* features, std::size_t n_features,
             SharedGain& shared, Worker& worker) {
    const Sums total{node.negative, node.positive};
    if (node.histogram == HistogramSlots::kNone)
      return best_split_of_few(data_, places_, node.rows, total, split_rules_, features, n_features,
                               shared, worker.prefixes);
    return best_split(data_, layout_, histograms_[node], total, split_rules_, features, n_features,
                      shared, worker.prefixes);
  }

  // Fill and scan histograms: each thread those of its lanes.
  Split find_together(const GrowingNode& node, FillPlan& plan, int n_threads) {
    histograms_.fill_parts(plan, n_threads);
    SharedGain shared{0.0};
    parallel_for(shares_.size(), n_threads, [&](std::size_t k) {
      histograms_.fill_share(plan, k);
      workers_[k].found = scan(node, features_[k].data(), features_[k].size(), shared, workers_[k]);
    });
    std::size_t best = 0;
    for (std::size_t k = 1; k < shares_.size(); ++k)
      if (workers_[k].found.precedes(workers_[best].found)) best = k;
    const Split found = std::move(workers_[best].found);
    move_to_front(found.feature, features_[best].data(), features_[best].size());
    return found;
  }

  const Binned& data_;
  const Places places_;
  const Lists lists_;
  std::int32_t* const leaf_;  // by row
  const GrowRules rules_;
  SplitRules split_rules_;
  const Callbacks& callbacks_;
  const HistogramLayout layout_;
  const int n_threads_;
  int n_alone_ = 1;                                      // threads that search nodes by themselves
  const std::vector<std::vector<std::int32_t>> shares_;  // lanes of each thread
  std::vector<Rows> blocks_;                             // of all rows, per thread
  std::vector<std::vector<std::int32_t>>
      features_;  // per share of lanes, in the order in which they are tried
  std::vector<std::int64_t> decision_;
  std::vector<Worker> workers_;  // per thread
  NodeHistograms histograms_;
  Frontier frontier_;
  Arena<Rows> rows_;        // per block, of two siblings at a time
  bool is_scarce_ = false;  // a single node is waiting and none is being searched
  // On cache lines of their own: while one thread holds the lock, others poll n_changes_.
  alignas(64) Lock lock_;                           // guards histograms_ and frontier_
  alignas(64) std::atomic<unsigned> n_changes_{0};  // increases when the frontier changes
};

Grower::Grower(const Binned& data, const GrowSpace& space, const GrowRules& rules,
               const Callbacks& callbacks)
    : growth_(new Growth(data, space, rules, callbacks)) {}

Grower::~Grower() = default;

void Grower::grow(const std::int32_t* weights, double unit, double lightest,
                  std::vector<GrownNode>& nodes, const std::function<void()>& meanwhile) {
  growth_->run(weights, unit, lightest, nodes, meanwhile);
}

}  // namespace horotree
