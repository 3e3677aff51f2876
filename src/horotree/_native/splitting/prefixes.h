// Prefix sums over the bins of a feature, and the memory for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace horotree {

// Weights of both classes, and the number of examples if it is counted.
struct Sums {
  Sums& operator+=(const Sums& other) {
    negative += other.negative;
    positive += other.positive;
    count += other.count;
    return *this;
  }
  Sums operator+(Sums other) const { return other += *this; }
  bool has_weight() const { return (negative | positive) != 0; }

  std::int64_t negative = 0, positive = 0, count = 0;
};

// Runs of consecutive bins: the sums before each run, and a mark if it may have a good cut.
struct Runs {
  void reserve(std::size_t n) {
    if (marks.size() >= n) return;
    marks.resize(n);
    for (auto* array : {&positive, &weight}) array->resize(n + 1);
  }

  std::vector<std::int64_t> positive, weight, marks;
};

struct Category {
  double posterior;
  std::int32_t code;
};

// Sums over the first bins of a feature in some order, one entry per non-empty bin. Reused for all
// nodes: allocating memory takes as long as splitting a small node.
struct Prefixes {
  void reserve(std::size_t n) {
    if (bin.size() >= n) return;
    bin.resize(n);
    for (auto* array : {&positive, &weight, &count}) array->resize(n);
    bound.resize(n);
  }

  Sums operator[](std::int32_t k) const { return {weight[k] - positive[k], positive[k], count[k]}; }

  std::int32_t size = 0;
  std::vector<std::int32_t> bin;  // the last bin of each prefix
  std::vector<std::int64_t> positive, weight, count;
  std::vector<double> bound;  // upper bound on the gain of a cut after each prefix
  Runs runs;
  std::vector<Category> present;          // categories that have examples in the node
  std::vector<std::uint8_t> is_expanded;  // per lane: its codes have been summed to bins
};

}  // namespace horotree
