// The best cut of one node.
#pragma once

#include <algorithm>
#include <cstdint>

#include "splitting/bounds.h"
#include "splitting/prefixes.h"
#include "splitting/split.h"

namespace horotree {

// Keeps the best cut of a node while features are scanned. Most cuts are skipped because an upper
// bound on their gain, computed without a logarithm, is below the best gain so far.
class CutSearch {
 public:
  CutSearch(Sums total, const SplitRules& rules, bool with_count, SharedGain& shared,
            Prefixes& prefixes);

  // Try a cut after each prefix, with `extra` (the missing) on the left too. Returns whether one of
  // them is the new best. `missing_known`: the node has missing values, which go as
  // `missing_left` says.
  bool try_cuts(std::int32_t feature, const Sums& extra, bool missing_left, bool missing_known);

  // A cut that gains less cannot be the best, even after rounding; in integer weights.
  double least_units() const { return least_bound() * per_unit_; }

  // Too heavy for bounds: see kMostWeight.
  bool is_too_heavy() const { return total_.negative + total_.positive >= kMostWeight; }

  // The node's weights, with `extra` on the left of every cut.
  NodeSums with_left(const Sums& extra) const {
    NodeSums node = node_;
    node.extra_positive = static_cast<double>(extra.positive);
    node.extra_weight = static_cast<double>(extra.negative + extra.positive);
    return node;
  }

  // Does a left child weigh at least half of the node? Values that the node has not seen go there.
  bool is_heavier(const Sums& left) const {
    return 2 * (left.negative + left.positive) >= total_.negative + total_.positive;
  }

  // No cut can gain more than two pure children. Equal gains: the smaller feature wins.
  bool is_settled(std::int32_t feature) const {
    return best_.feature >= 0 && best_.feature < feature && best_.gain == risk_;
  }

  const NodeSums& node() const { return node_; }
  Prefixes& prefixes() { return prefixes_; }
  Split& best() { return best_; }
  Split result() const { return best_.feature < 0 ? Split{} : best_; }

  std::int64_t n_weightless = 0;  // examples without weight, which go to the heavier child

 private:
  // Bounds must not rule out a cut that equals the best, but gains and bounds are rounded: a gain
  // is corrected by rounding_, a bound by a factor. Another thread's gain rules out smaller gains,
  // but not equal ones.
  double least_bound() const {
    constexpr double slack = 1.0 - 1e-9;
    return (std::max(best_.gain, shared_.load(std::memory_order_relaxed)) - rounding_) * slack;
  }

  void raise_shared_gain();
  bool is_allowed(const Sums& left) const;
  double gain(const Sums& left) const;
  bool try_cut(std::int32_t feature, std::int32_t bin, Sums left, bool missing_left,
               bool missing_known);
  template <class Visit>
  void visit_above(double least, const Visit& visit) const;

  const Sums total_;
  const NodeSums node_;
  const SplitRules rules_;
  const bool with_count_;
  const double per_unit_;  // integer weights
  SharedGain& shared_;
  Prefixes& prefixes_;
  double risk_, rounding_;
  Split best_;
};

}  // namespace horotree
