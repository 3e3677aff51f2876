// Lanes of several features: how they are counted together, and taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "histograms/histogram.h"

namespace horotree {

// The most codes of a lane that features share.
constexpr std::int32_t kMostCodes = 256;

// Where things are in a histogram: the codes of all lanes, one lane after the other, and behind
// them the bins of features that share a lane. Those of others are the codes of their lane.
struct HistogramLayout {
  explicit HistogramLayout(const Binned& data);

  std::size_t n_codes() const { return code.back(); }

  std::vector<std::size_t> code;                    // per lane, and the end of the last one's
  std::vector<std::size_t> bin;                     // per feature
  std::size_t n = 0;                                // codes and bins in all
  std::vector<std::vector<std::int32_t>> features;  // per lane, those of higher bits first
};

// Sum the codes of a lane to the bins of its features; NumPy, for one of them:
// np.bincount(codes >> shift & mask, histogram[codes]).
void expand_lane(const Binned& data, const HistogramLayout& layout, std::int32_t lane,
                 Histogram histogram);

}  // namespace horotree
