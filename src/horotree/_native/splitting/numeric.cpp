#include <algorithm>

#include "splitting/scans.h"

namespace horotree {

namespace {

// Mark the runs of bins that may have a cut which is good enough. Returns false if marks would not
// save time.
bool mark_good_runs(const FeatureBins& bins, std::int32_t n_values, const Sums& missing,
                    CutSearch& search) {
  const double gain = search.least_units();
  if (search.is_too_heavy() || !runs_may_help(n_values / kRun, search.node(), gain)) return false;
  const std::int32_t n_runs = count_runs(n_values);
  Runs& runs = search.prefixes().runs;
  runs.reserve(n_runs);
  std::int64_t *positive = runs.positive.data(), *weight = runs.weight.data();
  sum_runs(bins.sums.negative, bins.sums.positive, n_values, positive, weight);
  std::fill_n(runs.marks.begin(), n_runs, 0);
  mark_runs(positive, weight, n_runs, search.node(), gain, runs.marks.data());
  if (missing.has_weight())
    mark_runs(positive, weight, n_runs, search.with_left(missing), gain, runs.marks.data());
  return true;
}

struct BinRange {
  std::int32_t begin, end;
};

// Append the prefixes that end in a range; `total` are the sums before it. Branch-free: in small
// nodes any bin may be empty, and branches would often be mispredicted.
template <bool WithCount>
void add_range(const FeatureBins& bins, BinRange range, Sums total, Prefixes& prefixes) {
  // Local copies: the stores below might change what a reference refers to.
  const Histogram sums = bins.sums;
  std::int32_t* bin = prefixes.bin.data();
  std::int64_t *positive = prefixes.positive.data(), *weight = prefixes.weight.data();
  std::int32_t n = prefixes.size;
  for (std::int32_t b = range.begin; b < range.end; ++b) {
    const std::int64_t minus = sums.negative[b], plus = sums.positive[b];
    const std::int64_t count = WithCount ? sums.count[b] : 0;
    total += {minus, plus, count};
    bin[n] = b;
    positive[n] = total.positive;
    weight[n] = total.negative + total.positive;
    if (WithCount) prefixes.count[n] = total.count;
    n += (minus | plus | count) != 0;
  }
  prefixes.size = n;
}

// Prefixes in the order of bins: all of them, or those that end in marked runs.
template <bool WithCount>
void add_bins(const FeatureBins& bins, std::int32_t n_values, bool has_marks, Prefixes& prefixes) {
  prefixes.reserve(n_values + 1);
  prefixes.size = 0;
  if (!has_marks) return add_range<WithCount>(bins, {0, n_values}, Sums{}, prefixes);
  const Runs& runs = prefixes.runs;
  std::int64_t count = 0;
  for (std::int32_t j = 0; kRun * j < n_values; ++j) {
    const BinRange range{kRun * j, std::min(kRun * (j + 1), n_values)};
    if (runs.marks[j]) {
      const std::int64_t positive = runs.positive[j];
      add_range<WithCount>(bins, range, {runs.weight[j] - positive, positive, count}, prefixes);
    }
    if (WithCount)
      for (std::int32_t b = range.begin; b < range.end; ++b) count += bins.sums.count[b];
  }
}

void add_occupied(const FeatureBins& bins, const BinSet& occupied, Prefixes& prefixes) {
  prefixes.reserve(257);
  std::int32_t n = 0;
  Sums total;
  occupied.visit([&](std::int32_t b) {
    const Sums own = b == bins.missing ? Sums{} : bins[b];
    total += own;
    prefixes.bin[n] = b;
    prefixes.positive[n] = total.positive;
    prefixes.weight[n] = total.negative + total.positive;
    n += own.has_weight();
  });
  prefixes.size = n;
}

// Try all prefixes; then again with the missing values on the left, if there are any.
void try_both_sides(std::int32_t feature, const Sums& missing, CutSearch& search) {
  const bool has_missing = missing.has_weight();
  search.try_cuts(feature, Sums{}, false, has_missing);
  if (has_missing) search.try_cuts(feature, missing, true, true);
}

}  // namespace

void scan_numeric(const FeatureBins& bins, CutSearch& search) {
  const std::int32_t n_values = bins.missing < 0 ? bins.n_bins : bins.missing;
  const Sums missing = bins.missing_sums();
  search.n_weightless = missing.has_weight() ? 0 : missing.count;
  const bool has_marks = mark_good_runs(bins, n_values, missing, search);
  bins.sums.count ? add_bins<true>(bins, n_values, has_marks, search.prefixes())
                  : add_bins<false>(bins, n_values, has_marks, search.prefixes());
  try_both_sides(bins.feature, missing, search);
}

void scan_numeric(const FeatureBins& bins, const BinSet& occupied, CutSearch& search) {
  add_occupied(bins, occupied, search.prefixes());
  try_both_sides(bins.feature, bins.missing_sums(), search);
}

}  // namespace horotree
