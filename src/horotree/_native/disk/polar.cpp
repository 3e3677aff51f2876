#include <algorithm>
#include <cmath>

#include "disk/disk.h"

namespace horotree {

namespace {

const double kLog2 = std::log(2.0);
const double kSqrtHalf = std::sqrt(0.5);

// sin((alpha - beta) / 2)| of the exact difference: the rounding error of the subtraction is added
// back to first order, so that angles on both sides of a multiple of 2 pi are accurate too.
double half_turn(double alpha, double beta) {
  const double x = 0.5 * alpha, y = -0.5 * beta;  // halves first: the difference cannot overflow
  const double hi = x + y, carried = hi - x;
  const double lo = (x - (hi - carried)) + (y - carried);
  const double sine = std::sin(hi);
  return std::fabs(lo == 0.0 ? sine : sine + lo * std::cos(hi));
}

// The square root of sinh overflows at 1420, twice as far out as sinh.
double sqrt_sinh(double x) {
  return x < 700.0 ? std::sqrt(std::sinh(x)) : std::exp(0.5 * x) * kSqrtHalf;
}

double log_sinh(double x) { return x - kLog2 + std::log(-std::expm1(-2.0 * x)); }

// sinh^2(d/2) = sinh^2((a-b)/2) + sinh a sinh b sin^2(delta/2): a sum of squares, so nothing
// cancels. `far` and `near` are the larger and smaller radius, so that d(p, q) = d(q, p) to the
// last bit.
double distance(double far, double near, double turn) {
  if (turn == 0.0 || near == 0.0) return far - near;  // on one ray: exact
  const double gap = 0.5 * (far - near);
  const double half = std::hypot(std::sinh(gap), turn * sqrt_sinh(far) * sqrt_sinh(near));
  if (std::isfinite(half)) return 2.0 * std::asinh(half);
  // Overflow means d > 1400. The same sum by logarithms, with asinh x = log 2x, then has an
  // absolute error of a few ulps of d.
  const double along = log_sinh(gap);
  const double across = std::log(turn) + 0.5 * log_sinh(far) + 0.5 * log_sinh(near);
  const double hi = std::max(along, across), lo = std::min(along, across);
  return 2.0 * (hi + kLog2 + 0.5 * std::log1p(std::exp(2.0 * (lo - hi))));
}

}  // namespace

void polar_distances(const double* a, const double* alpha, const double* b, const double* beta,
                     std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = distance(std::max(a[i], b[i]), std::min(a[i], b[i]), half_turn(alpha[i], beta[i]));
}

}  // namespace horotree
