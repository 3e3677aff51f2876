// How numbers and sets of codes are compared, in packing and in walking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace horotree {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

// An integer in the order of the numbers; 0.0 and -0.0 have one key.
inline std::int64_t key_of(double x, std::int64_t missing) {
  const double one_zero = x + 0.0;
  std::int64_t bits;
  std::memcpy(&bits, &one_zero, sizeof bits);
  const std::int64_t key = bits >= 0 ? bits : bits ^ kHighest;
  return x != x ? missing : key;
}

inline bool bit_of(const std::uint64_t* words, std::size_t place) {
  return (words[place / 64] >> (place % 64)) & 1;
}

}  // namespace horotree
