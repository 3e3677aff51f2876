#include "disk/disk.h"

#include "bind/arrays.h"

namespace horotree {

namespace nb = nanobind;

namespace {

Outline make_outline(In<std::int32_t> parent, In<double> drawn, In<double> need,
                     In<std::uint8_t> positive, Out<double> angle) {
  const std::size_t n = angle.shape(0);
  require(
      parent.shape(0) == n && drawn.shape(0) == n && need.shape(0) == n && positive.shape(0) == n,
      "outline: all five arrays must have the same length");
  for (std::size_t v = 0; v < n; ++v)
    require(parent(v) < static_cast<std::int32_t>(v) && (parent(v) >= 0 || v == 0),
            "outline: a parent must precede its children, and only the root has none");
  return {parent.data(), drawn.data(), need.data(), positive.data(), n};
}

}  // namespace

void bind_disk(nb::module_& m) {
  m.def(
      "polar_distances",
      [](In<double> a, In<double> alpha, In<double> b, In<double> beta, Out<double> out) {
        const std::size_t n = out.shape(0);
        require(a.shape(0) == n && alpha.shape(0) == n && b.shape(0) == n && beta.shape(0) == n,
                "polar_distances: all five arrays must have the same length");
        nb::gil_scoped_release release;
        polar_distances(a.data(), alpha.data(), b.data(), beta.data(), n, out.data());
      },
      "a"_a.noconvert(), "alpha"_a.noconvert(), "b"_a.noconvert(), "beta"_a.noconvert(),
      "out"_a.noconvert(),
      "out = 2 arsinh sqrt(sinh((a-b)/2)^2 + sinh(a) sinh(b) sin((alpha-beta)/2)^2)");
  m.def(
      "place_nodes",
      [](In<std::int32_t> parent, In<double> drawn, In<double> need, In<std::uint8_t> positive,
         Out<double> angle) {
        const Outline tree = make_outline(parent, drawn, need, positive, angle);
        nb::gil_scoped_release release;
        place_nodes(tree, angle.data());
      },
      "parent"_a.noconvert(), "drawn"_a.noconvert(), "need"_a.noconvert(), "positive"_a.noconvert(),
      "angle"_a.noconvert(), "angle = the exact layout; see horotree.embedding.exact");
  m.def(
      "space_nodes",
      [](In<std::int32_t> parent, In<double> drawn, In<double> need, In<std::uint8_t> positive,
         double gap, int n_tries, Out<double> angle) {
        const Outline tree = make_outline(parent, drawn, need, positive, angle);
        nb::gil_scoped_release release;
        space_nodes(tree, gap, n_tries, angle.data());
      },
      "parent"_a.noconvert(), "drawn"_a.noconvert(), "need"_a.noconvert(), "positive"_a.noconvert(),
      "gap"_a, "n_tries"_a, "angle"_a.noconvert(),
      "In place, turn nodes that are closer than gap to another, where no arcs meet; see "
      "horotree.embedding.exact");
}

}  // namespace horotree
