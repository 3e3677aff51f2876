// Which trees of the model the page has: all, or some of a large model, with their numbers in it.

import type { Forest } from "./forest";
import { count } from "./numbers";

/** The number of a tree in the whole model, from 0: as in Python and on the command line. */
export function treeNumber(forest: Forest, ensemble: number, tree: number): number {
  return forest.header.shown?.numbers[ensemble][tree] ?? tree;
}

/** The number of a tree, and which there are: "Tree 3 of 0–199"; "Tree" if it is the only one. */
export function treeName(forest: Forest, ensemble: number, tree: number): string {
  const last = treeTotal(forest, ensemble) - 1;
  return last > 0
    ? `Tree ${count(treeNumber(forest, ensemble, tree))} of 0–${count(last)}`
    : "Tree";
}

/** How many trees the ensemble has in the whole model. */
export function treeTotal(forest: Forest, ensemble: number): number {
  return forest.header.shown?.of[ensemble] ?? forest.size(ensemble);
}

/** Whether the page lacks trees, so that it cannot sum over all of them. */
export function isPartial(forest: Forest): boolean {
  return Boolean(forest.header.shown);
}

/**
 * The scores of a row by the whole model, on a page that lacks trees: the payload has those of the
 * embedded examples; null for any other row.
 */
export function wholeScores(forest: Forest, x: Float64Array): number[] | null {
  const scores = forest.header.shown?.scores;
  const row = scores?.findIndex((_, i) =>
    forest.example(i).every((value, j) => value === x[j] || (isNaN(value) && isNaN(x[j]))),
  );
  return scores?.[row ?? -1] ?? null;
}
