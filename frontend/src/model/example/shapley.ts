// What each feature did to the score of one row: exact path-dependent Shapley values (TreeSHAP).
//
// A coalition is a set of features that are known. At a test of another feature, both children count,
// by their shares of the training rows (cover). A feature's value is what it adds to the score when it
// becomes known, averaged over all orders in which features may become known.
//
// For the path to one leaf, let z be the product of the shares of the tests of one feature, and o be 1
// if the row passes all of them, else 0. With f(t) = t o + (1 - t) z, the value of feature i is
//
//     output (o_i - z_i) ∫ Π_{j ≠ i} f_j(t) dt   from 0 to 1
//
// because ∫ t^k (1 - t)^(d-1-k) dt is the Shapley weight of k of the d - 1 others. The integrand is a
// polynomial of degree d - 1, so that Gauss's quadrature with d / 2 points gives the integral itself. Products
// are carried down the tree, sums over leaves up: a tree costs nodes times points.

import { addUp } from "../rows";
import { rounded } from "./follow";
import { isPartial } from "../shown";
import type { Forest } from "../forest";
import type { Tree } from "../tree";

export interface Attribution {
  /** The score before any feature is known: the mean over the training rows. */
  base: number;
  /** By feature, what it adds: the base and all values sum to the score. */
  values: Float64Array;
}

interface Quadrature {
  points: Float64Array;
  weights: Float64Array;
}

/** The figures of a tree that do not depend on the row. */
interface Prepared {
  /** By node, its share of its parent's cover. */
  share: Float64Array;
  /** By node, the last one above it that a test of the same feature leads to; -1 if there is none. */
  above: Int32Array;
  quadrature: Quadrature;
}

const prepared = new WeakMap<Tree, Prepared>();
const quadratures = new Map<number, Quadrature>();

/** What each feature did to a score; null if nodes do not know their cover, or trees are left out. */
export function attribute(forest: Forest, ensemble: number, x: Float64Array): Attribution | null {
  if (!forest.header.cover || isPartial(forest)) return null;
  const known = rounded(x, forest.header.inputDtype);
  const values = new Float64Array(known.length);
  let base = forest.ensembles[ensemble].baseValue;
  const [first, last] = forest.ensembles[ensemble].trees;
  for (let j = first; j < last; j++) base += addTree(forest, j, known, values);
  return { base, values };
}

let [zero, one, reach, sums] = [0, 0, 0, 0].map(() => new Float64Array(0));

function reserve(n: number, points: number): void {
  if (zero.length < n) [zero, one, reach] = [0, 0, 0].map(() => new Float64Array(n));
  if (sums.length < n * points) sums = new Float64Array(n * points);
}

/** Add what the features do in one tree; return what the tree says before any is known. */
function addTree(forest: Forest, j: number, x: Float64Array, values: Float64Array): number {
  const tree = forest.at(j);
  const { share, above, quadrature } = prepare(forest, j);
  const n = quadrature.points.length;
  reserve(tree.n, n);
  zero[0] = one[0] = reach[0] = 1;
  sums.fill(1, 0, n);
  let base = 0;
  for (let v = 0; v < tree.n; v++) {
    const left = tree.left[v];
    if (left < 0) {
      const adds = tree.leverage * tree.output[v];
      base += reach[v] * adds;
      for (let q = v * n; q < (v + 1) * n; q++) sums[q] *= adds;
      continue;
    }
    const isLeft = tree.goesLeft(v, x[tree.feature[v]]);
    goDown(v, left, isLeft, share, above, quadrature);
    goDown(v, tree.right[v], !isLeft, share, above, quadrature);
    sums.fill(0, v * n, (v + 1) * n); // from here on, the sums over the leaves below
  }
  for (let v = tree.n - 1; v > 0; v--) {
    const parent = tree.parent[v];
    values[tree.feature[parent]] += difference(v, above[v], quadrature);
    for (let q = 0; q < n; q++) sums[parent * n + q] += sums[v * n + q];
  }
  return base;
}

/** Carry the products from a node to a child. */
function goDown(
  parent: number,
  child: number,
  passes: boolean,
  share: Float64Array,
  above: Int32Array,
  { points }: Quadrature,
): void {
  const n = points.length;
  const u = above[child];
  const z0 = u < 0 ? 1 : zero[u];
  const o0 = u < 0 ? 1 : one[u];
  const z = (zero[child] = z0 * share[child]);
  const o = (one[child] = passes ? o0 : 0);
  reach[child] = reach[parent] * share[child];
  for (let q = 0; q < n; q++) {
    const t = points[q];
    const before = t * o0 + (1 - t) * z0;
    const after = t * o + (1 - t) * z;
    sums[child * n + q] = before > 0 ? (sums[parent * n + q] * after) / before : 0;
  }
}

/** What the test that leads to a node changes in the value of its feature, over all leaves below. */
function difference(v: number, u: number, { points, weights }: Quadrature): number {
  const n = points.length;
  const z0 = u < 0 ? 1 : zero[u];
  const o0 = u < 0 ? 1 : one[u];
  const z = zero[v];
  const o = one[v];
  if (o === 0 && z === 0) return 0; // no coalition comes here
  let sum = 0;
  for (let q = 0; q < n; q++) {
    const t = points[q];
    const before = (o0 - z0) / (t * o0 + (1 - t) * z0);
    const after = (o - z) / (t * o + (1 - t) * z);
    sum += weights[q] * sums[v * n + q] * (after - before);
  }
  return sum;
}

function prepare(forest: Forest, j: number): Prepared {
  const tree = forest.at(j);
  const known = prepared.get(tree);
  if (known) return known;
  const cover = addUp(tree.left, tree.right, forest.leafCovers(j));
  const share = new Float64Array(tree.n);
  const above = new Int32Array(tree.n).fill(-1);
  const nFeatures = new Int32Array(tree.n);
  for (let v = 1; v < tree.n; v++) {
    const parent = tree.parent[v];
    // At a node without training rows, neither child is more likely than the other.
    share[v] = cover[parent] > 0 ? cover[v] / cover[parent] : 0.5;
    let u = parent;
    while (u > 0 && tree.feature[tree.parent[u]] !== tree.feature[parent]) u = tree.parent[u];
    if (u > 0) above[v] = u;
    nFeatures[v] = nFeatures[parent] + Number(u === 0);
  }
  const most = nFeatures.reduce((a, b) => Math.max(a, b), 1);
  const made = { share, above, quadrature: gaussQuadrature(Math.ceil(most / 2)) };
  prepared.set(tree, made);
  return made;
}

/** Gauss's quadrature from 0 to 1: exact for polynomials of a degree below twice the number of points. */
export function gaussQuadrature(n: number): Quadrature {
  const known = quadratures.get(n);
  if (known) return known;
  const points = new Float64Array(n);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let step = 0; step < 20; step++) {
      // Legendre's polynomials by their recursion, and the slope of the last.
      let [last, p] = [1, x];
      for (let k = 2; k <= n; k++) [last, p] = [p, ((2 * k - 1) * x * p - (k - 1) * last) / k];
      slope = (n * (last - x * p)) / (1 - x * x);
      const move = p / slope;
      x -= move;
      if (Math.abs(move) < 1e-16) break;
    }
    points[i] = (1 + x) / 2;
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  const quadrature = { points, weights };
  quadratures.set(n, quadrature);
  return quadrature;
}
