// Memory that is reused from tree to tree.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace horotree {

// Makes objects (n_together at a time, side by side) whose address does not change. Memory is kept
// from tree to tree: allocating it takes as long as all other work on a small node.
template <class T>
class Arena {
 public:
  explicit Arena(std::size_t n_together = 1) : n_together_(n_together) {}

  // Make n_together new objects.
  T* make() {
    if (n_made_ == kChunk * chunks_.size()) chunks_.emplace_back(new T[kChunk * n_together_]);
    T* const first = at(n_made_++);
    for (std::size_t i = 0; i < n_together_; ++i) first[i] = T{};
    return first;
  }

  // How many times objects were made.
  std::size_t size() const { return n_made_; }

  // The objects made by call k.
  T* at(std::size_t k) const { return chunks_[k / kChunk].get() + k % kChunk * n_together_; }

  void forget_all() { n_made_ = 0; }

 private:
  static constexpr std::size_t kChunk = 64;

  const std::size_t n_together_;
  std::size_t n_made_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace horotree
