#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "disk/children.h"
#include "disk/disk.h"

namespace horotree {

namespace {

const double kPi = 3.14159265358979323846;

// Twice the area of a triangle whose orientation rounding could flip. Coordinates are within 1 and
// have errors of 2e-16, so the area has an error below 1e-15 times its sides: this is far larger.
const double kFlat = 5e-14;

// Distance between tried angles, in gaps.
const double kStep = 0.35;

struct Point {
  double x, y;
};

double orientation(Point p, Point q, Point r) {
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

bool same_side(double o1, double o2) {
  return (o1 > kFlat && o2 > kFlat) || (o1 < -kFlat && o2 < -kFlat);
}

// May two segments meet?
bool may_meet(Point p, Point q, Point r, Point s) {
  return !same_side(orientation(p, q, r), orientation(p, q, s)) &&
         !same_side(orientation(r, s, p), orientation(r, s, q));
}

// May two segments from p have more than p in common?
bool may_overlap(Point p, Point q, Point r) {
  return std::fabs(orientation(p, q, r)) <= kFlat &&
         (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y) >= 0.0;
}

class Spacing {
 public:
  Spacing(const Outline& tree, double gap, int n_tries, double* angle)
      : tree_(tree),
        children_(tree),
        angle_(angle),
        gap_(gap),
        n_tries_(n_tries),
        radius_(tree.n),
        chord_radius_(tree.n),
        drawn_(tree.n),
        chord_(tree.n) {
    for (std::size_t v = 0; v < tree.n; ++v) {
      radius_[v] = std::tanh(0.5 * tree.drawn[v]);
      chord_radius_[v] = std::tanh(tree.drawn[v]);
      move(v, angle[v]);
    }
  }

  // Children before parents: a leaf is easier to move than a node with a subtree.
  void run() {
    for (std::size_t v = tree_.n; v-- > 1;) {
      const double now = nearest(v, 0.0);
      if (now < gap_) improve(v, now);
    }
  }

 private:
  // A node is drawn at radius tanh(a/2). At tanh(a), in the Klein disk, geodesics are chords.
  void move(std::size_t v, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double r = radius_[v], k = chord_radius_[v];
    angle_[v] = angle;
    drawn_[v] = {r * c, r * s};
    chord_[v] = {k * c, k * s};
  }

  // The distance to the nearest other node, or to any within `enough`.
  double nearest(std::size_t v, double enough) const {
    double least = std::numeric_limits<double>::infinity();
    const Point p = drawn_[v];
    for (std::size_t w = 0; w < tree_.n && least > enough * enough; ++w) {
      if (w == v) continue;
      const double x = drawn_[w].x - p.x, y = drawn_[w].y - p.y;
      least = std::min(least, x * x + y * y);
    }
    return std::sqrt(least);
  }

  // May the arc from u to w meet an arc that shares no end with it, or overlap one that does? Arcs
  // of v are ignored.
  bool arc_may_meet(std::size_t u, std::size_t w, std::size_t v) const {
    const Point p = chord_[u], q = chord_[w];
    for (std::size_t s = 1; s < tree_.n; ++s) {
      const auto r = static_cast<std::size_t>(tree_.parent[s]);
      if (r == v || s == v) continue;
      if (r == u || s == u) {
        if (may_overlap(p, q, chord_[r == u ? s : r])) return true;
      } else if (r == w || s == w) {
        if (may_overlap(q, p, chord_[r == w ? s : r])) return true;
      } else if (may_meet(p, q, chord_[r], chord_[s])) {
        return true;
      }
    }
    return false;
  }

  // May the arcs of v, at its current angle, meet others or each other?
  bool may_meet_at(std::size_t v) const {
    const auto p = static_cast<std::size_t>(tree_.parent[v]);
    if (arc_may_meet(p, v, v)) return true;
    for (const std::int32_t* c = children_.begin(v); c != children_.end(v); ++c) {
      if (arc_may_meet(v, *c, v) || may_overlap(chord_[v], chord_[p], chord_[*c])) return true;
      for (const std::int32_t* d = c + 1; d != children_.end(v); ++d)
        if (may_overlap(chord_[v], chord_[*c], chord_[*d])) return true;
    }
    return false;
  }

  // Turn v to the first angle with a sufficient gap, else the best one, without making arcs meet.
  void improve(std::size_t v, double now) {
    const double radius = radius_[v], here = angle_[v];
    if (radius == 0.0) return;
    const double step = std::min(kStep * gap_ / radius, kPi / n_tries_);
    double best_gap = now, best = here;
    for (int i = 0; i < 2 * n_tries_ && best_gap < gap_; ++i) {
      const double angle = here + (i % 2 ? -step : step) * (i / 2 + 1);
      move(v, angle);
      const double there = nearest(v, best_gap);
      if (there > best_gap && !may_meet_at(v)) {
        best_gap = there;
        best = angle;
      }
    }
    move(v, best);
  }

  const Outline& tree_;
  const Children children_;
  double* angle_;
  const double gap_;
  const int n_tries_;
  std::vector<double> radius_, chord_radius_;
  std::vector<Point> drawn_, chord_;
};

}  // namespace

void space_nodes(const Outline& tree, double gap, int n_tries, double* angle) {
  if (tree.n > 1) Spacing(tree, gap, n_tries, angle).run();
}

}  // namespace horotree
