// The host of each node: the deepest node on its path that a monotonic tree keeps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// host[v] = v if it is the root or confidence[v] > confidence[h] * (1 + tolerance), else h, where
// h = host[parent[v]]; parents precede their children.
inline void monotonic_hosts(const std::int32_t* parent, const double* confidence, std::size_t n,
                            double tolerance, std::int32_t* host) {
  const double factor = 1.0 + tolerance;
  for (std::size_t v = 0; v < n; ++v) {
    const auto self = static_cast<std::int32_t>(v);
    if (parent[v] < 0) {
      host[v] = self;
      continue;
    }
    const std::int32_t above = host[parent[v]];
    host[v] = confidence[v] > confidence[above] * factor ? self : above;
  }
}

}  // namespace horotree
