#include "split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace horotree {

namespace {

// A split that lowers the risk by less than this share of the node's weight is rounding.
constexpr double kLeastGain = 1e-12;
// The bound is computed in floating point too: it must not rule out a cut that equals the best.
constexpr double kSlack = 1.0 + 1e-9;

struct Sums {
  std::int64_t negative = 0, positive = 0, count = 0;
  Sums& operator+=(const Sums& other) {
    negative += other.negative;
    positive += other.positive;
    count += other.count;
    return *this;
  }
  Sums operator+(Sums other) const { return other += *this; }
  bool is_empty() const { return (negative | positive | count) == 0; }
};

// Sums over the first bins of a feature, one entry a bin that is not empty.
struct Prefixes {
  void reserve(std::size_t n) {
    if (bin.size() > n) return;
    bin.resize(n + 1);
    sums.resize(n + 1);
    positive.resize(n + 1);
    weight.resize(n + 1);
    bound.resize(n + 1);
  }

  std::int32_t size = 0;
  std::vector<std::int32_t> bin;  // the last bin of each prefix
  std::vector<Sums> sums;
  std::vector<double> positive, weight, bound;
};

class Scanner {
 public:
  Scanner(const Histogram& histogram, Sums total, const SplitRules& rules)
      : histogram_(histogram), total_(total), rules_(rules) {
    const double a = static_cast<double>(total.positive) * rules.unit;
    const double b = static_cast<double>(total.negative) * rules.unit;
    risk_ = bayes_risk(a, b);
    best_.gain = kLeastGain * (a + b);
    weight_ = static_cast<double>(total.positive + total.negative);
    share_ = static_cast<double>(total.positive) / weight_;
    scale_ = rules.unit * weight_ / (share_ * (1.0 - share_));
  }

  void scan_numeric(std::int32_t feature, std::size_t start, std::int32_t n_bins,
                    std::int32_t missing) {
    const std::int32_t n_values = missing < 0 ? n_bins : missing;
    const Sums absent = missing < 0 ? Sums{} : at(start + missing);
    const bool some_absent = !absent.is_empty();
    find_present(start, n_values);
    add_prefixes(start);
    // With all values on the left, only the missing are left for the right.
    const std::int32_t n_cuts = prefixes_.size - (some_absent ? 0 : 1);
    try_cuts(feature, Sums{}, false, n_cuts, some_absent);
    if (some_absent) try_cuts(feature, absent, true, prefixes_.size - 1, true);
  }

  void scan_categorical(std::int32_t feature, std::size_t start, std::int32_t n_bins,
                        std::int32_t missing) {
    find_present(start, n_bins);
    sort_by_posterior(start);
    add_prefixes(start);
    for (std::int32_t k = 0; k < prefixes_.size; ++k) prefixes_.bin[k] = k;
    if (!try_cuts(feature, Sums{}, false, prefixes_.size - 1, true)) return;
    std::vector<std::uint8_t> known(n_bins, 0), left(n_bins, 0);
    for (std::int32_t k = 0; k < n_present_; ++k) {
      known[present_[k]] = 1;
      left[present_[k]] = k <= best_.bin;
    }
    const bool seen = missing >= 0 && known[missing];
    best_.missing_left = seen ? left[missing] != 0 : left_is_heavier();
    // What the node has not seen goes the way of the missing.
    for (std::int32_t b = 0; b < n_bins; ++b)
      if (!known[b]) left[b] = best_.missing_left;
    best_.left_bins = std::move(left);
    best_.bin = -1;
  }

  Split result() const { return best_.feature < 0 ? Split{} : best_; }

 private:
  Sums at(std::size_t i) const {
    return {histogram_.negative[i], histogram_.positive[i],
            histogram_.count ? histogram_.count[i] : 0};
  }

  // List the bins that are not empty, without a branch: in small nodes any bin may be, and a guess
  // is often wrong.
  void find_present(std::size_t start, std::int32_t n_bins) {
    if (static_cast<std::int32_t>(present_.size()) <= n_bins) present_.resize(n_bins + 1);
    std::int32_t n = 0;
    for (std::int32_t b = 0; b < n_bins; ++b) {
      present_[n] = b;
      n += !at(start + b).is_empty();
    }
    n_present_ = n;
  }

  void add_prefixes(std::size_t start) {
    prefixes_.reserve(n_present_);
    prefixes_.size = n_present_;
    Sums total;
    for (std::int32_t k = 0; k < n_present_; ++k) {
      total += at(start + present_[k]);
      prefixes_.bin[k] = present_[k];
      prefixes_.sums[k] = total;
      prefixes_.positive[k] = static_cast<double>(total.positive);
      prefixes_.weight[k] = static_cast<double>(total.negative + total.positive);
    }
  }

  // For two classes and a concave risk, the best set of categories is a prefix in this order.
  void sort_by_posterior(std::size_t start) {
    const auto posterior = [&](std::int32_t b) {
      const Sums sums = at(start + b);
      const double weight = static_cast<double>(sums.negative + sums.positive);
      return weight > 0.0 ? static_cast<double>(sums.positive) / weight : 0.5;
    };
    std::stable_sort(present_.begin(), present_.begin() + n_present_,
                     [&](std::int32_t x, std::int32_t y) { return posterior(x) < posterior(y); });
  }

  bool left_is_heavier() const {
    const std::int64_t left = best_.left_negative + best_.left_positive;
    return 2 * left >= total_.negative + total_.positive;
  }

  bool is_allowed(const Sums& left) const {
    const std::int64_t right_negative = total_.negative - left.negative;
    const std::int64_t right_positive = total_.positive - left.positive;
    if (left.negative + left.positive == 0 || right_negative + right_positive == 0) return false;
    if (rules_.forbid_pure &&
        (left.negative == 0 || left.positive == 0 || right_negative == 0 || right_positive == 0))
      return false;
    return !histogram_.count || (left.count >= rules_.min_samples_leaf &&
                                 total_.count - left.count >= rules_.min_samples_leaf);
  }

  double gain(const Sums& left) const {
    const double a = static_cast<double>(left.positive) * rules_.unit;
    const double b = static_cast<double>(left.negative) * rules_.unit;
    const double c = static_cast<double>(total_.positive - left.positive) * rules_.unit;
    const double d = static_cast<double>(total_.negative - left.negative) * rules_.unit;
    return risk_ - (bayes_risk(a, b) + bayes_risk(c, d));  // the same for mirrored cuts
  }

  void consider(std::int32_t feature, std::int32_t bin, const Sums& left, bool missing_left,
                bool missing_known) {
    if (!is_allowed(left)) return;
    const double g = gain(left);
    const bool tie = g == best_.gain && feature == best_.feature && bin < best_.bin;
    if (!(g > best_.gain || tie)) return;
    best_.gain = g;
    best_.feature = feature;
    best_.bin = bin;
    best_.left_bins.clear();
    best_.left_negative = left.negative;
    best_.left_positive = left.positive;
    best_.missing_left = missing_known ? missing_left : left_is_heavier();
  }

  // The gain is the weighted sum of two divergences KL(child || node), each at most its chi-square:
  // gain <= (a - p w)^2 W / (w (W - w) p (1-p)), with a, w the left child's positive and whole
  // weight.
  void bound_cuts(const Sums& extra, std::int32_t n_cuts) {
    const double a = static_cast<double>(extra.positive);
    const double w = static_cast<double>(extra.negative + extra.positive);
    for (std::int32_t k = 0; k < n_cuts; ++k) {
      const double left = prefixes_.weight[k] + w;
      const double excess = prefixes_.positive[k] + a - share_ * left;
      prefixes_.bound[k] = excess * excess * scale_ / (left * (weight_ - left));
    }
  }

  // Try the first n_cuts prefixes, with `extra` (the missing) on the left; tell if one is the best.
  bool try_cuts(std::int32_t feature, const Sums& extra, bool missing_left, std::int32_t n_cuts,
                bool missing_known) {
    bound_cuts(extra, n_cuts);
    std::int32_t top = -1;
    double highest = best_.gain / kSlack;
    for (std::int32_t k = 0; k < n_cuts; ++k) {
      if (!(prefixes_.bound[k] > highest)) continue;  // NaN where a side weighs nothing
      highest = prefixes_.bound[k];
      top = k;
    }
    if (top < 0) return false;
    // The cut of largest bound first: its gain rules out most of the others.
    const double before = best_.gain;
    const auto consider_cut = [&](std::int32_t k) {
      consider(feature, prefixes_.bin[k], prefixes_.sums[k] + extra, missing_left, missing_known);
    };
    consider_cut(top);
    for (std::int32_t k = 0; k < n_cuts; ++k)
      if (prefixes_.bound[k] * kSlack >= best_.gain && k != top) consider_cut(k);
    return best_.gain > before;
  }

  const Histogram& histogram_;
  Sums total_;
  SplitRules rules_;
  double weight_, share_, risk_, scale_;
  Split best_;
  Prefixes prefixes_;
  std::int32_t n_present_ = 0;
  std::vector<std::int32_t> present_;  // bins that are not empty
};

}  // namespace

double bayes_risk(double a, double b) {
  if (a <= 0.0 || b <= 0.0) return 0.0;
  const double w = a + b;
  return a * std::log(w / a) + b * std::log(w / b);
}

Split best_split(const Binned& data, const std::vector<std::size_t>& start, Histogram histogram,
                 std::int64_t negative, std::int64_t positive, const SplitRules& rules,
                 const std::int32_t* features, std::size_t n_features) {
  Sums total{negative, positive, 0};
  if (histogram.count)
    for (std::int32_t b = 0; b < data.n_bins[0]; ++b) total.count += histogram.count[start[0] + b];
  Scanner scanner(histogram, total, rules);
  for (std::size_t k = 0; k < n_features; ++k) {
    const std::int32_t f = features[k];
    if (data.categorical[f])
      scanner.scan_categorical(f, start[f], data.n_bins[f], data.missing[f]);
    else
      scanner.scan_numeric(f, start[f], data.n_bins[f], data.missing[f]);
  }
  return scanner.result();
}

}  // namespace horotree
