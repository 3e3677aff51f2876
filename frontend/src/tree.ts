// Trees as tables of nodes, and their monotonic versions: what is drawn.

import { Columns } from "./columns";
import type { EnsembleHeader, Header, Numbers, Payload } from "./payload";

export const VERDICTS = ["none", "few", "agrees", "weaker", "stronger", "flipped"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Held-out figures, one entry a kept node. */
export interface HeldOut {
  value: Numbers;
  low: Numbers;
  high: Numbers;
  count: Numbers;
  verdict: Numbers;
}

/** One tree. Arrays named after nodes have an entry a node, those after rows one a kept node. */
export class Tree {
  readonly n: number;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** The kept nodes, by their number in the tree. */
  readonly node: Int32Array;
  /** For each node, the row of its host. */
  readonly row: Int32Array;
  readonly parentRow: Int32Array;
  readonly nTests: Int32Array;
  readonly nTags: Int32Array;
  /** Confidences: distances from the center. */
  readonly distance: Float64Array;
  /** Training weight that ends at each row, times its confidence. */
  readonly worth: Float64Array;

  constructor(
    readonly left: Numbers,
    readonly right: Numbers,
    readonly feature: Numbers,
    readonly threshold: Float64Array,
    readonly missingLeft: Numbers,
    readonly value: Numbers,
    readonly output: Numbers,
    readonly weight: Numbers,
    readonly count: Numbers,
    readonly categoryStart: Numbers,
    readonly category: Numbers,
    kept: Numbers,
    readonly angle: Numbers,
    readonly leverage: number,
    readonly edge: number,
    readonly maxConfidence: number,
    readonly leverageConfidence: number,
    readonly heldOut: HeldOut | null,
  ) {
    const n = (this.n = left.length);
    const m = angle.length;
    const parent = (this.parent = new Int32Array(n).fill(-1));
    const depth = (this.depth = new Int32Array(n));
    const node = (this.node = new Int32Array(m));
    const row = (this.row = new Int32Array(n));
    const parentRow = (this.parentRow = new Int32Array(m).fill(-1));
    const nTests = (this.nTests = new Int32Array(m));
    const nTags = (this.nTags = new Int32Array(m));
    const distance = (this.distance = new Float64Array(m));
    const worth = (this.worth = new Float64Array(m));
    let r = 0;
    for (let v = 0; v < n; v++) {
      if (left[v] >= 0) {
        parent[left[v]] = parent[right[v]] = v;
        depth[left[v]] = depth[right[v]] = depth[v] + 1;
      }
      const above = parent[v];
      if (kept[v]) {
        node[r] = v;
        row[v] = r;
        distance[r] = Math.abs(value[v]);
        if (above >= 0) {
          parentRow[r] = row[above];
          nTests[r] = depth[v] - depth[node[row[above]]];
        }
        r++;
      } else {
        row[v] = row[above];
        if (left[v] < 0) nTags[row[v]]++;
      }
      if (left[v] < 0) {
        const weight = this.weight[v];
        worth[row[v]] += Number.isNaN(weight) ? Math.max(count[v], 1) : weight;
      }
    }
    for (let k = 0; k < m; k++) worth[k] *= distance[k];
  }

  /** The number of kept nodes. */
  get m(): number {
    return this.node.length;
  }

  /** The value of a row. */
  valueOf(row: number): number {
    return this.value[this.node[row]];
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

  /** Rows that decide most: by weight that ends there times confidence. */
  strongestRows(n: number): number[] {
    const best: number[] = [];
    const { worth } = this;
    for (let r = 0; r < worth.length; r++) {
      if (worth[r] <= 0 || (best.length === n && worth[r] <= worth[best[n - 1]])) continue;
      let place = best.length;
      while (place > 0 && worth[best[place - 1]] < worth[r]) place--;
      best.splice(place, 0, r);
      if (best.length > n) best.pop();
    }
    return best;
  }
}

/** All trees of a model. They are built when they are first looked at. */
export class Forest {
  readonly header: Header;
  readonly columns: Columns;
  readonly leverage: Numbers;
  readonly leverageConfidence: Numbers;
  readonly treeStart: Numbers;
  readonly feature: Numbers;
  private readonly arrays: Map<string, Numbers>;
  private readonly keptStart: Uint32Array;
  private readonly innerStart: Uint32Array;
  private readonly trees: (Tree | undefined)[];

  constructor(payload: Payload) {
    this.header = payload.header;
    this.arrays = payload.arrays;
    this.columns = new Columns(payload.header);
    this.leverage = this.array("leverage");
    this.leverageConfidence = this.array("leverageConfidence");
    this.treeStart = this.array("treeStart");
    this.feature = this.array("feature");
    const T = payload.header.nTrees;
    this.trees = new Array<Tree | undefined>(T);
    this.keptStart = new Uint32Array(T + 1);
    this.innerStart = new Uint32Array(T + 1);
    const kept = this.array("kept");
    let nKept = 0;
    let nInner = 0;
    for (let j = 0; j < T; j++) {
      for (let v = this.treeStart[j]; v < this.treeStart[j + 1]; v++) {
        nKept += kept[v];
        if (this.feature[v] >= 0) nInner++;
      }
      this.keptStart[j + 1] = nKept;
      this.innerStart[j + 1] = nInner;
    }
  }

  get ensembles(): EnsembleHeader[] {
    return this.header.ensembles;
  }

  /** The number of trees of an ensemble. */
  size(ensemble: number): number {
    const [first, last] = this.ensembles[ensemble].trees;
    return last - first;
  }

  /** The names of the negative and the positive class of an ensemble. */
  classesOf(ensemble: number): [string, string] {
    const { negative, positive } = this.ensembles[ensemble];
    return [negative, this.header.classes[positive]];
  }

  /** A tree of an ensemble, both from 0. */
  tree(ensemble: number, tree: number): Tree {
    return this.at(this.ensembles[ensemble].trees[0] + tree);
  }

  /** A tree by its place among those of all ensembles. */
  at(j: number): Tree {
    return (this.trees[j] ??= this.build(j));
  }

  /** The largest confidence of a kept node, by tree. */
  maxConfidences(): number[] {
    const [value, kept] = [this.array("value"), this.array("kept")];
    return Array.from({ length: this.header.nTrees }, (_, j) => {
      let largest = 0;
      for (let v = this.treeStart[j]; v < this.treeStart[j + 1]; v++)
        if (kept[v]) largest = Math.max(largest, Math.abs(value[v]));
      return largest;
    });
  }

  /** An embedded example. */
  example(i: number): Float64Array {
    const width = this.header.features.length;
    return Float64Array.from(this.array("exampleX").subarray(i * width, (i + 1) * width));
  }

  /** How many training rows the leaves of a tree stand for, in the order of its nodes. */
  leafCovers(j: number): ArrayLike<number> {
    const [begin, end] = [this.treeStart[j], this.treeStart[j + 1]];
    if (this.header.cover === "weight")
      return this.array("cover").subarray(begin - this.innerStart[j], end - this.innerStart[j + 1]);
    const { count, left } = this.at(j);
    return Array.from(count).filter((_, v) => left[v] < 0);
  }

  private array(name: string): Numbers {
    const array = this.arrays.get(name);
    if (!array) throw new Error(`the data lack the array ${name}: write the file again.`);
    return array;
  }

  private build(j: number): Tree {
    const begin = this.treeStart[j];
    const end = this.treeStart[j + 1];
    const nodes = (name: string): Numbers => this.array(name).subarray(begin, end);
    const rows = (name: string): Numbers =>
      this.array(name).subarray(this.keptStart[j], this.keptStart[j + 1]);
    const feature = nodes("feature");
    const threshold = new Float64Array(end - begin);
    const inner = this.array("threshold");
    for (let v = 0, i = this.innerStart[j]; v < threshold.length; v++)
      if (feature[v] >= 0) threshold[v] = inner[i++];
    const value = nodes("value");
    return new Tree(
      nodes("left"),
      nodes("right"),
      feature,
      threshold,
      nodes("missingLeft"),
      value,
      this.arrays.has("output") ? nodes("output") : value,
      nodes("weight"),
      nodes("count"),
      this.array("categoryStart").subarray(begin, end + 1),
      this.array("category"),
      nodes("kept"),
      rows("angle"),
      this.leverage[j],
      this.array("edge")[j],
      this.array("maxConfidence")[j],
      this.leverageConfidence[j],
      this.header.heldOut
        ? {
            value: rows("heldValue"),
            low: rows("heldLow"),
            high: rows("heldHigh"),
            count: rows("heldCount"),
            verdict: rows("heldVerdict"),
          }
        : null,
    );
  }
}
