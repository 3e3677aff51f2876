// The features to search in a node: all, or some drawn without replacement.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace horotree {

// Try a feature before the others: the best one of a node is often good for the next node too, and
// its gain rules out most cuts.
inline void move_to_front(std::int32_t feature, std::int32_t* features, std::size_t n) {
  std::int32_t* place = std::find(features, features + n, feature);
  if (place != features + n) std::rotate(features, place, place + 1);
}

class FeatureSampler {
 public:
  FeatureSampler(std::size_t n_features, std::int64_t n_wanted, std::uint64_t seed)
      : features_(n_features), n_wanted_(static_cast<std::size_t>(n_wanted)), state_(seed) {
    std::iota(features_.begin(), features_.end(), 0);
  }

  bool takes_all() const { return n_wanted_ >= features_.size(); }

  const std::int32_t* features() const { return features_.data(); }

  // If no features are drawn: try this one first from now on.
  void prefer(std::int32_t feature) {
    if (takes_all()) move_to_front(feature, features_.data(), features_.size());
  }

  // Draw features to the places from `begin` on, sorted; returns the end of their places.
  std::size_t draw(std::size_t begin) {
    const std::size_t n = features_.size();
    if (takes_all()) return n;
    const std::size_t end = std::min(n, begin + n_wanted_);
    for (std::size_t i = begin; i < end; ++i)
      std::swap(features_[i], features_[i + next_random() % (n - i)]);
    std::sort(features_.data() + begin, features_.data() + end);
    return end;
  }

 private:
  // splitmix64: the same numbers on every machine.
  std::uint64_t next_random() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::vector<std::int32_t> features_;
  std::size_t n_wanted_;
  std::uint64_t state_;
};

}  // namespace horotree
