#include "threads/pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "shared/bits.h"

#ifndef _WIN32
#include <pthread.h>
#endif

namespace horotree {

namespace {

// How long to poll for work before going to sleep: waking takes tens of microseconds, and less than
// a millisecond passes between the steps of a tree. After kLooks rounds, other threads may use the
// core.
constexpr int kLooks = 2000;
constexpr std::chrono::microseconds kPatience(1000);

// How long to sleep where no notification comes.
constexpr std::chrono::microseconds kNap(50);

inline void pause() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  __builtin_ia32_pause();
#endif
}

template <class Condition>
bool look_for(const Condition& condition) {
  for (int i = 0; i < kLooks; ++i) {
    if (condition()) return true;
    pause();
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    if (condition()) return true;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

constexpr int kMostShares = 32;
constexpr int kMostThreads = 1 << 15;

// More memory than a thread needs to be able to throw.
constexpr std::size_t kProbe = 1 << 16;

// Data that different threads write and poll must not share a cache line.
constexpr std::size_t kCacheLine = 64;

class Pool {
 public:
  void run(std::size_t n_tasks, int n_threads, Task task) {
    n_threads = find_threads(n_threads);
    const std::size_t n_shares = std::min<std::size_t>(n_tasks, kMostShares);
    task_ = task;
    n_tasks_ = n_tasks;
    n_shares_ = n_shares;
    n_unfinished_.store(static_cast<int>(n_shares), std::memory_order_relaxed);
    shares_.store({static_cast<std::uint16_t>(std::min(n_threads, kMostThreads)),
                   static_cast<std::uint16_t>(n_shares),
                   ~std::uint32_t{0} >> (kMostShares - static_cast<int>(n_shares))});
    // A thread that goes to sleep first counts itself, then checks for work. Here work is published
    // first, then sleepers are counted: no wake-up is lost.
    if (n_asleep_.load() > 0) {
      {
        std::lock_guard<std::mutex> lock(mutex_);
      }
      wake_.notify_all();
    }
    take(0);
    // Helpers that have not begun are not waited for: on a busy machine they may take long.
    const auto is_done = [this] { return n_unfinished_.load() == 0; };
    if (!look_for(is_done)) {
      std::unique_lock<std::mutex> lock(mutex_);
      caller_sleeps_.store(true);
      done_.wait(lock, is_done);
      caller_sleeps_.store(false);
    }
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  // Start threads up to this number, the calling one included; return how many there are. If the
  // system has no more threads, or no memory for them, fewer do the work.
  int find_threads(int n_threads) {
    try {
      while (static_cast<int>(threads_.size()) < n_threads - 1)
        threads_.emplace_back([this, k = static_cast<int>(threads_.size()) + 1] {
          if (has_memory()) work(k);
        });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    return std::min(n_threads, static_cast<int>(threads_.size()) + 1);
  }

  // Does a new thread have the memory that it needs to throw and catch? Without it, systems abort
  // at a thread's first throw, so this is tested before.
  static bool has_memory() {
    void* probe = std::malloc(kProbe);
    std::free(probe);
    return probe && std::uncaught_exceptions() == 0;
  }

  // The shares of the work that are not taken, as bits, and how many threads may take them. While
  // one is not finished `run` does not return, so a thread that has taken one can use the task.
  struct Shares {
    bool has_one_for(int k) const { return left != 0 && k < n_threads; }
    std::uint16_t n_threads = 0, n_shares = 0;
    std::uint32_t left = 0;
  };

  // Each thread takes its own part of the shares first, which is often in its cache, then others.
  void take(int k) {
    for (Shares now = shares_.load(); now.has_one_for(k);) {
      const int first = k * now.n_shares / now.n_threads;
      std::uint32_t rest = now.left >> first << first;
      if (rest == 0) rest = now.left;
      const std::uint32_t bit = rest & -rest;
      if (!shares_.compare_exchange_weak(now, {now.n_threads, now.n_shares, now.left & ~bit}))
        continue;
      run_share(lowest_bit(bit), static_cast<std::size_t>(k));
      if (n_unfinished_.fetch_sub(1) == 1 && caller_sleeps_.load()) {
        std::lock_guard<std::mutex> lock(mutex_);
        done_.notify_one();
      }
      now = shares_.load();
    }
  }

  void run_share(std::size_t share, std::size_t thread) {
    try {
      const std::size_t end = n_tasks_ * (share + 1) / n_shares_;
      for (std::size_t i = n_tasks_ * share / n_shares_; i < end; ++i) task_(i, thread);
    } catch (...) {  // rethrown when no thread works on the task any more
      std::lock_guard<std::mutex> lock(mutex_);
      error_ = std::current_exception();
    }
  }

  void work(int k) {
    const auto is_called = [&] { return shares_.load().has_one_for(k); };
    for (;;) {
      if (!look_for(is_called)) {
        std::unique_lock<std::mutex> lock(mutex_);
        ++n_asleep_;
        wake_.wait(lock, is_called);
        --n_asleep_;
      }
      take(k);
    }
  }

  alignas(kCacheLine) std::atomic<Shares> shares_{Shares{}};  // polled by helpers
  alignas(kCacheLine) std::atomic<int> n_unfinished_{0};      // polled by the caller
  alignas(kCacheLine) Task task_{nullptr, nullptr};
  std::size_t n_tasks_ = 0, n_shares_ = 0;
  alignas(kCacheLine) std::atomic<int> n_asleep_{0};
  std::atomic<bool> caller_sleeps_{false};
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> threads_;
  std::exception_ptr error_;
};

// One caller at a time: a second one (another Python thread) works alone instead of waiting.
std::mutex pool_mutex;
// Never deleted: its threads end with the process, and after a fork there are none to join.
Pool* pool = nullptr;

Pool* make_pool() {
#ifndef _WIN32
  static const int registered = pthread_atfork(nullptr, nullptr, [] { pool = nullptr; });
  static_cast<void>(registered);
#endif
  return new Pool;
}

}  // namespace

void run_tasks(std::size_t n_tasks, int n_threads, Task task) {
  n_threads = static_cast<int>(std::min<std::size_t>(std::max(n_threads, 1), n_tasks));
  std::unique_lock<std::mutex> lock(pool_mutex, std::defer_lock);
  if (n_threads < 2 || !lock.try_lock()) {
    for (std::size_t i = 0; i < n_tasks; ++i) task(i, 0);
    return;
  }
  if (!pool) pool = make_pool();
  pool->run(n_tasks, n_threads, task);
}

void Lock::lock() {
  while (is_held_.exchange(true, std::memory_order_acquire))
    while (!look_for([this] { return !is_held_.load(std::memory_order_relaxed); })) {
    }
}

void wait_for_change(const std::atomic<unsigned>& number, unsigned old) {
  const auto is_changed = [&] { return number.load(std::memory_order_acquire) != old; };
  while (!look_for(is_changed)) std::this_thread::sleep_for(kNap);
}

}  // namespace horotree
