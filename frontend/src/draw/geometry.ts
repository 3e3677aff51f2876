// The disk: where distances are drawn at a temperature t, geodesic arcs, and moves of the disk.

export type Point = [x: number, y: number];

export interface Circle {
  x: number;
  y: number;
  r: number;
}

/** The classical distance at which a distance of the t-self is drawn: log(1 + (1-t) d) / (1-t). */
export function unlift(d: number, t: number): number {
  if (t === 1) return d;
  return Math.log1p((1 - t) * d) / (1 - t);
}

/** The inverse of `unlift`. */
export function lift(drawn: number, t: number): number {
  if (t === 1) return drawn;
  return Math.expm1((1 - t) * drawn) / (1 - t);
}

/** The norm at which a distance is drawn; 1 for infinity. */
export function normAt(d: number, t: number): number {
  return d === Infinity ? 1 : Math.tanh(unlift(d, t) / 2);
}

/** Hyperbolic distance of two points given by distance from the origin and angle. */
export function polarDistance(a: number, alpha: number, b: number, beta: number): number {
  const radial = Math.sinh((a - b) / 2);
  const turn = Math.sin((beta - alpha) / 2);
  return 2 * Math.asinh(Math.sqrt(radial * radial + Math.sinh(a) * Math.sinh(b) * turn * turn));
}

export interface Arcs {
  /** Distances and angles of the points, arc after arc; one for each row but the root. */
  distance: Float64Array;
  angle: Float64Array;
}

/**
 * Points on the geodesic arcs from parents to children, in the disk as it is drawn at `t`.
 *
 * Distances are those of the t-self, like those of the nodes: drawn at any t they follow the arc.
 */
export function sampleArcs(
  distance: ArrayLike<number>,
  angle: ArrayLike<number>,
  parent: ArrayLike<number>,
  t: number,
  nPoints: number,
): Arcs {
  const n = Math.max(distance.length - 1, 0);
  const far = new Float64Array(n * nPoints);
  const bend = new Float64Array(n * nPoints);
  for (let c = 1; c <= n; c++) {
    const u = parent[c];
    const pointAt = geodesic(unlift(distance[u], t), angle[u], unlift(distance[c], t), angle[c]);
    const first = (c - 1) * nPoints;
    const last = first + nPoints - 1;
    for (let i = 1; i < nPoints - 1; i++) {
      const point = pointAt(i / (nPoints - 1));
      far[first + i] = lift(point[0], t);
      bend[first + i] = point[1];
    }
    // The ends to the last bit, so that arcs and nodes meet.
    [far[first], far[last]] = [distance[u], distance[c]];
    [bend[first], bend[last]] = [angle[u], angle[c]];
  }
  return { distance: far, angle: bend };
}

/** The point at a share of the geodesic between two others; all by distance and angle. */
function geodesic(a: number, alpha: number, b: number, beta: number): (s: number) => Point {
  const length = polarDistance(a, alpha, b, beta);
  // Points of a geodesic are combinations of its ends on the hyperboloid.
  const [sa, sb] = [Math.sinh(a), Math.sinh(b)];
  const [ax, ay] = [sa * Math.cos(alpha), sa * Math.sin(alpha)];
  const [bx, by] = [sb * Math.cos(beta), sb * Math.sin(beta)];
  return (s) => {
    const [start, end] = [share(length, 1 - s), share(length, s)];
    const x = start * ax + end * bx;
    const y = start * ay + end * by;
    return [Math.asinh(Math.hypot(x, y)), Math.atan2(y, x)];
  };
}

/** sinh(s d) / sinh(d), and s for tiny d. */
function share(d: number, s: number): number {
  if (d < 1e-6) return s;
  return (Math.exp((s - 1) * d) * Math.expm1(-2 * s * d)) / Math.expm1(-2 * d);
}

/** The move of the disk that brings c to the center: (z - c) / (1 - conj(c) z). */
export function translate(x: number, y: number, cx: number, cy: number): Point {
  const ux = x - cx;
  const uy = y - cy;
  const vx = 1 - (cx * x + cy * y);
  const vy = cy * x - cx * y;
  const size = vx * vx + vy * vy;
  return [(ux * vx + uy * vy) / size, (uy * vx - ux * vy) / size];
}

/** The point that is moved to the middle of the disk: its drawn distance from there, and angle. */
export interface Center {
  a: number;
  angle: number;
  x: number;
  y: number;
}

export function centerAt(a: number, angle: number): Center {
  const norm = Math.tanh(a / 2);
  return { a, angle, x: norm * Math.cos(angle), y: norm * Math.sin(angle) };
}

export const ORIGIN = centerAt(0, 0);

/**
 * Where a point, given by its drawn distance and its angle, is when the disk is moved.
 *
 * It is `translate`, but also right near the border, where coordinates have no digits left.
 */
export function move(a: number, angle: number, center: Center): Point {
  const b = center.a;
  const delta = angle - center.angle;
  const half = Math.sin(delta / 2);
  const radial = Math.sinh((a - b) / 2);
  const size = radial * radial + Math.sinh(a) * Math.sinh(b) * half * half;
  const norm = size === Infinity ? 1 : Math.sqrt(size / (1 + size));
  const across = Math.sinh(a) * Math.sin(delta);
  const along = Math.sinh(a - b) - 2 * Math.sinh(a) * Math.cosh(b) * half * half;
  const turn = center.angle + Math.atan2(across, along);
  return [norm * Math.cos(turn), norm * Math.sin(turn)];
}

/** The image of the circle of points at a drawn distance from the origin, when the disk is moved. */
export function moveCircle(a: number, center: Center): Circle {
  if (center.a === 0) return { x: 0, y: 0, r: a === Infinity ? 1 : Math.tanh(a / 2) };
  if (a === Infinity) return { x: 0, y: 0, r: 1 };
  const near = Math.tanh((a - center.a) / 2);
  const far = -Math.tanh((a + center.a) / 2);
  const middle = (near + far) / 2;
  return {
    x: middle * Math.cos(center.angle),
    y: middle * Math.sin(center.angle),
    r: (near - far) / 2,
  };
}

/** The center at a share s of the geodesic from one to another. */
export function between(from: Center, to: Center, s: number): Center {
  if (s >= 1) return to;
  if (polarDistance(from.a, from.angle, to.a, to.angle) < 1e-9) return to;
  return centerAt(...geodesic(from.a, from.angle, to.a, to.angle)(s));
}

/** A table of norms at one temperature: fast, and exact to a small part of a pixel. */
export class NormTable {
  private readonly table: Float64Array;
  private t = Number.NaN;

  /** A table for distances up to `largest`, drawn at norm .95 at most at `layoutT`. */
  constructor(
    largest: number,
    private readonly layoutT: number,
    private readonly size = 4096,
  ) {
    this.table = new Float64Array(size + 2);
    this.scale = size / Math.max(unlift(largest, layoutT), 1e-12);
  }

  private readonly scale: number;

  /** Where a distance is in the table, in cells. */
  place(distance: number): number {
    return Math.min(unlift(distance, this.layoutT) * this.scale, this.size);
  }

  /** The norms at t, to be interpolated linearly between whole places. */
  at(t: number): Float64Array {
    if (t !== this.t) {
      for (let i = 0; i <= this.size; i++)
        this.table[i] = normAt(lift(i / this.scale, this.layoutT), t);
      this.table[this.size + 1] = this.table[this.size];
      this.t = t;
    }
    return this.table;
  }
}
