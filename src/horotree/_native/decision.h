// A split as integers, to be sent to other machines.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"
#include "split.h"

namespace horotree {

// As many integers for all splits of a tree: what kind of split it is, and a bit a category that
// goes left.
std::vector<std::int64_t> write_decision(const Binned& data, const Split& split);

// Throws if there can be no such split.
Split read_decision(const Binned& data, const std::vector<std::int64_t>& decision);

}  // namespace horotree
