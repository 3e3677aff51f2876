#include <utility>
#include <vector>

#include "bind/arrays.h"
#include "boosting/boosting.h"
#include "boosting/node_values.h"
#include "growing/grower.h"
#include "histograms/lanes.h"

namespace horotree {

namespace nb = nanobind;

namespace {

static_assert(sizeof(NodeRecord) == 56, "NODE in __init__.py must have the same fields");

// A NumPy array that takes over a vector's memory: all trees of a model are large.
template <class T>
nb::object to_array(std::vector<T>&& items) {
  auto* kept = new std::vector<T>(std::move(items));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  auto* first = reinterpret_cast<std::uint8_t*>(kept->data());
  const std::size_t n = kept->size() * sizeof(T);
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(first, {n}, owner));
}

nb::object to_array(JudgedRows&& rows) {
  auto* kept = new JudgedRows(std::move(rows));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<JudgedRows*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(
      kept->data(), {Judged::kFields, kept->size()}, owner,
      {static_cast<std::int64_t>(kept->room()), 1}));
}

// The callback gets a NumPy array of integers and changes it in place: a histogram to the sums over
// all machines, a split to that of one machine.
Exchange make_exchange(const nb::object& exchange) {
  if (exchange.is_none()) return {};
  return [exchange](std::int64_t* data, std::size_t n) {
    nb::gil_scoped_acquire acquire;
    exchange(nb::cast(nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(data, {n}, nb::handle()),
                      nb::rv_policy::reference));
  };
}

CommonUnit make_common_unit(const nb::object& common_unit) {
  if (common_unit.is_none()) return {};
  return [common_unit](double unit) {
    nb::gil_scoped_acquire acquire;
    return nb::cast<double>(common_unit(unit));
  };
}

// The examples, and memory for growing trees.
struct Arrays {
  OutMatrix<std::uint64_t> words;
  int bits;
  In<std::int32_t> lane, shift, n_codes;
  OutMatrix<std::uint32_t> examples;  // weight and id by place
  std::size_t n_negative;
  In<std::int32_t> n_bins, missing;
  In<std::uint8_t> categorical;
  OutMatrix<std::uint64_t> goes_left;
  OutMatrix<std::uint32_t> moves;
  OutMatrix<std::int64_t> histograms;
  Out<std::int32_t> leaf;

  std::size_t n_rows() const { return words.shape(1); }

  Binned data() const {
    return {n_rows(),      n_bins.shape(0), words.shape(0),    n_codes.shape(0),
            bits,          n_codes.data(),  lane.data(),       shift.data(),
            n_bins.data(), missing.data(),  categorical.data()};
  }

  GrowSpace space() const {
    static_assert(sizeof(Example) == 2 * sizeof(std::uint32_t),
                  "examples must have two integers per row");
    return {{words.data(), reinterpret_cast<Example*>(examples.data())},
            n_negative,
            {{moves.data(), moves.data() + n_rows()}, goes_left.data()},
            {histograms.data(), histograms.shape(0)},
            leaf.data()};
  }

  void check(const GrowRules& rules, const nb::object& reduce) const {
    const std::size_t n_features = n_bins.shape(0),
                      n_threads = static_cast<std::size_t>(rules.n_threads);
    const std::size_t width = static_cast<std::size_t>(64 / bits), n_lanes = n_codes.shape(0);
    require(n_features > 0 && words.shape(0) == (n_lanes + width - 1) / width,
            "words must have a row per group of lanes");
    require_lanes(lane, shift, n_features, bits, words.shape(0));
    require(missing.shape(0) == n_features && categorical.shape(0) == n_features,
            "missing and categorical must have an entry per feature");
    require(examples.shape(0) == n_rows() && examples.shape(1) == 2 && leaf.shape(0) == n_rows() &&
                n_negative <= n_rows(),
            "all row arrays must have the same length");
    require(rules.n_threads >= 1 && goes_left.shape(0) >= 2 * n_threads &&
                goes_left.shape(1) == n_rows() / 64 + 1,
            "goes_left must have two rows per thread, a bit per example");
    require(moves.shape(0) == 2 && moves.shape(1) == n_rows(),
            "moves must have two entries per example");
    for (std::size_t k = 0; k < n_lanes; ++k)
      require(n_codes(k) > 0 && n_codes(k) <= std::int64_t{1} << bits,
              "a lane must have at least one code, and no more than fit in its bits");
    for (std::size_t f = 0; f < n_features; ++f) {
      require(static_cast<std::size_t>(lane(f)) < n_lanes, "a feature must be in one of the lanes");
      require(n_bins(f) > 0 && std::int64_t{n_bins(f)} << shift(f) <= n_codes(lane(f)),
              "a feature must have at least one bin, and no more than its lane has codes for");
      require(n_bins(f) == 1 || n_bins(f) == n_codes(lane(f)) || n_codes(lane(f)) <= kMostCodes,
              "a lane that features share must have at most 256 codes");
      require(missing(f) < 0 || missing(f) == n_bins(f) - 1,
              "the bin of missing values must be the last one of its feature");
    }
    const HistogramLayout layout(data());
    require(reduce.is_none() || layout.n == layout.n_codes(),
            "machines can sum histograms only if each feature has a lane of its own");
    require(histograms.shape(0) >= 3 &&
                histograms.shape(1) == layout.n * (rules.min_samples_leaf > 1 ? 3 : 2),
            "histograms must be 3 rows or more of all codes and bins by class (and count)");
  }
};

nb::tuple grow_tree(OutMatrix<std::uint64_t> words, int bits, In<std::int32_t> lane,
                    In<std::int32_t> shift, In<std::int32_t> n_codes,
                    OutMatrix<std::uint32_t> examples, std::size_t n_negative,
                    In<std::int32_t> n_bins, In<std::int32_t> missing, In<std::uint8_t> categorical,
                    OutMatrix<std::uint64_t> goes_left, OutMatrix<std::uint32_t> moves,
                    OutMatrix<std::int64_t> histograms, Out<std::int32_t> leaf,
                    In<std::int32_t> weights, double unit, std::int64_t max_leaf_nodes,
                    std::int64_t max_depth, std::int64_t min_samples_leaf,
                    std::int64_t max_features, bool forbid_pure, std::uint64_t seed,
                    double lightest, int n_threads, nb::object reduce, nb::object decide) {
  const Arrays arrays{words,  bits,    lane,        shift,     n_codes, examples,   n_negative,
                      n_bins, missing, categorical, goes_left, moves,   histograms, leaf};
  const GrowRules rules{min_samples_leaf, forbid_pure, max_leaf_nodes, max_depth,
                        max_features,     seed,        n_threads};
  arrays.check(rules, reduce);
  require(weights.shape(0) == arrays.n_rows(), "grow_tree: weights must have an entry per example");
  const Callbacks callbacks{make_exchange(reduce), make_exchange(decide), make_poll()};
  const Binned data = arrays.data();
  std::vector<GrownNode> nodes;
  {
    nb::gil_scoped_release release;
    Grower(data, arrays.space(), rules, callbacks).grow(weights.data(), unit, lightest, nodes);
  }
  std::vector<NodeRecord> records;
  std::vector<std::uint8_t> left_bins;
  append_nodes(nodes, records, left_bins);
  return nb::make_tuple(to_array(std::move(records)), to_array(std::move(left_bins)),
                        lightest_share(nodes));
}

nb::tuple boost_trees(OutMatrix<std::uint64_t> words, int bits, In<std::int32_t> lane,
                      In<std::int32_t> shift, In<std::int32_t> n_codes,
                      OutMatrix<std::uint32_t> examples, std::size_t n_negative,
                      In<std::int32_t> n_bins, In<std::int32_t> missing,
                      In<std::uint8_t> categorical, OutMatrix<std::uint64_t> goes_left,
                      OutMatrix<std::uint32_t> moves, OutMatrix<std::int64_t> histograms,
                      Out<std::int32_t> leaf, In<double> amount, Out<std::int32_t> weights,
                      Out<double> odds, std::size_t n_rounds, std::size_t most_nodes,
                      std::int64_t max_leaf_nodes, std::int64_t max_depth,
                      std::int64_t min_samples_leaf, std::int64_t max_features, bool forbid_pure,
                      std::uint64_t seed, double lightest, int n_threads, double smoothing,
                      bool to_host, bool monotonic, double tolerance, double least_rest,
                      double learning_rate, double least_edge, nb::object reduce, nb::object decide,
                      nb::object common_unit) {
  const Arrays arrays{words,  bits,    lane,        shift,     n_codes, examples,   n_negative,
                      n_bins, missing, categorical, goes_left, moves,   histograms, leaf};
  const BoostRules rules{
      {min_samples_leaf, forbid_pure, max_leaf_nodes, max_depth, max_features, seed, n_threads},
      {0.0, smoothing, to_host, monotonic, tolerance, least_rest, learning_rate},
      least_edge,
      lightest,
      n_rounds,
      most_nodes};
  arrays.check(rules.grow, reduce);
  const std::size_t n = arrays.n_rows();
  require(odds.shape(0) == n && amount.shape(0) == n && weights.shape(0) == n,
          "boost_trees: odds, amount and weights must have an entry per example");
  const Callbacks callbacks{make_exchange(reduce), make_exchange(decide), make_poll()};
  const CommonUnit unit = make_common_unit(common_unit);
  BoostedTrees boosted = [&] {
    nb::gil_scoped_release release;
    return boost(arrays.data(), arrays.space(), {odds.data(), amount.data(), weights.data()}, rules,
                 callbacks, unit);
  }();
  nb::list n_nodes, edges, leverages;
  for (const std::size_t n : boosted.n_nodes) n_nodes.append(n);
  for (const Leverage& worth : boosted.worth) {
    edges.append(worth.edge);
    leverages.append(worth.leverage);
  }
  return nb::make_tuple(to_array(std::move(boosted.nodes)), to_array(std::move(boosted.left_bins)),
                        to_array(std::move(boosted.judged)), n_nodes, edges, leverages,
                        boosted.lightest, boosted.is_over);
}

}  // namespace

void bind_training(nb::module_& m) {
  m.def(
      "grow_tree", &grow_tree, "words"_a.noconvert(), "bits"_a, "lane"_a.noconvert(),
      "shift"_a.noconvert(), "n_codes"_a.noconvert(), "examples"_a.noconvert(), "n_negative"_a,
      "n_bins"_a.noconvert(), "missing"_a.noconvert(), "categorical"_a.noconvert(),
      "goes_left"_a.noconvert(), "moves"_a.noconvert(), "histograms"_a.noconvert(),
      "leaf"_a.noconvert(), "weights"_a.noconvert(), nb::kw_only(), "unit"_a, "max_leaf_nodes"_a,
      "max_depth"_a, "min_samples_leaf"_a, "max_features"_a, "forbid_pure"_a, "seed"_a,
      "lightest"_a = 0.0, "n_threads"_a, "reduce"_a.none() = nb::none(),
      "decide"_a.none() = nb::none(),
      "Grow a tree on integer weights, heaviest impure leaf first, as tests/reference/induction.py "
      "does; returns nodes, left bins and the lightest inner node's share of the weight");
  m.def(
      "boost_trees", &boost_trees, "words"_a.noconvert(), "bits"_a, "lane"_a.noconvert(),
      "shift"_a.noconvert(), "n_codes"_a.noconvert(), "examples"_a.noconvert(), "n_negative"_a,
      "n_bins"_a.noconvert(), "missing"_a.noconvert(), "categorical"_a.noconvert(),
      "goes_left"_a.noconvert(), "moves"_a.noconvert(), "histograms"_a.noconvert(),
      "leaf"_a.noconvert(), "amount"_a.noconvert(), "weights"_a.noconvert(), "odds"_a.noconvert(),
      nb::kw_only(), "n_rounds"_a, "most_nodes"_a, "max_leaf_nodes"_a, "max_depth"_a,
      "min_samples_leaf"_a, "max_features"_a, "forbid_pure"_a, "seed"_a, "lightest"_a,
      "n_threads"_a, "smoothing"_a, "to_host"_a, "monotonic"_a, "tolerance"_a, "least_rest"_a,
      "learning_rate"_a, "least_edge"_a, "reduce"_a.none(), "decide"_a.none(),
      "common_unit"_a.none(),
      "In each round: fixed_point_weights, grow_tree, judge_tree, update_odds. Returns nodes, left "
      "bins and rows of judge_tree of all trees; nodes, edge and leverage per tree; the lightest "
      "inner node's share of the weight; whether boosting is over");
}

}  // namespace horotree
