// A split as integers, to be sent to other machines.
#pragma once

#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "splitting/split.h"

namespace horotree {

// As many integers for all splits of a tree: what kind of split it is, and a bit a category that
// goes left.
std::vector<std::int64_t> encode_split(const Binned& data, const Split& split);

// Throws if there can be no such split.
Split decode_split(const Binned& data, const std::vector<std::int64_t>& decision);

}  // namespace horotree
