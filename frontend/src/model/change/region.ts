// The values around a change that also turn the answer: a cell of a grid, made larger.

import { neutralScore, probabilities } from "../example/follow";
import type { Link } from "../payload";
import type { Grid, PlaceRange } from "./sweep";

// More cells are not searched: a smaller region is a true answer, too.
const LARGEST = 10_000;

/** Places by feature: every combination has the same class. */
export type Region = number[][];

/**
 * Add places to a cell, feature after feature, as long as every combination fits. Each feature has
 * runs of places: the first place that does not fit ends its run.
 */
export function growRegion(
  cell: readonly number[],
  runs: readonly number[][][],
  fits: (places: readonly number[]) => boolean,
): Region {
  const region = cell.map((place) => [place]);
  runs.forEach((of, i) => {
    const others = region[1 - i]?.map((place) => [place]) ?? [[]];
    const add = (place: number): boolean => {
      if ((region[i].length + 1) * others.length > LARGEST) return false;
      const isIn = others.every((other) => fits(i ? [...other, place] : [place, ...other]));
      if (isIn) region[i].push(place);
      return isIn;
    };
    for (const run of of) run.every(add);
    region[i].sort((p, q) => p - q);
  });
  return region;
}

/** Scores of cells by the places of their features. */
export class Cells {
  constructor(
    private readonly grid: Grid,
    private readonly ranges: readonly PlaceRange[],
    private readonly link: Link,
  ) {}

  scores(places: readonly number[]): number[] {
    const { scores, rows, columns, n } = this.grid;
    const [row, column] = places.map((place, i) => place - this.ranges[i].first);
    const at = row * columns + (column ?? 0);
    return Array.from({ length: n }, (_, k) => scores[k * rows * columns + at]);
  }

  /** Whether a class leads by more than this. */
  leads(places: readonly number[], to: number, near: number): boolean {
    const scores = this.scores(places);
    if (scores.length === 1) return (to ? 1 : -1) * (scores[0] - neutralScore(this.link)) > near;
    return scores.every((score, k) => k === to || scores[to] - score > near);
  }

  /** The least and the largest probability of a class over a region. */
  probability([first, second]: Region, to: number): [least: number, most: number] {
    let [least, most] = [1, 0];
    for (const p of first)
      for (const q of second ?? [-1]) {
        const scores = this.scores(second ? [p, q] : [p]);
        const share = probabilities(scores, this.link)[to];
        [least, most] = [Math.min(least, share), Math.max(most, share)];
      }
    return [least, most];
  }
}
