// Hyperbolic geometry of points stored as (distance to the origin, angle).
#pragma once

#include <cstddef>

namespace horotree {

// out[i] = hyperbolic distance of the points (a[i], alpha[i]) and (b[i], beta[i]).
void polar_distances(const double* a, const double* alpha, const double* b, const double* beta,
                     std::size_t n, double* out);

}  // namespace horotree
