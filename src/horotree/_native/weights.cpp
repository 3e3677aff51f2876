#include "weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace horotree {

namespace {

double weight(double odds, double amount) {
  return amount / (1.0 + 1.0 / odds);  // 1/0 = inf gives 0; odds of inf give the whole amount
}

// Odds of 0 or infinity could never change again. At these ends the weight is 0 or 1 to the last
// bit all the same.
double saturate(double odds) { return std::min(std::max(odds, 1e-300), 1e300); }

}  // namespace

void update_odds(double* odds, const std::int32_t* leaf, std::size_t n, std::size_t n_negative,
                 const double* negative_factor, const double* positive_factor) {
  for (std::size_t i = 0; i < n_negative; ++i)
    odds[i] = saturate(odds[i] * negative_factor[leaf[i]]);
  for (std::size_t i = n_negative; i < n; ++i)
    odds[i] = saturate(odds[i] * positive_factor[leaf[i]]);
}

double fixed_point_weights(const double* odds, const double* amount, std::size_t n,
                           std::int32_t* out) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, weight(odds[i], amount[i]));
  if (largest == 0.0) {
    std::fill(out, out + n, 0);
    return 0.0;
  }
  int exponent;
  std::frexp(largest, &exponent);       // largest < 2^exponent
  exponent = std::max(exponent, -990);  // 2^(30 - exponent) must be a number
  const double scale = std::ldexp(1.0, 30 - exponent);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<std::int32_t>(std::floor(weight(odds[i], amount[i]) * scale + 0.5));
  return std::ldexp(1.0, exponent - 30);
}

void smoothed_values(const std::int32_t* parent, const double* negative, const double* positive,
                     std::size_t n, double smoothing, bool to_host, double tolerance,
                     double* posterior, double* value) {
  std::vector<double> complement(n);
  std::vector<std::int32_t> above(n);  // where the children of a node shrink to
  for (std::size_t v = 0; v < n; ++v) {
    const bool root = parent[v] < 0;
    const std::int32_t u = root ? 0 : above[parent[v]];
    const double up = positive[v] + smoothing * (root ? 0.5 : posterior[u]);
    const double down = negative[v] + smoothing * (root ? 0.5 : complement[u]);
    posterior[v] = up / (up + down);
    complement[v] = down / (up + down);
    value[v] = std::log(up / down);
    const bool kept = root || std::fabs(value[v]) > std::fabs(value[u]) * (1.0 + tolerance);
    above[v] = kept || !to_host ? static_cast<std::int32_t>(v) : u;
  }
}

}  // namespace horotree
