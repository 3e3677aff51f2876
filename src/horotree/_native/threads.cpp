#include "threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace horotree {

namespace {

long process_id() {
#ifdef _WIN32
  return 0;  // no fork there
#else
  return static_cast<long>(getpid());
#endif
}

class Pool {
 public:
  void run(std::size_t n_tasks, int n_threads, const std::function<void(std::size_t)>& task) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (static_cast<int>(threads_.size()) < n_threads - 1)
      threads_.emplace_back([this, index = static_cast<int>(threads_.size())] { work(index); });
    task_ = &task;
    n_tasks_ = n_tasks;
    next_.store(0);
    helpers_ = busy_ = n_threads - 1;
    ++round_;
    lock.unlock();
    wake_.notify_all();
    take(task, n_tasks);
    lock.lock();
    done_.wait(lock, [this] { return busy_ == 0; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void take(const std::function<void(std::size_t)>& task, std::size_t n_tasks) {
    for (std::size_t i; (i = next_.fetch_add(1)) < n_tasks;) {
      try {
        task(i);
      } catch (...) {  // kept until no thread works on the task any more
        std::lock_guard<std::mutex> lock(mutex_);
        error_ = std::current_exception();
      }
    }
  }

  void work(int index) {
    unsigned long seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return round_ != seen && index < helpers_; });
      seen = round_;
      const std::function<void(std::size_t)>& task = *task_;
      const std::size_t n_tasks = n_tasks_;
      lock.unlock();
      take(task, n_tasks);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> next_{0};
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t n_tasks_ = 0;
  int helpers_ = 0, busy_ = 0;
  std::exception_ptr error_;
  unsigned long round_ = 0;
};

// One caller at a time; a second one (another Python thread) works alone instead of waiting.
std::mutex pool_mutex;
// Never deleted: its threads end with the process, and after a fork they are not there to be
// joined.
Pool* pool = nullptr;
long pool_process = 0;

}  // namespace

void parallel_for(std::size_t n_tasks, int n_threads,
                  const std::function<void(std::size_t)>& task) {
  n_threads = static_cast<int>(std::min<std::size_t>(std::max(n_threads, 1), n_tasks));
  std::unique_lock<std::mutex> lock(pool_mutex, std::defer_lock);
  if (n_threads < 2 || !lock.try_lock()) {
    for (std::size_t i = 0; i < n_tasks; ++i) task(i);
    return;
  }
  if (pool_process != process_id()) {
    pool = new Pool;
    pool_process = process_id();
  }
  pool->run(n_tasks, n_threads, task);
}

}  // namespace horotree
