// The histograms of nodes, from their rows or from their parent's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "growing.h"
#include "histogram.h"
#include "histograms.h"

namespace horotree {

// What makes histograms: the rows of one node, from which its own is built if it has one; and its
// sibling, whose histogram becomes their parent's less those rows, if it is needed.
struct Filling {
  Growing *rows_of = nullptr, *rest = nullptr;
  std::vector<int> blocks;  // histograms of the other blocks than the first, which has the node's
};

class Filler {
 public:
  // Sums a histogram over machines; empty if all rows are here.
  using Reduce = std::function<void(std::int64_t*, std::size_t)>;

  Filler(const Binned& data, const Places& places, const std::vector<std::size_t>& start,
         const std::vector<std::size_t>& shares, HistogramSpace space, bool with_count,
         const Reduce& reduce);

  // Is there to be a histogram of a node to search it? Few rows are looked through one by one.
  bool is_needed(const Growing& node) const;

  // Find room for what a placed node and its sibling need; not for several threads at a time, and
  // nor is `end`.
  Filling begin(Growing& node, std::deque<Growing>& nodes);
  void end(Filling& filling);
  void give_back(Growing& node) { histograms_.give_back(node.histogram); }
  void give_all_back() { histograms_.give_all_back(); }

  // Fill one histogram a block, if there are many rows.
  void fill_blocks(Filling& filling, int n_threads);

  // Fill the bins of some features, from those of the blocks if there are any.
  void fill_features(const Filling& filling, std::size_t first, std::size_t last);

  // Fill all; summed over machines, if there are several.
  void fill(Filling& filling, int n_threads);

  Histogram operator[](const Growing& node) { return histograms_[node.histogram]; }

 private:
  bool is_smaller(const Growing& node, const Growing& other) const;
  bool is_kept(const Growing& counted, const Growing& searched) const;
  void borrow(Growing& node, std::deque<Growing>& nodes);

  const Binned& data_;
  const Places places_;
  const std::vector<std::size_t>&start_, &shares_;
  const Reduce& reduce_;
  const std::size_t n_few_;
  const bool with_count_;
  Histograms histograms_;
};

}  // namespace horotree
