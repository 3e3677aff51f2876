// Weight by code and class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/layout.h"

namespace horotree {

// One node's histogram: for each class the weights of all codes of all lanes, one after the other.
// Weights are integers, so a sum does not depend on the order of its terms.
struct Histogram {
  // The same from a code on.
  Histogram from(std::size_t code) const {
    return {negative + code, positive + code, count ? count + code : nullptr};
  }

  std::int64_t* negative;
  std::int64_t* positive;
  std::int64_t* count;  // examples by code, or null if nobody asks
};

// histogram[code] += sum of weights of the rows with that code, for the lanes in [first, last);
// NumPy: np.bincount(codes, weights) per lane and class. `start` are the lanes' first codes.
void add_rows(const Binned& data, const Places& places, Rows rows,
              const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
              Histogram out);

// The same, taken away from what is there.
void remove_rows(const Binned& data, const Places& places, Rows rows,
                 const std::vector<std::size_t>& start, std::size_t first, std::size_t last,
                 Histogram out);

// a[code] = 0, a[code] += b[code] and a[code] -= b[code] for the codes in [first, last).
void clear(Histogram a, std::size_t first, std::size_t last);
void add(Histogram a, Histogram b, std::size_t first, std::size_t last);
void subtract(Histogram a, Histogram b, std::size_t first, std::size_t last);

}  // namespace horotree
