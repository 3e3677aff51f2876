// Columns of numbers to packed bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace horotree {

struct Cuts {
  const double* values;             // all features' cut points, increasing for each feature
  const std::int64_t* start;        // index of each feature's first cut; n_features + 1 entries
  const std::int32_t* missing;      // per feature: the bin of NaN, or -1
  const std::uint8_t* categorical;  // 1 if the column holds category codes, which are the bins
};

// out[k * n_chosen + i] = x[rows[i], first + k] of the C-ordered matrix x. NumPy: x[rows, first :
// first + n_columns].T. Each row is read once for all columns.
void gather_columns(const double* x, std::size_t n_features, const std::uint32_t* rows,
                    std::size_t n_chosen, std::size_t first, std::size_t n_columns, double* out,
                    int n_threads);

// missing[f] = 1 if column f has a NaN. NumPy: np.isnan(x).any(axis=0).
void find_missing(const double* x, std::size_t n_rows, std::size_t n_features,
                  std::uint8_t* missing, int n_threads);

// Where bins are stored: the lane of each feature, and its first bit there.
struct Fields {
  int bits;  // of a lane
  const std::int32_t *lane, *shift;
};

// words[g * n_rows + i] holds the bins of the features of group g for row order[i] of the C-ordered
// matrix x. NumPy, for a numeric feature: np.searchsorted(cuts, x[order, feature]), so that bin <=
// b iff value <= cut b. `poll` is called between tasks and may throw.
void pack_bins(const double* x, std::size_t n_rows, std::size_t n_features,
               const std::uint32_t* order, const Cuts& cuts, const Fields& fields,
               std::uint64_t* words, std::size_t n_groups, int n_threads,
               const std::function<void()>& poll);

}  // namespace horotree
