// What all bindings share: array types and length checks. Kernels know neither Python nor nanobind.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace horotree {

using namespace nanobind::literals;

template <class T>
using In = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Strided = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::device::cpu>;
template <class T>
using Out = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using InMatrix =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using OutMatrix =
    nanobind::ndarray<T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

// Arrays come from horotree's own Python code: a wrong length is a bug there, and must not become
// an out-of-bounds read here.
inline void require(bool condition, const char* what) {
  if (!condition) throw nanobind::value_error(what);
}

// A function that handles a pending KeyboardInterrupt, at most ten times a second.
inline std::function<void()> make_poll() {
  return [last = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  };
}

void bind_binning(nanobind::module_& m);
void bind_training(nanobind::module_& m);
void bind_boosting(nanobind::module_& m);
void bind_scoring(nanobind::module_& m);
void bind_disk(nanobind::module_& m);
void bind_numbers(nanobind::module_& m);

// Each feature must begin within one of the lanes, and the words must have just the groups needed.
inline void require_lanes(const In<std::int32_t>& lane, const In<std::int32_t>& shift,
                          std::size_t n_features, int bits, std::size_t n_groups) {
  require(bits == 8 || bits == 16 || bits == 32, "bits must be 8, 16 or 32");
  require(lane.shape(0) == n_features && shift.shape(0) == n_features,
          "lane and shift must have an entry per feature");
  std::int64_t n_needed = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    require(lane(f) >= 0 && shift(f) >= 0 && shift(f) < bits, "features must begin within a lane");
    n_needed = std::max<std::int64_t>(n_needed, lane(f) / (64 / bits) + 1);
  }
  require(n_needed == static_cast<std::int64_t>(n_groups),
          "words must have a row per group of lanes");
}

}  // namespace horotree
