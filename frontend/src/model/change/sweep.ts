// The scores of a row for all values of one or two of its features.

import { rounded } from "../example/follow";
import type { Places } from "./places";
import type { Forest } from "../forest";

/** Places of a feature to search: from `first` up to before `end`. */
export interface PlaceRange {
  feature: number;
  first: number;
  end: number;
}

/** Scores of n ensembles, by place of the first feature (rows) and of the second (columns). */
export interface Grid {
  scores: Float64Array;
  rows: number;
  columns: number;
  n: number;
}

const NOTHING: PlaceRange = { feature: -1, first: 0, end: 1 };

/** Walks all trees with one row; up to two of its features may have any value. */
export class Sweep {
  /** The work so far, in steps and cells. */
  work = 0;
  private readonly goesLeft: Uint8Array[] = [];
  /** By tree: what the row's own leaf adds, and which features are tested. */
  private readonly adds: Float64Array;
  private readonly uses: Uint8Array[] = [];
  /** By ensemble, the row's own score, and the bounds of the scores of the last walk. */
  private readonly own: Float64Array;
  private readonly least: Float64Array;
  private readonly most: Float64Array;
  // Leaves that were reached, as rectangles of places.
  private readonly corners: number[] = [];
  private readonly outputs: number[] = [];
  private readonly owners: number[] = [];
  private readonly stack: number[] = [];
  private steps = new Float64Array(0);
  private scores = new Float64Array(0);

  constructor(
    private readonly forest: Forest,
    private readonly places: Places,
    x: Float64Array,
  ) {
    const values = rounded(x, forest.header.inputDtype);
    const { nTrees, features } = forest.header;
    this.adds = new Float64Array(nTrees);
    this.own = new Float64Array(forest.ensembles.length);
    this.least = new Float64Array(this.own.length);
    this.most = new Float64Array(this.own.length);
    for (let j = 0; j < nTrees; j++) {
      const tree = forest.at(j);
      const left = new Uint8Array(tree.n);
      const uses = new Uint8Array(features.length);
      for (let v = 0; v < tree.n; v++) {
        if (tree.left[v] < 0) continue;
        const feature = tree.feature[v];
        uses[feature] = 1;
        left[v] = Number(tree.goesLeft(v, values[feature]));
      }
      this.goesLeft.push(left);
      this.uses.push(uses);
      this.adds[j] = tree.leverage * tree.output[tree.leafOf(values)];
    }
    forest.ensembles.forEach(({ baseValue, trees: [first, last] }, k) => {
      this.own[k] = this.adds.subarray(first, last).reduce((a, b) => a + b, baseValue);
    });
  }

  /** The features that trees test. */
  features(): number[] {
    return this.forest.columns.names
      .map((_, f) => f)
      .filter((f) => this.uses.some((uses) => uses[f]));
  }

  /** Walk with two features free; results are valid until the next walk. */
  walk(a: PlaceRange, b: PlaceRange = NOTHING): void {
    this.corners.length = this.outputs.length = this.owners.length = 0;
    this.forest.ensembles.forEach(({ trees: [first, last] }, k) => {
      let [least, most] = [this.own[k], this.own[k]];
      for (let j = first; j < last; j++) {
        const uses = this.uses[j];
        if (!uses[a.feature] && !(b.feature >= 0 && uses[b.feature])) continue;
        const before = this.outputs.length;
        this.walkTree(j, k, a, b);
        let [low, high] = [Infinity, -Infinity];
        for (let i = before; i < this.outputs.length; i++) {
          low = Math.min(low, this.outputs[i]);
          high = Math.max(high, this.outputs[i]);
        }
        least += low;
        most += high;
      }
      this.least[k] = least;
      this.most[k] = most;
    });
  }

  /** Bounds of an ensemble's score in the cells of the last walk. */
  bounds(k: number): [least: number, most: number] {
    return [this.least[k], this.most[k]];
  }

  private walkTree(j: number, k: number, a: PlaceRange, b: PlaceRange): void {
    const tree = this.forest.at(j);
    const goesLeft = this.goesLeft[j];
    const last = this.places.last[j];
    const own = this.adds[j];
    const { stack } = this;
    stack.push(0, a.first, a.end, b.first, b.end);
    while (stack.length) {
      const [d, c, r, p] = [stack.pop()!, stack.pop()!, stack.pop()!, stack.pop()!];
      let v = stack.pop()!;
      while (tree.left[v] >= 0 && tree.feature[v] !== a.feature && tree.feature[v] !== b.feature) {
        v = goesLeft[v] ? tree.left[v] : tree.right[v];
        this.work++;
      }
      this.work++;
      if (tree.left[v] < 0) {
        this.corners.push(p, r, c, d);
        this.outputs.push(tree.leverage * tree.output[v] - own);
        this.owners.push(k);
        continue;
      }
      const isFirst = tree.feature[v] === a.feature;
      const go = (child: number, from: number, to: number): void => {
        if (from >= to) return;
        if (isFirst) stack.push(child, from, to, c, d);
        else stack.push(child, p, r, from, to);
      };
      const [from, to] = isFirst ? [p, r] : [c, d];
      if (this.places.hasLabels(tree.feature[v])) {
        // Labels next to each other that go the same way.
        for (let start = from, at = from + 1; at <= to; at++) {
          const left = tree.goesLeft(v, start);
          if (at < to && tree.goesLeft(v, at) === left) continue;
          go(left ? tree.left[v] : tree.right[v], start, at);
          start = at;
        }
      } else {
        go(tree.left[v], from, Math.min(to, last[v] + 1));
        go(tree.right[v], Math.max(from, last[v] + 1), to);
      }
    }
  }

  /** The scores of the last walk, valid until the next grid; exact but for rounding. */
  grid(a: PlaceRange, b: PlaceRange = NOTHING): Grid {
    const [rows, columns] = [a.end - a.first, b.end - b.first];
    const [width, size] = [columns + 1, (rows + 1) * (columns + 1)];
    const n = this.own.length;
    if (this.steps.length < n * size)
      [this.steps, this.scores] = [new Float64Array(n * size), new Float64Array(n * size)];
    const { steps, scores, corners, outputs } = this;
    steps.fill(0, 0, n * size);
    for (let i = 0; i < outputs.length; i++) {
      const base = this.owners[i] * size;
      const p = base + (corners[4 * i] - a.first) * width;
      const r = base + (corners[4 * i + 1] - a.first) * width;
      const c = corners[4 * i + 2] - b.first;
      const d = corners[4 * i + 3] - b.first;
      steps[p + c] += outputs[i];
      steps[r + c] -= outputs[i];
      steps[p + d] -= outputs[i];
      steps[r + d] += outputs[i];
    }
    for (let k = 0, i = 0; k < n; k++)
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let column = 0; column < columns; column++, i++) {
          sum += steps[k * size + row * width + column];
          scores[i] = sum + (row ? scores[i - columns] : this.own[k]);
        }
      }
    this.work += n * rows * columns;
    return { scores, rows, columns, n };
  }
}
