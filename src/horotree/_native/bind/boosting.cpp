#include <vector>

#include "bind/arrays.h"
#include "boosting/node_values.h"
#include "boosting/weights.h"
#include "threads/sharing.h"

namespace horotree {

namespace nb = nanobind;

namespace {

template <class T>
std::vector<T> to_vector(Strided<T> array) {
  std::vector<T> copy(array.shape(0));
  for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = array(i);
  return copy;
}

nb::tuple judge_tree(Strided<std::int32_t> parent, Strided<std::int64_t> negative,
                     Strided<std::int64_t> positive, double unit, double smoothing, bool to_host,
                     bool monotonic, double tolerance, double least_rest, double learning_rate,
                     OutMatrix<double> out) {
  const std::size_t n = parent.shape(0);
  require(negative.shape(0) == n && positive.shape(0) == n && out.shape(1) == n,
          "judge_tree: all arrays must have the same length");
  require(out.shape(0) == Judged::kFields, "judge_tree: out must have five rows");
  const std::vector<std::int32_t> above = to_vector(parent);
  for (std::size_t v = 0; v < n; ++v)
    require(above[v] < static_cast<std::int32_t>(v),
            "judge_tree: a parent must precede its children");
  const Judged nodes = Judged::at(out.data(), n);
  const JudgeRules rules{unit, smoothing, to_host, monotonic, tolerance, least_rest, learning_rate};
  const Leverage found =
      judge(above.data(), to_vector(negative).data(), to_vector(positive).data(), n, rules, nodes);
  return nb::make_tuple(found.edge, found.leverage);
}

}  // namespace

void bind_boosting(nb::module_& m) {
  m.def("judge_tree", &judge_tree, "parent"_a.noconvert(), "negative"_a.noconvert(),
        "positive"_a.noconvert(), nb::kw_only(), "unit"_a, "smoothing"_a, "to_host"_a,
        "monotonic"_a, "tolerance"_a, "least_rest"_a, "learning_rate"_a, "out"_a.noconvert(),
        "out = value, output, weight, factors of the odds of negatives and of positives, per node; "
        "returns edge and leverage, as tests/reference/boosting.py does");
  m.def(
      "update_odds",
      [](In<std::int32_t> leaf, std::size_t n_negative, In<double> negative_factor,
         In<double> positive_factor, int n_threads, Out<double> odds) {
        require(leaf.shape(0) == odds.shape(0) && n_negative <= odds.shape(0) &&
                    negative_factor.shape(0) == positive_factor.shape(0),
                "update_odds: leaf and odds must have the same length, and so must the factors");
        nb::gil_scoped_release release;
        update_odds(odds.data(), leaf.data(), share_rows(odds.shape(0), n_negative, n_threads),
                    negative_factor.data(), positive_factor.data(), n_threads);
      },
      "leaf"_a.noconvert(), "n_negative"_a, "negative_factor"_a.noconvert(),
      "positive_factor"_a.noconvert(), "n_threads"_a, "odds"_a.noconvert(),
      "odds[:n] *= negative_factor[leaf[:n]]; odds[n:] *= positive_factor[leaf[n:]]");
  m.def(
      "fixed_point_weights",
      [](In<double> odds, In<double> amount, double least_unit, int n_threads,
         Out<std::int32_t> out) {
        require(odds.shape(0) == out.shape(0) && amount.shape(0) == out.shape(0),
                "fixed_point_weights: all arrays must have the same length");
        nb::gil_scoped_release release;
        const std::size_t n = out.shape(0);
        return fixed_point_weights(odds.data(), amount.data(), share_rows(n, n, n_threads),
                                   least_unit, out.data(), n_threads);
      },
      "odds"_a.noconvert(), "amount"_a.noconvert(), "least_unit"_a, "n_threads"_a,
      "out"_a.noconvert(),
      "out = floor(w / unit + 1/2), w = amount * odds / (1 + odds); returns the unit");
  m.def(
      "step_factors",
      [](In<double> step, OutMatrix<double> out) {
        const std::size_t n = step.shape(0);
        require(out.shape(0) == 2 && out.shape(1) == n,
                "step_factors: out must have two rows of the length of step");
        set_factors(step.data(), n, out.data(), out.data() + n);
      },
      "step"_a.noconvert(), "out"_a.noconvert(),
      "out = exp(step), exp(-step), as judge_tree computes them");
  m.def(
      "find_leverage",
      [](In<double> value, In<double> output, In<double> weights, double least_rest) {
        const std::size_t n = value.shape(0);
        require(output.shape(0) == n && weights.shape(0) == n,
                "find_leverage: all arrays must have the same length");
        const Leverage found =
            find_leverage(value.data(), output.data(), weights.data(), n, least_rest);
        return nb::make_tuple(found.edge, found.leverage);
      },
      "value"_a.noconvert(), "output"_a.noconvert(), "weights"_a.noconvert(), "least_rest"_a,
      "r = mean(tanh(value / 2) * output / R), R = max(abs(output)); returns r, 2 atanh(r) / R");
}

}  // namespace horotree
