// How threads share the work on one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout.h"

namespace horotree {

// The features' first bins, and the end of the last one's.
std::vector<std::size_t> first_bins(const Binned& data);

// The features of each thread: always the same thread has a feature, so that its bins stay in that
// thread's cache. Most are neighbours, which are filled together.
std::vector<std::vector<std::int32_t>> share_features(const Binned& data, int n_threads);

// The rows that each thread exchanges and counts for itself; one block, of all, if they are few.
std::vector<Rows> share_rows(const Binned& data, std::size_t n_negative, int n_threads);

}  // namespace horotree
