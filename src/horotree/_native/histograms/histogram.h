// Sums of weights by code and class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/layout.h"

namespace horotree {

// One node's histogram: for each class, the weights of all codes of all lanes. Weights are
// integers, so sums do not depend on their order.
struct Histogram {
  // The part that begins at a code.
  Histogram from(std::size_t code) const {
    return {negative + code, positive + code, count ? count + code : nullptr};
  }

  std::int64_t* negative;
  std::int64_t* positive;
  std::int64_t* count;  // number of examples by code, or null if not needed
};

// histogram[code] += Sign * the sum of the weights of the rows with that code, for the lanes in
// [first, last); Sign is 1 or -1. NumPy: np.bincount(codes, weights) per lane and class. `start`
// are the first codes of the lanes.
template <int Sign>
void add_rows(const Binned& data, const Places& places, Rows rows,
              const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
              Histogram out);

// a[code] = 0, a[code] += b[code] and a[code] -= b[code] for the codes in [first, last).
void clear(Histogram a, std::size_t first, std::size_t last);
void add(Histogram a, Histogram b, std::size_t first, std::size_t last);
void subtract(Histogram a, Histogram b, std::size_t first, std::size_t last);

}  // namespace horotree
