#include <algorithm>

#include "bind/arrays.h"
#include "boosting/monotonic.h"
#include "scoring/packed_trees.h"

namespace horotree {

namespace nb = nanobind;

namespace {

PackedTrees pack_trees(In<std::int32_t> left, In<std::int32_t> right, In<std::int32_t> feature,
                       In<double> threshold, In<std::uint8_t> missing_left,
                       In<std::int64_t> set_start, In<std::int32_t> codes,
                       In<std::int64_t> tree_start) {
  const std::size_t n = left.shape(0), n_starts = tree_start.shape(0);
  require(right.shape(0) == n && feature.shape(0) == n && threshold.shape(0) == n &&
              missing_left.shape(0) == n && set_start.shape(0) == n + 1,
          "forest: all node arrays must have the same length, set_start one entry more");
  require(n_starts > 0 && tree_start(0) == 0 &&
              tree_start(n_starts - 1) == static_cast<std::int64_t>(n),
          "forest: tree_start must begin at 0 and end at the number of nodes");
  require(set_start(0) == 0 && set_start(n) == static_cast<std::int64_t>(codes.shape(0)) &&
              std::is_sorted(set_start.data(), set_start.data() + n + 1),
          "forest: set_start must increase from 0 to the number of codes");
  return PackedTrees({left.data(), right.data(), feature.data(), threshold.data(),
                      missing_left.data(), set_start.data(), codes.data(), tree_start.data(),
                      n_starts - 1});
}

}  // namespace

void bind_scoring(nb::module_& m) {
  nb::class_<PackedTrees>(m, "PackedTrees",
                          "Trees in the forms that score_rows and find_leaves use.")
      .def_prop_ro("n_features", &PackedTrees::n_features, "The least number of columns of x.");
  m.def("pack_trees", &pack_trees, "left"_a.noconvert(), "right"_a.noconvert(),
        "feature"_a.noconvert(), "threshold"_a.noconvert(), "missing_left"_a.noconvert(),
        "set_start"_a.noconvert(), "codes"_a.noconvert(), "tree_start"_a.noconvert(),
        "Pack concatenated trees for walks and scans.");
  m.def(
      "score_rows",
      [](const PackedTrees& trees, In<double> output, double base, std::size_t first,
         std::size_t last, InMatrix<double> x, int n_threads, Out<double> score) {
        require(output.shape(0) == trees.n_nodes() && score.shape(0) == x.shape(0),
                "score_rows: output must have an entry per node, score one per row");
        require(first <= last && last <= trees.n_trees(), "score_rows: no such trees");
        require(x.shape(1) >= trees.n_features(), "score_rows: x must have all features");
        nb::gil_scoped_release release;
        trees.score_rows(output.data(), base, first, last, x.data(), x.shape(0), x.shape(1),
                         score.data(), n_threads);
      },
      "trees"_a, "output"_a.noconvert(), "base"_a, "first"_a, "last"_a, "x"_a.noconvert(),
      "n_threads"_a, "score"_a.noconvert(),
      "score = base + the sum of output[leaf] over trees first .. last-1, in this order");
  m.def(
      "find_leaves",
      [](const PackedTrees& trees, std::size_t first, std::size_t last, InMatrix<double> x,
         int n_threads, OutMatrix<std::int32_t> leaf) {
        require(first <= last && last <= trees.n_trees(), "find_leaves: no such trees");
        require(leaf.shape(0) == x.shape(0) && leaf.shape(1) == last - first,
                "find_leaves: leaf must have a row per row of x, a column per tree");
        require(x.shape(1) >= trees.n_features(), "find_leaves: x must have all features");
        nb::gil_scoped_release release;
        trees.find_leaves(first, last, x.data(), x.shape(0), x.shape(1), leaf.data(), n_threads);
      },
      "trees"_a, "first"_a, "last"_a, "x"_a.noconvert(), "n_threads"_a, "leaf"_a.noconvert(),
      "leaf[i, j - first] = the leaf of row i in tree j, for trees first .. last-1");
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
      "parent"_a.noconvert(), "confidence"_a.noconvert(), "tolerance"_a, "host"_a.noconvert(),
      "For v in order, h = host[parent[v]]: host[v] = v if v is the root or confidence[v] > "
      "confidence[h] * (1 + tolerance) else h");
}

}  // namespace horotree
