// The values of a grown tree's nodes, and its leverage.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

struct Leverage {
  double edge, leverage;
};

// The edge r of n leaves, and the leverage log((1+r) / (1-r)) / R. With p a leaf's posterior, h its
// output and R the largest |h|, r is the weighted mean of (2p - 1) h / R. If r > 1/2, 1 - r is
// summed directly, without forming 1 - (2p - 1), so that the logarithm is accurate at both ends. 1
// - r is at least `least_rest`. Both are 0 if all outputs are 0.
Leverage find_leverage(const double* value, const double* output, const double* weights,
                       std::size_t n, double least_rest);

// The factors by which a step changes the odds: negative = exp(step), positive = exp(-step).
void set_factors(const double* step, std::size_t n, double* negative, double* positive);

struct JudgeRules {
  double unit;       // the weight that an integer weight of 1 stands for
  double smoothing;  // pseudo-weight of the posterior that a node shrinks towards
  bool to_host;      // shrink towards the host of the parent; else towards the parent
  bool monotonic;    // a node outputs the value of its host; else its own
  double tolerance;  // a host's confidence is larger than all above it by this relative margin
  double least_rest;
  double learning_rate;
};

// Arrays with an entry per node.
struct Judged {
  static constexpr std::size_t kFields = 5;

  // The fields of n nodes as rows of one array.
  static Judged at(double* first, std::size_t n) {
    return {first, first + n, first + 2 * n, first + 3 * n, first + 4 * n};
  }

  double *value, *output, *weight;
  double *negative_factor, *positive_factor;  // by which the odds of its examples are multiplied
};

// Posteriors of all nodes, each shrunk towards that of a node above it (1/2 above the root): p =
// (positive + smoothing p_above) / (positive + negative + smoothing), parents before children.
// value = logit(p), computed without forming 1 - p. Returns the edge of the leaves, and their
// leverage times the learning rate. All is 0 if nothing is smoothed and one class weighs less than
// an integer weight of 1: there is nothing left to learn.
Leverage judge(const std::int32_t* parent, const std::int64_t* negative,
               const std::int64_t* positive, std::size_t n, const JudgeRules& rules, Judged out);

}  // namespace horotree
