#include "shutdown.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

namespace horotree {

namespace {

std::terminate_handler before;

bool is_shutting_down() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

[[noreturn]] void wait_or_terminate() {
  // A stack that is unwound by Python has no C++ exception.
  while (is_shutting_down() && !std::current_exception())
    std::this_thread::sleep_for(std::chrono::hours(1));
  if (before) before();
  std::abort();
}

}  // namespace

void let_threads_end() {
  static const std::terminate_handler found = std::set_terminate(wait_or_terminate);
  before = found;
}

}  // namespace horotree
