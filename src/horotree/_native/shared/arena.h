// Objects of a tree that grows.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace horotree {

// Makes objects that stay where they are, some side by side at a time. Their memory is kept from
// tree to tree: to ask for it takes as long as all else that is done for a small node.
template <class T>
class Arena {
 public:
  explicit Arena(std::size_t n_together = 1) : n_together_(n_together) {}

  // New ones.
  T* make() {
    if (n_made_ == kChunk * chunks_.size()) chunks_.emplace_back(new T[kChunk * n_together_]);
    T* const first = at(n_made_++);
    for (std::size_t i = 0; i < n_together_; ++i) first[i] = T{};
    return first;
  }

  // How often that was.
  std::size_t size() const { return n_made_; }

  // What was made so many times before.
  T* at(std::size_t k) const { return chunks_[k / kChunk].get() + k % kChunk * n_together_; }

  void forget_all() { n_made_ = 0; }

 private:
  static constexpr std::size_t kChunk = 64;

  const std::size_t n_together_;
  std::size_t n_made_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace horotree
