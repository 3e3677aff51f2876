// What a grown tree predicts, and what that is worth.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

struct Leverage {
  double edge, leverage;
};

// The edge r of n leaves, and log((1+r) / (1-r)) / R. With p a leaf's posterior, h what it predicts
// and R the largest absolute h, r is the weighted mean of (2p - 1) h / R. A large r is taken from
// its complement, summed without forming 1 - (2p - 1), a small one as it is: so the logarithm keeps
// its digits at both ends. 1 - r is at least `least_rest`. Both are 0 if no leaf predicts anything.
Leverage find_leverage(const double* value, const double* output, const double* weights,
                       std::size_t n, double least_rest);

// What examples of either class in a node multiply their odds by: exp(step) and exp(-step).
void set_factors(const double* step, std::size_t n, double* negative, double* positive);

struct JudgeRules {
  double unit;       // what an integer weight of 1 stands for
  double smoothing;  // the pseudo-weight of what is known above a node
  bool to_host;      // that is the parent's host, else the parent
  bool monotonic;    // a node predicts the value of its host, else its own
  double tolerance;  // a host is more confident than all above it by this share
  double least_rest;
  double learning_rate;
};

// By node.
struct Judged {
  static constexpr std::size_t kFields = 5;

  // Fields of n nodes, one after the other.
  static Judged at(double* first, std::size_t n) {
    return {first, first + n, first + 2 * n, first + 3 * n, first + 4 * n};
  }

  double *value, *output, *weight;
  double *negative_factor, *positive_factor;  // what it multiplies the odds of its examples by
};

// Posteriors of all nodes, each shrunk towards that of a node above it: with parents before
// children, p = (positive + smoothing p_above) / (positive + negative + smoothing), 1/2 above the
// root; value = logit(p), computed without forming 1 - p. Then the edge of the leaves and their
// leverage, times the learning rate. All is 0 if one class weighs less than the fixed point can
// tell from nothing and nothing is smoothed: there is nothing left to learn.
Leverage judge(const std::int32_t* parent, const std::int64_t* negative,
               const std::int64_t* positive, std::size_t n, const JudgeRules& rules, Judged out);

}  // namespace horotree
