// Angles for the nodes of a tree whose distances to the origin are given, so that the geodesic arcs
// between parents and children do not cross.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// A tree of n nodes in which parents precede their children, parent[0] = -1. `drawn` increases
// along every path. `need` is what each node asks for on the circle, `positive` its class.
struct Outline {
  const std::int32_t* parent;
  const double* drawn;
  const double* need;
  const std::uint8_t* positive;
  std::size_t n;
};

// angle[v] for every node: intervals of the circle at infinity, nested in proportion to need, and
// each node on a ray from its parent into its interval.
void place_nodes(const Outline& tree, double* angle);

// Turns nodes closer than `gap` to another (of a disk of radius 1) to where they are not, or are
// less so, trying `n_tries` angles on each side; only where no arc meets another.
void space_nodes(const Outline& tree, double gap, int n_tries, double* angle);

}  // namespace horotree
