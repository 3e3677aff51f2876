// The histograms of nodes: counted from rows, or the parent's minus the sibling's.
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

// How to make histograms for a search: count the rows of one node, into its own histogram if it has
// one; subtract them from the parent's histogram to get that of its sibling, if it is needed.
struct FillPlan {
  // The histogram of one thread's rows; the first thread uses the node's own.
  struct alignas(64) Part {  // no two in one cache line
    int slot;
    bool is_filled = false;
  };

  GrowingNode *rows_of = nullptr, *rest = nullptr;
  std::vector<Part> parts;  // one per thread, if threads share rows
};

class NodeHistograms {
 public:
  // Sums a histogram over machines. Empty if all rows are here.
  using Reduce = std::function<void(std::int64_t*, std::size_t)>;

  NodeHistograms(const Binned& data, const Places& places, const HistogramLayout& layout,
                 const std::vector<std::vector<std::int32_t>>& shares, HistogramSpace space,
                 bool with_count, const Reduce& reduce);

  // Does a search of this node use a histogram? With few rows it does not.
  bool is_needed(const GrowingNode& node) const;

  // Find slots for what a placed node and its sibling need. `begin` and `end` are not thread-safe.
  FillPlan begin(GrowingNode& node, const Arena<GrowingNode>& nodes);
  void end(FillPlan& plan);
  void give_back(GrowingNode& node) { histograms_.give_back(node.histogram); }
  void give_all_back() {
    histograms_.give_all_back();
    spare_.clear();
  }

  // Fill one histogram per thread, if there are many rows.
  void fill_parts(FillPlan& plan, int n_threads);

  // Fill the codes of one thread's lanes, adding up those of all threads if there are any.
  void fill_share(const FillPlan& plan, std::size_t k);

  // Fill all, summed over machines if there are several.
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
  const std::vector<std::size_t>& start_;  // first code of each lane
  const std::vector<std::vector<std::int32_t>>& shares_;
  const Reduce& reduce_;
  const std::size_t n_few_;
  const bool with_count_;
  HistogramSlots histograms_;
  std::vector<GrowingNode*> spare_;  // nodes whose slot may be taken, the lightest last
};

}  // namespace horotree
