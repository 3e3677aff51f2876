// The smallest change of a row after which the whole model predicts another class.
//
// Fewer features first, then the smaller move. A move is the share of the model's thresholds of a
// feature that are crossed; another label, or a value in place of a missing one, is a move of 1. All
// thresholds and labels are tried, one feature at a time, then two. The whole model scores a change
// before it is shown.

import { allScores, decide, neutralScore } from "../example/follow";
import { Places } from "./places";
import { Cells, growRegion } from "./region";
import type { Condition } from "../rules/path";
import { Sweep, type Grid, type PlaceRange } from "./sweep";
import type { Forest } from "../forest";

export interface Move {
  feature: number;
  /** A value that turns the answer, at the nearest place. */
  value: number;
  /** Values that give the same class in every combination. */
  needed: Condition;
  /** The number of thresholds of the feature that are crossed; null for labels and from missing. */
  crossed: number | null;
  thresholds: number;
}

export interface Change {
  moves: Move[];
  size: number;
  /** The class that the model then predicts, and its probability over all needed values. */
  class: number;
  probability: [least: number, most: number];
}

export interface Found {
  change: Change | null;
  /** The number of pairs of tested features, and of those searched to the end. */
  pairs: number;
  searched: number;
}

// Limits of the search for pairs. Features: those that move the score most alone. Places on either
// side of the row's own. Steps and cells. Trees walked where sums are too near to decide the class.
const FEATURES = 60;
const SIDE = 400;
const WORK = 2.5e7;
const WALKS = 5e5;

/** A cell of a grid, by the places of the features. */
interface Cell {
  size: number;
  places: number[];
}

type Best = { cell: Cell; ranges: PlaceRange[] } | null;

const known = new WeakMap<Forest, Places>();

/** The places of a forest, found once. */
export function placesOf(forest: Forest): Places {
  let places = known.get(forest);
  if (!places) known.set(forest, (places = new Places(forest)));
  return places;
}

/** Look for the smallest change of one feature, then of two. */
export function findChange(forest: Forest, x: Float64Array, limit = WORK): Found {
  return new Search(forest, x, limit).run();
}

class Search {
  private readonly places: Places;
  private readonly sweep: Sweep;
  private readonly at: number[];
  private readonly class: number;
  private readonly near: number;
  private readonly neutral: number;
  private walks = Infinity;

  constructor(
    private readonly forest: Forest,
    private readonly x: Float64Array,
    private readonly limit: number,
  ) {
    this.places = placesOf(forest);
    this.sweep = new Sweep(forest, this.places, x);
    this.at = Array.from(x, (value, f) => this.places.of(f, value));
    const scores = allScores(forest, x);
    this.neutral = neutralScore(forest.header.link);
    this.class = decide(scores, forest.header.link);
    // Sums in another order differ by less than this; the model itself decides between nearer scores.
    this.near = 1e-10 * scores.reduce((a, score) => a + Math.abs(score), 1);
  }

  run(): Found {
    const features = this.sweep.features();
    let best = null as Best;
    const gains = new Map<number, number>();
    for (const feature of features) {
      const range = { feature, first: 0, end: this.places.size(feature) };
      this.sweep.walk(range);
      gains.set(feature, this.gain());
      const cell: Cell | false | null =
        this.canChange() && this.nearest([range], best?.cell.size ?? Infinity);
      if (cell) best = { cell, ranges: [range] };
    }
    const pairs = (features.length * (features.length - 1)) / 2;
    if (best) return { change: this.describe(best.cell, best.ranges), pairs, searched: 0 };
    const strongest = features.sort((f, g) => gains.get(g)! - gains.get(f)! || f - g);
    return { ...this.runPairs(strongest.slice(0, FEATURES)), pairs };
  }

  /** Search pairs in the order of their ranks alone: large moves of the score come first. */
  private runPairs(features: number[]): Omit<Found, "pairs"> {
    const pairs = features.flatMap((_, j) => features.slice(0, j).map((__, i) => [i, j]));
    pairs.sort((p, q) => p[0] + p[1] - q[0] - q[1]);
    const start = this.sweep.work;
    let best = null as Best;
    let searched = 0;
    this.walks = WALKS;
    for (const [i, j] of pairs) {
      if (this.sweep.work - start > this.limit) break;
      const size: number = best?.cell.size ?? Infinity;
      const ranges: PlaceRange[] = [features[i], features[j]].map((feature) =>
        this.window(feature, size),
      );
      this.sweep.walk(ranges[0], ranges[1]);
      const cell: Cell | false | null = this.canChange() && this.nearest(ranges, size);
      if (cell) best = { cell, ranges };
      searched += Number(this.walks > 0 && !ranges.some((range) => this.isCut(range, size)));
    }
    const change = best && this.describe(best.cell, this.widened(best.ranges));
    return { change, searched };
  }

  /** The places of a feature that are nearer than a size, but not farther than some steps. */
  private window(feature: number, size: number): PlaceRange {
    const n = this.places.size(feature);
    const isFree = this.at[feature] < 0 || this.places.hasLabels(feature);
    const at = isFree ? n >> 1 : this.at[feature];
    const side = Math.ceil(SIDE / Math.sqrt(this.forest.ensembles.length));
    const steps = isFree ? side : Math.min(side, Math.ceil(size * (n - 1)));
    return { feature, first: Math.max(0, at - steps), end: Math.min(n, at + steps + 1) };
  }

  /** Whether places that would be near enough are left out. */
  private isCut({ feature, first, end }: PlaceRange, size: number): boolean {
    const n = this.places.size(feature);
    const at = this.at[feature];
    const isNear = (place: number): boolean =>
      place >= 0 && place < n && this.places.move(feature, at, place) < size;
    return isNear(first - 1) || isNear(end);
  }

  private widened(ranges: PlaceRange[]): PlaceRange[] {
    return ranges.map(({ feature }) => this.window(feature, Infinity));
  }

  /** How far the last walk may move the score towards another class. */
  private gain(): number {
    const n = this.forest.ensembles.length;
    const [least, most] = this.sweep.bounds(n === 1 ? 0 : this.class);
    if (n === 1) return this.class === 1 ? this.neutral - least : most - this.neutral;
    let gain = -Infinity;
    for (let k = 0; k < n; k++)
      if (k !== this.class) gain = Math.max(gain, this.sweep.bounds(k)[1] - least);
    return gain;
  }

  private canChange(): boolean {
    return this.gain() > -this.near;
  }

  /** The cell of the smallest move below a size that has another class. */
  private nearest(ranges: PlaceRange[], size: number): Cell | null {
    const grid = this.sweep.grid(ranges[0], ranges[1]);
    const [down, across] = [this.moves(ranges[0]), ranges[1] ? this.moves(ranges[1]) : [0]];
    let best: Cell | null = null;
    let least = size;
    for (let row = 0; row < grid.rows; row++) {
      if (down[row] >= least) continue;
      for (let column = 0; column < grid.columns; column++) {
        const move = down[row] + across[column];
        if (move >= least) continue;
        const lead = this.lead(grid, row * grid.columns + column);
        if (lead < -this.near || (lead < this.near && this.walks <= 0)) continue;
        const places = ranges.map(({ first }, i) => first + (i ? column : row));
        // The model itself decides, as scores may be too near; and some places hold no number.
        if (this.classOf(ranges, places) === this.class) continue;
        best = { size: move, places };
        least = move;
      }
    }
    return best;
  }

  private moves({ feature, first, end }: PlaceRange): Float64Array {
    const at = this.at[feature];
    return Float64Array.from({ length: end - first }, (_, i) =>
      this.places.move(feature, at, first + i),
    );
  }

  /** By how much another class than the row's own leads in a cell. */
  private lead({ scores, rows, columns, n }: Grid, at: number): number {
    if (n === 1) {
      const beyond = scores[at] - this.neutral;
      return this.class === 1 ? -beyond : beyond;
    }
    let best = -Infinity;
    for (let k = 0; k < n; k++)
      if (k !== this.class) best = Math.max(best, scores[k * rows * columns + at]);
    return best - scores[this.class * rows * columns + at];
  }

  /** The whole model's class of the changed row. */
  private classOf(ranges: PlaceRange[], places: number[]): number {
    const changed = this.changed(ranges, places);
    this.walks -= this.forest.header.nTrees;
    if (ranges.some(({ feature }, i) => places[i] >= 0 && Number.isNaN(changed[feature])))
      return this.class; // no number is there
    return decide(allScores(this.forest, changed), this.forest.header.link);
  }

  private changed(ranges: PlaceRange[], places: number[]): Float64Array {
    const changed = this.x.slice();
    ranges.forEach(({ feature }, i) => {
      if (places[i] !== this.at[feature])
        changed[feature] = this.places.value(feature, places[i], this.at[feature]);
    });
    return changed;
  }

  private describe(cell: Cell, ranges: PlaceRange[]): Change {
    const changed = this.changed(ranges, cell.places);
    const to = decide(allScores(this.forest, changed), this.forest.header.link);
    this.sweep.walk(ranges[0], ranges[1]);
    const grid = this.sweep.grid(ranges[0], ranges[1]);
    const cells = new Cells(grid, ranges, this.forest.header.link);
    const runs = ranges.map((range, i) => this.runs(range, cell.places[i]));
    const region = growRegion(cell.places, runs, (places) => cells.leads(places, to, this.near));
    const moves = ranges.map(({ feature }, i): Move => {
      const [from, place] = [this.at[feature], cell.places[i]];
      const isCounted = from >= 0 && !this.places.hasLabels(feature);
      return {
        feature,
        value: changed[feature],
        needed: this.places.condition(feature, region[i]),
        crossed: isCounted ? Math.abs(place - from) : null,
        thresholds: this.places.thresholds[feature].length,
      };
    });
    return { moves, size: cell.size, class: to, probability: cells.probability(region, to) };
  }

  /** Places beyond one, away from the row's own; other labels are beyond each other. */
  private runs({ feature, first, end }: PlaceRange, place: number): number[][] {
    const at = this.at[feature];
    const all = Array.from({ length: end - first }, (_, i) => first + i);
    if (this.places.hasLabels(feature))
      return all.filter((p) => p !== place && p !== at).map((p) => [p]);
    const up = at < place ? all.filter((p) => p > place) : [];
    const down = at < 0 || at > place ? all.filter((p) => p < place) : [];
    return [up, down.reverse()];
  }
}
