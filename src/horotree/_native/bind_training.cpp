#include <algorithm>
#include <chrono>
#include <cmath>

#include "bind.h"
#include "binning.h"
#include "grow.h"
#include "weights.h"

namespace horotree {

namespace nb = nanobind;

namespace {

// An owned NumPy array with what `get` says of each node.
template <class T, class Get>
nb::object column(const std::vector<GrownNode>& nodes, Get get) {
  T* data = new T[nodes.size()];
  for (std::size_t v = 0; v < nodes.size(); ++v) data[v] = get(nodes[v]);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {nodes.size()}, owner));
}

// The bins that go left at the categorical nodes, one node after the other.
nb::object left_bins(const std::vector<GrownNode>& nodes) {
  std::size_t n = 0;
  for (const GrownNode& node : nodes) n += node.split.left_bins.size();
  std::uint8_t* data = new std::uint8_t[n];
  std::size_t i = 0;
  for (const GrownNode& node : nodes)
    for (const std::uint8_t bit : node.split.left_bins) data[i++] = bit;
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {n}, owner));
}

nb::dict to_python(const std::vector<GrownNode>& nodes) {
  nb::dict out;
  out["left"] = column<std::int32_t>(nodes, [](const GrownNode& v) { return v.left; });
  out["right"] = column<std::int32_t>(nodes, [](const GrownNode& v) { return v.right; });
  out["parent"] = column<std::int32_t>(nodes, [](const GrownNode& v) { return v.parent; });
  out["feature"] = column<std::int32_t>(nodes, [](const GrownNode& v) { return v.split.feature; });
  out["bin"] = column<std::int32_t>(nodes, [](const GrownNode& v) { return v.split.bin; });
  out["missing_left"] =
      column<std::uint8_t>(nodes, [](const GrownNode& v) { return v.split.missing_left; });
  out["gain"] = column<double>(nodes, [](const GrownNode& v) { return v.split.gain; });
  out["negative"] = column<std::int64_t>(nodes, [](const GrownNode& v) { return v.negative; });
  out["positive"] = column<std::int64_t>(nodes, [](const GrownNode& v) { return v.positive; });
  out["count"] = column<std::int64_t>(nodes, [](const GrownNode& v) { return v.count; });
  out["left_bins"] = left_bins(nodes);
  return out;
}

// Lets a user's interrupt through a few times a second.
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

// The callback gets integers as a NumPy array, and changes them: a histogram to the sums of those
// of all machines, a decision to that of one of them.
std::function<void(std::int64_t*, std::size_t)> make_exchange(const nb::object& exchange) {
  if (exchange.is_none()) return {};
  return [exchange](std::int64_t* data, std::size_t n) {
    nb::gil_scoped_acquire acquire;
    exchange(nb::cast(nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(data, {n}, nb::handle()),
                      nb::rv_policy::reference));
  };
}

nb::dict grow_tree(OutMatrix<std::uint64_t> words, int bits, Out<std::uint32_t> ids,
                   In<std::int32_t> weights, std::size_t n_negative, In<std::int32_t> n_bins,
                   In<std::int32_t> missing, In<std::uint8_t> categorical,
                   Out<std::int32_t> weights_there, OutMatrix<std::uint64_t> goes_left,
                   OutMatrix<std::uint32_t> moves, OutMatrix<std::int64_t> histograms, double unit,
                   std::int64_t max_leaf_nodes, std::int64_t max_depth,
                   std::int64_t min_samples_leaf, std::int64_t max_features, bool forbid_pure,
                   std::uint64_t seed, int n_threads, nb::object reduce, nb::object decide,
                   Out<std::int32_t> leaf) {
  const std::size_t n_groups = words.shape(0), n_rows = words.shape(1);
  const std::size_t n_features = n_bins.shape(0);
  require(bits == 8 || bits == 16 || bits == 32, "grow_tree: bits must be 8, 16 or 32");
  require(n_features > 0 && n_groups == (n_features + 64 / bits - 1) / (64 / bits),
          "grow_tree: words must have a row a group of features");
  require(missing.shape(0) == n_features && categorical.shape(0) == n_features,
          "grow_tree: missing and categorical must have an entry a feature");
  require(ids.shape(0) == n_rows && weights.shape(0) == n_rows &&
              weights_there.shape(0) == n_rows && leaf.shape(0) == n_rows && n_negative <= n_rows,
          "grow_tree: all row arrays must have the same length");
  require(goes_left.shape(0) == 2 && goes_left.shape(1) >= n_rows / 64 + 1,
          "grow_tree: goes_left must be two sets of a bit a row");
  require(moves.shape(0) == 2 && moves.shape(1) >= n_rows,
          "grow_tree: moves must be two lists of all rows");
  std::size_t total_bins = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    require(n_bins(f) > 0 && n_bins(f) <= std::int64_t{1} << bits && missing(f) < n_bins(f),
            "grow_tree: a feature must have at least one bin, and no more than fit in its bits");
    total_bins += n_bins(f);
  }
  require(histograms.shape(0) >= 3 &&
              histograms.shape(1) == total_bins * (min_samples_leaf > 1 ? 3 : 2),
          "grow_tree: histograms must be 3 rows or more of all bins by class (and count)");
  const std::uint32_t* last_id = std::max_element(ids.data(), ids.data() + n_rows);
  require(n_rows == 0 || *last_id < n_rows, "grow_tree: ids must be those of the rows");
  const Binned data{n_rows,        n_features,     n_groups,          bits,
                    n_bins.data(), missing.data(), categorical.data()};
  const Places places{words.data(), weights_there.data(), ids.data()};
  const Scratch scratch{{goes_left.data(), goes_left.data() + goes_left.shape(1)},
                        moves.data(),
                        moves.data() + moves.shape(1)};
  const GrowRules rules{{unit, min_samples_leaf, forbid_pure},
                        max_leaf_nodes,
                        max_depth,
                        max_features,
                        seed,
                        n_threads};
  const HistogramSpace space{histograms.data(), histograms.shape(0)};
  const Callbacks callbacks{make_exchange(reduce), make_exchange(decide), make_poll()};
  std::vector<GrownNode> nodes;
  {
    nb::gil_scoped_release release;
    nodes = grow(data, places, weights.data(), scratch, space, n_negative, rules, callbacks,
                 leaf.data());
  }
  return to_python(nodes);
}

}  // namespace

void bind_training(nb::module_& m) {
  m.def(
      "gather_columns",
      [](InMatrix<double> x, In<std::uint32_t> rows, int n_threads, OutMatrix<double> out) {
        const std::size_t n = rows.shape(0);
        require(out.shape(0) == x.shape(1) && out.shape(1) == n,
                "gather_columns: out must have a row a column of x, a column a row");
        for (std::size_t i = 0; i < n; ++i)
          require(rows(i) < x.shape(0), "gather_columns: rows must be those of x");
        nb::gil_scoped_release release;
        gather_columns(x.data(), x.shape(1), rows.data(), n, out.data(), n_threads);
      },
      nb::arg("x").noconvert(), nb::arg("rows").noconvert(), nb::arg("n_threads"),
      nb::arg("out").noconvert(), "out = x[rows].T");
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
      "pack_bins",
      [](InMatrix<double> x, In<std::uint32_t> order, In<double> cuts, In<std::int64_t> cut_start,
         In<std::int32_t> missing, In<std::uint8_t> categorical, int bits, int n_threads,
         OutMatrix<std::uint64_t> words) {
        require(bits == 8 || bits == 16 || bits == 32, "pack_bins: bits must be 8, 16 or 32");
        const std::size_t n_features = x.shape(1), lanes = 64 / bits;
        require(cut_start.shape(0) == n_features + 1 && missing.shape(0) == n_features &&
                    categorical.shape(0) == n_features,
                "pack_bins: cuts, missing and categorical must have an entry a feature");
        require(
            words.shape(0) == (n_features + lanes - 1) / lanes && words.shape(1) == order.shape(0),
            "pack_bins: words must have a row a group of features, a column a row of x");
        const Cuts all{cuts.data(), cut_start.data(), missing.data(), categorical.data()};
        nb::gil_scoped_release release;
        pack_bins(x.data(), order.shape(0), n_features, order.data(), all, bits, words.data(),
                  n_threads, make_poll());
      },
      nb::arg("x").noconvert(), nb::arg("order").noconvert(), nb::arg("cuts").noconvert(),
      nb::arg("cut_start").noconvert(), nb::arg("missing").noconvert(),
      nb::arg("categorical").noconvert(), nb::arg("bits"), nb::arg("n_threads"),
      nb::arg("words").noconvert(),
      "bins = np.searchsorted(cuts, x[order, feature]) a feature, packed into 64-bit words");
  m.def("grow_tree", &grow_tree, nb::arg("words").noconvert(), nb::arg("bits"),
        nb::arg("ids").noconvert(), nb::arg("weights").noconvert(), nb::arg("n_negative"),
        nb::arg("n_bins").noconvert(), nb::arg("missing").noconvert(),
        nb::arg("categorical").noconvert(), nb::arg("weights_there").noconvert(),
        nb::arg("goes_left").noconvert(), nb::arg("moves").noconvert(),
        nb::arg("histograms").noconvert(), nb::kw_only(), nb::arg("unit"),
        nb::arg("max_leaf_nodes"), nb::arg("max_depth"), nb::arg("min_samples_leaf"),
        nb::arg("max_features"), nb::arg("forbid_pure"), nb::arg("seed"), nb::arg("n_threads"),
        nb::arg("reduce").none(), nb::arg("decide").none() = nb::none(),
        nb::arg("leaf").noconvert(),
        "A tree on integer weights, heaviest impure leaf first: tests/reference/induction.py");
  m.def(
      "update_odds",
      [](In<std::int32_t> leaf, std::size_t n_negative, In<double> negative_factor,
         In<double> positive_factor, int n_threads, Out<double> odds) {
        require(leaf.shape(0) == odds.shape(0) && n_negative <= odds.shape(0) &&
                    negative_factor.shape(0) == positive_factor.shape(0),
                "update_odds: leaf and odds must have the same length, and so must the factors");
        nb::gil_scoped_release release;
        update_odds(odds.data(), leaf.data(), odds.shape(0), n_negative, negative_factor.data(),
                    positive_factor.data(), n_threads);
      },
      nb::arg("leaf").noconvert(), nb::arg("n_negative"), nb::arg("negative_factor").noconvert(),
      nb::arg("positive_factor").noconvert(), nb::arg("n_threads"), nb::arg("odds").noconvert(),
      "odds[:n] *= negative_factor[leaf[:n]]; odds[n:] *= positive_factor[leaf[n:]]");
  m.def(
      "fixed_point_weights",
      [](In<double> odds, In<double> amount, int n_threads, Out<std::int32_t> out) {
        require(odds.shape(0) == out.shape(0) && amount.shape(0) == out.shape(0),
                "fixed_point_weights: all arrays must have the same length");
        nb::gil_scoped_release release;
        return fixed_point_weights(odds.data(), amount.data(), out.shape(0), out.data(), n_threads);
      },
      nb::arg("odds").noconvert(), nb::arg("amount").noconvert(), nb::arg("n_threads"),
      nb::arg("out").noconvert(),
      "out = floor(w / unit + 1/2), w = amount * odds / (1 + odds); returns the unit");
  m.def(
      "smoothed_values",
      [](In<std::int32_t> parent, In<double> negative, In<double> positive, double smoothing,
         bool to_host, double tolerance, Out<double> posterior, Out<double> value) {
        const std::size_t n = parent.shape(0);
        require(negative.shape(0) == n && positive.shape(0) == n && posterior.shape(0) == n &&
                    value.shape(0) == n,
                "smoothed_values: all arrays must have the same length");
        for (std::size_t v = 0; v < n; ++v)
          require(parent(v) < static_cast<std::int32_t>(v),
                  "smoothed_values: a parent must precede its children");
        smoothed_values(parent.data(), negative.data(), positive.data(), n, smoothing, to_host,
                        tolerance, posterior.data(), value.data());
      },
      nb::arg("parent").noconvert(), nb::arg("negative").noconvert(),
      nb::arg("positive").noconvert(), nb::arg("smoothing"), nb::arg("to_host"),
      nb::arg("tolerance"), nb::arg("posterior").noconvert(), nb::arg("value").noconvert(),
      "posterior = (positive + s posterior[u]) / (positive + negative + s), u = the parent or its "
      "host; value = logit");
}

}  // namespace horotree
