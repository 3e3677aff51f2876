// Weights of the examples, from their odds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "binning/layout.h"

namespace horotree {

// odds[i] *= factor[leaf[i]], with one factor per leaf and class. odds are exp(-y F), so that the
// weight sigmoid(-y F) is odds / (1 + odds); they are kept within [1e-300, 1e300]. The thread that
// runs the first task calls `meanwhile` before it. `blocks` are the rows of each thread.
void update_odds(double* odds, const std::int32_t* leaf, const std::vector<Rows>& blocks,
                 const double* negative_factor, const double* positive_factor, int n_threads,
                 const std::function<void()>& meanwhile = {});

// out = round(weights * 2^k), weights = amount * odds / (1 + odds). k is chosen such that the
// largest is between 2^29 and 2^30, but 2^-k is at least `least_unit`, a power of 2. Returns 2^-k,
// the weight that 1 stands for; 0 if all weights are 0. Weights smaller than the largest by a
// factor over 2^31 become 0.
double fixed_point_weights(const double* odds, const double* amount,
                           const std::vector<Rows>& blocks, double least_unit, std::int32_t* out,
                           int n_threads);

}  // namespace horotree
