#include "bind.h"
#include "shutdown.h"

NB_MODULE(_core, m) {
  // A model that is still alive when Python ends, in a cache or a traceback, keeps its packed
  // trees: that is nobody's mistake, and nothing to write to a user's screen.
  nanobind::set_leak_warnings(false);
  horotree::let_threads_end();
  horotree::bind_boosting(m);
  horotree::bind_geometry(m);
  horotree::bind_texts(m);
  horotree::bind_training(m);
  horotree::bind_trees(m);
}
