// The children of each node, in the order in which they go around it, and what they need.
#pragma once

#include <cstdint>
#include <vector>

#include "disk/angles.h"

namespace horotree {

// Children whose leaves are mostly positive come first, by rising gain of distance, then the
// others, by falling gain: so the largest gains are in the middle. Equals stay in their order.
class Children {
 public:
  explicit Children(const Outline& tree);

  const std::int32_t* begin(std::size_t u) const { return child_.data() + start_[u]; }
  const std::int32_t* end(std::size_t u) const { return child_.data() + start_[u + 1]; }

  // The larger of what a node asks for itself and what its children need together.
  double need(std::size_t v) const { return need_[v]; }

 private:
  std::vector<std::int32_t> start_, child_;
  std::vector<double> need_;
};

}  // namespace horotree
