// Which nodes decide most of what a model says: those that are numbered and listed.

import type { Columns } from "./columns";
import { pathRule, ruleText, type Condition } from "./rules";
import type { Tree } from "./tree";

/**
 * How much of the model each row decides: rows times contribution.
 *
 * The rows whose leaf it speaks for, of the data or else of the training, times its confidence; 0 if
 * others speak for most of the rows that come by, for its rule would name them, too.
 */
export function findWorth(tree: Tree): Float64Array {
  const own = new Float64Array(tree.m);
  const isCounted = tree.count.every((n, v) => tree.left[v] >= 0 || n >= 0);
  const isWeighed = tree.weight.every((w, v) => tree.left[v] >= 0 || !Number.isNaN(w));
  const sizes = tree.rows?.count ?? (isCounted ? tree.count : isWeighed ? tree.weight : null);
  for (let v = 0; v < tree.n; v++) if (tree.left[v] < 0) own[tree.row[v]] += sizes ? sizes[v] : 1;
  const through = own.slice();
  for (let r = tree.m - 1; r > 0; r--) through[tree.parentRow[r]] += through[r];
  return own.map((size, r) => (2 * size >= through[r] ? size * tree.distance[r] : 0));
}

/**
 * The rows that decide most, of both classes, those of the rarer one first.
 *
 * Of two on one path at most one is chosen, and never the root, whose rule is "always". The rarer
 * class, by the base rate, gets the larger half of the places that it can fill: a root of a boosted
 * tree says what the trees before it left over, and not which class is rare.
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

/**
 * The rule that leads to a node, and what of it to write where there is less and less room.
 *
 * The tests that come first on the way go first: they are what the rules of a tree share.
 */
export function shorterRules(tree: Tree, node: number): Condition[][] {
  const features: number[] = []; // by their last test on the way
  for (const v of tree.nodesTo(node).slice(0, -1).reverse())
    if (!features.includes(tree.feature[v])) features.push(tree.feature[v]);
  const whole = pathRule(tree, node);
  const rules = features.map((_, i) => {
    const kept = features.slice(0, features.length - i);
    return whole.filter(({ feature }) => kept.includes(feature));
  });
  return rules.length ? rules : [whole];
}

/** The same as texts: where tests are left out, that says so. */
export function shorterTexts(tree: Tree, node: number, columns: Columns): string[] {
  return shorterRules(tree, node).map((rule, n) => {
    const text = ruleText(rule, columns, { showMissing: columns.gaps });
    return n ? `… and ${text}` : text;
  });
}

/** Write the first of the texts that its element has room for, or the last. */
export function fitText(element: HTMLElement, texts: string[]): void {
  for (const text of texts) {
    element.textContent = text;
    if (element.scrollHeight <= element.clientHeight + 1) return;
  }
}
