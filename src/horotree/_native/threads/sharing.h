// How threads share rows and features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "threads/pool.h"

namespace horotree {

// The lanes of each thread. A lane always belongs to the same thread, so that its codes stay in
// that thread's cache. Most lanes of a thread are neighbors, which are filled together.
std::vector<std::vector<std::int32_t>> share_lanes(const Binned& data, int n_threads);

// The features in these lanes.
std::vector<std::vector<std::int32_t>> share_features(
    const Binned& data, const std::vector<std::vector<std::int32_t>>& lanes);

// The rows of each thread; a single block if they are few. A block usually stays with one thread
// from step to step and from tree to tree: writing a cache line that both cores share costs several
// times as much as reading a line that the other core modified, and more so for distant cores.
std::vector<Rows> share_rows(std::size_t n_rows, std::size_t n_negative, int n_threads);

inline std::size_t count_tasks(const std::vector<Rows>& blocks, std::size_t n_rows) {
  return blocks.size() * (blocks[0].size() / n_rows + 1);
}

// Call task(rows, i), i = 0 .. count_tasks - 1, for parts of the blocks of about n_rows rows each.
template <class Function>
void for_rows(const std::vector<Rows>& blocks, std::size_t n_rows, int n_threads,
              const Function& task) {
  const std::size_t n_tasks = count_tasks(blocks, n_rows), n_parts = n_tasks / blocks.size();
  parallel_for(n_tasks, n_threads,
               [&](std::size_t i) { task(part_of(blocks[i / n_parts], i % n_parts, n_parts), i); });
}

}  // namespace horotree
