// Makes the nodes of a complete tree, and the leaf of each row.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "binning/layout.h"
#include "growing/frontier.h"
#include "growing/grower.h"

namespace horotree {

// Write the nodes of a complete tree, and set leaf[row] to the index of the row's leaf. One thread
// writes the nodes and then calls `meanwhile`, while other threads set leaves.
void finish_tree(const Binned& data, const Places& places, Frontier& frontier, std::int32_t* leaf,
                 int n_threads, std::vector<GrownNode>& nodes,
                 const std::function<void()>& meanwhile);

}  // namespace horotree
