// Bounds of what cuts gain, without a logarithm: most cuts are ruled out by them.
#pragma once

#include <cstdint>

namespace horotree {

// A node, and what is on the left of every cut besides the prefix; weights are integers. Divisions
// are made once a node, since they take as long as the bounds of a short feature.
struct NodeSums {
  NodeSums(double negative, double positive)
      : positive(positive),
        weight(negative + positive),
        share(positive / weight),
        other_share(negative / weight),
        variance(share * other_share),
        inverse_variance(1.0 / variance),
        chi_scale(variance / weight) {}

  double positive, weight;
  double share, other_share;  // of the positive class, and of the negative
  double variance, inverse_variance, chi_scale;
  double extra_positive = 0.0, extra_weight = 0.0;
};

// Of a node that weighs as much or more there are no bounds: doubles do not tell its weights apart.
constexpr std::int64_t kMostWeight = std::int64_t{1} << 52;

// Is any of the first n cuts above the gain (in integer weights)? NumPy: np.any(bound > gain). A
// cut is given by the positive weight and the weight on its left.
bool may_gain(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n,
              const NodeSums& node, double gain);

// bound[k] = what cut k gains at most, in units; 0 if a child weighs nothing. Returns the largest.
double bound_gains(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n,
                   const NodeSums& node, double unit, double* bound);

// The set of the first n cuts, 64 at most, whose bound is not below the least, as bits.
std::uint64_t find_above(const double* bound, std::int32_t n, double least);

// Bins one after the other that are ruled out at once.
constexpr std::int32_t kRun = 8;

inline std::int32_t count_runs(std::int32_t n_bins) { return (n_bins + kRun - 1) / kRun; }

// Positive weight and weight before each run, and of all bins at the end; NumPy:
// np.cumsum(bins)[::kRun]. The last run may be shorter.
void sum_runs(const std::int64_t* negative_bins, const std::int64_t* positive_bins,
              std::int32_t n_bins, std::int64_t* positive, std::int64_t* weight);

// marks[j] |= 1 if a cut after any bin of run j may be above the gain.
void mark_runs(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n_runs,
               const NodeSums& node, double gain, std::int64_t* marks);

// Can so many runs be ruled out by this gain, or would that only take time?
bool runs_may_help(std::int32_t n_runs, const NodeSums& node, double gain);

}  // namespace horotree
