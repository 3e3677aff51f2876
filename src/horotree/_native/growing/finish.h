// The end of growing: the nodes of a tree, and the leaf of each row.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "binning/layout.h"
#include "growing/frontier.h"
#include "growing/grower.h"

namespace horotree {

// Make the nodes of a tree that is complete, and set leaf[row] to the index of the row's leaf. One
// thread does the first, and then calls `meanwhile`, while others do the second.
void finish_tree(const Binned& data, const Places& places, Frontier& frontier, std::int32_t* leaf,
                 int n_threads, std::vector<GrownNode>& nodes,
                 const std::function<void()>& meanwhile);

}  // namespace horotree
