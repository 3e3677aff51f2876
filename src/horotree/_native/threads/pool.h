// A pool of threads.
#pragma once

#include <atomic>
#include <cstddef>

namespace horotree {

// Non-owning reference to a callable `(i, thread)`; never allocates.
struct Task {
  const void* function;
  void (*call)(const void* function, std::size_t i, std::size_t thread);
  void operator()(std::size_t i, std::size_t thread) const { call(function, i, thread); }
};

void run_tasks(std::size_t n_tasks, int n_threads, Task task);

// Call task(i, k) for i = 0 .. n_tasks-1 on at most n_threads threads, the calling one included; k
// is the thread. Thread k begins with the k-th part of the tasks, so that its data stay in its
// cache, but any thread may run any task: results must not depend on it. An exception is rethrown
// when all tasks have ended.
template <class Function>
void parallel_by_thread(std::size_t n_tasks, int n_threads, const Function& task) {
  if (n_threads < 2 || n_tasks < 2) {
    for (std::size_t i = 0; i < n_tasks; ++i) task(i, std::size_t{0});
    return;
  }
  run_tasks(n_tasks, n_threads,
            {&task, [](const void* function, std::size_t i, std::size_t thread) {
               (*static_cast<const Function*>(function))(i, thread);
             }});
}

// The same for tasks that need no state per thread.
template <class Function>
void parallel_for(std::size_t n_tasks, int n_threads, const Function& task) {
  parallel_by_thread(n_tasks, n_threads, [&](std::size_t i, std::size_t) { task(i); });
}

// A spin lock, for sections shorter than a sleep and a wake-up.
class Lock {
 public:
  void lock();
  void unlock() { is_held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> is_held_{false};
};

// Wait until `number` is not `old`.
void wait_for_change(const std::atomic<unsigned>& number, unsigned old);

}  // namespace horotree
