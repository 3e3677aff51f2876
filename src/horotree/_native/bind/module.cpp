// The Python module `_core`.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

#include "bind/arrays.h"

namespace {

std::terminate_handler previous_handler;

bool is_shutting_down() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

[[noreturn]] void wait_or_terminate() {
  // When Python unwinds a stack, there is no current C++ exception.
  while (is_shutting_down() && !std::current_exception())
    std::this_thread::sleep_for(std::chrono::hours(1));
  if (previous_handler) previous_handler();
  std::abort();
}

// Before Python 3.14, a daemon thread that asks for the GIL during shutdown is ended by Python. On
// Linux this unwinds the stack, and a noexcept C++ function on it calls std::terminate: the process
// would abort. With this handler such a thread waits for the end of the process instead. All other
// terminations are unchanged.
void let_threads_wait_at_exit() {
  static const std::terminate_handler found = std::set_terminate(wait_or_terminate);
  previous_handler = found;
}

}  // namespace

NB_MODULE(_core, m) {
  // A model that is alive when Python exits (in a cache or a traceback) keeps its packed trees.
  // That is no error, so nothing is printed.
  nanobind::set_leak_warnings(false);
  let_threads_wait_at_exit();
  horotree::bind_binning(m);
  horotree::bind_training(m);
  horotree::bind_boosting(m);
  horotree::bind_scoring(m);
  horotree::bind_disk(m);
  horotree::bind_numbers(m);
}
