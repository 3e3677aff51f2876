#include <algorithm>
#include <cmath>
#include <vector>

#include "disk/children.h"
#include "disk/disk.h"

namespace horotree {

namespace {

const double kPi = 3.14159265358979323846;

// Share of the possible angles left free on both sides, as a margin for rounding.
const double kMargin = 0.04;

// About 64 units in the last place of an angle.
const double kCoarse = 3e-14;

// The multiple of 2 pi nearest to an angle.
double turns(double angle) { return 2.0 * kPi * std::nearbyint(angle / (2.0 * kPi)); }

// The direction, relative to outward, from a point at distance `a` to the ideal point whose angle
// differs by `offset`. Whole turns are kept, so it is continuous and increasing.
double ideal_direction(double a, double offset) {
  const double whole = turns(offset);
  return 2.0 * std::atan(std::exp(a) * std::tan(0.5 * (offset - whole))) + whole;
}

// The change of angle along the ray that starts at distance b in this direction, when it reaches
// distance a >= b; see geometry.polar.ray_offset. Whole turns are kept.
double ray_offset(double b, double direction, double a) {
  if (b == 0.0) return direction;
  const double whole = turns(direction);
  const double sine = std::sin(direction - whole), cosine = std::cos(direction - whole);
  const double at = -std::expm1(-2.0 * a), gap = -std::expm1(-2.0 * (a - b)),
               both = -std::expm1(-2.0 * (a + b)), shrink = std::exp(-b);
  const double g = std::hypot(cosine, std::sqrt(gap / at * (both / at)) * sine);
  if (cosine >= 0.0) return 2.0 * std::atan(sine * (gap / at) * shrink / (g + cosine)) + whole;
  return 2.0 * std::atan2(at / both * shrink * (g - cosine), sine) + whole -
         (sine < 0.0 ? 2.0 * kPi : 0.0);
}

struct Interval {
  double low, high;
};

class Placement {
 public:
  Placement(const Outline& tree, double* angle)
      : tree_(tree), children_(tree), angle_(angle), interval_(tree.n) {}

  void run() {
    angle_[0] = 0.5 * kPi;
    interval_[0] = {-0.5 * kPi, 1.5 * kPi};
    for (std::size_t u = 0; u < tree_.n; ++u) {
      divide(u);
      for (const std::int32_t* c = children_.begin(u); c != children_.end(u); ++c) place(u, *c);
    }
  }

 private:
  // Divide the interval of u among its children in proportion to their needs.
  void divide(std::size_t u) {
    double total = 0.0, passed = 0.0;
    for (const std::int32_t* c = children_.begin(u); c != children_.end(u); ++c)
      total += children_.need(*c);
    const Interval whole = interval_[u];
    double low = whole.low;
    for (const std::int32_t* c = children_.begin(u); c != children_.end(u); ++c) {
      passed += children_.need(*c);
      const bool last = c + 1 == children_.end(u);
      const double high =
          last ? whole.high : whole.low + (whole.high - whole.low) * (passed / total);
      interval_[*c] = {low, high};
      low = high;
    }
  }

  // The angle at which the ray from u to an ideal point reaches distance a.
  double reach(std::size_t u, double ideal, double a) const {
    return angle_[u] +
           ray_offset(tree_.drawn[u], ideal_direction(tree_.drawn[u], ideal - angle_[u]), a);
  }

  void place(std::size_t u, std::size_t c) {
    const double a = tree_.drawn[c], b = tree_.drawn[u];
    const Interval ends = interval_[c];
    const double from = ideal_direction(b, ends.low - angle_[u]);
    const double to = ideal_direction(b, ends.high - angle_[u]);
    double low = angle_[u] + ray_offset(b, from, a), high = angle_[u] + ray_offset(b, to, a);
    if (u > 0) {
      // The triangle of u, its parent and this end of its interval is empty: the adjacent child may
      // use it.
      const std::size_t p = static_cast<std::size_t>(tree_.parent[u]);
      if (ends.low == interval_[u].low) low = std::min(low, reach(p, ends.low, a));
      if (ends.high == interval_[u].high) high = std::max(high, reach(p, ends.high, a));
    }
    // All of the interval must be on the outer side of the arc to the child.
    low = std::max(low, angle_[u] + ray_offset(b, to - kPi, a));
    high = std::min(high, angle_[u] + ray_offset(b, from + kPi, a));
    const double margin = kMargin * (high - low);
    const double middle = 0.5 * (ends.low + ends.high);
    angle_[c] = std::min(std::max(middle, low + margin), high - margin);
    // Straight outward is exact where doubles are too coarse for any other direction.
    const bool outward = from < 0.0 && 0.0 < to && -kPi <= from && to <= kPi;
    if (outward && high - low < kCoarse) angle_[c] = angle_[u];
  }

  const Outline& tree_;
  const Children children_;
  double* angle_;
  std::vector<Interval> interval_;
};

}  // namespace

void place_nodes(const Outline& tree, double* angle) {
  if (tree.n > 0) Placement(tree, angle).run();
}

}  // namespace horotree
