// Trees as tables of nodes, and their monotonic versions: what is drawn.

import type { Numbers, Origin } from "./payload";
import type { Rows } from "./rows";

export const VERDICTS = [
  "none",
  "few",
  "agrees",
  "weaker",
  "stronger",
  "flipped",
  "unknown",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Held-out figures, one entry a kept node; values are as those of nodes, not from the center. */
export interface HeldOut {
  value: Numbers;
  low: Numbers;
  high: Numbers;
  verdict: Numbers;
}

/** The nodes of a tree, in its order. */
export interface Nodes {
  readonly left: Numbers;
  readonly right: Numbers;
  readonly feature: Numbers;
  readonly threshold: Numbers;
  readonly missingLeft: Numbers;
  readonly value: Numbers;
  readonly output: Numbers;
  readonly weight: Numbers;
  readonly count: Numbers;
  readonly categoryStart: Numbers;
  readonly category: Numbers;
}

/** What depends on the center: which nodes are kept, and their angles. */
export interface Layout {
  readonly center: Origin;
  readonly isKept: (node: number) => boolean;
  readonly angle: Numbers;
  readonly maxConfidence: number;
  readonly heldOut: HeldOut | null;
}

/** One tree. Arrays named after nodes have an entry a node, those after rows one a kept node. */
export interface Tree extends Nodes, Layout {}
export class Tree {
  readonly n: number;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** The value at the center: 0, or the root's. */
  readonly origin: number;
  /** The kept nodes, by their number in the tree. */
  readonly node: Int32Array;
  /** For each node, the row of its host. */
  readonly row: Int32Array;
  readonly parentRow: Int32Array;
  readonly nTests: Int32Array;
  readonly nTags: Int32Array;
  /** Confidences, or evidence: distances from the center. */
  readonly distance: Float64Array;
  /** How much of the model each row decides: rows times contribution. */
  readonly worth: Float64Array;

  constructor(
    nodes: Nodes,
    layout: Layout,
    readonly leverage: number,
    readonly edge: number,
    /** The most that the tree moves the score; NaN where confidences are not added. */
    readonly leverageConfidence: number,
    /** The held-out rows at its nodes. */
    readonly rows: Rows | null,
    /** The share of the positive class: of the rows, or else as the model has it. */
    readonly baseRate = 0.5,
  ) {
    const { left, right, value } = nodes;
    Object.assign(this, nodes, layout);
    this.origin = layout.center === "base" ? value[0] : 0;
    const n = (this.n = left.length);
    const m = layout.angle.length;
    const parent = (this.parent = new Int32Array(n).fill(-1));
    const depth = (this.depth = new Int32Array(n));
    const node = (this.node = new Int32Array(m));
    const row = (this.row = new Int32Array(n));
    const parentRow = (this.parentRow = new Int32Array(m).fill(-1));
    const nTests = (this.nTests = new Int32Array(m));
    const nTags = (this.nTags = new Int32Array(m));
    const distance = (this.distance = new Float64Array(m));
    let r = 0;
    for (let v = 0; v < n; v++) {
      if (left[v] >= 0) {
        parent[left[v]] = parent[right[v]] = v;
        depth[left[v]] = depth[right[v]] = depth[v] + 1;
      }
      const above = parent[v];
      if (layout.isKept(v)) {
        node[r] = v;
        row[v] = r;
        distance[r] = Math.abs(value[v] - this.origin);
        if (above >= 0) {
          parentRow[r] = row[above];
          nTests[r] = depth[v] - depth[node[row[above]]];
        }
        r++;
      } else {
        row[v] = row[above];
        if (left[v] < 0) nTags[row[v]]++;
      }
    }
    this.worth = this.findWorth();
  }

  /**
   * How much of the model each row decides: the number of rows that it decides times its confidence.
   *
   * These are the rows of the leaves that it is the host of, in the held-out data or else in training.
   * 0 if other hosts have most of the rows at its node: its rule would describe those, too.
   */
  private findWorth(): Float64Array {
    const own = new Float64Array(this.m);
    const isCounted = this.count.every((n, v) => this.left[v] >= 0 || n >= 0);
    const isWeighed = this.weight.every((w, v) => this.left[v] >= 0 || !Number.isNaN(w));
    const sizes = this.rows?.count ?? (isCounted ? this.count : isWeighed ? this.weight : null);
    for (let v = 0; v < this.n; v++) if (this.left[v] < 0) own[this.row[v]] += sizes ? sizes[v] : 1;
    const through = own.slice();
    for (let r = this.m - 1; r > 0; r--) through[this.parentRow[r]] += through[r];
    return own.map((size, r) => (2 * size >= through[r] ? size * this.distance[r] : 0));
  }

  /** Whether its training rows had different weights, as in bootstraps. */
  get isWeighed(): boolean {
    const { weight, count } = this;
    return weight.some((share, v) => Math.abs(share - count[v] / count[0]) > 1e-6);
  }

  /** The number of kept nodes. */
  get m(): number {
    return this.node.length;
  }

  /** The value of a row, from the center: the sign is the class. */
  valueOf(row: number): number {
    return this.value[this.node[row]] - this.origin;
  }

  /** 0 for a row of the negative class, 1 for the positive, 2 for neither. */
  kindOf(row: number): 0 | 1 | 2 {
    const value = this.valueOf(row);
    return value === 0 ? 2 : value > 0 ? 1 : 0;
  }

  /** The rows from the root down to this one. */
  rowsTo(row: number): number[] {
    const rows = [];
    for (let r = row; r >= 0; r = this.parentRow[r]) rows.push(r);
    return rows.reverse();
  }

  /** The nodes of the tree from the root down to this one. */
  nodesTo(node: number, start = 0): number[] {
    const nodes = [];
    for (let v = node; v > start; v = this.parent[v]) nodes.push(v);
    nodes.push(start);
    return nodes.reverse();
  }

  /** The rows whose parent is this one. */
  childrenOf(row: number): number[] {
    const rows = [];
    for (let r = row + 1; r < this.m; r++) if (this.parentRow[r] === row) rows.push(r);
    return rows;
  }

  /** Whether a value goes left at an inner node. */
  goesLeft(node: number, x: number): boolean {
    if (Number.isNaN(x)) return this.missingLeft[node] !== 0;
    const start = this.categoryStart[node];
    const end = this.categoryStart[node + 1];
    if (start === end) return x <= this.threshold[node];
    for (let i = start; i < end; i++) if (this.category[i] === x) return true;
    return false;
  }

  /** The leaf in which an example ends. */
  leafOf(x: ArrayLike<number>): number {
    let v = 0;
    while (this.left[v] >= 0)
      v = this.goesLeft(v, x[this.feature[v]]) ? this.left[v] : this.right[v];
    return v;
  }
}
