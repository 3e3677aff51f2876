#include "binning.h"

#include <algorithm>
#include <cmath>

#include "threads.h"

namespace horotree {

namespace {

constexpr std::size_t kBlock = 4096;       // rows a task
constexpr std::size_t kBetweenPolls = 64;  // tasks: some tens of milliseconds

// The number of cuts below x, without a branch to mispredict.
std::uint64_t count_below(const double* cuts, std::int64_t n, double x) {
  if (n == 0) return 0;
  const double* base = cuts;
  while (n > 1) {
    const std::int64_t half = n / 2;
    base += (base[half - 1] < x) ? half : 0;
    n -= half;
  }
  return static_cast<std::uint64_t>(base - cuts) + (*base < x);
}

std::uint64_t bin_of(double x, std::size_t feature, const Cuts& cuts) {
  if (std::isnan(x)) return static_cast<std::uint64_t>(cuts.missing[feature]);
  if (cuts.categorical[feature]) return static_cast<std::uint64_t>(x);
  const std::int64_t start = cuts.start[feature];
  return count_below(cuts.values + start, cuts.start[feature + 1] - start, x);
}

}  // namespace

void pack_bins(const double* x, std::size_t n_rows, std::size_t n_features,
               const std::uint32_t* order, const Cuts& cuts, int bits, std::uint64_t* words,
               int n_threads, const std::function<void()>& poll) {
  const std::size_t lanes = 64 / bits;
  const std::size_t n_groups = (n_features + lanes - 1) / lanes;
  const std::size_t n_blocks = (n_rows + kBlock - 1) / kBlock;
  const std::size_t n_tasks = n_groups * n_blocks;
  const auto pack = [&](std::size_t task) {
    const std::size_t g = task / n_blocks, block = task % n_blocks;
    const std::size_t first = g * lanes, last = std::min(first + lanes, n_features);
    const std::size_t end = std::min((block + 1) * kBlock, n_rows);
    for (std::size_t i = block * kBlock; i < end; ++i) {
      const double* row = x + static_cast<std::size_t>(order[i]) * n_features;
      std::uint64_t word = 0;
      for (std::size_t f = first; f < last; ++f)
        word |= bin_of(row[f], f, cuts) << (bits * (f - first));
      words[g * n_rows + i] = word;
    }
  };
  for (std::size_t done = 0; done < n_tasks; done += kBetweenPolls) {
    poll();
    const std::size_t n = std::min(kBetweenPolls, n_tasks - done);
    parallel_for(n, n_threads, [&](std::size_t task) { pack(done + task); });
  }
}

}  // namespace horotree
