// Operations on the bits of a word.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// The index of the lowest set bit; `set` is not 0.
inline int lowest_bit(std::uint64_t set) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_ctzll(set);
#else
  int k = 0;
  while (!(set >> k & 1)) ++k;
  return k;
#endif
}

inline std::size_t count_bits(std::uint64_t set) {
#if defined(__GNUC__) || defined(__clang__)
  return static_cast<std::size_t>(__builtin_popcountll(set));
#else
  std::size_t n = 0;
  for (; set != 0; set &= set - 1) ++n;
  return n;
#endif
}

}  // namespace horotree
