// The values of a feature that differ for a model: the intervals between its thresholds, or labels.

import { roundAway } from "../numbers";
import type { Condition } from "../rules/path";
import type { Forest } from "../forest";

/**
 * The places of all features. Place p of a number is from above threshold p - 1 up to threshold p;
 * that of a label is its code. A row of missing values is at place -1.
 */
export class Places {
  /** By feature, all thresholds of the model, each once, in order; none where there are labels. */
  readonly thresholds: Float64Array[];
  /** By tree, the place of each node's threshold: values up to that place go left. */
  readonly last: Int32Array[] = [];

  constructor(private readonly forest: Forest) {
    const found = forest.columns.names.map(() => new Set<number>());
    const eachTest = (
      visit: (feature: number, threshold: number, j: number, v: number) => void,
    ) => {
      for (let j = 0; j < forest.header.nTrees; j++) {
        const { n, left, feature, threshold } = forest.at(j);
        for (let v = 0; v < n; v++) if (left[v] >= 0) visit(feature[v], threshold[v], j, v);
      }
    };
    eachTest((feature, threshold) => {
      if (!this.hasLabels(feature)) found[feature].add(threshold);
    });
    this.thresholds = found.map((set) => Float64Array.from(set).sort());
    for (let j = 0; j < forest.header.nTrees; j++) this.last.push(new Int32Array(forest.at(j).n));
    eachTest((feature, threshold, j, v) => {
      if (!this.hasLabels(feature)) this.last[j][v] = this.of(feature, threshold);
    });
  }

  hasLabels(feature: number): boolean {
    return this.forest.columns.nLabels(feature) > 0;
  }

  /** The number of places. */
  size(feature: number): number {
    return this.forest.columns.nLabels(feature) || this.thresholds[feature].length + 1;
  }

  /** The place of a value. */
  of(feature: number, x: number): number {
    if (Number.isNaN(x)) return -1;
    if (this.hasLabels(feature)) return x;
    const all = this.thresholds[feature];
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x <= all[middle]) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** How far it is from one place to another: the share of the thresholds between them. */
  move(feature: number, from: number, to: number): number {
    if (from === to) return 0;
    // Another label, or a value in place of a missing one, is the farthest move.
    if (from < 0 || this.hasLabels(feature)) return 1;
    return Math.abs(to - from) / this.thresholds[feature].length;
  }

  /** A value at a place, of few digits, on the side of another place; NaN if no number is there. */
  value(feature: number, place: number, from: number): number {
    if (this.hasLabels(feature)) return place;
    const all = this.thresholds[feature];
    const isAbove = place > 0 && from < place;
    const bound = isAbove ? all[place - 1] : all[place];
    for (let digits = 1; digits < 18; digits++) {
      const x = roundAway(bound, digits, isAbove ? 1 : -1, isAbove);
      if (this.isAt(feature, place, x)) return x;
    }
    return this.isAt(feature, place, all[place]) ? all[place] : Number.NaN;
  }

  private isAt(feature: number, place: number, x: number): boolean {
    if (!Number.isFinite(x)) return false;
    const isSingle = this.forest.header.inputDtype === "float32";
    return this.of(feature, isSingle ? Math.fround(x) : x) === place;
  }

  /** The condition of being at one of some places; those of numbers must be adjacent. */
  condition(feature: number, places: readonly number[]): Condition {
    const all = this.thresholds[feature];
    const isNumber = !this.hasLabels(feature);
    return {
      feature,
      low: isNumber ? (all[places[0] - 1] ?? -Infinity) : -Infinity,
      high: isNumber ? (all[places.at(-1)!] ?? Infinity) : Infinity,
      allowed: isNumber ? null : new Set(places),
      excluded: new Set(),
      missing: false,
    };
  }
}
