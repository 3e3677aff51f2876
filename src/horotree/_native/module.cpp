#include "bind.h"

NB_MODULE(_core, m) {
  horotree::bind_geometry(m);
  horotree::bind_training(m);
  horotree::bind_trees(m);
}
