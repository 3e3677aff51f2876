// The held-out rows at each node of a tree: how many, of which class, what the model says.

import type { Numbers } from "./payload";
import { exactInterval } from "./proportions";

/** A share of counted rows, and the model's answer for them. */
export interface Share {
  /** All rows, and the share of the class among them with its exact 95 % interval. */
  count: number;
  share: number;
  low: number;
  high: number;
  /** How many times the share of all rows it is; NaN if none is of the class. */
  lift: number;
  /** The model's mean probability of the class. */
  probability: number;
}

/** The rows of a tree's nodes, an entry a node. */
export class Rows {
  constructor(
    readonly count: Numbers,
    readonly positive: Numbers,
    readonly probability: Numbers,
  ) {}

  /** What is known of the rows at a node, for the positive class or the other; null without any. */
  shareOf(node: number, isPositive: boolean): Share | null {
    const count = this.count[node];
    if (!count) return null;
    const own = (v: number): number =>
      isPositive ? this.positive[v] : this.count[v] - this.positive[v];
    const [low, high] = exactInterval(own(node), count);
    const share = own(node) / count;
    const base = own(0) / this.count[0];
    const p = this.probability[node];
    return {
      count,
      share,
      low,
      high,
      lift: base > 0 ? share / base : Number.NaN,
      probability: isPositive ? p : 1 - p,
    };
  }
}

/** Figures by node from those of the leaves, in the order of the tree: inner nodes have the sums. */
export function addUp(left: Numbers, right: Numbers, leaves: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(left.length);
  for (let v = left.length - 1, i = leaves.length - 1; v >= 0; v--)
    sums[v] = left[v] < 0 ? leaves[i--] : sums[left[v]] + sums[right[v]];
  return sums;
}

/** The rows by node, from those that end at the leaves. */
export function rowsOf(
  left: Numbers,
  right: Numbers,
  count: Numbers,
  positive: Numbers,
  probability: Numbers,
): Rows {
  const total = Float64Array.from(count, (n, i) => (n ? n * probability[i] : 0));
  const counts = addUp(left, right, count);
  const sums = addUp(left, right, total);
  return new Rows(
    counts,
    addUp(left, right, positive),
    sums.map((sum, v) => sum / counts[v]),
  );
}
