// Upper bounds on the gains of cuts, without a logarithm: they rule out most cuts.
#pragma once

#include <cstdint>

namespace horotree {

// A node's weights, as integers, and what is on the left of every cut besides the prefix. Divisions
// are made once per node: they take as long as the bounds of a short feature.
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
  double share, other_share;  // of the positive and of the negative class
  double variance, inverse_variance, chi_scale;
  double extra_positive = 0.0, extra_weight = 0.0;
};

// There are no bounds for a node of this weight or more: doubles cannot represent all its weights.
constexpr std::int64_t kMostWeight = std::int64_t{1} << 52;

// Is the bound of any of the first n cuts above the gain (in integer weights)? NumPy: np.any(bound
// > gain). A cut is given by the positive weight and the weight on its left.
bool may_gain(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n,
              const NodeSums& node, double gain);

// bound[k] = upper bound on the gain of cut k, in units; 0 if a child has no weight. Returns the
// largest.
double bound_gains(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n,
                   const NodeSums& node, double unit, double* bound);

// The cuts, among the first n <= 64, whose bound is at least `least`, as bits.
std::uint64_t find_above(const double* bound, std::int32_t n, double least);

// Consecutive bins that are ruled out at once.
constexpr std::int32_t kRun = 8;

inline std::int32_t count_runs(std::int32_t n_bins) { return (n_bins + kRun - 1) / kRun; }

// Positive weight and weight before each run, and at the end those of all bins. NumPy:
// np.cumsum(bins)[::kRun]. The last run may be shorter.
void sum_runs(const std::int64_t* negative_bins, const std::int64_t* positive_bins,
              std::int32_t n_bins, std::int64_t* positive, std::int64_t* weight);

// marks[j] |= 1 if a cut after any bin of run j may gain more.
void mark_runs(const std::int64_t* positive, const std::int64_t* weight, std::int32_t n_runs,
               const NodeSums& node, double gain, std::int64_t* marks);

// Can this gain rule out enough of n runs to save time?
bool runs_may_help(std::int32_t n_runs, const NodeSums& node, double gain);

}  // namespace horotree
