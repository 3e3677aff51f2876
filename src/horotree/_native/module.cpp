// The only place where C++ meets Python: names, array types, sizes. The kernels know neither.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "polar.h"

namespace nb = nanobind;

namespace {

using In = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void polar_distances(In a, In alpha, In b, In beta, Out out) {
  const std::size_t n = out.shape(0);
  if (a.shape(0) != n || alpha.shape(0) != n || b.shape(0) != n || beta.shape(0) != n)
    throw nb::value_error("polar_distances: all five arrays must have the same length");
  nb::gil_scoped_release release;
  horotree::polar_distances(a.data(), alpha.data(), b.data(), beta.data(), n, out.data());
}

}  // namespace

NB_MODULE(_core, m) {
  m.def("polar_distances", &polar_distances, nb::arg("a"), nb::arg("alpha"), nb::arg("b"),
        nb::arg("beta"), nb::arg("out"),
        "out = 2 arsinh sqrt(sinh((a-b)/2)^2 + sinh(a) sinh(b) sin((alpha-beta)/2)^2)");
}
