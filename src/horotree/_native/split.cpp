#include "split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bits.h"
#include "bounds.h"
#include "lanes.h"

namespace horotree {

namespace {

// A split that lowers the risk by less than this share of the node's weight is rounding.
constexpr double kLeastGain = 1e-12;
// Bounds must not rule out a cut that equals the best, and both are rounded: a bound by this
// factor, and a gain, which is a difference of risks, by this share of the node's weight (each of
// six terms x log(y / x) is right to about x + 2 x log(y / x) units of 2^-53).
constexpr double kSlack = 1.0 - 1e-9;
constexpr double kRounding = 2e-15;

struct Sums {
  std::int64_t negative = 0, positive = 0, count = 0;
  Sums& operator+=(const Sums& other) {
    negative += other.negative;
    positive += other.positive;
    count += other.count;
    return *this;
  }
  Sums operator+(Sums other) const { return other += *this; }
  bool has_weight() const { return (negative | positive) != 0; }
};

// Which of 256 bins have rows.
class Occupied {
 public:
  void add(std::size_t bin) { bits_[bin / 64] |= std::uint64_t{1} << bin % 64; }

  template <class Visit>
  void visit(const Visit& visit) const {
    for (std::int32_t word = 0; word < 4; ++word)
      for (std::uint64_t rest = bits_[word]; rest != 0; rest &= rest - 1)
        visit(64 * word + lowest_bit(rest));
  }

 private:
  std::uint64_t bits_[4] = {};
};

class Scanner {
 public:
  Scanner(const Histogram& histogram, Sums total, const SplitRules& rules, Bar& bar,
          Prefixes& prefixes)
      : histogram_(histogram),
        total_(total),
        node_(static_cast<double>(total.negative), static_cast<double>(total.positive)),
        rules_(rules),
        per_unit_(1.0 / rules.unit),
        bar_(bar),
        prefixes_(prefixes),
        present_(prefixes.present) {
    const double a = static_cast<double>(total.positive) * rules.unit;
    const double b = static_cast<double>(total.negative) * rules.unit;
    risk_ = bayes_risk(a, b);
    best_.gain = kLeastGain * (a + b);
    rounding_ = kRounding * (a + b);
  }

  void scan_numeric(std::int32_t feature, std::size_t start, std::int32_t n_bins,
                    std::int32_t missing) {
    const std::int32_t n_values = missing < 0 ? n_bins : missing;
    const Sums absent = missing < 0 ? Sums{} : at(start + missing);
    const bool some_absent = absent.has_weight();
    n_loose_ = some_absent ? 0 : absent.count;
    find_marks(start, n_values, absent);
    histogram_.count ? add_bins<true>(start, n_values) : add_bins<false>(start, n_values);
    try_cuts(feature, Sums{}, false, some_absent);
    if (some_absent) try_cuts(feature, absent, true, true);
  }

  // The same if only these bins may have any weight.
  void scan_numeric(std::int32_t feature, const Occupied& bins, std::int32_t missing) {
    const Sums absent = missing < 0 ? Sums{} : at(missing);
    const bool some_absent = absent.has_weight();
    add_occupied(bins, missing);
    try_cuts(feature, Sums{}, false, some_absent);
    if (some_absent) try_cuts(feature, absent, true, true);
  }

  void scan_categorical(std::int32_t feature, std::size_t start, std::int32_t n_bins,
                        std::int32_t missing) {
    find_present(start, n_bins);
    if (!is_too_heavy() && !may_gain_by_sets(start)) return;
    sort_by_posterior(start);
    add_present(start, missing);
    if (!try_cuts(feature, Sums{}, false, true)) return;
    std::vector<std::uint8_t> known(n_bins, 0), left(n_bins, 0);
    for (std::int32_t k = 0; k < prefixes_.size; ++k) {
      known[present_[k].code] = 1;
      left[present_[k].code] = k <= best_.bin;
    }
    const bool seen = missing >= 0 && known[missing];
    best_.missing_left =
        seen ? left[missing] != 0 : is_heavier({best_.left_negative, best_.left_positive});
    // What the node has not seen goes the way of the missing.
    for (std::int32_t b = 0; b < n_bins; ++b)
      if (!known[b]) left[b] = best_.missing_left;
    best_.left_bins = std::move(left);
    best_.bin = -1;
  }

  // Nothing can be better than two pure children, but a smaller feature comes first.
  bool is_settled(std::int32_t feature) const {
    return best_.feature >= 0 && best_.feature < feature && best_.gain == risk_;
  }

  Split result() const { return best_.feature < 0 ? Split{} : best_; }

 private:
  Sums at(std::size_t i) const {
    return {histogram_.negative[i], histogram_.positive[i],
            histogram_.count ? histogram_.count[i] : 0};
  }

  Sums prefix(std::int32_t k) const {
    const std::int64_t positive = prefixes_.positive[k];
    return {prefixes_.weight[k] - positive, positive, prefixes_.count[k]};
  }

  // The node, with `extra` on the left of every cut.
  Node with_left(const Sums& extra) const {
    Node node = node_;
    node.extra_positive = static_cast<double>(extra.positive);
    node.extra_weight = static_cast<double>(extra.negative + extra.positive);
    return node;
  }

  bool is_too_heavy() const { return total_.negative + total_.positive >= kMostWeight; }

  // What a cut must gain: as much as the best so far. What another thread has found rules out what
  // is less, but not what is equal.
  double bar() const { return std::max(best_.gain, bar_.load(std::memory_order_relaxed)); }

  // Less by what rounding may take.
  double least_bound() const { return (bar() - rounding_) * kSlack; }

  // Mark the runs of bins that may have a cut which is good enough.
  void find_marks(std::size_t start, std::int32_t n_bins, const Sums& absent) {
    const double gain = least_bound() * per_unit_;
    has_marks_ = !is_too_heavy() && tells_runs(n_bins / kRun, node_, gain);
    if (!has_marks_) return;
    const std::int32_t n_runs = count_runs(n_bins);
    Runs& runs = prefixes_.runs;
    runs.reserve(n_runs);
    std::int64_t *positive = runs.positive.data(), *weight = runs.weight.data();
    sum_runs(histogram_.negative + start, histogram_.positive + start, n_bins, positive, weight);
    std::fill_n(runs.marks.begin(), n_runs, 0);
    mark_runs(positive, weight, n_runs, node_, gain, runs.marks.data());
    if (absent.has_weight())
      mark_runs(positive, weight, n_runs, with_left(absent), gain, runs.marks.data());
  }

  // Prefixes in the order of bins, of marked runs if there are marks.
  template <bool WithCount>
  void add_bins(std::size_t start, std::int32_t n_bins) {
    prefixes_.reserve(n_bins + 1);
    prefixes_.size = 0;
    if (!has_marks_) return add_run<WithCount>(start, {0, n_bins}, Sums{});
    const Runs& runs = prefixes_.runs;
    std::int64_t count = 0;
    for (std::int32_t j = 0; kRun * j < n_bins; ++j) {
      const BinRange bins{kRun * j, std::min(kRun * (j + 1), n_bins)};
      if (runs.marks[j]) {
        const std::int64_t positive = runs.positive[j];
        add_run<WithCount>(start, bins, {runs.weight[j] - positive, positive, count});
      }
      if (WithCount)
        for (std::int32_t b = bins.begin; b < bins.end; ++b) count += histogram_.count[start + b];
    }
  }

  struct BinRange {
    std::int32_t begin, end;
  };

  // Prefixes that end in a range, which begins with these sums. Without a branch: in small nodes
  // any bin may be empty, and a guess is often wrong.
  template <bool WithCount>
  void add_run(std::size_t start, BinRange range, Sums total) {
    std::int32_t* bin = prefixes_.bin.data();
    std::int64_t *positive = prefixes_.positive.data(), *weight = prefixes_.weight.data();
    std::int32_t n = prefixes_.size;
    for (std::int32_t b = range.begin; b < range.end; ++b) {
      const std::int64_t minus = histogram_.negative[start + b];
      const std::int64_t plus = histogram_.positive[start + b];
      const std::int64_t count = WithCount ? histogram_.count[start + b] : 0;
      total += {minus, plus, count};
      bin[n] = b;
      positive[n] = total.positive;
      weight[n] = total.negative + total.positive;
      if (WithCount) prefixes_.count[n] = total.count;
      n += (minus | plus | count) != 0;
    }
    prefixes_.size = n;
  }

  void add_occupied(const Occupied& bins, std::int32_t missing) {
    prefixes_.reserve(257);
    std::int32_t n = 0;
    Sums total;
    bins.visit([&](std::int32_t b) {
      const Sums own = b == missing ? Sums{} : at(b);
      total += own;
      prefixes_.bin[n] = b;
      prefixes_.positive[n] = total.positive;
      prefixes_.weight[n] = total.negative + total.positive;
      n += own.has_weight();  // nobody asks for counts
    });
    prefixes_.size = n;
  }

  void find_present(std::size_t start, std::int32_t n_bins) {
    present_.clear();
    n_loose_ = 0;
    for (std::int32_t b = 0; b < n_bins; ++b) {
      const Sums sums = at(start + b);
      if (sums.has_weight())
        present_.push_back({0.0, b});
      else
        n_loose_ += sums.count;
    }
  }

  // Two children gain no more than one for each category does, by its chi-square.
  bool may_gain_by_sets(std::size_t start) const {
    const double p = node_.share, n = node_.other_share;
    double sum = 0.0;
    for (const Category& each : present_) {
      const Sums sums = at(start + each.code);
      const double a = static_cast<double>(sums.positive);
      const double b = static_cast<double>(sums.negative);
      const double e = a * n - b * p;
      if (a + b > 0.0) sum += e * e / (a + b);
    }
    return sum > least_bound() * per_unit_ * node_.variance;
  }

  // For two classes and a concave risk, the best set of categories is a prefix in this order.
  void sort_by_posterior(std::size_t start) {
    for (Category& each : present_) {
      const Sums sums = at(start + each.code);
      const double weight = static_cast<double>(sums.negative + sums.positive);
      each.posterior = weight > 0.0 ? static_cast<double>(sums.positive) / weight : 0.5;
    }
    std::sort(present_.begin(), present_.end(), [](const Category& x, const Category& y) {
      return x.posterior != y.posterior ? x.posterior < y.posterior : x.code < y.code;
    });
  }

  void add_present(std::size_t start, std::int32_t missing) {
    prefixes_.reserve(present_.size());
    prefixes_.size = static_cast<std::int32_t>(present_.size());
    Sums total;
    for (std::int32_t k = 0; k < prefixes_.size; ++k) {
      total += at(start + present_[k].code);
      if (present_[k].code == missing) total.count += std::exchange(n_loose_, 0);
      prefixes_.bin[k] = k;
      prefixes_.positive[k] = total.positive;
      prefixes_.weight[k] = total.negative + total.positive;
      prefixes_.count[k] = total.count;
    }
  }

  // Is a left child the heavier one, or as heavy? What has no weight in the node goes there.
  bool is_heavier(const Sums& left) const {
    return 2 * (left.negative + left.positive) >= total_.negative + total_.positive;
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

  // Take a cut if it is the best so far.
  bool consider(std::int32_t feature, std::int32_t bin, Sums left, bool missing_left,
                bool missing_known) {
    if (is_heavier(left)) left.count += n_loose_;
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

  // Try all prefixes, with `extra` (the missing) on the left; tell if one is the best. A cut that
  // has all on one side gains nothing.
  bool try_cuts(std::int32_t feature, const Sums& extra, bool missing_left, bool missing_known) {
    const Node node = with_left(extra);
    const std::int32_t n_cuts = prefixes_.size;
    const std::int64_t *positive = prefixes_.positive.data(), *weight = prefixes_.weight.data();
    const auto consider_cut = [&](std::int32_t k) {
      return consider(feature, prefixes_.bin[k], prefix(k) + extra, missing_left, missing_known);
    };
    bool found = false;
    if (is_too_heavy()) {  // bounds of rounded weights would rule out what they must not
      for (std::int32_t k = 0; k < n_cuts; ++k) found |= consider_cut(k);
      if (found) raise_bar();
      return found;
    }
    // Most features have no cut that could be better than the best so far.
    double least = least_bound();
    if (!may_gain(positive, weight, n_cuts, node, least * per_unit_)) return false;
    double* bound = prefixes_.bound.data();
    const double highest = bound_gains(positive, weight, n_cuts, node, rules_.unit, bound);
    if (!(highest > least)) return false;
    // The cut of largest bound first: its gain rules out most of the others.
    std::int32_t top = -1;
    visit_above(highest, [&](std::int32_t k) {
      if (top < 0) found = consider_cut(top = k);
    });
    least = least_bound();
    visit_above(least, [&](std::int32_t k) {
      if (k == top || bound[k] < least || !consider_cut(k)) return;
      found = true;
      least = least_bound();
    });
    if (found) raise_bar();
    return found;
  }

  // Visit the prefixes whose bound is not below the least, in their order.
  template <class Visit>
  void visit_above(double least, const Visit& visit) const {
    const double* bound = prefixes_.bound.data();
    for (std::int32_t first = 0; first < prefixes_.size; first += 64) {
      const std::int32_t n = std::min(prefixes_.size - first, 64);
      for (std::uint64_t rest = find_above(bound + first, n, least); rest != 0; rest &= rest - 1)
        visit(first + lowest_bit(rest));
    }
  }

  void raise_bar() {
    double bar = bar_.load(std::memory_order_relaxed);
    while (bar < best_.gain && !bar_.compare_exchange_weak(bar, best_.gain)) {
    }
  }

  const Histogram& histogram_;
  Sums total_;
  Node node_;
  SplitRules rules_;
  double per_unit_;  // integer weights
  Bar& bar_;
  Prefixes& prefixes_;
  double risk_, rounding_;
  Split best_;
  bool has_marks_ = false;          // runs of bins are marked
  std::int64_t n_loose_ = 0;        // missing or categories without weight, which follow others
  std::vector<Category>& present_;  // categories of which there are any
};

}  // namespace

double bayes_risk(double a, double b) {
  if (a <= 0.0 || b <= 0.0) return 0.0;
  const double w = a + b;
  return a * std::log(w / a) + b * std::log(w / b);
}

Split best_split(const Binned& data, const Starts& starts, Histogram histogram,
                 std::int64_t negative, std::int64_t positive, const SplitRules& rules,
                 const std::int32_t* features, std::size_t n_features, Bar& bar, Prefixes& space) {
  Sums total{negative, positive, 0};
  if (histogram.count) {  // any lane tells
    const std::int32_t lane = data.lane[features[0]];
    for (std::int32_t code = 0; code < data.n_codes[lane]; ++code)
      total.count += histogram.count[starts.code[lane] + code];
  }
  Scanner scanner(histogram, total, rules, bar, space);
  space.is_apart.assign(data.n_lanes, 0);
  for (std::size_t k = 0; k < n_features; ++k) {
    const std::int32_t f = features[k], lane = data.lane[f];
    if (data.n_bins[f] < 2 || scanner.is_settled(f)) continue;
    if (!data.is_alone(f) && !std::exchange(space.is_apart[lane], 1))
      take_apart(data, starts, lane, histogram);
    const std::size_t start = starts.bin[f];
    if (data.categorical[f])
      scanner.scan_categorical(f, start, data.n_bins[f], data.missing[f]);
    else
      scanner.scan_numeric(f, start, data.n_bins[f], data.missing[f]);
  }
  return scanner.result();
}

Split best_split_of_few(const Binned& data, const Places& places, Blocks blocks,
                        std::int64_t negative, std::int64_t positive, const SplitRules& rules,
                        const std::int32_t* features, std::size_t n_features, Bar& bar,
                        Prefixes& space) {
  const Example* const examples = places.examples;
  std::int64_t sums[2][256] = {};
  const Histogram histogram{sums[0], sums[1], nullptr};
  Scanner scanner(histogram, {negative, positive, 0}, rules, bar, space);
  for (std::size_t k = 0; k < n_features; ++k) {
    const std::int32_t f = features[k];
    if (scanner.is_settled(f)) continue;
    const Field field = data.field(static_cast<std::size_t>(f));
    const std::uint64_t* const group = places.words + field.group * data.n_rows;
    const int shift = field.shift;
    const std::uint64_t mask = field.mask;
    Occupied bins;
    const auto add = [&](Range range, std::int64_t* own) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const std::size_t bin = group[i] >> shift & mask;
        own[bin] += examples[i].weight;
        bins.add(bin);
      }
    };
    for (const Rows& rows : blocks) {
      add(rows.negative, sums[0]);
      add(rows.positive, sums[1]);
    }
    if (data.categorical[f])
      scanner.scan_categorical(f, 0, data.n_bins[f], data.missing[f]);
    else
      scanner.scan_numeric(f, bins, data.missing[f]);
    bins.visit([&](std::int32_t b) { sums[0][b] = sums[1][b] = 0; });
  }
  return scanner.result();
}

}  // namespace horotree
