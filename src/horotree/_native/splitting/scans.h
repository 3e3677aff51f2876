// Scanning one feature of a node for its best cut.
#pragma once

#include <cstddef>
#include <cstdint>

#include "histograms/histogram.h"
#include "shared/bits.h"
#include "splitting/cuts.h"

namespace horotree {

// One feature's bins in the histogram of a node. `missing` is the bin of missing values, or -1.
struct FeatureBins {
  Sums operator[](std::int32_t bin) const {
    return {sums.negative[bin], sums.positive[bin], sums.count ? sums.count[bin] : 0};
  }
  Sums missing_sums() const { return missing < 0 ? Sums{} : (*this)[missing]; }

  Histogram sums;  // of the feature's bins alone
  std::int32_t feature, n_bins, missing;
};

// A set of bins below 256.
class BinSet {
 public:
  void add(std::size_t bin) { bits_[bin / 64] |= std::uint64_t{1} << bin % 64; }

  // In increasing order.
  template <class Visit>
  void visit(const Visit& visit) const {
    for (std::int32_t word = 0; word < 4; ++word)
      for (std::uint64_t rest = bits_[word]; rest != 0; rest &= rest - 1)
        visit(64 * word + lowest_bit(rest));
  }

 private:
  std::uint64_t bits_[4] = {};
};

// Cuts "bin <= b", with the missing values on either side.
void scan_numeric(const FeatureBins& bins, CutSearch& search);

// The same if only the bins of a set may have weight, for a histogram without counts.
void scan_numeric(const FeatureBins& bins, const BinSet& occupied, CutSearch& search);

// Cuts "category in set". For two classes and a concave risk the best set is a prefix of the
// categories sorted by posterior.
void scan_categorical(const FeatureBins& bins, CutSearch& search);

}  // namespace horotree
