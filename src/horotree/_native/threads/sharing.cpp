#include "threads/sharing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace horotree {

namespace {

// The least rows per block.
constexpr std::size_t kRowsABlock = 1 << 12;

// Move one lane from the share of higher cost to the other, if that makes them more equal.
void level(std::vector<std::int32_t>& a, std::vector<std::int32_t>& b,
           const std::vector<double>& cost) {
  const auto sum = [&](const std::vector<std::int32_t>& features) {
    double sum = 0.0;
    for (const std::int32_t f : features) sum += cost[f];
    return sum;
  };
  std::vector<std::int32_t>&from = sum(a) > sum(b) ? a : b, &to = &from == &a ? b : a;
  const double more = sum(from) - sum(to);
  const auto left = [&](std::int32_t f) { return std::fabs(more - 2.0 * cost[f]); };
  const auto best = std::min_element(
      from.begin(), from.end(), [&](std::int32_t f, std::int32_t g) { return left(f) < left(g); });
  if (from.size() < 2 || left(*best) >= more) return;
  to.insert(std::lower_bound(to.begin(), to.end(), *best), *best);
  from.erase(best);
}

}  // namespace

std::vector<std::vector<std::int32_t>> share_lanes(const Binned& data, int n_threads) {
  const std::size_t n = data.n_lanes, n_shares = std::min<std::size_t>(n_threads, n);
  // The cost of a lane, in units of a bin: scanning its codes and its features, and counting some
  // rows. With many rows, threads share blocks of rows instead.
  const double rows = static_cast<double>(std::min(data.n_rows, kRowsABlock)) / 256.0;
  std::vector<double> cost;
  for (std::size_t lane = 0; lane < n; ++lane) cost.push_back(data.n_codes[lane] + rows);
  for (std::size_t f = 0; f < data.n_features; ++f) cost[data.lane[f]] += 32.0;
  const double all = std::accumulate(cost.begin(), cost.end(), 0.0);
  std::vector<std::vector<std::int32_t>> shares(n_shares);
  double sum = 0.0;
  for (std::size_t f = 0, k = 0; f < n; sum += cost[f++]) {
    // Start the next share if more than half of this lane would exceed the current one's part; each
    // share gets at least one lane.
    const double wanted = all * static_cast<double>(k + 1) / static_cast<double>(n_shares);
    const bool is_next = !shares[k].empty() && sum + 0.5 * cost[f] > wanted;
    if (k + 1 < n_shares && (is_next || n - f < n_shares - k)) ++k;
    shares[k].push_back(static_cast<std::int32_t>(f));
  }
  for (std::size_t k = 1; k < n_shares; ++k) level(shares[k - 1], shares[k], cost);
  return shares;
}

std::vector<std::vector<std::int32_t>> share_features(
    const Binned& data, const std::vector<std::vector<std::int32_t>>& lanes) {
  std::vector<std::size_t> owner(data.n_lanes);
  for (std::size_t k = 0; k < lanes.size(); ++k)
    for (const std::int32_t lane : lanes[k]) owner[lane] = k;
  std::vector<std::vector<std::int32_t>> features(lanes.size());
  for (std::size_t f = 0; f < data.n_features; ++f)
    features[owner[data.lane[f]]].push_back(static_cast<std::int32_t>(f));
  return features;
}

std::vector<Rows> share_rows(std::size_t n_rows, std::size_t n_negative, int n_threads) {
  const auto most = static_cast<std::size_t>(std::max(n_threads, 1));
  const std::size_t n_blocks = std::clamp<std::size_t>(n_rows / kRowsABlock, 1, most);
  std::vector<Rows> blocks;
  for (std::size_t k = 0; k < n_blocks; ++k)
    blocks.push_back(part_of({{0, n_negative}, {n_negative, n_rows}}, k, n_blocks));
  return blocks;
}

}  // namespace horotree
