#include "sharing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace horotree {

namespace {

// With fewer rows there is no block for a thread.
constexpr std::size_t kRowsABlock = 1 << 12;

}  // namespace

std::vector<std::size_t> first_bins(const Binned& data) {
  std::vector<std::size_t> start(data.n_features + 1, 0);
  std::partial_sum(data.n_bins, data.n_bins + data.n_features, start.begin() + 1);
  return start;
}

std::vector<std::size_t> share_features(const Binned& data, int n_threads) {
  const std::size_t n = data.n_features, n_shares = std::min<std::size_t>(n_threads, n);
  // In units of a bin: what a node's feature takes to scan, and some rows of it to fill; of many
  // rows, threads share blocks instead.
  const double rows = static_cast<double>(std::min(data.n_rows, kRowsABlock)) / 256.0;
  std::vector<double> cost(n + 1, 0.0);
  for (std::size_t f = 0; f < n; ++f) cost[f + 1] = cost[f] + data.n_bins[f] + 32.0 + rows;
  std::vector<std::size_t> first{0};
  for (std::size_t k = 1; k < n_shares; ++k) {
    const double wanted = cost[n] * static_cast<double>(k) / static_cast<double>(n_shares);
    std::size_t nearest = first.back() + 1;  // one each at least
    while (nearest < n - (n_shares - k) &&
           std::fabs(cost[nearest + 1] - wanted) < std::fabs(cost[nearest] - wanted))
      ++nearest;
    first.push_back(nearest);
  }
  first.push_back(n);
  return first;
}

std::vector<Rows> share_rows(const Binned& data, std::size_t n_negative, int n_threads) {
  const std::size_t n_blocks =
      std::clamp<std::size_t>(data.n_rows / kRowsABlock, 1, static_cast<std::size_t>(n_threads));
  std::vector<Rows> blocks;
  for (std::size_t k = 0; k < n_blocks; ++k)
    blocks.push_back(
        {part_of({0, n_negative}, k, n_blocks), part_of({n_negative, data.n_rows}, k, n_blocks)});
  return blocks;
}

}  // namespace horotree
