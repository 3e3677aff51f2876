// How binned examples lie in memory while trees grow.
//
// Words of 64 bits have 64 / bits lanes, and word g of a row has the lanes from g * 64 / bits on. A
// lane holds the bin of one feature, or of several that need few bits: what it holds is its code.
// One addition then counts all of them. Words are stored group-major: words[g * n_rows + place].
// Places before n_negative have rows of the negative class, the others of the positive class: so
// one addition of a weight a (row, feature) fills a histogram, and no label is ever read.
//
// Rows move between places of their class, so that those of a node are always side by side. Sums of
// integers do not depend on the order of rows, so nothing else does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace horotree {

// The bits of one feature in the words of a group.
struct Field {
  std::size_t group;
  int shift;
  std::uint64_t mask;
};

struct Binned {
  std::size_t n_rows, n_features, n_groups, n_lanes;
  int bits;                     // of a lane: 8, 16 or 32
  const std::int32_t* n_codes;  // per lane
  const std::int32_t* lane;     // per feature
  const std::int32_t* shift;    // per feature: its first bit in its lane
  const std::int32_t* n_bins;   // per feature, the missing bin included
  const std::int32_t* missing;  // per feature: its missing bin, the last one, or -1
  const std::uint8_t* categorical;

  std::size_t lanes() const { return static_cast<std::size_t>(64 / bits); }

  Field field(std::size_t feature) const {
    const auto place = static_cast<std::size_t>(lane[feature]);
    return {place / lanes(), static_cast<int>(place % lanes()) * bits + shift[feature],
            mask_for(n_bins[feature])};
  }

  // Is the code of its lane the bin of this feature?
  bool is_alone(std::size_t feature) const { return n_codes[lane[feature]] == n_bins[feature]; }

  // As many bits as so many bins need.
  static std::uint64_t mask_for(std::int32_t n_bins) {
    auto mask = static_cast<std::uint64_t>(n_bins - 1);
    for (const int k : {1, 2, 4, 8, 16}) mask |= mask >> k;
    return mask;
  }
};

// A row besides its bins. Side by side: rows move often, and a place that another core has changed
// is waited for.
struct Example {
  std::int32_t weight;  // in this round
  std::uint32_t id;     // which row it is
};

// What is at each place.
struct Places {
  std::uint64_t* words;  // [n_groups * n_rows]
  Example* examples;     // [n_rows]
};

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// One of n parts of a range; no two of them share a word of flags, a bit a place.
inline Range part_of(Range range, std::size_t part, std::size_t n_parts) {
  const auto bound = [&](std::size_t k) {
    if (k == n_parts) return range.end;
    return std::max(range.begin, (range.begin + range.size() * k / n_parts) / 64 * 64);
  };
  return {bound(part), bound(part + 1)};
}

// The places of one node, by class.
struct Rows {
  Range negative, positive;
  std::size_t size() const { return negative.size() + positive.size(); }
};

inline Rows part_of(const Rows& rows, std::size_t part, std::size_t n_parts) {
  return {part_of(rows.negative, part, n_parts), part_of(rows.positive, part, n_parts)};
}

// The same by block: threads that work on one node have a block of its rows each.
struct Blocks {
  Rows* begin() const { return first; }
  Rows* end() const { return first + n; }
  Rows& operator[](std::size_t k) const { return first[k]; }
  std::size_t n_rows() const {
    std::size_t sum = 0;
    for (const Rows& rows : *this) sum += rows.size();
    return sum;
  }

  Rows* first = nullptr;
  std::size_t n = 0;
};

}  // namespace horotree
