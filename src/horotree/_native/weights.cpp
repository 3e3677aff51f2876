#include "weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "threads.h"
#include "vectors.h"

namespace horotree {

namespace {

constexpr std::size_t kBlock = 1 << 11;  // rows a task

template <class Task>
void for_blocks(std::size_t n, int n_threads, const Task& task) {
  parallel_for((n + kBlock - 1) / kBlock, n_threads,
               [&](std::size_t block) { task(block * kBlock, std::min(n, (block + 1) * kBlock)); });
}

inline double weight(double odds, double amount) {
  return amount / (1.0 + 1.0 / odds);  // 1/0 = inf gives 0; odds of inf give the whole amount
}

HOROTREE_VECTORS
double largest_weight(const double* odds, const double* amount, std::size_t begin,
                      std::size_t end) {
  std::int64_t top = 0, differs = 0;
  for (std::size_t i = begin; i < end; ++i) {
    top = std::max(top, as_integer(odds[i]));
    differs |= static_cast<std::int64_t>(amount[i] != amount[begin]);
  }
  // The weight grows with the odds, rounded or not: most often one division is enough.
  if (!differs) return weight(as_number(top), amount[begin]);
  top = 0;
  for (std::size_t i = begin; i < end; ++i)
    top = std::max(top, as_integer(weight(odds[i], amount[i])));
  return as_number(top);
}

HOROTREE_VECTORS
void round_weights(const double* odds, const double* amount, std::size_t begin, std::size_t end,
                   double scale, std::int32_t* out) {
  for (std::size_t i = begin; i < end; ++i)  // none is negative: to cut off is to round down
    out[i] = static_cast<std::int32_t>(weight(odds[i], amount[i]) * scale + 0.5);
}

// Odds of 0 or infinity could never change again. At these ends the weight is 0 or 1 to the last
// bit all the same.
inline double saturate(double odds) { return std::min(std::max(odds, 1e-300), 1e300); }

// A function of its own: what a task reaches through another thread's stack is looked up again for
// each row.
HOROTREE_VECTORS
void multiply(double* odds, const std::int32_t* leaf, const double* factor, std::size_t begin,
              std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) odds[i] = saturate(odds[i] * factor[leaf[i]]);
}

}  // namespace

void update_odds(double* odds, const std::int32_t* leaf, std::size_t n, std::size_t n_negative,
                 const double* negative_factor, const double* positive_factor, int n_threads,
                 const std::function<void()>& meanwhile) {
  const std::size_t n_blocks = (n + kBlock - 1) / kBlock;
  parallel_for(1 + n_blocks, n_threads, [&](std::size_t task) {
    if (task == 0) {
      if (meanwhile) meanwhile();
      return;
    }
    const std::size_t begin = (task - 1) * kBlock, end = std::min(n, task * kBlock);
    const std::size_t middle = std::min(std::max(begin, n_negative), end);
    multiply(odds, leaf, negative_factor, begin, middle);
    multiply(odds, leaf, positive_factor, middle, end);
  });
}

double fixed_point_weights(const double* odds, const double* amount, std::size_t n,
                           double least_unit, std::int32_t* out, int n_threads) {
  std::vector<double> top(n / kBlock + 1, 0.0);
  for_blocks(n, n_threads, [&](std::size_t begin, std::size_t end) {
    top[begin / kBlock] = largest_weight(odds, amount, begin, end);
  });
  const double largest = *std::max_element(top.begin(), top.end());
  if (largest == 0.0) {
    std::fill(out, out + n, 0);
    return 0.0;
  }
  int exponent;
  std::frexp(largest, &exponent);       // largest < 2^exponent
  exponent = std::max(exponent, -990);  // 2^(30 - exponent) must be a number
  const double unit = std::max(std::ldexp(1.0, exponent - 30), least_unit);
  const double scale = 1.0 / unit;  // a power of 2, too
  for_blocks(n, n_threads, [&](std::size_t begin, std::size_t end) {
    round_weights(odds, amount, begin, end, scale, out);
  });
  return unit;
}

}  // namespace horotree
