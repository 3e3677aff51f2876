#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>

#include "bind.h"
#include "binning.h"
#include "grow.h"
#include "hypothesis.h"
#include "sorting.h"
#include "weights.h"

namespace horotree {

namespace nb = nanobind;

namespace {

// A node as Python gets it: NODE in __init__.py.
struct NodeRecord {
  std::int32_t left, right, parent, feature, bin;
  std::uint8_t missing_left;
  double gain;
  std::int64_t negative, positive, count;
};
static_assert(sizeof(NodeRecord) == 56, "NODE in __init__.py must have the same fields");

// The records of all nodes; the bins that go left at the categorical ones, one node after the
// other; and the lightest inner node's share of the weight. Bytes, because an array costs as much
// as a small tree.
nb::tuple to_python(const std::vector<GrownNode>& nodes) {
  const std::size_t size = nodes.size() * sizeof(NodeRecord);
  nb::object records =
      nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!records.is_valid()) throw nb::python_error();
  char* place = PyByteArray_AsString(records.ptr());
  std::string left_bins;
  std::int64_t lightest = nodes[0].negative + nodes[0].positive;
  for (const GrownNode& v : nodes) {
    if (v.left >= 0) lightest = std::min(lightest, v.negative + v.positive);
    const Split& split = v.split;
    NodeRecord record{};
    record.left = v.left;
    record.right = v.right;
    record.parent = v.parent;
    record.feature = split.feature;
    record.bin = split.bin;
    record.missing_left = split.missing_left;
    record.gain = split.gain;
    record.negative = v.negative;
    record.positive = v.positive;
    record.count = v.count;
    std::memcpy(place, &record, sizeof record);
    place += sizeof record;
    left_bins.append(split.left_bins.begin(), split.left_bins.end());
  }
  const double all = static_cast<double>(nodes[0].negative + nodes[0].positive);
  return nb::make_tuple(records, nb::bytes(left_bins.data(), left_bins.size()),
                        static_cast<double>(lightest) / std::max(all, 1.0));
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

nb::tuple grow_tree(OutMatrix<std::uint64_t> words, int bits, Out<std::uint32_t> ids,
                    In<std::int32_t> weights, std::size_t n_negative, In<std::int32_t> n_bins,
                    In<std::int32_t> missing, In<std::uint8_t> categorical,
                    Out<std::int32_t> weights_there, OutMatrix<std::uint64_t> goes_left,
                    OutMatrix<std::uint32_t> moves, OutMatrix<std::int64_t> histograms, double unit,
                    std::int64_t max_leaf_nodes, std::int64_t max_depth,
                    std::int64_t min_samples_leaf, std::int64_t max_features, bool forbid_pure,
                    std::uint64_t seed, double lightest, int n_threads, nb::object reduce,
                    nb::object decide, Out<std::int32_t> leaf) {
  const std::size_t n_groups = words.shape(0), n_rows = words.shape(1);
  const std::size_t n_features = n_bins.shape(0);
  require(bits == 8 || bits == 16 || bits == 32, "grow_tree: bits must be 8, 16 or 32");
  require(n_features > 0 && n_groups == (n_features + 64 / bits - 1) / (64 / bits),
          "grow_tree: words must have a row a group of features");
  require(missing.shape(0) == n_features && categorical.shape(0) == n_features,
          "grow_tree: missing and categorical must have an entry a feature");
  require(ids.shape(0) == n_rows && weights.shape(0) == n_rows && leaf.shape(0) == n_rows &&
              n_negative <= n_rows,
          "grow_tree: all row arrays must have the same length");
  require(n_threads >= 1 && goes_left.shape(0) >= 2 * static_cast<std::size_t>(n_threads) &&
              goes_left.shape(1) == n_rows / 64 + 1,
          "grow_tree: goes_left must be two sets a thread, a bit a row");
  require(weights_there.shape(0) == n_rows && moves.shape(0) == 2 && moves.shape(1) == n_rows,
          "grow_tree: weights_there and moves must have one and two entries a row");
  std::size_t total_bins = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    require(n_bins(f) > 0 && n_bins(f) <= std::int64_t{1} << bits,
            "grow_tree: a feature must have at least one bin, and no more than fit in its bits");
    require(missing(f) < 0 || missing(f) == n_bins(f) - 1,
            "grow_tree: the bin of missing values must be the last one of its feature");
    total_bins += n_bins(f);
  }
  require(histograms.shape(0) >= 3 &&
              histograms.shape(1) == total_bins * (min_samples_leaf > 1 ? 3 : 2),
          "grow_tree: histograms must be 3 rows or more of all bins by class (and count)");
  const Binned data{n_rows,        n_features,     n_groups,          bits,
                    n_bins.data(), missing.data(), categorical.data()};
  const MoveSpace moving{
      weights_there.data(), {moves.data(), moves.data() + n_rows}, goes_left.data()};
  const GrowRules rules{{unit, min_samples_leaf, forbid_pure},
                        max_leaf_nodes,
                        max_depth,
                        max_features,
                        seed,
                        lightest,
                        n_threads};
  const HistogramSpace space{histograms.data(), histograms.shape(0)};
  const Callbacks callbacks{make_exchange(reduce), make_exchange(decide), make_poll()};
  std::vector<GrownNode> nodes;
  {
    nb::gil_scoped_release release;
    nodes = grow(data, words.data(), ids.data(), weights.data(), moving, space, n_negative, rules,
                 callbacks, leaf.data());
  }
  return to_python(nodes);
}

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
  require(out.shape(0) == 5, "judge_tree: out must have five rows");
  const std::vector<std::int32_t> above = to_vector(parent);
  for (std::size_t v = 0; v < n; ++v)
    require(above[v] < static_cast<std::int32_t>(v),
            "judge_tree: a parent must precede its children");
  double* first = out.data();
  const Judged nodes{first, first + n, first + 2 * n, first + 3 * n, first + 4 * n};
  const JudgeRules rules{unit, smoothing, to_host, monotonic, tolerance, least_rest, learning_rate};
  const Leverage found =
      judge(above.data(), to_vector(negative).data(), to_vector(positive).data(), n, rules, nodes);
  return nb::make_tuple(found.edge, found.leverage);
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
      "sort_numbers",
      [](Out<std::uint64_t> bits) {
        require(bits.shape(0) < std::size_t{1} << 32, "sort_numbers: less than 2^32 numbers");
        nb::gil_scoped_release release;
        sort_numbers(bits.data(), bits.shape(0));
      },
      nb::arg("bits").noconvert(), "bits.view(np.float64).sort(), where no number is NaN");
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
        nb::arg("max_features"), nb::arg("forbid_pure"), nb::arg("seed"), nb::arg("lightest") = 0.0,
        nb::arg("n_threads"), nb::arg("reduce").none(), nb::arg("decide").none() = nb::none(),
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
      [](In<double> odds, In<double> amount, double least_unit, int n_threads,
         Out<std::int32_t> out) {
        require(odds.shape(0) == out.shape(0) && amount.shape(0) == out.shape(0),
                "fixed_point_weights: all arrays must have the same length");
        nb::gil_scoped_release release;
        return fixed_point_weights(odds.data(), amount.data(), out.shape(0), least_unit, out.data(),
                                   n_threads);
      },
      nb::arg("odds").noconvert(), nb::arg("amount").noconvert(), nb::arg("least_unit"),
      nb::arg("n_threads"), nb::arg("out").noconvert(),
      "out = floor(w / unit + 1/2), w = amount * odds / (1 + odds); returns the unit");
  m.def("judge_tree", &judge_tree, nb::arg("parent").noconvert(), nb::arg("negative").noconvert(),
        nb::arg("positive").noconvert(), nb::kw_only(), nb::arg("unit"), nb::arg("smoothing"),
        nb::arg("to_host"), nb::arg("monotonic"), nb::arg("tolerance"), nb::arg("least_rest"),
        nb::arg("learning_rate"), nb::arg("out").noconvert(),
        "out = value, output, weight and factors of the odds (of negatives, of positives) by node; "
        "returns edge and leverage: tests/reference/boosting.py");
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
