// How threads share the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/layout.h"
#include "threads/pool.h"

namespace horotree {

// The lanes of each thread: always the same thread has a lane, so that its codes stay in that
// thread's cache. Most are neighbours, which are filled together.
std::vector<std::vector<std::int32_t>> share_lanes(const Binned& data, int n_threads);

// The features that are in them.
std::vector<std::vector<std::int32_t>> share_features(
    const Binned& data, const std::vector<std::vector<std::int32_t>>& lanes);

// The rows that each thread works on; one block, of all, if they are few. It is the same thread
// from step to step and from tree to tree, unless it is late: a core waits for what another one has
// written, and to write for what another one has read, the longer the further they are apart.
std::vector<Rows> share_rows(std::size_t n_rows, std::size_t n_negative, int n_threads);

inline std::size_t count_tasks(const std::vector<Rows>& blocks, std::size_t n_rows) {
  return blocks.size() * (blocks[0].size() / n_rows + 1);
}

// Call task(rows, i) for parts of the blocks, of about so many rows, i = 0 .. count_tasks - 1.
template <class Function>
void for_rows(const std::vector<Rows>& blocks, std::size_t n_rows, int n_threads,
              const Function& task) {
  const std::size_t n_tasks = count_tasks(blocks, n_rows), n_parts = n_tasks / blocks.size();
  parallel_for(n_tasks, n_threads,
               [&](std::size_t i) { task(part_of(blocks[i / n_parts], i % n_parts, n_parts), i); });
}

}  // namespace horotree
