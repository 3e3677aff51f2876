#include "sorting.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace horotree {

namespace {

constexpr int kBits = 11;  // of a digit
constexpr int kDigits = (64 + kBits - 1) / kBits;
constexpr std::size_t kValues = std::size_t{1} << kBits;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

inline std::size_t digit_of(std::uint64_t key, int digit) {
  return (key >> (kBits * digit)) & (kValues - 1);
}

// Keys are in the order of the numbers: negative ones count downwards, and come first.
inline std::uint64_t key_of_bits(std::uint64_t bits) { return bits & kSign ? ~bits : bits | kSign; }
inline std::uint64_t bits_of_key(std::uint64_t key) { return key & kSign ? key & ~kSign : ~key; }

// By the last digit first: each sort keeps the order of those before it.
void sort_keys(std::uint64_t* keys, std::size_t n) {
  std::vector<std::uint32_t> counts(kDigits * kValues, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (int digit = 0; digit < kDigits; ++digit)
      ++counts[digit * kValues + digit_of(keys[i], digit)];
  const std::unique_ptr<std::uint64_t[]> space(new std::uint64_t[n]);
  std::uint64_t *from = keys, *to = space.get();
  for (int digit = 0; digit < kDigits; ++digit) {
    std::uint32_t* const next = counts.data() + digit * kValues;
    if (next[digit_of(from[0], digit)] == n) continue;  // as in most columns of whole numbers
    std::uint32_t sum = 0;
    for (std::size_t value = 0; value < kValues; ++value) sum += std::exchange(next[value], sum);
    for (std::size_t i = 0; i < n; ++i) to[next[digit_of(from[i], digit)]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::copy(from, from + n, keys);
}

}  // namespace

void sort_numbers(std::uint64_t* bits, std::size_t n) {
  std::transform(bits, bits + n, bits, key_of_bits);
  if (n > 0) sort_keys(bits, n);
  std::transform(bits, bits + n, bits, bits_of_key);
}

}  // namespace horotree
