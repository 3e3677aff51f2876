#include "boosting/node_values.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "boosting/monotonic.h"

namespace horotree {

namespace {

// If 1 - r is smaller, it is computed from logarithms: it would lose digits, then underflow.
constexpr double kTiny = 1e-300;

// The mean of get(leaf), weighted. Compensated sums (Neumaier).
template <class Get>
double weighted_mean(const double* weights, std::size_t n, const Get& get) {
  double sum = 0.0, rest = 0.0, total = 0.0, total_rest = 0.0;
  const auto add = [](double x, double& to, double& carry) {
    const double next = to + x;
    carry += std::fabs(to) >= std::fabs(x) ? (to - next) + x : (x - next) + to;
    to = next;
  };
  for (std::size_t i = 0; i < n; ++i) {
    add(get(i) * weights[i], sum, rest);
    add(weights[i], total, total_rest);
  }
  return (sum + rest) / (total + total_rest);
}

void set_values(const std::int32_t* parent, const std::int64_t* negative,
                const std::int64_t* positive, std::size_t n, const JudgeRules& rules, Judged out) {
  std::vector<double> posterior(n), complement(n);
  std::vector<std::int32_t> above(n);  // the node that the children of a node shrink towards
  for (std::size_t v = 0; v < n; ++v) {
    const bool root = parent[v] < 0;
    const std::int32_t u = root ? 0 : above[parent[v]];
    const double plus = static_cast<double>(positive[v]) * rules.unit;
    const double minus = static_cast<double>(negative[v]) * rules.unit;
    const double up = plus + rules.smoothing * (root ? 0.5 : posterior[u]);
    const double down = minus + rules.smoothing * (root ? 0.5 : complement[u]);
    posterior[v] = up / (up + down);
    complement[v] = down / (up + down);
    out.weight[v] = minus + plus;
    out.value[v] = std::log(up / down);
    const bool kept =
        root || std::fabs(out.value[v]) > std::fabs(out.value[u]) * (1.0 + rules.tolerance);
    above[v] = kept || !rules.to_host ? static_cast<std::int32_t>(v) : u;
  }
}

void set_outputs(const std::int32_t* parent, std::size_t n, const JudgeRules& rules, Judged out) {
  std::copy(out.value, out.value + n, out.output);
  if (!rules.monotonic) return;
  std::vector<double> confidence(n);
  std::vector<std::int32_t> host(n);
  for (std::size_t v = 0; v < n; ++v) confidence[v] = std::fabs(out.value[v]);
  monotonic_hosts(parent, confidence.data(), n, rules.tolerance, host.data());
  for (std::size_t v = 0; v < n; ++v) out.output[v] = out.value[host[v]];
}

Leverage judge_leaves(const std::int32_t* parent, std::size_t n, double least_rest, Judged nodes) {
  std::vector<std::uint8_t> is_inner(n, 0);
  for (std::size_t v = 0; v < n; ++v)
    if (parent[v] >= 0) is_inner[parent[v]] = 1;
  std::vector<double> value, output, weight;
  for (std::size_t v = 0; v < n; ++v) {
    if (is_inner[v]) continue;
    value.push_back(nodes.value[v]);
    output.push_back(nodes.output[v]);
    weight.push_back(nodes.weight[v]);
  }
  return find_leverage(value.data(), output.data(), weight.data(), value.size(), least_rest);
}

}  // namespace

void set_factors(const double* step, std::size_t n, double* negative, double* positive) {
  for (std::size_t i = 0; i < n; ++i) {
    negative[i] = std::exp(step[i]);
    positive[i] = std::exp(-step[i]);
  }
}

Leverage judge(const std::int32_t* parent, const std::int64_t* negative,
               const std::int64_t* positive, std::size_t n, const JudgeRules& rules, Judged out) {
  if (rules.smoothing == 0.0 && (negative[0] == 0 || positive[0] == 0)) {
    for (double* field :
         {out.value, out.output, out.weight, out.negative_factor, out.positive_factor})
      std::fill(field, field + n, 0.0);
    return {0.0, 0.0};
  }
  set_values(parent, negative, positive, n, rules, out);
  set_outputs(parent, n, rules, out);
  Leverage found = judge_leaves(parent, n, rules.least_rest, out);
  found.leverage *= rules.learning_rate;
  std::vector<double> step(out.output, out.output + n);
  for (double& x : step) x *= found.leverage;
  set_factors(step.data(), n, out.negative_factor, out.positive_factor);
  return found;
}

Leverage find_leverage(const double* value, const double* output, const double* weights,
                       std::size_t n, double least_rest) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(output[i]));
  if (largest == 0.0) return {0.0, 0.0};
  // Negative where the prediction and the value have opposite signs.
  const auto share = [&](std::size_t i) { return output[i] / std::copysign(largest, value[i]); };
  const double edge = weighted_mean(
      weights, n, [&](std::size_t i) { return share(i) * std::tanh(std::fabs(value[i]) / 2.0); });
  if (edge < -0.5) {
    std::vector<double> opposite(output, output + n);
    for (double& h : opposite) h = -h;
    const Leverage found = find_leverage(value, opposite.data(), weights, n, least_rest);
    return {-found.edge, -found.leverage};
  }
  if (!(edge > 0.5)) return {edge, 2.0 * std::atanh(edge) / largest};
  const double mean = weighted_mean(weights, n, [&](std::size_t i) {
    const double s = share(i), decay = std::exp(-std::fabs(value[i]));
    return (1.0 - s) + s * 2.0 * decay / (1.0 + decay);
  });
  const double rest = std::max(mean, least_rest);
  if (rest > kTiny) return {1.0 - rest, std::log((2.0 - rest) / rest) / largest};
  double least = std::fabs(value[0]);
  for (std::size_t i = 1; i < n; ++i) least = std::min(least, std::fabs(value[i]));
  const double scaled = weighted_mean(
      weights, n, [&](std::size_t i) { return std::exp(least - std::fabs(value[i])); });
  return {1.0, (least - std::log(scaled)) / largest};
}

}  // namespace horotree
