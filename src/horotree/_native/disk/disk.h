// Points of the Poincare disk, stored as (distance to the origin, angle).
#pragma once

#include <cstddef>
#include <cstdint>

namespace horotree {

// out[i] = hyperbolic distance of the points (a[i], alpha[i]) and (b[i], beta[i]).
void polar_distances(const double* a, const double* alpha, const double* b, const double* beta,
                     std::size_t n, double* out);

// A tree of n nodes, parents before children, parent[0] = -1. `drawn`, the distance to the origin,
// increases along every path. `need` is the share of the circle that a node asks for, `positive`
// its class.
struct Outline {
  const std::int32_t* parent;
  const double* drawn;
  const double* need;
  const std::uint8_t* positive;
  std::size_t n;
};

// angle[v] for every node, such that the geodesic arcs between parents and children do not cross:
// each node gets an interval of the circle at infinity, in proportion to its need and nested in its
// parent's, and lies on a ray from its parent into its interval.
void place_nodes(const Outline& tree, double* angle);

// Turn nodes that are closer than `gap` to another (in a disk of radius 1) to an angle where they
// are farther away, trying `n_tries` angles on each side. No arcs meet afterwards that did not
// before.
void space_nodes(const Outline& tree, double gap, int n_tries, double* angle);

}  // namespace horotree
