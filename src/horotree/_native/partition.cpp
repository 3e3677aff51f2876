#include "partition.h"

#include "threads.h"

namespace horotree {

namespace {

constexpr std::size_t kParallel = 1 << 14;

// Reads one feature's bins of a group's words.
struct BinReader {
  BinReader(const Binned& data, const std::uint64_t* words, std::int32_t feature)
      : group(words + feature / data.lanes() * data.stride),
        shift(feature % data.lanes() * data.bits),
        mask((std::uint64_t{1} << data.bits) - 1) {}
  std::size_t operator()(std::size_t i) const { return (group[i] >> shift) & mask; }

  const std::uint64_t* group;
  int shift;
  std::uint64_t mask;
};

template <class T>
void scatter(const T* from, T* to, Rows rows, const std::uint32_t* target) {
  for (std::size_t i = rows.begin; i < rows.end; ++i) to[target[i]] = from[i];
}

}  // namespace

std::vector<std::uint8_t> left_table(const Binned& data, const Split& split) {
  if (!split.left_bins.empty()) return split.left_bins;
  std::vector<std::uint8_t> table(data.n_bins[split.feature], 0);
  for (std::int32_t b = 0; b <= split.bin; ++b) table[b] = 1;
  const std::int32_t missing = data.missing[split.feature];
  if (missing >= 0) table[missing] = split.missing_left;
  return table;
}

Rows partition(const Binned& data, const Buffer& from, const Buffer& to, Rows rows,
               const Split& split, std::uint32_t* target, int n_threads) {
  const std::vector<std::uint8_t> table = left_table(data, split);
  const BinReader bin(data, from.words, split.feature);
  std::size_t n_left = 0, n_left_negative = 0;
  for (std::size_t i = rows.begin; i < rows.middle; ++i) n_left_negative += table[bin(i)];
  for (std::size_t i = rows.middle; i < rows.end; ++i) n_left += table[bin(i)];
  n_left += n_left_negative;
  std::size_t left = rows.begin, right = rows.begin + n_left;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    const std::size_t goes_left = table[bin(i)];
    target[i] = static_cast<std::uint32_t>(goes_left ? left : right);
    left += goes_left;
    right += 1 - goes_left;
  }
  const auto move = [&](std::size_t task) {
    if (task < data.n_groups)
      return scatter(from.words + task * data.stride, to.words + task * data.stride, rows, target);
    scatter(from.weights, to.weights, rows, target);
    if (from.ids) return scatter(from.ids, to.ids, rows, target);
    for (std::size_t i = rows.begin; i < rows.end; ++i)
      to.ids[target[i]] = static_cast<std::uint32_t>(i);
  };
  parallel_for(data.n_groups + 1, rows.size() < kParallel ? 1 : n_threads, move);
  return {rows.begin, rows.begin + n_left_negative, rows.begin + n_left};
}

std::size_t assign_leaves(const Binned& data, const Buffer& from, Rows rows, const Split& split,
                          std::int32_t left, std::int32_t right, std::int32_t* leaf) {
  const std::vector<std::uint8_t> table = left_table(data, split);
  const BinReader bin(data, from.words, split.feature);
  std::size_t n_left = 0;
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    const bool goes_left = table[bin(i)] != 0;
    leaf[from.ids ? from.ids[i] : i] = goes_left ? left : right;
    n_left += goes_left;
  }
  return n_left;
}

}  // namespace horotree
