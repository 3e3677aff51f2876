#include "growing/partition.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "shared/bits.h"
#include "shared/vectors.h"
#include "threads/pool.h"

namespace horotree {

namespace {

// With fewer rows, starting a thread costs more than it saves.
constexpr std::size_t kManyRows = 1 << 15;

// The bins of one feature, by place.
struct Bins {
  Bins(const Binned& data, const std::uint64_t* words, std::int32_t feature)
      : Bins(data, words, data.field(static_cast<std::size_t>(feature))) {}
  Bins(const Binned& data, const std::uint64_t* words, const Field& field)
      : group(words + field.group * data.n_rows), shift(field.shift), mask(field.mask) {}
  std::size_t operator()(std::size_t i) const { return (group[i] >> shift) & mask; }

  const std::uint64_t* group;
  int shift;
  std::uint64_t mask;
};

// Set bit i of goes_left for the rows i of a range that go left, and clear it for the other rows;
// returns how many go left. Other bits of the same words are overwritten.
template <class Test>
inline std::size_t set_flags(Range range, std::uint64_t* goes_left, const Test& test) {
  std::size_t n = 0;
  for (std::size_t first = range.begin, end; first < range.end; first = end) {
    const std::size_t word = first / 64;
    end = std::min(range.end, 64 * (word + 1));
    std::uint64_t bits = 0;
    if (end - first == 64) {  // a loop of fixed length compiles to a few instructions
      for (std::size_t k = 0; k < 64; ++k) bits |= test(first + k) << k;
    } else {
      for (std::size_t i = first; i < end; ++i) bits |= test(i) << i % 64;
    }
    n += count_bits(bits);
    goes_left[word] = bits;
  }
  return n;
}

// Rows whose bin is in a cyclic range of bins: the first bin follows the last, so missing values
// (the last bin) can be joined to the smallest values. Bins are compared in place, without
// shifting, because these loops do nothing else.
struct CyclicRange {
  CyclicRange(const Bins& bin, std::uint64_t first, std::uint64_t n_more)
      : group(bin.group),
        mask(bin.mask << bin.shift),
        offset(first << bin.shift),
        most(n_more << bin.shift) {}
  std::uint64_t operator()(std::size_t i) const {
    return static_cast<std::uint64_t>(((group[i] - offset) & mask) <= most);
  }

  const std::uint64_t* group;
  std::uint64_t mask, offset, most;
};

HOROTREE_VECTORS
std::size_t flag_rows_of(const CyclicRange& bins, Range range, std::uint64_t* goes_left) {
  return set_flags(range, goes_left, [=](std::size_t i) { return bins(i); });
}

#ifdef HOROTREE_V4
bool has_v4() {
  static const bool has = __builtin_cpu_supports("x86-64-v4");
  return has;
}

// Eight rows at a time.
struct CyclicRanges {
  HOROTREE_V4 explicit CyclicRanges(const CyclicRange& bins)
      : mask(_mm512_set1_epi64(static_cast<long long>(bins.mask))),
        offset(_mm512_set1_epi64(static_cast<long long>(bins.offset))),
        most(_mm512_set1_epi64(static_cast<long long>(bins.most))) {}
  HOROTREE_V4 std::uint64_t operator()(__m512i rows) const {
    const __m512i own = _mm512_and_si512(_mm512_sub_epi64(rows, offset), mask);
    return _mm512_cmple_epu64_mask(own, most);
  }

  __m512i mask, offset, most;
};

// The same with AVX-512 intrinsics.
HOROTREE_V4 std::size_t flag_words(const CyclicRange& bins, Range range, std::uint64_t* goes_left) {
  const CyclicRanges ranges(bins);
  std::size_t n = 0;
  for (std::size_t first = range.begin, end; first < range.end; first = end) {
    const std::size_t word = first / 64;
    end = std::min(range.end, 64 * (word + 1));
    std::uint64_t bits = 0;
    if (end - first == 64) {
      for (std::size_t k = 0; k < 64; k += 8)
        bits |= ranges(_mm512_loadu_si512(bins.group + first + k)) << k;
    } else {
      for (std::size_t i = first; i < end; i += 8) {
        const unsigned there = i + 8 <= end ? 0xff : 0xff >> (i + 8 - end);
        const __m512i rows = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(there), bins.group + i);
        bits |= (ranges(rows) & there) << i % 64;
      }
    }
    n += count_bits(bits);
    goes_left[word] = bits;
  }
  return n;
}
#endif

std::size_t flag_numeric(const CyclicRange& bins, Range range, std::uint64_t* goes_left) {
#ifdef HOROTREE_V4
  if (has_v4()) return flag_words(bins, range, goes_left);
#endif
  return flag_rows_of(bins, range, goes_left);
}

std::size_t flag_by_table(const Bins& bin, Range range, const std::uint8_t* table,
                          std::uint64_t* goes_left) {
  return set_flags(range, goes_left, [&](std::size_t i) { return std::uint64_t{table[bin(i)]}; });
}

// Flags the rows of a node by its split.
class Flagger {
 public:
  Flagger(const Binned& data, const std::uint64_t* words, const Split& split)
      : bin_(data, words, split.feature), table_(split.left_bins) {
    if (!table_.empty()) return;
    n_more_ = static_cast<std::uint64_t>(split.bin);
    const std::int32_t missing = data.missing[split.feature];
    if (missing < 0 || !split.missing_left) return;
    first_ = static_cast<std::uint64_t>(missing);
    n_more_ += bin_.mask + 1 - first_;
  }

  std::size_t operator()(Range range, std::uint64_t* goes_left) const {
    if (!table_.empty()) return flag_by_table(bin_, range, table_.data(), goes_left);
    return flag_numeric({bin_, first_, n_more_}, range, goes_left);
  }

 private:
  Bins bin_;
  const std::vector<std::uint8_t>& table_;  // of the split
  std::uint64_t first_ = 0, n_more_ = 0;
};

// The places of a range whose flag is `flag`, as bits of one word of the range.
inline std::uint64_t found_in(const std::uint64_t* goes_left, std::size_t word, Range range,
                              bool flag) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t found = goes_left[word] ^ (flag ? 0 : all);
  if (word == range.begin / 64) found &= all << range.begin % 64;
  if (word == (range.end - 1) / 64) found &= all >> (63 - (range.end - 1) % 64);
  return found;
}

// Places per word that are written without a branch on how many there are: most words have a few.
constexpr std::size_t kAhead = 2;

// List the places of a range whose flag is `flag`: at most half as many as fit into the list.
// Returns how many.
HOROTREE_VECTORS
std::size_t list_by_bit(const std::uint64_t* goes_left, Range range, bool flag,
                        std::uint32_t* list) {
  constexpr std::uint64_t last_bit = std::uint64_t{1} << 63;
  std::uint32_t* next = list;
  if (range.size() < 2 * kAhead) {  // the list might have no room for kAhead more
    for (std::size_t i = range.begin; i < range.end; ++i)
      if ((goes_left[i / 64] >> i % 64 & 1) == flag) *next++ = static_cast<std::uint32_t>(i);
    return static_cast<std::size_t>(next - list);
  }
  for (std::size_t word = range.begin / 64; word <= (range.end - 1) / 64; ++word) {
    std::uint64_t found = found_in(goes_left, word, range, flag);
    const std::uint32_t place = static_cast<std::uint32_t>(64 * word);
    std::uint32_t* const end = next + count_bits(found);
    for (std::size_t k = 0; k < kAhead; ++k, found &= found - 1)
      next[k] = place + static_cast<std::uint32_t>(lowest_bit(found | last_bit));
    for (next += kAhead; next < end; found &= found - 1)
      *next++ = place + static_cast<std::uint32_t>(lowest_bit(found));
    next = end;
  }
  return static_cast<std::size_t>(next - list);
}

#ifdef HOROTREE_V4
// The same with AVX-512, 16 at a time. The list must have room for twice as many.
constexpr int kTogether = 16;

HOROTREE_V4 std::size_t list_together(const std::uint64_t* goes_left, Range range, bool flag,
                                      std::uint32_t* list) {
  const __m512i each = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::uint32_t* next = list;
  if (range.size() == 0) return 0;
  for (std::size_t word = range.begin / 64; word <= (range.end - 1) / 64; ++word) {
    std::uint64_t found = found_in(goes_left, word, range, flag);
    for (auto first = static_cast<std::uint32_t>(64 * word); found != 0; first += kTogether) {
      const int n_none = lowest_bit(found) / kTogether * kTogether;
      found >>= n_none;
      first += static_cast<std::uint32_t>(n_none);
      const auto here = static_cast<__mmask16>(found);
      const __m512i places = _mm512_add_epi32(each, _mm512_set1_epi32(static_cast<int>(first)));
      _mm512_storeu_si512(next, _mm512_maskz_compress_epi32(here, places));
      next += count_bits(here);
      found >>= kTogether;
    }
  }
  return static_cast<std::size_t>(next - list);
}
#endif

Moves list_moves(Range all, Range left, const std::uint64_t* goes_left, Lists lists) {
  std::uint32_t *out = lists.out + all.begin, *in = lists.in + all.begin;
  const Range right{left.end, all.end};
#ifdef HOROTREE_V4
  if (has_v4() && all.size() >= 2 * kTogether) {
    const std::size_t n = list_together(goes_left, left, false, out);
    list_together(goes_left, right, true, in);
    return {out, in, n};
  }
#endif
  const std::size_t n = list_by_bit(goes_left, left, false, out);
  list_by_bit(goes_left, right, true, in);
  return {out, in, n};
}

// For each bin of the split's feature, 1 if it goes left.
std::vector<std::uint8_t> left_table(const Binned& data, const Split& split) {
  if (!split.left_bins.empty()) return split.left_bins;
  std::vector<std::uint8_t> table(data.n_bins[split.feature], 0);
  for (std::int32_t b = 0; b <= split.bin; ++b) table[b] = 1;
  const std::int32_t missing = data.missing[split.feature];
  if (missing >= 0) table[missing] = split.missing_left;
  return table;
}

}  // namespace

Rows flag_rows(const Binned& data, const std::uint64_t* words, Rows rows, const Split& split,
               Flags flags, int n_threads) {
  const Flagger flag(data, words, split);
  const std::size_t n_parts = rows.size() < kManyRows ? 1 : static_cast<std::size_t>(n_threads);
  std::atomic<std::size_t> n_negative{0}, n_positive{0};
  parallel_for(n_parts, n_threads, [&](std::size_t part) {
    n_negative += flag(part_of(rows.negative, part, n_parts), flags.bits[0]);
    n_positive += flag(part_of(rows.positive, part, n_parts), flags.bits[1]);
  });
  return {{rows.negative.begin, rows.negative.begin + n_negative},
          {rows.positive.begin, rows.positive.begin + n_positive}};
}

Partition find_moves(Rows rows, Rows left, Flags flags, Lists lists) {
  return {list_moves(rows.negative, left.negative, flags.bits[0], lists),
          list_moves(rows.positive, left.positive, flags.bits[1], lists)};
}

void exchange(const Binned& data, const Places& places, const Partition& partition, int n_threads) {
  parallel_for(data.n_groups + 1, n_threads, [&](std::size_t k) {
    if (k < data.n_groups) return partition.make(places.words + k * data.n_rows);
    partition.make(places.examples);
  });
}

std::size_t assign_leaves(const Binned& data, const Places& places, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf) {
  const std::vector<std::uint8_t> table = left_table(data, split);
  const Bins bin(data, places.words, split.feature);
  const Example* const examples = places.examples;
  const std::int32_t sides[] = {right, left};  // indexed, not branched: sides are hard to predict
  std::size_t n_left = 0;
  for (const Range& range : {rows.negative, rows.positive})
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool goes_left = table[bin(i)] != 0;
      leaf[examples[i].id] = sides[goes_left];
      n_left += goes_left;
    }
  return n_left;
}

}  // namespace horotree
