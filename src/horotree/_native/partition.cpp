#include "partition.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "threads.h"
#include "vectors.h"

namespace horotree {

namespace {

// With fewer rows, waking a thread costs more than it saves.
constexpr std::size_t kParallel = 1 << 14;
constexpr std::size_t kBlock = 1 << 13;  // rows a task

// Where one feature's bins are.
struct Lane {
  Lane(const Binned& data, const std::uint64_t* words, std::int32_t feature)
      : group(words + feature / data.lanes() * data.n_rows),
        shift(feature % data.lanes() * data.bits),
        mask((std::uint64_t{1} << data.bits) - 1) {}
  std::size_t operator()(std::size_t i) const { return (group[i] >> shift) & mask; }

  const std::uint64_t* group;
  int shift;
  std::uint64_t mask;
};

// goes_left[i] = bin <= last or bin == other, for i in a range; returns how many.
HOROTREE_VECTORS
std::size_t flag_numeric(const std::uint64_t* group, int shift, std::uint64_t mask, Range range,
                         std::uint64_t last, std::uint64_t other, std::uint8_t* goes_left) {
  std::size_t n = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::uint64_t bin = (group[i] >> shift) & mask;
    const std::uint8_t left = static_cast<std::uint8_t>((bin <= last) | (bin == other));
    goes_left[i] = left;
    n += left;
  }
  return n;
}

// The same by a look into a table.
std::size_t flag_by_table(const Lane& bin, Range range, const std::uint8_t* table,
                          std::uint8_t* goes_left) {
  std::size_t n = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) n += goes_left[i] = table[bin(i)];
  return n;
}

// Tells rows of a node where to go.
class Flagger {
 public:
  Flagger(const Binned& data, const std::uint64_t* words, const Split& split)
      : bin_(data, words, split.feature), table_(split.left_bins) {
    if (!table_.empty()) return;
    last_ = static_cast<std::uint64_t>(split.bin);
    const std::int32_t missing = data.missing[split.feature];
    if (missing >= 0 && split.missing_left) other_ = static_cast<std::uint64_t>(missing);
  }

  std::size_t operator()(Range range, std::uint8_t* goes_left) const {
    if (!table_.empty()) return flag_by_table(bin_, range, table_.data(), goes_left);
    return flag_numeric(bin_.group, bin_.shift, bin_.mask, range, last_, other_, goes_left);
  }

 private:
  Lane bin_;
  std::vector<std::uint8_t> table_;
  std::uint64_t last_ = 0, other_ = ~std::uint64_t{0};
};

// List the places of a range where the flag is this; returns how many. There must be room for one
// more. Blocks of eight that have none, most of them if few rows move, take one look.
std::size_t list_places(const std::uint8_t* goes_left, Range range, std::uint8_t flag,
                        std::uint32_t* list) {
  std::uint64_t others;
  std::memset(&others, 1 - flag, sizeof others);
  std::size_t n = 0, i = range.begin;
  for (; i + 8 <= range.end; i += 8) {
    std::uint64_t flags;
    std::memcpy(&flags, goes_left + i, sizeof flags);
    if (flags == others) continue;
    for (std::size_t k = i; k < i + 8; ++k) {
      list[n] = static_cast<std::uint32_t>(k);
      n += goes_left[k] == flag;
    }
  }
  for (; i < range.end; ++i) {
    list[n] = static_cast<std::uint32_t>(i);
    n += goes_left[i] == flag;
  }
  return n;
}

template <class T>
void exchange(T* array, const std::uint32_t* out, const std::uint32_t* in, Range range) {
  for (std::size_t k = range.begin; k < range.end; ++k) std::swap(array[out[k]], array[in[k]]);
}

std::size_t flag_range(const Flagger& flag, Range range, std::uint8_t* goes_left, int n_threads) {
  if (range.size() < kParallel || n_threads < 2) return flag(range, goes_left);
  const std::size_t n_blocks = (range.size() + kBlock - 1) / kBlock;
  std::vector<std::size_t> count(n_blocks);
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    const std::size_t begin = range.begin + block * kBlock;
    count[block] = flag({begin, std::min(begin + kBlock, range.end)}, goes_left);
  });
  std::size_t n = 0;
  for (const std::size_t part : count) n += part;
  return n;
}

// Put the places of a range that go left in front; returns their range.
Range partition_range(const Binned& data, const Places& places, Range range, const Flagger& flag,
                      Scratch scratch, int n_threads) {
  const std::size_t n_left = flag_range(flag, range, scratch.goes_left, n_threads);
  const std::size_t middle = range.begin + n_left;
  const std::size_t n = list_places(scratch.goes_left, {range.begin, middle}, 0, scratch.out);
  list_places(scratch.goes_left, {middle, range.end}, 1, scratch.in);
  const bool small = n < kParallel / 4 || n_threads < 2;
  const std::size_t n_parts = small ? 1 : 2 * static_cast<std::size_t>(n_threads);
  parallel_for((data.n_groups + 1) * n_parts, small ? 1 : n_threads, [&](std::size_t task) {
    const std::size_t g = task / n_parts, part = task % n_parts;
    const Range own{n * part / n_parts, n * (part + 1) / n_parts};
    if (g < data.n_groups)
      return exchange(places.words + g * data.n_rows, scratch.out, scratch.in, own);
    exchange(places.weights, scratch.out, scratch.in, own);
    exchange(places.ids, scratch.out, scratch.in, own);
  });
  return {range.begin, middle};
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

Rows partition(const Binned& data, const Places& places, Rows rows, const Split& split,
               Scratch scratch, int n_threads) {
  const Flagger flag(data, places.words, split);
  return {partition_range(data, places, rows.negative, flag, scratch, n_threads),
          partition_range(data, places, rows.positive, flag, scratch, n_threads)};
}

std::size_t assign_leaves(const Binned& data, const Places& places, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf) {
  const std::vector<std::uint8_t> table = left_table(data, split);
  const Lane bin(data, places.words, split.feature);
  std::size_t n_left = 0;
  for (const Range& range : {rows.negative, rows.positive})
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool goes_left = table[bin(i)] != 0;
      leaf[places.ids[i]] = goes_left ? left : right;
      n_left += goes_left;
    }
  return n_left;
}

}  // namespace horotree
