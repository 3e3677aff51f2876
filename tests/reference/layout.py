"""The exact layout to the letter: lines of the Klein disk with 40 digits, and all pairs by turns.

In the Klein disk a point at (distance, angle) is tanh(distance) · exp(i angle), geodesics are
straight, and a line meets a circle about the origin where a quadratic equation says.
"""

import math

import mpmath as mp

DIGITS = 40
MARGIN = mp.mpf("0.04")

# What the spacing pass takes for a turn that rounding may have made, and its steps in gaps.
FLAT = 5e-14
STEP = 0.35


def children_of(parent, drawn, positive):
    """Return for each node its children as they go around it."""
    n = len(parent)
    children = [[v for v in range(1, n) if parent[v] == u] for u in range(n)]

    def leaves(v):
        return [v] if not children[v] else [w for c in children[v] for w in leaves(c)]

    def goes_first(v):
        n_positive = sum(bool(positive[w]) for w in leaves(v))
        n_negative = len(leaves(v)) - n_positive
        return bool(positive[v]) if n_positive == n_negative else n_positive > n_negative

    first = [goes_first(v) for v in range(n)]
    for u, unordered in enumerate(children):
        rising = sorted((v for v in unordered if first[v]), key=lambda v: drawn[v])
        falling = sorted((v for v in unordered if not first[v]), key=lambda v: -drawn[v])
        children[u] = rising + falling
    return children


def needs(children, need):
    """Return the larger of what each node asks for and what its children need together."""
    whole = [mp.mpf(0)] * len(children)
    for v in reversed(range(len(children))):
        whole[v] = max(mp.mpf(float(need[v])), sum(whole[c] for c in children[v]))
    return whole


def intervals(parent, drawn, need, positive):
    """Return the part of the circle at infinity of each node, as (low, high)."""
    with mp.workdps(DIGITS):
        children = children_of(parent, drawn, positive)
        whole = needs(children, need)
        found = [None] * len(parent)
        # The kernel works with the double that is nearest to π.
        found[0] = (mp.mpf(-0.5 * math.pi), mp.mpf(1.5 * math.pi))
        for u, ordered in enumerate(children):
            low, high = found[u]
            unit = (high - low) / sum(whole[c] for c in ordered) if ordered else None
            for c in ordered:
                found[c] = (low, low + unit * whole[c])
                low = found[c][1]
        return found


def place_nodes(parent, drawn, need, positive):
    """Return the angle of each node: as near to the middle of its interval as it may be."""
    interval = intervals(parent, drawn, need, positive)
    children = children_of(parent, drawn, positive)
    with mp.workdps(DIGITS):
        distance = [mp.mpf(float(a)) for a in drawn]
        angle = [mp.mpf(0.5 * math.pi)] * len(parent)
        for u, ordered in enumerate(children):
            for c in ordered:
                above = parent[u] if u else None
                ends = c == ordered[0], c == ordered[-1]
                low, high = allowed(u, above, interval[c], distance[c], ends, distance, angle)
                margin = MARGIN * (high - low)
                middle = (interval[c][0] + interval[c][1]) / 2
                angle[c] = min(max(middle, low + margin), high - margin)
    return [float(theta) for theta in angle]


def allowed(u, above, interval, radius, ends, distance, angle):
    """Return from where to where on its circle a child of u may be.

    Between the rays from u to the ends of its interval, or from the parent of u if it is the child
    next to that end and there is more; and on the side of both lines on which the interval is.
    """
    start, (low, high) = (distance[u], angle[u]), interval
    from_low, behind_low = hits(start, low, radius)
    from_high, behind_high = hits(start, high, radius)
    least, most = from_low, from_high
    if above is not None and ends[0]:
        least = min(least, hits((distance[above], angle[above]), low, radius)[0])
    if above is not None and ends[1]:
        most = max(most, hits((distance[above], angle[above]), high, radius)[0])
    # Going around the circle, the line through u and an end leaves it behind u, too.
    least = max(least, from_high - (from_high - behind_high) % (2 * mp.pi))
    most = min(most, from_low + (behind_low - from_low) % (2 * mp.pi))
    return least, most


def hits(start, ideal, radius):
    """Return where the line from a point to an ideal one meets a circle, ahead and behind.

    Ahead is the angle within half a turn of the ideal point, towards which the ray turns.
    """
    u, end = mp.tanh(start[0]) * mp.expj(start[1]), mp.expj(ideal)
    way = end - u
    a, b = abs(way) ** 2, mp.re(mp.conj(way) * u)
    # |u|² - tanh²(radius), without cancellation.
    c = -mp.sinh(radius - start[0]) * mp.sinh(radius + start[0])
    c /= (mp.cosh(radius) * mp.cosh(start[0])) ** 2
    root = mp.sqrt(b * b - a * c)
    ahead, behind = (mp.arg(u + s * way) for s in ((root - b) / a, -(root + b) / a))
    return ideal + wrapped(ahead - ideal), behind


def wrapped(angle):
    """Return an angle less its whole turns."""
    return angle - 2 * mp.pi * mp.nint(angle / (2 * mp.pi))


def space_nodes(parent, drawn, gap, n_tries, angle):
    """Return angles after turning, last nodes first, those closer than ``gap`` to another."""
    angle = [float(theta) for theta in angle]
    radius = [math.tanh(0.5 * a) for a in drawn]
    for v in reversed(range(1, len(parent))):
        best = nearest(v, radius, angle), angle[v]
        if best[0] >= gap or radius[v] == 0.0:
            continue
        here, step = angle[v], min(STEP * gap / radius[v], math.pi / n_tries)
        turns = [sign * k * step for k in range(1, n_tries + 1) for sign in (1, -1)]
        for turn in turns:
            angle[v] = here + turn
            there = nearest(v, radius, angle)
            if there > best[0] and is_apart(v, parent, drawn, angle):
                best = there, angle[v]
            if best[0] >= gap:
                break
        angle[v] = best[1]
    return angle


def nearest(v, radius, angle):
    """Return the distance from a node to the nearest other one, as they are drawn."""
    points = [(r * math.cos(x), r * math.sin(x)) for r, x in zip(radius, angle, strict=True)]
    x, y = points.pop(v)
    return math.sqrt(min((x1 - x) ** 2 + (y1 - y) ** 2 for x1, y1 in points))


def is_apart(v, parent, drawn, angle):
    """Tell whether the arcs of a node surely meet no others but in common ends."""
    points = [
        (math.tanh(a) * math.cos(x), math.tanh(a) * math.sin(x))
        for a, x in zip(drawn, angle, strict=True)
    ]
    arcs = [(parent[w], w) for w in range(1, len(parent))]
    return not any(
        may_meet(one, two, points) for one in arcs if v in one for two in arcs if one is not two
    )


def may_meet(one, two, points):
    common = set(one) & set(two)
    if common:
        (p,) = common
        q, r = (sum(arc) - p for arc in (one, two))
        return abs(turn(p, q, r, points)) <= FLAT and not is_behind(p, q, r, points)
    return not (is_beside(one, two, points) or is_beside(two, one, points))


def is_beside(arc, other, points):
    """Tell whether both ends of another arc are surely on one side of an arc."""
    sides = [turn(*arc, end, points) for end in other]
    return min(sides) > FLAT or max(sides) < -FLAT


def is_behind(p, q, r, points):
    """Tell whether, seen from p, r is not on the side of q."""
    (x, y), (x1, y1), (x2, y2) = points[p], points[q], points[r]
    return (x1 - x) * (x2 - x) + (y1 - y) * (y2 - y) < 0.0


def turn(p, q, r, points):
    """Return twice the signed area of a triangle."""
    (x, y), (x1, y1), (x2, y2) = points[p], points[q], points[r]
    return (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x)
