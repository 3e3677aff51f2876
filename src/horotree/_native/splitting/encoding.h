// A split as integers, to send to other machines.
#pragma once

#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "splitting/split.h"

namespace horotree {

// The same number of integers for all splits of a tree: its fields, and a bit per category that
// goes left.
std::vector<std::int64_t> encode_split(const Binned& data, const Split& split);

// Throws if such a split is impossible.
Split decode_split(const Binned& data, const std::vector<std::int64_t>& decision);

}  // namespace horotree
