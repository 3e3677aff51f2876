#include "bind.h"
#include "monotonic.h"
#include "predict.h"

namespace horotree {

namespace nb = nanobind;

namespace {

// The arrays of a forest. Their lengths are checked here, the links and features they hold by the
// Python class Tree, which alone makes them.
Forest make_forest(In<std::int32_t> left, In<std::int32_t> right, In<std::int32_t> feature,
                   In<double> threshold, In<std::uint8_t> missing_left, In<std::int64_t> set_start,
                   In<std::int32_t> set_size, In<std::uint64_t> sets, In<std::int64_t> tree_start) {
  const std::size_t n = left.shape(0);
  require(right.shape(0) == n && feature.shape(0) == n && threshold.shape(0) == n &&
              missing_left.shape(0) == n && set_start.shape(0) == n && set_size.shape(0) == n,
          "forest: all node arrays must have the same length");
  require(tree_start.shape(0) > 0 &&
              tree_start(tree_start.shape(0) - 1) == static_cast<std::int64_t>(n),
          "forest: tree_start must end at the number of nodes");
  return {left.data(),         right.data(),           feature.data(),  threshold.data(),
          missing_left.data(), set_start.data(),       set_size.data(), sets.data(),
          tree_start.data(),   tree_start.shape(0) - 1};
}

}  // namespace

void bind_trees(nb::module_& m) {
  m.def(
      "score_rows",
      [](In<std::int32_t> left, In<std::int32_t> right, In<std::int32_t> feature,
         In<double> threshold, In<std::uint8_t> missing_left, In<std::int64_t> set_start,
         In<std::int32_t> set_size, In<std::uint64_t> sets, In<std::int64_t> tree_start,
         In<double> output, double base, InMatrix<double> x, int n_threads, Out<double> score) {
        const Forest forest = make_forest(left, right, feature, threshold, missing_left, set_start,
                                          set_size, sets, tree_start);
        require(output.shape(0) == left.shape(0) && score.shape(0) == x.shape(0),
                "score_rows: output must have a value a node, score one a row");
        nb::gil_scoped_release release;
        score_rows(forest, output.data(), base, x.data(), x.shape(0), x.shape(1), score.data(),
                   n_threads);
      },
      nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("feature").noconvert(),
      nb::arg("threshold").noconvert(), nb::arg("missing_left").noconvert(),
      nb::arg("set_start").noconvert(), nb::arg("set_size").noconvert(),
      nb::arg("sets").noconvert(), nb::arg("tree_start").noconvert(), nb::arg("output").noconvert(),
      nb::arg("base"), nb::arg("x").noconvert(), nb::arg("n_threads"), nb::arg("score").noconvert(),
      "score = base + sum over trees of output[leaf]; the trees in order, the rows in threads");
  m.def(
      "find_leaves",
      [](In<std::int32_t> left, In<std::int32_t> right, In<std::int32_t> feature,
         In<double> threshold, In<std::uint8_t> missing_left, In<std::int64_t> set_start,
         In<std::int32_t> set_size, In<std::uint64_t> sets, In<std::int64_t> tree_start,
         InMatrix<double> x, int n_threads, OutMatrix<std::int32_t> leaf) {
        const Forest forest = make_forest(left, right, feature, threshold, missing_left, set_start,
                                          set_size, sets, tree_start);
        require(leaf.shape(0) == x.shape(0) && leaf.shape(1) == forest.n_trees,
                "find_leaves: leaf must have a row a row of x, a column a tree");
        nb::gil_scoped_release release;
        find_leaves(forest, x.data(), x.shape(0), x.shape(1), leaf.data(), n_threads);
      },
      nb::arg("left").noconvert(), nb::arg("right").noconvert(), nb::arg("feature").noconvert(),
      nb::arg("threshold").noconvert(), nb::arg("missing_left").noconvert(),
      nb::arg("set_start").noconvert(), nb::arg("set_size").noconvert(),
      nb::arg("sets").noconvert(), nb::arg("tree_start").noconvert(), nb::arg("x").noconvert(),
      nb::arg("n_threads"), nb::arg("leaf").noconvert(),
      "leaf[i, j] = the node of tree j in which row i ends");
  m.def(
      "monotonic_hosts",
      [](In<std::int32_t> parent, In<double> confidence, double tolerance, Out<std::int32_t> host) {
        const std::size_t n = host.shape(0);
        require(parent.shape(0) == n && confidence.shape(0) == n,
                "monotonic_hosts: all three arrays must have the same length");
        for (std::size_t v = 0; v < n; ++v)
          require(parent(v) < static_cast<std::int32_t>(v),
                  "monotonic_hosts: a parent must precede its children");
        nb::gil_scoped_release release;
        monotonic_hosts(parent.data(), confidence.data(), n, tolerance, host.data());
      },
      nb::arg("parent").noconvert(), nb::arg("confidence").noconvert(), nb::arg("tolerance"),
      nb::arg("host").noconvert(),
      "in order of v, with h = host[parent[v]]: host[v] = v if the root or confidence[v] > "
      "confidence[h] * (1 + tolerance) else h");
}

}  // namespace horotree
