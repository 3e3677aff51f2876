// The gain of a cut is the sum over both children of w KL(q || p), where w is the child's weight,
// and q and p are the shares of the positive class in child and node. With f(x) = 1 / (x (1 - x)),
// KL(q || p) is at most its chi-square, x = (q - p)^2 f(p); and even at most log(1 + x), which is
// at most x (6 + x) / (6 + 4 x). It is the integral of (q - x) f(x) from p to q, and f is convex,
// hence below its chord: so it is at most (q - p)^2 (2 f(p) + f(q)) / 6, which is exact up to the
// third order.
//
// Let the left child have positive weight a, negative weight b, sum w, and the right one c, d, v.
// Then e = a - p w has the same absolute value on both sides, and the bounds of both children by
// chi-square and by chord add up to
//
//     e^2 f(p) W / (w v)   and   e^2 (2 f(p) W / (w v) + w / (a b) + v / (c d)) / 6.
//
// e is computed as a (1 - p) - b p, with both shares divided from integers: a - p w would lose all
// digits in a nearly pure node.
//
// Bounds for a run of bins of positive weight s and negative weight r: a cut inside it has some of
// either on its left. Where e >= 0, the gain increases with a and decreases with b; where e <= 0,
// the other way round: its derivatives are log(q / q') and log((1 - q) / (1 - q')) for the shares q
// and q' of the left and right child. So no cut in the run gains more than the cut with all of s
// and none of r on its left, or the one with all of r and none of s.
#include "splitting/bounds.h"

#include <algorithm>

#include "shared/vectors.h"

namespace horotree {

namespace {

// 0 <= x < 2^52 as a double: unlike a conversion, this vectorizes on every machine.
inline double as_double(std::int64_t x) {
  return as_number(x + 0x4330000000000000) - 4503599627370496.0;  // the bits of 2^52 + x
}

// Is a cut's bound by chi-square and chord above the gain? Without a division.
class MayGain {
 public:
  MayGain(const NodeSums& node, double gain)
      : W_(node.weight),
        A_(node.positive),
        p_(node.share),
        n_(node.other_share),
        extra_a_(node.extra_positive),
        extra_w_(node.extra_weight),
        six_gains_(6.0 * gain),
        chi_gain_(gain * node.chi_scale),
        twice_(2.0 * W_ * node.inverse_variance) {}

  // 1 or 0 as a 64-bit integer, for vectors.
  std::int64_t operator()(std::int64_t positive, std::int64_t weight) const {
    const double w = as_double(weight) + extra_w_, a = as_double(positive) + extra_a_;
    const double v = W_ - w, b = w - a, c = A_ - a, d = v - c;
    const double e = a * n_ - b * p_, ee = e * e;
    const double wv = w * v, ab = a * b, cd = c * d;
    const double chord = ee * (twice_ * (ab * cd) + wv * (w * cd + v * ab));
    return static_cast<std::int64_t>(ee > chi_gain_ * wv) &
           static_cast<std::int64_t>(chord >=
                                     six_gains_ * (wv * (ab * cd))) &  // 0 if both are pure
           static_cast<std::int64_t>(wv > 0.0);
  }

 private:
  double W_, A_, p_, n_, extra_a_, extra_w_, six_gains_, chi_gain_, twice_;
};

}  // namespace

HOROTREE_VECTORS
bool may_gain(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n,
              const NodeSums& node, double gain) {
  const MayGain test(node, gain);
  std::int64_t found = 0;
  for (std::int32_t k = 0; k < n; ++k) found |= test(positive[k], weight[k]);
  return found != 0;
}

// For each child the smaller of the bounds by chord and by logarithm.
HOROTREE_VECTORS
double bound_gains(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n,
                   const NodeSums& node, double unit, double* bound) {
  const double W = node.weight, A = node.positive, p = node.share, n_share = node.other_share;
  const double extra_a = node.extra_positive, extra_w = node.extra_weight;
  const double f = node.inverse_variance;
  for (std::int32_t k = 0; k < n; ++k) {
    const double w = static_cast<double>(weight[k]) + extra_w;
    const double a = static_cast<double>(positive[k]) + extra_a;
    const double v = W - w, b = w - a, c = A - a, d = v - c;
    const double e = a * n_share - b * p, ee = e * e, chi = ee * f;
    const double ab = a * b, cd = c * d, ww = w * w, vv = v * v;
    const double left_chord = ee * (2.0 * f * ab + ww) / (6.0 * w * ab);
    const double right_chord = ee * (2.0 * f * cd + vv) / (6.0 * v * cd);
    const double left_log = chi * (6.0 * ww + chi) / (w * (6.0 * ww + 4.0 * chi));
    const double right_log = chi * (6.0 * vv + chi) / (v * (6.0 * vv + 4.0 * chi));
    const double left =
        left_chord < left_log ? left_chord : left_log;  // the chord of a pure child is NaN
    const double right = right_chord < right_log ? right_chord : right_log;
    bound[k] = w * v > 0.0 ? unit * (left + right) : 0.0;
  }
  std::int64_t top = 0;
  for (std::int32_t k = 0; k < n; ++k) top = std::max(top, as_integer(bound[k]));
  return as_number(top);
}

HOROTREE_VECTORS
std::uint64_t find_above(const double* bound, std::int32_t n, double least) {
  std::uint64_t found = 0;
  if (n == 64) {  // a loop of fixed length compiles to a few instructions
    for (std::int32_t k = 0; k < 64; ++k) found |= std::uint64_t{bound[k] >= least} << k;
  } else {
    for (std::int32_t k = 0; k < n; ++k) found |= std::uint64_t{bound[k] >= least} << k;
  }
  return found;
}

HOROTREE_VECTORS
void sum_runs(const std::int64_t* negative_bins, const std::int64_t* positive_bins,
              std::int32_t n_bins, std::int64_t* positive, std::int64_t* weight) {
  const std::int32_t n_whole = n_bins / kRun;
  std::int64_t a = 0, w = 0;
  for (std::int32_t j = 0; j < n_whole; ++j) {
    std::int64_t plus = 0, all = 0;
    for (std::int32_t b = kRun * j; b < kRun * (j + 1); ++b) {
      plus += positive_bins[b];
      all += positive_bins[b] + negative_bins[b];
    }
    positive[j] = a;
    weight[j] = w;
    a += plus;
    w += all;
  }
  positive[n_whole] = a;
  weight[n_whole] = w;
  if (kRun * n_whole == n_bins) return;
  for (std::int32_t b = kRun * n_whole; b < n_bins; ++b) {
    a += positive_bins[b];
    w += positive_bins[b] + negative_bins[b];
  }
  positive[n_whole + 1] = a;
  weight[n_whole + 1] = w;
}

HOROTREE_VECTORS
void mark_runs(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n_runs,
               const NodeSums& node, double gain, std::int64_t* marks) {
  const MayGain test(node, gain);
  for (std::int32_t j = 0; j < n_runs; ++j) {
    const std::int64_t own = positive[j + 1] - positive[j];
    marks[j] |= test(positive[j + 1], weight[j] + own) | test(positive[j], weight[j + 1] - own);
  }
}

// A run with 1 / n of the weight, and the node's share of positives, has a cut whose bound is 4 p
// (1 - p) W / n^2 even in the middle of a feature without information.
bool runs_may_help(std::int32_t n_runs, const NodeSums& node, double gain) {
  const double n = n_runs;
  return gain * n * n > 8.0 * node.variance * node.weight;
}

}  // namespace horotree
