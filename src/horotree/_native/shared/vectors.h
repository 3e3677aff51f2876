// Functions compiled for several kinds of processors; the best is chosen when the library is
// loaded.
#pragma once

#include <cstdint>  // defines __GLIBC__ where that is the C library
#include <cstring>

// This needs GCC 12, which knows these processor levels, and the dynamic loader of the GNU C
// library. Elsewhere one version for all machines is used. Results are equal: no version fuses or
// reorders arithmetic.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__)
#define HOROTREE_VECTORS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
// Marks hand-written AVX-512, where compilers do not turn comparisons into bit masks.
#define HOROTREE_V4 __attribute__((target("arch=x86-64-v4")))
#include <immintrin.h>
#else
#define HOROTREE_VECTORS
#endif

namespace horotree {

// Non-negative doubles have the order of their bits as integers. Compilers vectorize a maximum of
// integers, but not of doubles, because of NaN.
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
