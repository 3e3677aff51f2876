// Functions that are compiled for several kinds of processors; the best is chosen when loading.
#pragma once

#include <cstdint>  // defines __GLIBC__ where that is the C library
#include <cstring>

// It takes GCC 12, which knows these levels of processors, and the GNU C library's way to choose at
// load time. Elsewhere the one version for all machines is used. Results are the same: no version
// fuses or reorders.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__)
#define HOROTREE_VECTORS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
// A version by hand, where compilers do not see that a comparison makes bits.
#define HOROTREE_V4 __attribute__((target("arch=x86-64-v4")))
#include <immintrin.h>
#else
#define HOROTREE_VECTORS
#endif

namespace horotree {

// Numbers that are not negative are in the order of these integers, the maximum of which is found
// in vectors: of numbers it is not, because of NaN.
inline std::int64_t as_integer(double x) {
  std::int64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline double as_number(std::int64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace horotree
