// What happens to threads when the interpreter shuts down.
#pragma once

namespace horotree {

// Python ends a daemon thread that asks for its lock then (before 3.14): on Linux by unwinding its
// stack, which a C++ function that must not throw answers with std::terminate, so that the whole
// process would abort. From now on such a thread waits for the end of the process instead. What
// terminates otherwise does as before.
void let_threads_end();

}  // namespace horotree
