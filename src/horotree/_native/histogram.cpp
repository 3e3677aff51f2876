#include "histogram.h"

#include <algorithm>

#include "threads.h"

namespace horotree {

namespace {

// Below this many additions, waking a thread costs more than it saves.
constexpr std::size_t kParallel = 1 << 15;

template <int Bits, int Lanes, class Amount>
void add_lanes(const std::uint64_t* words, Amount amount, std::size_t begin, std::size_t end,
               std::int64_t* const* bins) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << Bits) - 1;
  std::int64_t* lane[Lanes];
  for (int k = 0; k < Lanes; ++k) lane[k] = bins[k];
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t word = words[i];
    const std::int64_t w = amount(i);
    for (int k = 0; k < Lanes; ++k) lane[k][(word >> (Bits * k)) & mask] += w;
  }
}

// The number of lanes in use is a template argument, so that the inner loop unrolls.
template <int Bits, int Lanes, class Amount>
void add(int lanes, const std::uint64_t* words, Amount amount, std::size_t begin, std::size_t end,
         std::int64_t* const* bins) {
  if (lanes == Lanes) return add_lanes<Bits, Lanes>(words, amount, begin, end, bins);
  if constexpr (Lanes > 1) add<Bits, Lanes - 1>(lanes, words, amount, begin, end, bins);
}

template <class Amount>
void add(const Binned& data, int lanes, const std::uint64_t* words, Amount amount,
         std::size_t begin, std::size_t end, std::int64_t* const* bins) {
  if (data.bits == 8) return add<8, 8>(lanes, words, amount, begin, end, bins);
  if (data.bits == 16) return add<16, 4>(lanes, words, amount, begin, end, bins);
  add<32, 2>(lanes, words, amount, begin, end, bins);
}

}  // namespace

namespace {

// The part of a range that is one of n blocks.
Range part_of(Range range, std::size_t block, std::size_t n_blocks) {
  return {range.begin + range.size() * block / n_blocks,
          range.begin + range.size() * (block + 1) / n_blocks};
}

void fill_group(const Binned& data, const Places& places, Rows rows, std::size_t g,
                const std::vector<std::size_t>& start, Histogram out) {
  const auto weight = [&](std::size_t i) { return std::int64_t{places.weights[i]}; };
  const auto one = [](std::size_t) { return std::int64_t{1}; };
  const std::size_t first = g * data.lanes();
  const int lanes = static_cast<int>(std::min<std::size_t>(data.lanes(), data.n_features - first));
  const std::uint64_t* group = places.words + g * data.n_rows;
  const auto run = [&](std::int64_t* bins, auto amount, Range range) {
    std::int64_t* lane[8] = {};
    for (int k = 0; k < lanes; ++k) lane[k] = bins + start[first + k];
    add(data, lanes, group, amount, range.begin, range.end, lane);
  };
  const auto clear = [&](std::int64_t* bins) {
    std::fill(bins + start[first], bins + start[first + lanes], 0);
  };
  clear(out.negative);
  clear(out.positive);
  run(out.negative, weight, rows.negative);
  run(out.positive, weight, rows.positive);
  if (!out.count) return;
  clear(out.count);
  run(out.count, one, rows.negative);
  run(out.count, one, rows.positive);
}

}  // namespace

void build_histogram(const Binned& data, const Places& places, Rows rows,
                     const std::vector<std::size_t>& start, Histogram out,
                     std::vector<std::int64_t>& scratch, int n_threads) {
  const std::size_t n_bins = start.back(), n_threads_used = static_cast<std::size_t>(n_threads);
  const bool small = rows.size() * data.n_features < kParallel || n_threads < 2;
  // Two tasks a thread even out; adding up the blocks must not cost more than they save.
  const bool narrow = data.n_groups < 2 * n_threads_used && rows.size() > 8 * n_bins;
  const std::size_t n_blocks =
      small || !narrow ? 1 : (2 * n_threads_used + data.n_groups - 1) / data.n_groups;
  const std::size_t size = n_bins * (out.count ? 3 : 2);
  scratch.resize(std::max(scratch.size(), (n_blocks - 1) * size));
  const auto of_block = [&](std::size_t block) {
    if (block == 0) return out;
    std::int64_t* own = scratch.data() + (block - 1) * size;
    return Histogram{own, own + n_bins, out.count ? own + 2 * n_bins : nullptr};
  };
  parallel_for(data.n_groups * n_blocks, small ? 1 : n_threads, [&](std::size_t task) {
    const std::size_t g = task / n_blocks, block = task % n_blocks;
    const Rows own{part_of(rows.negative, block, n_blocks),
                   part_of(rows.positive, block, n_blocks)};
    fill_group(data, places, own, g, start, of_block(block));
  });
  for (std::size_t block = 1; block < n_blocks; ++block) {
    const Histogram own = of_block(block);
    for (std::size_t b = 0; b < n_bins; ++b) {
      out.negative[b] += own.negative[b];
      out.positive[b] += own.positive[b];
      if (out.count) out.count[b] += own.count[b];
    }
  }
}

}  // namespace horotree
