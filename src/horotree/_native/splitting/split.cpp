#include "splitting/split.h"

#include <utility>

#include "histograms/lanes.h"
#include "splitting/cuts.h"
#include "splitting/scans.h"

namespace horotree {

namespace {

void scan(const Binned& data, const FeatureBins& bins, CutSearch& search) {
  data.categorical[bins.feature] ? scan_categorical(bins, search) : scan_numeric(bins, search);
}

// Add the weights of a node's rows to 256 bins of one feature, by class; returns which bins have
// rows.
BinSet add_rows(const Binned& data, const Places& places, Blocks blocks, std::int32_t feature,
                const Histogram& histogram) {
  const Field field = data.field(static_cast<std::size_t>(feature));
  // Local copies: the stores below might change what a reference refers to.
  const std::uint64_t* const group = places.words + field.group * data.n_rows;
  const Example* const examples = places.examples;
  BinSet occupied;
  const auto add = [&, shift = field.shift, mask = field.mask](Range range, std::int64_t* sums) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t bin = group[i] >> shift & mask;
      sums[bin] += examples[i].weight;
      occupied.add(bin);
    }
  };
  for (const Rows& rows : blocks) {
    add(rows.negative, histogram.negative);
    add(rows.positive, histogram.positive);
  }
  return occupied;
}

}  // namespace

Split best_split(const Binned& data, const HistogramLayout& layout, Histogram histogram,
                 const Sums& total, const SplitRules& rules, const std::int32_t* features,
                 std::size_t n_features, SharedGain& shared, Prefixes& space) {
  Sums sums = total;
  if (histogram.count) {  // the sum over any lane
    const std::int32_t lane = data.lane[features[0]];
    for (std::int32_t code = 0; code < data.n_codes[lane]; ++code)
      sums.count += histogram.count[layout.code[lane] + code];
  }
  CutSearch search(sums, rules, histogram.count != nullptr, shared, space);
  space.is_expanded.assign(data.n_lanes, 0);
  for (std::size_t k = 0; k < n_features; ++k) {
    const std::int32_t f = features[k], lane = data.lane[f];
    if (data.n_bins[f] < 2 || search.is_settled(f)) continue;
    if (!data.is_alone(f) && !std::exchange(space.is_expanded[lane], 1))
      expand_lane(data, layout, lane, histogram);
    scan(data, {histogram.from(layout.bin[f]), f, data.n_bins[f], data.missing[f]}, search);
  }
  return search.result();
}

Split best_split_of_few(const Binned& data, const Places& places, Blocks blocks, const Sums& total,
                        const SplitRules& rules, const std::int32_t* features,
                        std::size_t n_features, SharedGain& shared, Prefixes& space) {
  std::int64_t sums[2][256] = {};
  const Histogram histogram{sums[0], sums[1], nullptr};
  CutSearch search(total, rules, false, shared, space);
  for (std::size_t k = 0; k < n_features; ++k) {
    const std::int32_t f = features[k];
    if (search.is_settled(f)) continue;
    const BinSet occupied = add_rows(data, places, blocks, f, histogram);
    const FeatureBins bins{histogram, f, data.n_bins[f], data.missing[f]};
    data.categorical[f] ? scan_categorical(bins, search) : scan_numeric(bins, occupied, search);
    occupied.visit([&](std::int32_t b) { sums[0][b] = sums[1][b] = 0; });
  }
  return search.result();
}

}  // namespace horotree
