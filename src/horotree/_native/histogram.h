// Weight by bin and class.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"

namespace horotree {

// One node's histogram: for each class the weights of all bins of all features, one after the
// other. Weights are integers, so a sum does not depend on the order of its terms.
struct Histogram {
  std::int64_t* negative;
  std::int64_t* positive;
  std::int64_t* count;  // examples by bin, or null if nobody asks
};

// histogram[bin] = sum of weights of the rows with that bin; NumPy: np.bincount(bins, weights)
// per feature and class. `start` are the features' first bins. Threads share groups of features
// and, if there are few of them, blocks of rows, for which `scratch` is resized as needed.
void build_histogram(const Binned& data, const Places& places, Rows rows,
                     const std::vector<std::size_t>& start, Histogram out,
                     std::vector<std::int64_t>& scratch, int n_threads);

}  // namespace horotree
