// Which nodes and trees use a feature.

import type { Forest } from "./forest";
import type { Tree } from "./tree";

/** The features with a text in their names; an exact name means that feature alone. */
export function findFeatures(names: string[], query: string): Set<number> {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return new Set();
  const exact = names.indexOf(query.trim());
  if (exact >= 0) return new Set([exact]);
  const found = new Set<number>();
  names.forEach((name, feature) => {
    if (name.toLowerCase().includes(wanted)) found.add(feature);
  });
  return found;
}

/** How many nodes of each tree of an ensemble test one of the features. */
export function countUses(
  forest: Forest,
  ensemble: number,
  features: ReadonlySet<number>,
): Uint32Array {
  const [first, last] = forest.ensembles[ensemble].trees;
  const uses = new Uint32Array(last - first);
  if (!features.size) return uses;
  const wanted = new Uint8Array(forest.header.features.length + 1);
  for (const feature of features) wanted[feature] = 1;
  for (let j = first; j < last; j++)
    for (let v = forest.treeStart[j]; v < forest.treeStart[j + 1]; v++)
      if (forest.feature[v] >= 0 && wanted[forest.feature[v]]) uses[j - first]++;
  return uses;
}

/** The rows that test one of the features, and those with such a test on the arc from the parent. */
export function findLit(
  tree: Tree,
  features: ReadonlySet<number>,
): { rows: number[]; arcs: number[] } {
  const rows = new Set<number>();
  const arcs = [];
  for (let v = 0; v < tree.n; v++)
    if (tree.left[v] >= 0 && features.has(tree.feature[v])) rows.add(tree.row[v]);
  for (let r = 1; r < tree.m; r++) {
    const top = tree.node[tree.parentRow[r]];
    for (let v = tree.node[r]; v !== top; v = tree.parent[v])
      if (features.has(tree.feature[tree.parent[v]])) {
        arcs.push(r);
        break;
      }
  }
  return { rows: [...rows].sort((a, b) => a - b), arcs };
}
