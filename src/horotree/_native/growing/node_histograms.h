// The histograms of nodes, from their rows or from their parent's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "growing/node.h"
#include "histograms/histogram.h"
#include "histograms/lanes.h"
#include "histograms/slots.h"
#include "shared/arena.h"

namespace horotree {

// What makes histograms: the rows of one node, from which its own is built if it has one; and its
// sibling, whose histogram becomes their parent's less those rows, if it is needed.
struct FillPlan {
  // A thread's histogram of what it has counted; the first thread's is the node's own.
  struct alignas(64) Part {  // no two in one line of a cache
    int slot;
    bool is_filled = false;
  };

  GrowingNode *rows_of = nullptr, *rest = nullptr;
  std::vector<Part> parts;  // if threads share the rows
};

class NodeHistograms {
 public:
  // Sums a histogram over machines; empty if all rows are here.
  using Reduce = std::function<void(std::int64_t*, std::size_t)>;

  NodeHistograms(const Binned& data, const Places& places, const HistogramLayout& layout,
                 const std::vector<std::vector<std::int32_t>>& shares, HistogramSpace space,
                 bool with_count, const Reduce& reduce);

  // Is there to be a histogram of a node to search it? Few rows are looked through one by one.
  bool is_needed(const GrowingNode& node) const;

  // Find room for what a placed node and its sibling need; not for several threads at a time, and
  // nor is `end`.
  FillPlan begin(GrowingNode& node, const Arena<GrowingNode>& nodes);
  void end(FillPlan& plan);
  void give_back(GrowingNode& node) { histograms_.give_back(node.histogram); }
  void give_all_back() {
    histograms_.give_all_back();
    spare_.clear();
  }

  // Fill one histogram a thread, if there are many rows.
  void fill_parts(FillPlan& plan, int n_threads);

  // Fill the codes of one thread's lanes, from those of all threads if there are any.
  void fill_share(const FillPlan& plan, std::size_t k);

  // Fill all; summed over machines, if there are several.
  void fill(FillPlan& plan, int n_threads);

  Histogram operator[](const GrowingNode& node) { return histograms_[node.histogram]; }

 private:
  bool is_smaller(const GrowingNode& node, const GrowingNode& other) const;
  bool is_kept(const GrowingNode& counted, const GrowingNode& searched) const;
  void fill_lanes(const FillPlan& plan, std::size_t first, std::size_t last);
  void borrow(GrowingNode& node, const Arena<GrowingNode>& nodes);
  GrowingNode& find_spare(const Arena<GrowingNode>& nodes);

  const Binned& data_;
  const Places places_;
  const std::vector<std::size_t>& start_;  // of the codes of each lane
  const std::vector<std::vector<std::int32_t>>& shares_;
  const Reduce& reduce_;
  const std::size_t n_few_;
  const bool with_count_;
  HistogramSlots histograms_;
  std::vector<GrowingNode*> spare_;  // nodes that may give theirs back, the lightest last
};

}  // namespace horotree
