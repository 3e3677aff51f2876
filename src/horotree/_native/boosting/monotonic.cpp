#include "boosting/monotonic.h"

namespace horotree {

void monotonic_hosts(const std::int32_t* parent, const double* confidence, std::size_t n,
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
