#include <algorithm>
#include <utility>
#include <vector>

#include "splitting/scans.h"

namespace horotree {

namespace {

// List the categories that have weight; count the examples of the others.
void find_present(const FeatureBins& bins, CutSearch& search) {
  std::vector<Category>& present = search.prefixes().present;
  present.clear();
  search.n_weightless = 0;
  for (std::int32_t b = 0; b < bins.n_bins; ++b) {
    const Sums sums = bins[b];
    if (sums.has_weight())
      present.push_back({0.0, b});
    else
      search.n_weightless += sums.count;
  }
}

// Two children gain no more than one child per category does, and that gain is at most its
// chi-square.
bool may_gain_by_sets(const FeatureBins& bins, CutSearch& search) {
  const NodeSums& node = search.node();
  const double p = node.share, n = node.other_share;
  double sum = 0.0;
  for (const Category& each : search.prefixes().present) {
    const Sums sums = bins[each.code];
    const double a = static_cast<double>(sums.positive);
    const double b = static_cast<double>(sums.negative);
    const double e = a * n - b * p;
    if (a + b > 0.0) sum += e * e / (a + b);
  }
  return sum > search.least_units() * node.variance;
}

void sort_by_posterior(const FeatureBins& bins, std::vector<Category>& present) {
  for (Category& each : present) {
    const Sums sums = bins[each.code];
    const double weight = static_cast<double>(sums.negative + sums.positive);
    each.posterior = weight > 0.0 ? static_cast<double>(sums.positive) / weight : 0.5;
  }
  std::sort(present.begin(), present.end(), [](const Category& x, const Category& y) {
    return x.posterior != y.posterior ? x.posterior < y.posterior : x.code < y.code;
  });
}

void add_present(const FeatureBins& bins, CutSearch& search) {
  Prefixes& prefixes = search.prefixes();
  const std::vector<Category>& present = prefixes.present;
  prefixes.reserve(present.size());
  prefixes.size = static_cast<std::int32_t>(present.size());
  Sums total;
  for (std::int32_t k = 0; k < prefixes.size; ++k) {
    total += bins[present[k].code];
    if (present[k].code == bins.missing) total.count += std::exchange(search.n_weightless, 0);
    prefixes.bin[k] = k;
    prefixes.positive[k] = total.positive;
    prefixes.weight[k] = total.negative + total.positive;
    prefixes.count[k] = total.count;
  }
}

// Replace the number of categories in the best cut by a byte per bin. Categories that the node has
// not seen follow the missing values; these follow the heavier child if the node has none.
void write_left_bins(const FeatureBins& bins, CutSearch& search) {
  Split& best = search.best();
  const Prefixes& prefixes = search.prefixes();
  std::vector<std::uint8_t> known(bins.n_bins, 0), left(bins.n_bins, 0);
  for (std::int32_t k = 0; k < prefixes.size; ++k) {
    known[prefixes.present[k].code] = 1;
    left[prefixes.present[k].code] = k <= best.bin;
  }
  const bool has_missing = bins.missing >= 0 && known[bins.missing];
  best.missing_left = has_missing ? left[bins.missing] != 0
                                  : search.is_heavier({best.left_negative, best.left_positive});
  for (std::int32_t b = 0; b < bins.n_bins; ++b)
    if (!known[b]) left[b] = best.missing_left;
  best.left_bins = std::move(left);
  best.bin = -1;
}

}  // namespace

void scan_categorical(const FeatureBins& bins, CutSearch& search) {
  find_present(bins, search);
  if (!search.is_too_heavy() && !may_gain_by_sets(bins, search)) return;
  sort_by_posterior(bins, search.prefixes().present);
  add_present(bins, search);
  if (search.try_cuts(bins.feature, Sums{}, false, true)) write_left_bins(bins, search);
}

}  // namespace horotree
