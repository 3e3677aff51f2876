// The host of each node: the deepest node on its path that a monotonic tree keeps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// host[v] = v if it is the root or confidence[v] > confidence[h] * (1 + tolerance), else h, where
// h = host[parent[v]]; parents precede their children.
void monotonic_hosts(const std::int32_t* parent, const double* confidence, std::size_t n,
                     double tolerance, std::int32_t* host);

}  // namespace horotree
