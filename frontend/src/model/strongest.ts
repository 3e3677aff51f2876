// The nodes that decide most of a model's answers: they are numbered and listed.

import type { Tree } from "./tree";

// How many nodes of a tree are numbered and listed.
const LISTED = 5;

const known = new WeakMap<Tree, number[]>();

/** The rows of a tree that are numbered and listed. */
export function strongestOf(tree: Tree): number[] {
  let rows = known.get(tree);
  if (!rows) known.set(tree, (rows = findStrongest(tree, LISTED)));
  return rows;
}

/**
 * The rows that decide most, of both classes, those of the rarer class first.
 *
 * At most one row of a path is chosen, and never the root, whose rule is "always". The rarer class
 * gets the larger half of the places, if it can fill them. The base rate decides which class is
 * rare: the root of a boosted tree has the residual of earlier trees, not the class shares.
 */
export function findStrongest(tree: Tree, n: number): number[] {
  const { worth } = tree;
  const order = Array.from(worth.keys())
    .filter((r) => r > 0 && worth[r] > 0)
    .sort((a, b) => worth[b] - worth[a] || a - b);
  const isRare = (r: number): boolean => tree.valueOf(r) > 0 === tree.baseRate <= 0.5;
  const taken = new Set<number>();
  const pick = (rows: number[], most: number): number[] => pickApart(tree, rows, most, taken);
  const rare = order.filter(isRare);
  const first = pick(rare, Math.ceil(n / 2));
  const second = pick(
    order.filter((r) => !isRare(r)),
    n - first.length,
  );
  first.push(...pick(rare, n - first.length - second.length));
  return [...first.sort((a, b) => order.indexOf(a) - order.indexOf(b)), ...second];
}

/** The first rows that share no path with each other or with those taken. */
function pickApart(tree: Tree, rows: number[], most: number, taken: Set<number>): number[] {
  const found: number[] = [];
  for (const row of rows) {
    if (found.length >= most) break;
    const isOn = [...taken].some((other) => tree.rowsTo(other).includes(row));
    if (isOn || tree.rowsTo(row).some((r) => taken.has(r))) continue;
    found.push(row);
    taken.add(row);
  }
  return found;
}
