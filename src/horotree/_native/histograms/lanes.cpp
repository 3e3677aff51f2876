#include "histograms/lanes.h"

#include <algorithm>
#include <numeric>

#include "shared/vectors.h"

namespace horotree {

namespace {

// The sums of a matrix's rows and columns. `by_column` may be the first row of the matrix.
HOROTREE_VECTORS
void sum_both_ways(const std::int64_t* matrix, std::size_t n_rows, std::size_t n_columns,
                   std::int64_t* by_row, std::int64_t* by_column) {
  by_row[0] = std::accumulate(matrix, matrix + n_columns, std::int64_t{0});
  if (by_column != matrix) std::copy_n(matrix, n_columns, by_column);
  for (std::size_t v = 1; v < n_rows; ++v) {
    const std::int64_t* const row = matrix + v * n_columns;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n_columns; ++i) {
      sum += row[i];
      by_column[i] += row[i];
    }
    by_row[v] = sum;
  }
}

}  // namespace

HistogramLayout::HistogramLayout(const Binned& data)
    : code(data.n_lanes + 1, 0), bin(data.n_features), features(data.n_lanes) {
  std::partial_sum(data.n_codes, data.n_codes + data.n_lanes, code.begin() + 1);
  n = code.back();
  for (std::size_t f = 0; f < data.n_features; ++f) {
    const auto lane = static_cast<std::size_t>(data.lane[f]);
    bin[f] = code[lane];
    if (data.is_alone(f)) continue;
    features[lane].push_back(static_cast<std::int32_t>(f));
    bin[f] = n;
    n += static_cast<std::size_t>(data.n_bins[f]);
  }
  for (std::vector<std::int32_t>& together : features)
    std::stable_sort(together.begin(), together.end(),
                     [&](std::int32_t f, std::int32_t g) { return data.shift[f] > data.shift[g]; });
}

void expand_lane(const Binned& data, const HistogramLayout& layout, std::int32_t lane,
                 Histogram histogram) {
  for (std::int64_t* const sums : {histogram.negative, histogram.positive, histogram.count}) {
    if (!sums) continue;
    // The codes are a matrix with a row for each bin of the feature in the highest bits. Its column
    // sums are the codes of the other features.
    std::int64_t space[kMostCodes];
    const std::int64_t* codes = sums + layout.code[lane];
    for (const std::int32_t f : layout.features[lane]) {
      sum_both_ways(codes, static_cast<std::size_t>(data.n_bins[f]),
                    std::size_t{1} << data.shift[f], sums + layout.bin[f], space);
      codes = space;
    }
  }
}

}  // namespace horotree
