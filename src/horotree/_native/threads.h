// A small pool of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace horotree {

// Call task(i) for i = 0 .. n_tasks-1 on at most n_threads threads, the calling one included.
// Thread k begins with task k, so that what belongs to it stays in its cache, but which thread runs
// which task is not defined: tasks must not depend on it. What a task throws is
// thrown on when all have ended.
void parallel_for(std::size_t n_tasks, int n_threads, const std::function<void(std::size_t)>& task);

}  // namespace horotree
