// How binned examples lie in memory while trees grow.
//
// A word of 64 bits has 64 / bits lanes; word g of a row has the lanes from g * 64 / bits on. A
// lane holds the bin of one feature, or of several features that need few bits. The value of a lane
// is its code, and one addition per code counts all its features. Words are stored group-major:
// words[g * n_rows + place]. Rows of the negative class are at places below n_negative, those of
// the positive class at the others: so a histogram is filled by one addition per row and lane, and
// no label is read.
//
// Rows move between places of their class, so that those of a node are always contiguous. Sums of
// integers do not depend on the order of rows, so no result does.
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
  const std::int32_t* n_bins;   // per feature, including the bin of missing values
  const std::int32_t* missing;  // per feature: the bin of missing values, which is the last, or -1
  const std::uint8_t* categorical;

  std::size_t lanes() const { return static_cast<std::size_t>(64 / bits); }

  Field field(std::size_t feature) const {
    const auto place = static_cast<std::size_t>(lane[feature]);
    return {place / lanes(), static_cast<int>(place % lanes()) * bits + shift[feature],
            mask_for(n_bins[feature])};
  }

  // Does the feature have a lane of its own?
  bool is_alone(std::size_t feature) const { return n_codes[lane[feature]] == n_bins[feature]; }

  // The mask of the bits that n_bins bins need.
  static std::uint64_t mask_for(std::int32_t n_bins) {
    auto mask = static_cast<std::uint64_t>(n_bins - 1);
    for (const int k : {1, 2, 4, 8, 16}) mask |= mask >> k;
    return mask;
  }
};

// What moves with a row besides its bins. In one struct, because rows move often and a cache line
// that another core changed is slow to read.
struct Example {
  std::int32_t weight;  // in this round
  std::uint32_t id;     // index of the row
};

// The data of each place.
struct Places {
  std::uint64_t* words;  // [n_groups * n_rows]
  Example* examples;     // [n_rows]
};

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// Part `part` of n_parts of a range. No two parts share a word of flags (a bit per place).
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

// The places of one node by block: threads that work on one node together have a block of its rows
// each.
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
