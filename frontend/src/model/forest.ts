// All trees of a model, from the arrays that Python wrote.

import { Columns } from "./columns";
import { ORIGINS } from "./payload";
import type { EnsembleHeader, Header, Numbers, Origin, Payload } from "./payload";
import { addUp, rowsOf, type Rows } from "./rows";
import { Tree, type HeldOut, type Layout, type Nodes } from "./tree";

// By center, the bit in `kept` and the end of the names of arrays.
const BIT: Record<Origin, number> = { half: 1, base: 2 };
const END: Record<Origin, string> = { half: "Half", base: "Base" };

/** Where the nodes, leaves, ... of each tree start. */
interface Starts {
  inner: Uint32Array;
  leaf: Uint32Array;
  kept: Record<Origin | "either", Uint32Array>;
}

/** All trees of a model, from one center. They are built when they are first looked at. */
export class Forest {
  readonly header: Header;
  readonly columns: Columns;
  /** What is at the center: trees are those of this layout. */
  center: Origin;
  readonly leverage: Numbers;
  readonly treeStart: Numbers;
  readonly feature: Numbers;
  private readonly arrays: Map<string, Numbers>;
  private readonly starts: Starts;
  private readonly nodes: (Nodes | undefined)[] = [];
  private readonly rows: (Rows | null | undefined)[] = [];
  private readonly trees: Record<Origin, (Tree | undefined)[]> = { half: [], base: [] };

  constructor(payload: Payload) {
    this.header = payload.header;
    this.arrays = payload.arrays;
    this.center = payload.header.center;
    this.columns = new Columns(payload.header);
    this.leverage = this.array("leverage");
    this.treeStart = this.array("treeStart");
    this.feature = this.array("feature");
    this.starts = this.findStarts();
  }

  get ensembles(): EnsembleHeader[] {
    return this.header.ensembles;
  }

  /** The temperature of the layout. */
  get layoutT(): number {
    return this.header.layoutT[this.center];
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
    return (this.trees[this.center][j] ??= this.build(j));
  }

  /** The most that a tree moves the score from the center; NaN where confidences are not added. */
  leverageConfidence(j: number): number {
    if (this.header.link === "mean") return Number.NaN;
    return this.leverage[j] * this.array(`maxConfidence${END[this.center]}`)[j];
  }

  /** The largest distance from the center of a kept node, by tree. */
  maxConfidences(): number[] {
    const [value, kept] = [this.array("value"), this.array("kept")];
    return Array.from({ length: this.header.nTrees }, (_, j) => {
      const origin = this.center === "base" ? value[this.treeStart[j]] : 0;
      let largest = 0;
      for (let v = this.treeStart[j]; v < this.treeStart[j + 1]; v++)
        if (kept[v] & BIT[this.center]) largest = Math.max(largest, Math.abs(value[v] - origin));
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
    if (this.header.cover === "weight") return this.leaves("cover", j);
    const { count, left } = this.at(j);
    return Array.from(count).filter((_, v) => left[v] < 0);
  }

  private array(name: string): Numbers {
    const array = this.arrays.get(name);
    if (!array) throw new Error(`the data lack the array ${name}: write the file again.`);
    return array;
  }

  private findStarts(): Starts {
    const T = this.header.nTrees;
    const make = (): Uint32Array => new Uint32Array(T + 1);
    const [inner, leaf] = [make(), make()];
    const starts = { half: make(), base: make(), either: make() };
    const kept = this.array("kept");
    for (let j = 0; j < T; j++) {
      const [begin, end] = [this.treeStart[j], this.treeStart[j + 1]];
      const n = { half: 0, base: 0, either: 0, inner: 0 };
      for (let v = begin; v < end; v++) {
        for (const center of ORIGINS) n[center] += Number((kept[v] & BIT[center]) > 0);
        n.either += Number(kept[v] > 0);
        n.inner += Number(this.feature[v] >= 0);
      }
      inner[j + 1] = inner[j] + n.inner;
      leaf[j + 1] = leaf[j] + end - begin - n.inner;
      for (const key of ["half", "base", "either"] as const)
        starts[key][j + 1] = starts[key][j] + n[key];
    }
    return { inner, leaf, kept: starts };
  }

  private build(j: number): Tree {
    const nodes = (this.nodes[j] ??= this.readNodes(j));
    const rows = (this.rows[j] ??= this.readRows(j, nodes));
    const [leverage, edge] = [this.leverage[j], this.array("edge")[j]];
    const most = this.leverageConfidence(j);
    return new Tree(nodes, this.readLayout(j), leverage, edge, most, rows, this.baseRate(j, rows));
  }

  /** The share of the positive class: of the rows, or else as the model has it. */
  private baseRate(j: number, rows: Rows | null): number {
    if (rows) return rows.positive[0] / rows.count[0];
    return this.ensembles.find(({ trees: [first, last] }) => first <= j && j < last)!.baseRate;
  }

  private readNodes(j: number): Nodes {
    const nodes = (name: string): Numbers => this.slice(name, this.treeStart, j);
    const [left, feature, value] = [nodes("left"), nodes("feature"), nodes("value")];
    const right = this.arrays.has("right")
      ? nodes("right")
      : Int32Array.from(left, (v) => (v < 0 ? -1 : v + 1));
    const inner = this.slice("threshold", this.starts.inner, j);
    let i = 0;
    const threshold = Float64Array.from(feature, (f) => (f >= 0 ? inner[i++] : 0));
    const sums = (name: string): Numbers =>
      this.array(name).length === this.feature.length
        ? nodes(name)
        : addUp(left, right, this.leaves(name, j));
    const [begin, end] = [this.treeStart[j], this.treeStart[j + 1]];
    return {
      left,
      right,
      feature,
      threshold,
      missingLeft: nodes("missingLeft"),
      value,
      output: this.arrays.has("output") ? nodes("output") : value,
      weight: sums("weight"),
      count: sums("count"),
      categoryStart: this.array("categoryStart").subarray(begin, end + 1),
      category: this.array("category"),
    };
  }

  /** The entries of one tree, of an array with so many entries by tree. */
  private slice(name: string, starts: Numbers, j: number): Numbers {
    return this.array(name).subarray(starts[j], starts[j + 1]);
  }

  private leaves(name: string, j: number): Numbers {
    return this.slice(name, this.starts.leaf, j);
  }

  private readRows(j: number, { left, right }: Nodes): Rows | null {
    if (!this.header.heldOut) return null;
    const leaves = (name: string): Numbers => this.leaves(name, j);
    return rowsOf(left, right, leaves("rows"), leaves("positive"), leaves("probability"));
  }

  private readLayout(j: number): Layout {
    const { center } = this;
    const rows = (name: string): Numbers =>
      this.slice(`${name}${END[center]}`, this.starts.kept[center], j);
    const kept = this.slice("kept", this.treeStart, j);
    return {
      center,
      isKept: (node) => (kept[node] & BIT[center]) > 0,
      angle: rows("angle"),
      maxConfidence: this.array(`maxConfidence${END[center]}`)[j],
      heldOut: this.header.heldOut && this.readHeldOut(j, kept, rows("heldVerdict")),
    };
  }

  /** Figures are stored once for the nodes that either layout keeps. */
  private readHeldOut(j: number, kept: Numbers, verdict: Numbers): HeldOut {
    const places: number[] = [];
    let at = this.starts.kept.either[j];
    for (const bits of kept) {
      if (bits & BIT[this.center]) places.push(at);
      at += Number(bits > 0);
    }
    const figures = (name: string): Numbers => {
      const array = this.array(name);
      return Float64Array.from(places, (place) => array[place]);
    };
    const [value, low, high] = ["heldValue", "heldLow", "heldHigh"].map(figures);
    return { value, low, high, verdict };
  }
}
