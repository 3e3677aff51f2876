#include "histograms/histogram.h"

#include <algorithm>

namespace horotree {

namespace {

// Up to kMore lanes of few codes are counted together with the group before them. Alone they would
// take nearly as long as a full group: many rows have the same code, and each addition waits for
// the one before it.
constexpr std::size_t kMore = 3, kFewCodes = 64;

// The lanes to count at once: n lanes of a group, the first at bit `shift`, and the first n_more
// lanes of the next group.
struct Counted {
  const std::uint64_t *words, *next;
  int shift, n, n_more;
  std::int64_t* codes[8 + kMore];
};

template <int Bits, int Lanes, int More, class Amount>
void add_lanes(const Counted& lanes, Amount amount, Range range) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << Bits) - 1;
  const std::uint64_t *const words = lanes.words, *const next = lanes.next;
  const int shift = More > 0 ? 0 : lanes.shift;
  std::int64_t* lane[Lanes + More];
  for (int k = 0; k < Lanes + More; ++k) lane[k] = lanes.codes[k];
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::uint64_t word = words[i] >> shift, other = More > 0 ? next[i] : 0;
    const std::int64_t w = amount(i);
    for (int k = 0; k < Lanes; ++k) lane[k][(word >> (Bits * k)) & mask] += w;
    for (int k = 0; k < More; ++k) lane[Lanes + k][(other >> (Bits * k)) & mask] += w;
  }
}

// The numbers of lanes are template arguments, so that inner loops unroll.
template <int Bits, int Lanes, int More, class Amount>
void add_some(const Counted& lanes, Amount amount, Range range) {
  if (lanes.n == Lanes && lanes.n_more == More)
    return add_lanes<Bits, Lanes, More>(lanes, amount, range);
  if constexpr (More > 0)
    add_some<Bits, Lanes, More - 1>(lanes, amount, range);
  else if constexpr (Lanes > 1)
    add_some<Bits, Lanes - 1, 0>(lanes, amount, range);
}

// Add amount(row) to the codes of all lanes for the rows in a range.
template <class Amount>
void add_group(int bits, const Counted& lanes, Amount amount, Range range) {
  if (bits == 8) return add_some<8, 8, kMore>(lanes, amount, range);
  if (bits == 16) return add_some<16, 4, kMore>(lanes, amount, range);
  add_some<32, 2, 1>(lanes, amount, range);
}

template <class Change>
void change(Histogram a, Histogram b, std::size_t first, std::size_t last, const Change& change) {
  for (std::size_t i = first; i < last; ++i) change(a.negative[i], b.negative[i]);
  for (std::size_t i = first; i < last; ++i) change(a.positive[i], b.positive[i]);
  if (!a.count) return;
  for (std::size_t i = first; i < last; ++i) change(a.count[i], b.count[i]);
}

}  // namespace

template <int Sign>
void add_rows(const Binned& data, const Places& places, Rows rows,
              const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
              Histogram out) {
  const Example* const examples =
      places.examples;  // local copy: stores to histograms might change `places`
  const auto weight = [=](std::size_t i) { return Sign * std::int64_t{examples[i].weight}; };
  const auto one = [](std::size_t) { return std::int64_t{Sign}; };
  const std::size_t width = data.lanes();
  for (std::size_t lane = first, end; lane < last; lane = end) {
    const std::size_t group = lane / width;
    end = std::min(last, (group + 1) * width);
    const std::size_t more = last - end;
    const bool is_joined = end - lane == width && more < width && more <= kMore &&
                           start[last] - start[end] <= kFewCodes * more;
    Counted lanes;
    lanes.words = places.words + group * data.n_rows;
    lanes.next = lanes.words + data.n_rows;
    lanes.shift = static_cast<int>(lane % width) * data.bits;
    lanes.n = static_cast<int>(end - lane);
    lanes.n_more = is_joined ? static_cast<int>(more) : 0;
    if (is_joined) end = last;
    const auto run = [&](std::int64_t* codes, auto amount, Range range) {
      for (std::size_t k = lane; k < end; ++k) lanes.codes[k - lane] = codes + start[k];
      add_group(data.bits, lanes, amount, range);
    };
    run(out.negative, weight, rows.negative);
    run(out.positive, weight, rows.positive);
    if (!out.count) continue;
    run(out.count, one, rows.negative);
    run(out.count, one, rows.positive);
  }
}

template void add_rows<1>(const Binned&, const Places&, Rows, const std::vector<std::size_t>&,
                          std::size_t, std::size_t, Histogram);
template void add_rows<-1>(const Binned&, const Places&, Rows, const std::vector<std::size_t>&,
                           std::size_t, std::size_t, Histogram);

void clear(Histogram a, std::size_t first, std::size_t last) {
  for (std::int64_t* bins : {a.negative, a.positive, a.count})
    if (bins) std::fill(bins + first, bins + last, 0);
}

void add(Histogram a, Histogram b, std::size_t first, std::size_t last) {
  change(a, b, first, last, [](std::int64_t& x, std::int64_t y) { x += y; });
}

void subtract(Histogram a, Histogram b, std::size_t first, std::size_t last) {
  change(a, b, first, last, [](std::int64_t& x, std::int64_t y) { x -= y; });
}

}  // namespace horotree
