#include "binning/sorting.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "shared/bits.h"
#include "shared/vectors.h"
#include "threads/pool.h"

namespace horotree {

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52;

// Long columns use longer, and so fewer, digits: more counters pay off.
constexpr std::size_t kLong = 1 << 12;
constexpr int kBits = 8, kBitsOfLong = 11;
constexpr int kMostDigits = 64 / kBits;

// Keys are integers in the order of the numbers: negative numbers first, their bits inverted.
inline std::uint64_t key_of_bits(std::uint64_t bits) { return bits & kSign ? ~bits : bits | kSign; }
inline std::uint64_t bits_of_key(std::uint64_t key) { return key & kSign ? key & ~kSign : ~key; }

// Equality of the numbers: 0.0 equals -0.0.
inline bool are_equal(std::uint64_t a, std::uint64_t b) {
  return a == b || ((a | b) & ~kSign) == 0;
}

// The digits in which keys differ, from the least significant one on: where each begins.
struct Digits {
  Digits(std::uint64_t differs, int n_bits) : mask((std::uint64_t{1} << n_bits) - 1) {
    while (differs != 0) {
      const int first = lowest_bit(differs);
      begin[n++] = first;
      if (first + n_bits >= 64) break;
      differs = differs >> (first + n_bits) << (first + n_bits);
    }
  }
  std::size_t operator()(std::uint64_t key, int k) const { return (key >> begin[k]) & mask; }

  std::uint64_t mask;
  std::array<int, kMostDigits> begin{};
  int n = 0;
};

// Before sorting, a column is tested for at most kVeryFew distinct values, kStrip rows at a time.
constexpr int kVeryFew = 4;
constexpr std::size_t kStrip = 256;

// Is any key not among the four found?
HOROTREE_VECTORS
bool has_others(const std::uint64_t* keys, std::size_t n, const std::uint64_t* found) {
  const std::uint64_t a = found[0], b = found[1], c = found[2], d = found[3];
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t key = keys[i];
    const bool is_found = (key == a) | (key == b) | (key == c) | (key == d);
    others |= static_cast<std::uint64_t>(!is_found);
  }
  return others != 0;
}

class Sorter {
 public:
  Sorter(std::size_t n, std::int64_t few)
      : few_(few),
        n_bits_(n < kLong ? kBits : kBitsOfLong),
        n_values_(std::size_t{1} << n_bits_),
        space_(n),
        counts_(kMostDigits * n_values_) {}

  SortedColumn operator()(std::uint64_t* column) {
    const std::size_t n = take_known(column);
    if (n == 0) return {0, 0};
    if (const std::size_t n_found = find_distinct(column, n))
      return {static_cast<std::int64_t>(n), keep_distinct(column, n_found)};
    sort_keys(column, n);
    const std::int64_t n_distinct = write_back(column, n);
    if (n_distinct <= few_) leave_distinct(column, n);
    return {static_cast<std::int64_t>(n), n_distinct};
  }

 private:
  // Move the keys of non-missing values to the front, and note in which bits they differ.
  std::size_t take_known(std::uint64_t* column) {
    std::size_t n = 0;
    std::uint64_t any = 0, all = ~std::uint64_t{0};
    for (std::size_t i = 0; i < space_.size(); ++i) {
      const std::uint64_t bits = column[i], key = key_of_bits(bits);
      if ((bits & ~kSign) > kInfinity) continue;
      column[n++] = key;
      any |= key;
      all &= key;
    }
    differs_ = any ^ all;
    return n;
  }

  // Find the distinct keys and how many there are, if very few, as in a 0/1 column: then nothing is
  // sorted. Returns 0 if there are more.
  std::size_t find_distinct(const std::uint64_t* keys, std::size_t n) {
    if (few_ < kVeryFew) return 0;
    std::fill_n(found_, kVeryFew, keys[0]);
    std::size_t n_found = 1;
    for (std::size_t begin = 0; begin < n; begin += kStrip) {
      const std::size_t end = std::min(begin + kStrip, n);
      while (has_others(keys + begin, end - begin, found_)) {
        if (n_found == kVeryFew) return 0;
        found_[n_found++] = *std::find_if(keys + begin, keys + end, [&](std::uint64_t key) {
          return std::find(found_, found_ + n_found, key) == found_ + n_found;
        });
      }
    }
    return n_found;
  }

  // Write the distinct numbers to the front, sorted; returns how many.
  std::int64_t keep_distinct(std::uint64_t* column, std::size_t n_found) {
    std::sort(found_, found_ + n_found);
    std::transform(found_, found_ + n_found, column, bits_of_key);
    return std::unique(column, column + n_found, are_equal) - column;
  }

  // Radix sort from the least significant digit: each pass keeps the order of those before it.
  void sort_keys(std::uint64_t* keys, std::size_t n) {
    const Digits digits(differs_, n_bits_);
    std::fill_n(counts_.begin(), digits.n * n_values_, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (int k = 0; k < digits.n; ++k) ++counts_[k * n_values_ + digits(keys[i], k)];
    std::uint64_t *from = keys, *to = space_.data();
    for (int k = 0; k < digits.n; ++k) {
      std::uint32_t* const next = counts_.data() + k * n_values_;
      std::uint32_t sum = 0;
      for (std::size_t value = 0; value < n_values_; ++value)
        sum += std::exchange(next[value], sum);
      for (std::size_t i = 0; i < n; ++i) to[next[digits(from[i], k)]++] = from[i];
      std::swap(from, to);
    }
    if (from != keys) std::copy(from, from + n, keys);
  }

  // Turn keys into numbers again; returns how many are distinct.
  static std::int64_t write_back(std::uint64_t* keys, std::size_t n) {
    std::int64_t n_distinct = 1;
    keys[0] = bits_of_key(keys[0]);
    for (std::size_t i = 1; i < n; ++i) {
      keys[i] = bits_of_key(keys[i]);
      n_distinct += !are_equal(keys[i], keys[i - 1]);
    }
    return n_distinct;
  }

  // Move one of each run of equal numbers to the front. Few distinct numbers make long runs, so
  // their ends are found by doubling steps.
  static void leave_distinct(std::uint64_t* sorted, std::size_t n) {
    for (std::size_t i = 0, k = 0; i < n; ++k) {
      const std::uint64_t own = sorted[i];
      std::size_t step = 1;
      while (i + step < n && are_equal(sorted[i + step], own)) step *= 2;
      i = static_cast<std::size_t>(
          std::partition_point(sorted + i + step / 2, sorted + std::min(i + step, n),
                               [&](std::uint64_t other) { return are_equal(other, own); }) -
          sorted);
      sorted[k] = own;
    }
  }

  const std::int64_t few_;
  const int n_bits_;
  const std::size_t n_values_;
  std::vector<std::uint64_t> space_;
  std::vector<std::uint32_t> counts_;
  std::uint64_t differs_ = 0;
  std::uint64_t found_[kVeryFew];
};

}  // namespace

void sort_columns(std::uint64_t* bits, std::size_t n_columns, std::size_t n, std::int64_t few,
                  SortedColumn* counts, int n_threads, const std::function<void()>& poll) {
  std::atomic<std::size_t> next{0};
  const std::size_t n_workers = std::min(n_columns, static_cast<std::size_t>(n_threads));
  parallel_for(n_workers, n_threads, [&](std::size_t worker) {
    Sorter sort(n, few);
    for (std::size_t c = next++; c < n_columns; c = next++) {
      if (worker == 0) poll();
      counts[c] = sort(bits + c * n);
    }
  });
}

}  // namespace horotree
