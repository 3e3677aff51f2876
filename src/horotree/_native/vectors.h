// Functions that are compiled for several kinds of processors; the best is chosen when loading.
#pragma once

#include <cstdint>  // defines __GLIBC__ where that is the C library

// It takes GCC and the GNU C library's way to choose at load time. Elsewhere the one version for
// all machines is used. Results are the same: no version fuses or reorders.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define HOROTREE_VECTORS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define HOROTREE_VECTORS
#endif
