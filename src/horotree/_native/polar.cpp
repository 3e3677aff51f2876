#include "polar.h"

#include <algorithm>
#include <cmath>

namespace horotree {

namespace {

// sinh(709) is the last to fit in a double; half of it leaves room for the product of two.
constexpr double kDirect = 350.0;
const double kLog2 = std::log(2.0);

double log_sinh(double x) { return x + std::log(-std::expm1(-2.0 * x)) - kLog2; }

double log_add_exp(double x, double y) {
  const double hi = std::max(x, y);
  return std::isinf(hi) ? hi : hi + std::log1p(std::exp(std::min(x, y) - hi));
}

// sinh^2(d/2) = sinh^2((a-b)/2) + sinh a sinh b sin^2(delta/2): a sum of squares, so nothing cancels.
double distance(double a, double b, double delta) {
  const double gap = 0.5 * std::fabs(a - b);
  const double turn = std::fabs(std::sin(0.5 * delta));
  if (std::max(a, b) <= kDirect) {
    const double across = std::sqrt(std::sinh(a)) * std::sqrt(std::sinh(b)) * turn;
    return 2.0 * std::asinh(std::hypot(std::sinh(gap), across));
  }
  // Far out the sinh overflow: the same sum by its logarithm. There d is either the gap itself
  // or so large that an absolute error of a few ulps of a + b is a relative one of d.
  const double log_across = 0.5 * (log_sinh(a) + log_sinh(b)) + std::log(turn);
  const double log_half = 0.5 * log_add_exp(2.0 * log_sinh(gap), 2.0 * log_across);
  if (log_half > 20.0) return 2.0 * (log_half + kLog2);  // asinh x = log 2x + O(1/x^2)
  return 2.0 * std::asinh(std::exp(log_half));
}

}  // namespace

void polar_distances(const double* a, const double* alpha, const double* b, const double* beta,
                     std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = distance(a[i], b[i], alpha[i] - beta[i]);
}

}  // namespace horotree
