#include "growing/node_histograms.h"

#include <algorithm>
#include <stdexcept>

#include "threads/pool.h"

namespace horotree {

namespace {

constexpr int kNone = HistogramSlots::kNone;

// A node with fewer rows than half a feature's bins, clamped to these limits, needs no histogram:
// its split is found from its rows.
constexpr std::size_t kFew = 32, kNotFew = 128;

// The smaller of two siblings keeps no histogram if it has fewer rows than this per code of a lane:
// if it is searched too, its rows are counted again.
constexpr std::size_t kCountedAgain = 2;

// Rows per task: faster threads take more tasks.
constexpr std::size_t kRowsATask = 1 << 12;

// With fewer additions per code, threads share lanes instead of rows: adding up one histogram per
// thread would take too long.
constexpr std::size_t kAdditionsACode = 4;

}  // namespace

NodeHistograms::NodeHistograms(const Binned& data, const Places& places,
                               const HistogramLayout& layout,
                               const std::vector<std::vector<std::int32_t>>& shares,
                               HistogramSpace space, bool with_count, const Reduce& reduce)
    : data_(data),
      places_(places),
      start_(layout.code),
      shares_(shares),
      reduce_(reduce),
      n_few_(std::clamp(layout.n_codes() / (2 * data.n_features), kFew, kNotFew)),
      with_count_(with_count),
      histograms_(space, layout.n, with_count) {}

bool NodeHistograms::is_needed(const GrowingNode& node) const {
  const bool is_few = data_.bits == 8 && !reduce_ && !with_count_ && node.n_rows < n_few_;
  return node.is_open && !is_few;
}

// By rows here. Over machines by weight: all agree on weights, but each counts its own rows.
bool NodeHistograms::is_smaller(const GrowingNode& node, const GrowingNode& other) const {
  return reduce_ ? node.weight() <= other.weight() : node.n_rows <= other.n_rows;
}

// Is `counted` to keep its histogram when its rows are counted for the search of `searched`?
bool NodeHistograms::is_kept(const GrowingNode& counted, const GrowingNode& searched) const {
  if (reduce_) return true;  // it must exist to be summed over machines
  const bool is_small = counted.n_rows * data_.n_lanes < kCountedAgain * start_.back();
  return is_needed(counted) && (&counted == &searched || !is_small);
}

// If no slot is free, take that of a light unused node.
void NodeHistograms::borrow(GrowingNode& node, const Arena<GrowingNode>& nodes) {
  if (histograms_.n_free() == 0) give_back(find_spare(nodes));
  node.histogram = histograms_.borrow();
}

// Light nodes are the least likely to be searched. The lighter half of all nodes is listed at a
// time: looking through a very large tree for each slot would take too long.
GrowingNode& NodeHistograms::find_spare(const Arena<GrowingNode>& nodes) {
  const auto is_spare = [](const GrowingNode& other) {
    return other.histogram != kNone && !other.is_used;
  };
  for (bool is_listed = false;; is_listed = true) {
    while (!spare_.empty()) {
      GrowingNode& lightest = *spare_.back();
      spare_.pop_back();
      if (is_spare(lightest)) return lightest;
    }
    if (is_listed) throw std::logic_error("grow_tree: threads use more histograms than there are");
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (is_spare(*nodes.at(k))) spare_.push_back(nodes.at(k));
    std::sort(spare_.begin(), spare_.end(), [](const GrowingNode* one, const GrowingNode* other) {
      return one->weight() != other->weight() ? one->weight() > other->weight()
                                              : one->age > other->age;
    });
    spare_.erase(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(spare_.size() / 2));
  }
}

// The histogram of the smaller sibling is counted from its rows; that of the larger is their
// parent's minus it. Both are made for the first search of the two: a later search of the other may
// move its rows.
FillPlan NodeHistograms::begin(GrowingNode& node, const Arena<GrowingNode>& nodes) {
  if (node.histogram != kNone) return {};
  FillPlan plan{&node, nullptr, {}};
  GrowingNode* parent = node.parent;
  if (parent && parent->histogram != kNone) {
    GrowingNode& small = is_smaller(node, *node.sibling) ? node : *node.sibling;
    GrowingNode& large = *small.sibling;
    plan.rows_of = &small;
    if (is_needed(large)) {
      plan.rest = &large;
      std::swap(large.histogram, parent->histogram);
    }
    give_back(*parent);
  }
  // The root's histogram is also needed for its weight.
  const bool is_built =
      plan.rest ? is_kept(*plan.rows_of, node) : !parent || is_needed(*plan.rows_of);
  if (is_built) borrow(*plan.rows_of, nodes);
  return is_built || plan.rest ? plan : FillPlan{};
}

void NodeHistograms::end(FillPlan& plan) {
  for (std::size_t k = 1; k < plan.parts.size(); ++k) histograms_.give_back(plan.parts[k].slot);
  if (plan.rows_of && !is_needed(*plan.rows_of)) give_back(*plan.rows_of);
}

void NodeHistograms::fill_parts(FillPlan& plan, int n_threads) {
  if (!plan.rows_of || n_threads < 2) return;
  const GrowingNode& built = *plan.rows_of;
  const std::size_t n_blocks = built.rows.n, n_codes = start_.back();
  if (n_blocks < 2 || built.histogram == kNone || histograms_.n_free() < n_blocks - 1 ||
      built.n_rows * data_.n_lanes < kAdditionsACode * n_codes * n_blocks)
    return;
  plan.parts.push_back({built.histogram});
  for (std::size_t k = 1; k < n_blocks; ++k) plan.parts.push_back({histograms_.borrow()});
  const std::size_t n_tasks = std::clamp<std::size_t>(built.n_rows / n_blocks / kRowsATask, 1, 16);
  parallel_by_thread(
      n_blocks * n_tasks, static_cast<int>(n_blocks), [&](std::size_t task, std::size_t thread) {
        FillPlan::Part& part = plan.parts[thread];
        const Histogram own = histograms_[part.slot];
        if (!part.is_filled) clear(own, 0, n_codes);
        part.is_filled = true;
        const Rows rows = part_of(built.rows[task / n_tasks], task % n_tasks, n_tasks);
        add_rows<1>(data_, places_, rows, start_, 0, data_.n_lanes, own);
      });
}

void NodeHistograms::fill_share(const FillPlan& plan, std::size_t k) {
  const std::vector<std::int32_t>& lanes = shares_[k];
  for (std::size_t i = 0, end; i < lanes.size(); i = end) {  // runs of neighboring lanes
    for (end = i + 1; end < lanes.size() && lanes[end] == lanes[end - 1] + 1;) ++end;
    const auto first = static_cast<std::size_t>(lanes[i]);
    fill_lanes(plan, first, first + end - i);
  }
}

void NodeHistograms::fill_lanes(const FillPlan& plan, std::size_t first, std::size_t last) {
  if (!plan.rows_of) return;
  const GrowingNode& built = *plan.rows_of;
  if (built.histogram == kNone) {
    for (const Rows& rows : built.rows)
      add_rows<-1>(data_, places_, rows, start_, first, last, (*this)[*plan.rest]);
    return;
  }
  const Histogram out = (*this)[built];
  const std::size_t begin = start_[first], end = start_[last];
  const std::vector<FillPlan::Part>& parts = plan.parts;
  if (parts.empty() || !parts[0].is_filled) clear(out, begin, end);
  if (parts.empty())
    for (const Rows& rows : built.rows) add_rows<1>(data_, places_, rows, start_, first, last, out);
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (parts[k].is_filled) add(out, histograms_[parts[k].slot], begin, end);
  if (plan.rest && !reduce_) subtract((*this)[*plan.rest], out, begin, end);
}

void NodeHistograms::fill(FillPlan& plan, int n_threads) {
  if (!plan.rows_of) return;
  fill_parts(plan, n_threads);
  if (n_threads < 2)
    fill_lanes(plan, 0, data_.n_lanes);
  else
    parallel_for(shares_.size(), n_threads, [&](std::size_t k) { fill_share(plan, k); });
  if (!reduce_) return;
  const GrowingNode& built = *plan.rows_of;
  reduce_(histograms_.data(built.histogram), histograms_.size());
  if (plan.rest) subtract((*this)[*plan.rest], (*this)[built], 0, start_.back());
}

}  // namespace horotree
