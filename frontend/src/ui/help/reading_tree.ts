// The tree of the help's picture: an example of each thing that a picture may have.

import type { Origin } from "../../model/payload";
import { Tree } from "../../model/tree";

// Those that are not kept are less sure than a node above them, from even odds and from the root.
const LEFT = [1, 3, 5, -1, -1, 7, -1, -1, 9, -1, 11, -1, 13, -1, 15, -1, -1];
const VALUE = [
  -0.35, -1.5, 1.3, -4.2, -1, 0.9, 3, 0.4, 1.1, 0.2, 0.8, 0.6, 1, -0.5, 1.2, 2.6, 0.3,
]; // prettier-ignore
const KEPT = [0, 1, 2, 3, 6, 15];
const ANGLE = [1.75, 3.35, 0.1, 2.45, 0.55, -0.95];
const LEVERAGE = 0.25;

/** The tree, from a center; trees that vote by their shares alone add nothing to a score. */
export function makeExample(center: Origin, adds: boolean): Tree {
  const n = LEFT.length;
  const value = Float64Array.from(VALUE);
  const origin = center === "base" ? value[0] : 0;
  const largest = value.reduce((a, x) => Math.max(a, Math.abs(x - origin)), 0);
  const unknown = new Float64Array(n).fill(Number.NaN);
  const nodes = {
    left: Int32Array.from(LEFT),
    right: Int32Array.from(LEFT, (v) => (v < 0 ? -1 : v + 1)),
    feature: Int32Array.from(LEFT, (v) => (v < 0 ? -1 : 0)),
    threshold: new Float64Array(n),
    missingLeft: new Uint8Array(n),
    value,
    output: value,
    weight: unknown,
    count: new Int32Array(n).fill(-1),
    categoryStart: new Int32Array(n + 1),
    category: new Int32Array(0),
  };
  const layout = {
    center,
    isKept: (v: number) => KEPT.includes(v),
    angle: Float64Array.from(ANGLE),
    maxConfidence: largest,
    heldOut: null,
  };
  return new Tree(
    nodes,
    layout,
    LEVERAGE,
    Number.NaN,
    adds ? LEVERAGE * largest : Number.NaN,
    null,
  );
}
