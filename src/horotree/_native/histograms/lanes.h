// Where lanes and features are in a histogram; sums of a lane that several features share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "histograms/histogram.h"

namespace horotree {

// The most codes of a lane that several features share.
constexpr std::int32_t kMostCodes = 256;

// The layout of a histogram: the codes of all lanes, then the bins of the features that share a
// lane. The bins of other features are the codes of their lane.
struct HistogramLayout {
  explicit HistogramLayout(const Binned& data);

  std::size_t n_codes() const { return code.back(); }

  std::vector<std::size_t> code;  // first code per lane, and the end of the last lane
  std::vector<std::size_t> bin;   // first bin per feature
  std::size_t n = 0;              // number of codes and bins
  std::vector<std::vector<std::int32_t>> features;  // per shared lane, from higher to lower bits
};

// Sum the codes of a lane to the bins of its features; NumPy, for one feature: np.bincount(codes >>
// shift & mask, histogram[codes]).
void expand_lane(const Binned& data, const HistogramLayout& layout, std::int32_t lane,
                 Histogram histogram);

}  // namespace horotree
