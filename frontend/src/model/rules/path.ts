// A path in a tree as a rule: one condition a feature.

import type { Tree } from "../tree";

/** A condition on one feature: low < x <= high; of labels, the allowed or excluded codes. */
export interface Condition {
  feature: number;
  low: number;
  high: number;
  allowed: Set<number> | null;
  excluded: Set<number>;
  missing: boolean;
}

/** The rule of the path from one node of a tree down to another. */
export function pathRule(tree: Tree, node: number, start = 0): Condition[] {
  const path = tree.nodesTo(node, start);
  return merge(path.slice(0, -1).map((v, i) => testOf(tree, v, tree.left[v] === path[i + 1])));
}

/** The condition for going left, or right, at one node. */
function testOf(tree: Tree, node: number, left: boolean): Condition {
  const begin = tree.categoryStart[node];
  const end = tree.categoryStart[node + 1];
  const condition: Condition = {
    feature: tree.feature[node],
    low: -Infinity,
    high: Infinity,
    allowed: null,
    excluded: new Set(),
    missing: (tree.missingLeft[node] !== 0) === left,
  };
  if (begin < end) {
    const codes = new Set<number>(tree.category.subarray(begin, end));
    if (left) condition.allowed = codes;
    else condition.excluded = codes;
  } else if (left) condition.high = tree.threshold[node] + 0;
  else condition.low = tree.threshold[node] + 0;
  return condition;
}

/** Merge conditions to one a feature, in the order of the first tests. */
function merge(conditions: Condition[]): Condition[] {
  const merged = new Map<number, Condition>();
  for (const next of conditions) {
    const known = merged.get(next.feature);
    merged.set(next.feature, known ? intersect(known, next) : next);
  }
  return [...merged.values()];
}

function intersect(a: Condition, b: Condition): Condition {
  const excluded = new Set([...a.excluded, ...b.excluded]);
  let allowed = a.allowed ?? b.allowed;
  if (a.allowed && b.allowed) allowed = new Set([...a.allowed].filter((c) => b.allowed!.has(c)));
  if (allowed) allowed = new Set([...allowed].filter((code) => !excluded.has(code)));
  return {
    feature: a.feature,
    low: Math.max(a.low, b.low),
    high: Math.min(a.high, b.high),
    allowed,
    excluded: allowed ? new Set() : excluded,
    missing: a.missing && b.missing,
  };
}
