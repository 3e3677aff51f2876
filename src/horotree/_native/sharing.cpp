#include "sharing.h"

#include <algorithm>
#include <numeric>

namespace horotree {

namespace {

// Threads have rows of their own if there are so many of them, in all and for each bin of each
// thread: the threads' histograms of a node must be added up.
constexpr std::size_t kManyRows = 1 << 15;
constexpr std::size_t kRowsABin = 8;

}  // namespace

std::vector<std::size_t> first_bins(const Binned& data) {
  std::vector<std::size_t> start(data.n_features + 1, 0);
  std::partial_sum(data.n_bins, data.n_bins + data.n_features, start.begin() + 1);
  return start;
}

std::vector<std::size_t> share_features(const Binned& data, int n_threads) {
  const std::size_t n = data.n_features, n_shares = std::min<std::size_t>(n_threads, n);
  // With few groups, threads share the lanes of one: each reads its words.
  const std::size_t step = data.n_groups < 4 * n_shares ? 1 : data.lanes();
  // A feature takes as long as its bins, and some of its rows.
  std::vector<double> cost(n + 1, 0.0);
  for (std::size_t f = 0; f < n; ++f)
    cost[f + 1] = cost[f] + data.n_bins[f] + static_cast<double>(data.n_rows) / 1024.0;
  std::vector<std::size_t> first{0};
  for (std::size_t f = step; f < n && first.size() < n_shares; f += step)
    if (cost[f] * n_shares >= cost[n] * first.size()) first.push_back(f);
  first.push_back(n);
  return first;
}

std::vector<Rows> share_rows(const Binned& data, std::size_t n_negative, std::size_t n_bins,
                             int n_threads) {
  // Threads that exchange rows of the same groups fetch them from each other's caches, which takes
  // longer than the work itself.
  const std::size_t n = static_cast<std::size_t>(n_threads);
  const bool many = data.n_rows >= std::max(kManyRows, kRowsABin * n_bins * n);
  const std::size_t n_blocks = data.n_groups < 2 * n && many ? n : 1;
  std::vector<Rows> blocks;
  for (std::size_t k = 0; k < n_blocks; ++k)
    blocks.push_back(
        {part_of({0, n_negative}, k, n_blocks), part_of({n_negative, data.n_rows}, k, n_blocks)});
  return blocks;
}

}  // namespace horotree
