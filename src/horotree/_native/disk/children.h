// The children of each node in their order around it, and the share of the circle that each needs.
#pragma once

#include <cstdint>
#include <vector>

#include "disk/disk.h"

namespace horotree {

// Children with mostly positive leaves come first, by increasing distance, then the others, by
// decreasing distance: the largest are in the middle. The sort is stable.
class Children {
 public:
  explicit Children(const Outline& tree);

  const std::int32_t* begin(std::size_t u) const { return child_.data() + start_[u]; }
  const std::int32_t* end(std::size_t u) const { return child_.data() + start_[u + 1]; }

  // The larger of the node's own need and the sum of its children's.
  double need(std::size_t v) const { return need_[v]; }

 private:
  std::vector<std::int32_t> start_, child_;
  std::vector<double> need_;
};

}  // namespace horotree
