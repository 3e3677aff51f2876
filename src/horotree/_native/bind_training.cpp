#include <chrono>
#include <vector>

#include "bind.h"
#include "binning.h"
#include "hypothesis.h"
#include "sharing.h"
#include "sorting.h"
#include "weights.h"

namespace horotree {

namespace nb = nanobind;

std::function<void()> make_poll() {
  auto last = std::chrono::steady_clock::now();
  return [last]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

void bind_training(nb::module_& m) {
  m.def(
      "gather_columns",
      [](InMatrix<double> x, In<std::uint32_t> rows, std::size_t first, int n_threads,
         OutMatrix<double> out) {
        const std::size_t n = rows.shape(0);
        require(first <= x.shape(1) && out.shape(0) <= x.shape(1) - first && out.shape(1) == n,
                "gather_columns: out must have a row a column of x from the first on, a column a "
                "row");
        for (std::size_t i = 0; i < n; ++i)
          require(rows(i) < x.shape(0), "gather_columns: rows must be those of x");
        nb::gil_scoped_release release;
        gather_columns(x.data(), x.shape(1), rows.data(), n, first, out.shape(0), out.data(),
                       n_threads);
      },
      nb::arg("x").noconvert(), nb::arg("rows").noconvert(), nb::arg("first"), nb::arg("n_threads"),
      nb::arg("out").noconvert(), "out = x[rows, first : first + len(out)].T");
  m.def(
      "find_missing",
      [](InMatrix<double> x, int n_threads, Out<std::uint8_t> missing) {
        require(missing.shape(0) == x.shape(1), "find_missing: an entry a column");
        nb::gil_scoped_release release;
        find_missing(x.data(), x.shape(0), x.shape(1), missing.data(), n_threads);
      },
      nb::arg("x").noconvert(), nb::arg("n_threads"), nb::arg("missing").noconvert(),
      "missing = np.isnan(x).any(axis=0)");
  m.def(
      "sort_columns",
      [](OutMatrix<std::uint64_t> bits, std::int64_t few, int n_threads,
         OutMatrix<std::int64_t> told) {
        require(bits.shape(1) < std::size_t{1} << 32, "sort_columns: less than 2^32 numbers");
        require(told.shape(0) == bits.shape(0) && told.shape(1) == 2,
                "sort_columns: told must have a row a column, of two numbers");
        require(n_threads >= 1, "sort_columns: n_threads must be 1 or more");
        std::vector<SortedColumn> sorted(bits.shape(0));
        {
          nb::gil_scoped_release release;
          sort_columns(bits.data(), bits.shape(0), bits.shape(1), few, sorted.data(), n_threads,
                       make_poll());
        }
        for (std::size_t c = 0; c < sorted.size(); ++c) {
          told(c, 0) = sorted[c].n_known;
          told(c, 1) = sorted[c].n_distinct;
        }
      },
      nb::arg("bits").noconvert(), nb::arg("few"), nb::arg("n_threads"),
      nb::arg("told").noconvert(),
      "known = np.sort(column[~np.isnan(column)]) at the front of each row of "
      "bits.view(np.float64), or np.unique(known) if these are few at most; told = len(known), "
      "len(np.unique(known))");
  m.def(
      "pack_bins",
      [](InMatrix<double> x, In<std::uint32_t> order, In<double> cuts, In<std::int64_t> cut_start,
         In<std::int32_t> missing, In<std::uint8_t> categorical, int bits, In<std::int32_t> lane,
         In<std::int32_t> shift, int n_threads, OutMatrix<std::uint64_t> words) {
        require(bits == 8 || bits == 16 || bits == 32, "pack_bins: bits must be 8, 16 or 32");
        const std::size_t n_features = x.shape(1);
        require(cut_start.shape(0) == n_features + 1 && missing.shape(0) == n_features &&
                    categorical.shape(0) == n_features,
                "pack_bins: cuts, missing and categorical must have an entry a feature");
        require(words.shape(1) == order.shape(0), "pack_bins: words must have a column a row of x");
        require_lanes(lane, shift, n_features, bits, words.shape(0));
        const Cuts all{cuts.data(), cut_start.data(), missing.data(), categorical.data()};
        nb::gil_scoped_release release;
        pack_bins(x.data(), order.shape(0), n_features, order.data(), all,
                  {bits, lane.data(), shift.data()}, words.data(), words.shape(0), n_threads,
                  make_poll());
      },
      nb::arg("x").noconvert(), nb::arg("order").noconvert(), nb::arg("cuts").noconvert(),
      nb::arg("cut_start").noconvert(), nb::arg("missing").noconvert(),
      nb::arg("categorical").noconvert(), nb::arg("bits"), nb::arg("lane").noconvert(),
      nb::arg("shift").noconvert(), nb::arg("n_threads"), nb::arg("words").noconvert(),
      "bins = np.searchsorted(cuts, x[order, feature]) a feature, at their bits in 64-bit words");
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
      nb::arg("leaf").noconvert(), nb::arg("n_negative"), nb::arg("negative_factor").noconvert(),
      nb::arg("positive_factor").noconvert(), nb::arg("n_threads"), nb::arg("odds").noconvert(),
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
      nb::arg("odds").noconvert(), nb::arg("amount").noconvert(), nb::arg("least_unit"),
      nb::arg("n_threads"), nb::arg("out").noconvert(),
      "out = floor(w / unit + 1/2), w = amount * odds / (1 + odds); returns the unit");
  m.def(
      "step_factors",
      [](In<double> step, OutMatrix<double> out) {
        const std::size_t n = step.shape(0);
        require(out.shape(0) == 2 && out.shape(1) == n,
                "step_factors: out must have two rows of as many numbers as step");
        set_factors(step.data(), n, out.data(), out.data() + n);
      },
      nb::arg("step").noconvert(), nb::arg("out").noconvert(),
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
      nb::arg("value").noconvert(), nb::arg("output").noconvert(), nb::arg("weights").noconvert(),
      nb::arg("least_rest"),
      "r = mean(tanh(value / 2) * output / R), R = max(abs(output)); returns r, 2 atanh(r) / R");
}

}  // namespace horotree
