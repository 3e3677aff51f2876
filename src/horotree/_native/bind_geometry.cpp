#include "bind.h"
#include "polar.h"

namespace horotree {

namespace nb = nanobind;

void bind_geometry(nb::module_& m) {
  m.def(
      "polar_distances",
      [](In<double> a, In<double> alpha, In<double> b, In<double> beta, Out<double> out) {
        const std::size_t n = out.shape(0);
        require(a.shape(0) == n && alpha.shape(0) == n && b.shape(0) == n && beta.shape(0) == n,
                "polar_distances: all five arrays must have the same length");
        nb::gil_scoped_release release;
        polar_distances(a.data(), alpha.data(), b.data(), beta.data(), n, out.data());
      },
      nb::arg("a").noconvert(), nb::arg("alpha").noconvert(), nb::arg("b").noconvert(),
      nb::arg("beta").noconvert(), nb::arg("out").noconvert(),
      "out = 2 arsinh sqrt(sinh((a-b)/2)^2 + sinh(a) sinh(b) sin((alpha-beta)/2)^2)");
}

}  // namespace horotree
