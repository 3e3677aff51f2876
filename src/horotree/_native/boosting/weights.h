// Boosting's weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "binning/layout.h"

namespace horotree {

// odds[i] *= factor[leaf[i]], with one factor a leaf and class. odds are exp(-y F), so that the
// weight sigmoid(-y F) is odds / (1 + odds); they are kept within [1e-300, 1e300]. One thread calls
// `meanwhile` first, while others have begun. `blocks` are the rows of each thread.
void update_odds(double* odds, const std::int32_t* leaf, const std::vector<Rows>& blocks,
                 const double* negative_factor, const double* positive_factor, int n_threads,
                 const std::function<void()>& meanwhile = {});

// out = round(weights * 2^k), weights = amount * odds / (1 + odds), with the k for which the
// largest is between 2^29 and 2^30, or smaller if 2^-k would be less than `least_unit`, a power
// of 2. Returns 2^-k, the weight that 1 stands for; 0 if all weights are 0. What is lighter than
// the largest by a factor over 2^31 becomes 0.
double fixed_point_weights(const double* odds, const double* amount,
                           const std::vector<Rows>& blocks, double least_unit, std::int32_t* out,
                           int n_threads);

}  // namespace horotree
