#include "histogram.h"

#include <algorithm>

namespace horotree {

namespace {

template <int Bits, int Lanes, class Amount>
void add_lanes(const std::uint64_t* words, int shift, Amount amount, Range range,
               std::int64_t* const* bins) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << Bits) - 1;
  std::int64_t* lane[Lanes];
  for (int k = 0; k < Lanes; ++k) lane[k] = bins[k];
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::uint64_t word = words[i] >> shift;
    const std::int64_t w = amount(i);
    for (int k = 0; k < Lanes; ++k) lane[k][(word >> (Bits * k)) & mask] += w;
  }
}

// The number of lanes in use is a template argument, so that the inner loop unrolls.
template <int Bits, int Lanes, class Amount>
void add_some(int lanes, const std::uint64_t* words, int shift, Amount amount, Range range,
              std::int64_t* const* bins) {
  if (lanes == Lanes) return add_lanes<Bits, Lanes>(words, shift, amount, range, bins);
  if constexpr (Lanes > 1) add_some<Bits, Lanes - 1>(lanes, words, shift, amount, range, bins);
}

// Add the rows' amounts to the bins of some lanes of one group, the first of them shifted so far.
template <class Amount>
void add_group(int bits, int lanes, const std::uint64_t* words, int shift, Amount amount,
               Range range, std::int64_t* const* bins) {
  if (bits == 8) return add_some<8, 8>(lanes, words, shift, amount, range, bins);
  if (bits == 16) return add_some<16, 4>(lanes, words, shift, amount, range, bins);
  add_some<32, 2>(lanes, words, shift, amount, range, bins);
}

template <int Sign>
void add_signed(const Binned& data, const Places& places, Rows rows,
                const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
                Histogram out) {
  const auto weight = [&](std::size_t i) { return Sign * std::int64_t{places.weights[i]}; };
  const auto one = [](std::size_t) { return std::int64_t{Sign}; };
  const std::size_t n_lanes = data.lanes();
  for (std::size_t f = first, end; f < last; f = end) {
    const std::size_t group = f / n_lanes;
    end = std::min(last, (group + 1) * n_lanes);
    const std::uint64_t* words = places.words + group * data.n_rows;
    const int shift = static_cast<int>(f % n_lanes) * data.bits;
    const auto run = [&](std::int64_t* bins, auto amount, Range range) {
      std::int64_t* lane[8] = {};
      for (std::size_t k = f; k < end; ++k) lane[k - f] = bins + start[k];
      add_group(data.bits, static_cast<int>(end - f), words, shift, amount, range, lane);
    };
    run(out.negative, weight, rows.negative);
    run(out.positive, weight, rows.positive);
    if (!out.count) continue;
    run(out.count, one, rows.negative);
    run(out.count, one, rows.positive);
  }
}

}  // namespace

void add_rows(const Binned& data, const Places& places, Rows rows,
              const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
              Histogram out) {
  add_signed<1>(data, places, rows, start, first, last, out);
}

void remove_rows(const Binned& data, const Places& places, Rows rows,
                 const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
                 Histogram out) {
  add_signed<-1>(data, places, rows, start, first, last, out);
}

void clear(Histogram a, std::size_t first, std::size_t last) {
  for (std::int64_t* bins : {a.negative, a.positive, a.count})
    if (bins) std::fill(bins + first, bins + last, 0);
}

void add(Histogram a, Histogram b, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) a.negative[i] += b.negative[i];
  for (std::size_t i = first; i < last; ++i) a.positive[i] += b.positive[i];
  if (!a.count) return;
  for (std::size_t i = first; i < last; ++i) a.count[i] += b.count[i];
}

void subtract(Histogram a, Histogram b, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) a.negative[i] -= b.negative[i];
  for (std::size_t i = first; i < last; ++i) a.positive[i] -= b.positive[i];
  if (!a.count) return;
  for (std::size_t i = first; i < last; ++i) a.count[i] -= b.count[i];
}

}  // namespace horotree
