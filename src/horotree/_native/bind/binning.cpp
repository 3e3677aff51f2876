#include <vector>

#include "bind/arrays.h"
#include "binning/bins.h"
#include "binning/sorting.h"

namespace horotree {

namespace nb = nanobind;

void bind_binning(nb::module_& m) {
  m.def(
      "gather_columns",
      [](InMatrix<double> x, In<std::uint32_t> rows, std::size_t first, int n_threads,
         OutMatrix<double> out) {
        const std::size_t n = rows.shape(0);
        require(first <= x.shape(1) && out.shape(0) <= x.shape(1) - first && out.shape(1) == n,
                "gather_columns: out must have a row per column of x from the first on, a column "
                "per row");
        for (std::size_t i = 0; i < n; ++i)
          require(rows(i) < x.shape(0), "gather_columns: rows must be those of x");
        nb::gil_scoped_release release;
        gather_columns(x.data(), x.shape(1), rows.data(), n, first, out.shape(0), out.data(),
                       n_threads);
      },
      "x"_a.noconvert(), "rows"_a.noconvert(), "first"_a, "n_threads"_a, "out"_a.noconvert(),
      "out = x[rows, first : first + len(out)].T");
  m.def(
      "find_missing",
      [](InMatrix<double> x, int n_threads, Out<std::uint8_t> missing) {
        require(missing.shape(0) == x.shape(1),
                "find_missing: missing must have an entry per column of x");
        nb::gil_scoped_release release;
        find_missing(x.data(), x.shape(0), x.shape(1), missing.data(), n_threads);
      },
      "x"_a.noconvert(), "n_threads"_a, "missing"_a.noconvert(),
      "missing = np.isnan(x).any(axis=0)");
  m.def(
      "sort_columns",
      [](OutMatrix<std::uint64_t> bits, std::int64_t few, int n_threads,
         OutMatrix<std::int64_t> counts) {
        require(bits.shape(1) < std::size_t{1} << 32, "sort_columns: less than 2^32 numbers");
        require(counts.shape(0) == bits.shape(0) && counts.shape(1) == 2,
                "sort_columns: counts must have two entries per column");
        require(n_threads >= 1, "sort_columns: n_threads must be 1 or more");
        std::vector<SortedColumn> sorted(bits.shape(0));
        {
          nb::gil_scoped_release release;
          sort_columns(bits.data(), bits.shape(0), bits.shape(1), few, sorted.data(), n_threads,
                       make_poll());
        }
        for (std::size_t c = 0; c < sorted.size(); ++c) {
          counts(c, 0) = sorted[c].n_known;
          counts(c, 1) = sorted[c].n_distinct;
        }
      },
      "bits"_a.noconvert(), "few"_a, "n_threads"_a, "counts"_a.noconvert(),
      "In place, for each row of bits.view(np.float64): known = np.sort(row[~np.isnan(row)]) at "
      "the "
      "front, or np.unique(known) if that has at most `few` numbers; counts = len(known), "
      "len(np.unique(known))");
  m.def(
      "pack_bins",
      [](InMatrix<double> x, In<std::uint32_t> order, In<double> cuts, In<std::int64_t> cut_start,
         In<std::int32_t> missing, In<std::uint8_t> categorical, int bits, In<std::int32_t> lane,
         In<std::int32_t> shift, int n_threads, OutMatrix<std::uint64_t> words) {
        const std::size_t n_features = x.shape(1);
        require(cut_start.shape(0) == n_features + 1 && missing.shape(0) == n_features &&
                    categorical.shape(0) == n_features,
                "pack_bins: cuts, missing and categorical must have an entry per feature");
        require(words.shape(1) == order.shape(0),
                "pack_bins: words must have a column per row in order");
        require_lanes(lane, shift, n_features, bits, words.shape(0));
        const Cuts all{cuts.data(), cut_start.data(), missing.data(), categorical.data()};
        nb::gil_scoped_release release;
        pack_bins(x.data(), order.shape(0), n_features, order.data(), all,
                  {bits, lane.data(), shift.data()}, words.data(), words.shape(0), n_threads,
                  make_poll());
      },
      "x"_a.noconvert(), "order"_a.noconvert(), "cuts"_a.noconvert(), "cut_start"_a.noconvert(),
      "missing"_a.noconvert(), "categorical"_a.noconvert(), "bits"_a, "lane"_a.noconvert(),
      "shift"_a.noconvert(), "n_threads"_a, "words"_a.noconvert(),
      "For each feature: bins = np.searchsorted(cuts, x[order, feature]), packed into 64-bit "
      "words");
}

}  // namespace horotree
