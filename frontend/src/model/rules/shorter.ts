// The rule of a node, and shorter ones where there is little room.

import type { Columns } from "../columns";
import type { Tree } from "../tree";
import { pathRule, type Condition } from "./path";
import { shownRule } from "./text";

/**
 * The rule that leads to a node, and its last conditions alone, one fewer each time.
 *
 * The first tests on the path are left out first: the rules of a tree share them.
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

/** The same as texts, which say where tests are left out. */
export function shorterTexts(tree: Tree, node: number, columns: Columns): string[] {
  return shorterRules(tree, node).map((rule, n) => {
    const text = shownRule(rule, columns);
    return n ? `… and ${text}` : text;
  });
}
