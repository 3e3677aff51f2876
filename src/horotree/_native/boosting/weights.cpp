#include "boosting/weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "shared/vectors.h"
#include "threads/sharing.h"

namespace horotree {

namespace {

constexpr std::size_t kRowsATask = 1 << 11;

inline double weight(double odds, double amount) {
  return amount / (1.0 + 1.0 / odds);  // 1/0 = inf gives 0; infinite odds give the whole amount
}

HOROTREE_VECTORS
double largest_weight(const double* odds, const double* amount, Range rows) {
  if (rows.size() == 0) return 0.0;
  std::int64_t top = 0, differs = 0;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    top = std::max(top, as_integer(odds[i]));
    differs |= static_cast<std::int64_t>(amount[i] != amount[rows.begin]);
  }
  // The rounded weight does not decrease with the odds: if all amounts are equal, one division is
  // enough.
  if (!differs) return weight(as_number(top), amount[rows.begin]);
  top = 0;
  for (std::size_t i = rows.begin; i < rows.end; ++i)
    top = std::max(top, as_integer(weight(odds[i], amount[i])));
  return as_number(top);
}

HOROTREE_VECTORS
void round_weights(const double* odds, const double* amount, Range rows, double scale,
                   std::int32_t* out) {
  // Weights are not negative, so truncation rounds down.
  for (std::size_t i = rows.begin; i < rows.end; ++i)
    out[i] = static_cast<std::int32_t>(weight(odds[i], amount[i]) * scale + 0.5);
}

// Odds of 0 or infinity could never change again. At these limits the weight already is 0 or the
// whole amount to the last bit.
inline double saturate(double odds) { return std::min(std::max(odds, 1e-300), 1e300); }

// A function, not a lambda: variables captured from another thread's stack would be loaded again
// for each row.
HOROTREE_VECTORS
void multiply(double* odds, const std::int32_t* leaf, const double* factor, Range rows) {
  for (std::size_t i = rows.begin; i < rows.end; ++i) odds[i] = saturate(odds[i] * factor[leaf[i]]);
}

}  // namespace

void update_odds(double* odds, const std::int32_t* leaf, const std::vector<Rows>& blocks,
                 const double* negative_factor, const double* positive_factor, int n_threads,
                 const std::function<void()>& meanwhile) {
  for_rows(blocks, kRowsATask, n_threads, [&](const Rows& rows, std::size_t task) {
    if (task == 0 && meanwhile) meanwhile();
    multiply(odds, leaf, negative_factor, rows.negative);
    multiply(odds, leaf, positive_factor, rows.positive);
  });
}

double fixed_point_weights(const double* odds, const double* amount,
                           const std::vector<Rows>& blocks, double least_unit, std::int32_t* out,
                           int n_threads) {
  std::vector<double> top(count_tasks(blocks, kRowsATask));
  for_rows(blocks, kRowsATask, n_threads, [&](const Rows& rows, std::size_t task) {
    top[task] = std::max(largest_weight(odds, amount, rows.negative),
                         largest_weight(odds, amount, rows.positive));
  });
  const double largest = *std::max_element(top.begin(), top.end());
  int exponent;
  std::frexp(largest, &exponent);       // largest < 2^exponent
  exponent = std::max(exponent, -990);  // 2^(30 - exponent) must be a number
  const double unit = std::max(std::ldexp(1.0, exponent - 30), least_unit);
  const double scale = 1.0 / unit;  // a power of 2
  for_rows(blocks, kRowsATask, n_threads, [&](const Rows& rows, std::size_t) {
    round_weights(odds, amount, rows.negative, scale, out);
    round_weights(odds, amount, rows.positive, scale, out);
  });
  return largest > 0.0 ? unit : 0.0;
}

}  // namespace horotree
