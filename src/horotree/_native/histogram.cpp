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

void build_histogram(const Binned& data, const std::uint64_t* words, const std::int32_t* weights,
                     Rows rows, const std::vector<std::size_t>& start, Histogram out,
                     int n_threads) {
  const auto weight = [weights](std::size_t i) { return std::int64_t{weights[i]}; };
  const auto one = [](std::size_t) { return std::int64_t{1}; };
  const auto fill = [&](std::size_t g) {
    const std::size_t first = g * data.lanes();
    const int lanes =
        static_cast<int>(std::min<std::size_t>(data.lanes(), data.n_features - first));
    const std::uint64_t* group = words + g * data.stride;
    const auto run = [&](std::int64_t* bins, auto amount, std::size_t begin, std::size_t end) {
      std::int64_t* lane[8];
      for (int k = 0; k < lanes; ++k) lane[k] = bins + start[first + k];
      std::fill(lane[0], bins + start[first + lanes], 0);
      add(data, lanes, group, amount, begin, end, lane);
    };
    run(out.negative, weight, rows.begin, rows.middle);
    run(out.positive, weight, rows.middle, rows.end);
    if (out.count) run(out.count, one, rows.begin, rows.end);
  };
  const bool small = rows.size() * data.n_features < kParallel;
  parallel_for(data.n_groups, small ? 1 : n_threads, fill);
}

}  // namespace horotree
