#include "threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
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

// How long to look for work before going to sleep: waking takes tens of microseconds, and between
// the steps of a tree less than a millisecond passes. After a first while others may have the core.
constexpr int kLooks = 2000;
constexpr std::chrono::microseconds kPatience(1000);

inline void pause() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  __builtin_ia32_pause();
#endif
}

template <class Condition>
bool look_for(const Condition& is_so) {
  for (int i = 0; i < kLooks; ++i) {
    if (is_so()) return true;
    pause();
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    if (is_so()) return true;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

class Pool {
 public:
  void run(std::size_t n_tasks, int n_threads, const std::function<void(std::size_t)>& task) {
    while (static_cast<int>(threads_.size()) < n_threads - 1)
      threads_.emplace_back([this, index = static_cast<int>(threads_.size())] { work(index); });
    task_ = &task;
    n_unfinished_.store(n_tasks);
    n_helpers_.store(n_threads - 1);
    bool someone_sleeps;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      tickets_.store({tickets_.load().round + 1, static_cast<std::uint32_t>(n_tasks)});
      someone_sleeps = n_asleep_ > 0;
    }
    if (someone_sleeps) wake_.notify_all();
    take();
    // Helpers that have not begun are not waited for: on a busy machine that may take long.
    const auto is_done = [this] { return n_unfinished_.load() == 0; };
    if (!look_for(is_done)) {
      std::unique_lock<std::mutex> lock(mutex_);
      done_.wait(lock, is_done);
    }
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  // The tasks that nobody has taken. In one word with the round: who takes one knows that the round
  // is not over, and so that the task is there until it is done.
  struct Tickets {
    std::uint32_t round = 0, n_left = 0;
  };

  void take() {
    for (Tickets now = tickets_.load(); now.n_left > 0;) {
      if (!tickets_.compare_exchange_weak(now, {now.round, now.n_left - 1})) continue;
      try {
        (*task_)(now.n_left - 1);
      } catch (...) {  // kept until no thread works on the task any more
        std::lock_guard<std::mutex> lock(mutex_);
        error_ = std::current_exception();
      }
      if (n_unfinished_.fetch_sub(1) == 1) {
        std::lock_guard<std::mutex> lock(
            mutex_);  // the caller looks, or sleeps, but is not between
        done_.notify_one();
      }
      now = tickets_.load();
    }
  }

  void work(int index) {
    const auto is_called = [&] { return tickets_.load().n_left > 0 && index < n_helpers_.load(); };
    for (;;) {
      if (!look_for(is_called)) {
        std::unique_lock<std::mutex> lock(mutex_);
        ++n_asleep_;
        wake_.wait(lock, is_called);
        --n_asleep_;
      }
      take();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> threads_;
  std::atomic<Tickets> tickets_{Tickets{}};
  std::atomic<std::size_t> n_unfinished_{0};
  std::atomic<int> n_helpers_{0};
  int n_asleep_ = 0;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::exception_ptr error_;
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
