#include "splitting/cuts.h"

#include <algorithm>
#include <cmath>

#include "shared/bits.h"

namespace horotree {

namespace {

// A split that lowers the risk by less than this share of the node's weight is rounding error.
constexpr double kLeastGain = 1e-12;
// The rounding error of a gain, a difference of risks, as a share of the node's weight: each of its
// six terms x log(y / x) has an error of about x + 2 x log(y / x) units of 2^-53.
constexpr double kRounding = 2e-15;

// Weighted log-loss Bayes risk of a node: a log((a+b)/a) + b log((a+b)/b), 0 if it is pure.
double bayes_risk(double a, double b) {
  if (a <= 0.0 || b <= 0.0) return 0.0;
  const double w = a + b;
  return a * std::log(w / a) + b * std::log(w / b);
}

}  // namespace

CutSearch::CutSearch(Sums total, const SplitRules& rules, bool with_count, SharedGain& shared,
                     Prefixes& prefixes)
    : total_(total),
      node_(static_cast<double>(total.negative), static_cast<double>(total.positive)),
      rules_(rules),
      with_count_(with_count),
      per_unit_(1.0 / rules.unit),
      shared_(shared),
      prefixes_(prefixes) {
  const double a = static_cast<double>(total.positive) * rules.unit;
  const double b = static_cast<double>(total.negative) * rules.unit;
  risk_ = bayes_risk(a, b);
  best_.gain = kLeastGain * (a + b);
  rounding_ = kRounding * (a + b);
}

inline void CutSearch::raise_shared_gain() {
  double gain = shared_.load(std::memory_order_relaxed);
  while (gain < best_.gain && !shared_.compare_exchange_weak(gain, best_.gain)) {
  }
}

inline bool CutSearch::is_allowed(const Sums& left) const {
  const std::int64_t right_negative = total_.negative - left.negative;
  const std::int64_t right_positive = total_.positive - left.positive;
  if (left.negative + left.positive == 0 || right_negative + right_positive == 0) return false;
  if (rules_.forbid_pure &&
      (left.negative == 0 || left.positive == 0 || right_negative == 0 || right_positive == 0))
    return false;
  return !with_count_ || (left.count >= rules_.min_samples_leaf &&
                          total_.count - left.count >= rules_.min_samples_leaf);
}

inline double CutSearch::gain(const Sums& left) const {
  const double a = static_cast<double>(left.positive) * rules_.unit;
  const double b = static_cast<double>(left.negative) * rules_.unit;
  const double c = static_cast<double>(total_.positive - left.positive) * rules_.unit;
  const double d = static_cast<double>(total_.negative - left.negative) * rules_.unit;
  return risk_ - (bayes_risk(a, b) + bayes_risk(c, d));  // the same for mirrored cuts
}

// Keep a cut if it is the best so far.
inline bool CutSearch::try_cut(std::int32_t feature, std::int32_t bin, Sums left, bool missing_left,
                               bool missing_known) {
  if (is_heavier(left)) left.count += n_weightless;
  if (!is_allowed(left)) return false;
  const double g = gain(left);
  const bool tie = g == best_.gain && best_.feature >= 0;
  const bool precedes = feature == best_.feature ? bin < best_.bin : feature < best_.feature;
  if (!(g > best_.gain || (tie && precedes))) return false;
  best_.gain = g;
  best_.feature = feature;
  best_.bin = bin;
  best_.left_bins.clear();
  best_.left_negative = left.negative;
  best_.left_positive = left.positive;
  best_.missing_left = missing_known ? missing_left : is_heavier(left);
  return true;
}

// Visit the prefixes whose bound is not below `least`, in their order.
template <class Visit>
void CutSearch::visit_above(double least, const Visit& visit) const {
  const double* bound = prefixes_.bound.data();
  for (std::int32_t first = 0; first < prefixes_.size; first += 64) {
    const std::int32_t n = std::min(prefixes_.size - first, 64);
    for (std::uint64_t rest = find_above(bound + first, n, least); rest != 0; rest &= rest - 1)
      visit(first + lowest_bit(rest));
  }
}

// A cut with all weight on one side gains nothing.
bool CutSearch::try_cuts(std::int32_t feature, const Sums& extra, bool missing_left,
                         bool missing_known) {
  const NodeSums node = with_left(extra);
  const std::int32_t n_cuts = prefixes_.size;
  const std::int64_t *positive = prefixes_.positive.data(), *weight = prefixes_.weight.data();
  const auto try_prefix = [&](std::int32_t k) {
    return try_cut(feature, prefixes_.bin[k], prefixes_[k] + extra, missing_left, missing_known);
  };
  bool found = false;
  if (is_too_heavy()) {
    for (std::int32_t k = 0; k < n_cuts; ++k) found |= try_prefix(k);
    if (found) raise_shared_gain();
    return found;
  }
  // Most features have no cut that could be better than the best so far.
  double least = least_bound();
  if (!may_gain(positive, weight, n_cuts, node, least * per_unit_)) return false;
  double* bound = prefixes_.bound.data();
  const double highest = bound_gains(positive, weight, n_cuts, node, rules_.unit, bound);
  if (!(highest > least)) return false;
  // The cut of the largest bound first: its gain rules out most of the others.
  std::int32_t top = -1;
  visit_above(highest, [&](std::int32_t k) {
    if (top < 0) found = try_prefix(top = k);
  });
  least = least_bound();
  visit_above(least, [&](std::int32_t k) {
    if (k == top || bound[k] < least || !try_prefix(k)) return;
    found = true;
    least = least_bound();
  });
  if (found) raise_shared_gain();
  return found;
}

}  // namespace horotree
