// What is said of nodes and trees.

import { count, percent, percentOf, shortNumber, sigmoid } from "./numbers";
import { pathRule, ruleText } from "./rules";
import { VERDICTS, type Forest, type Tree, type Verdict } from "./tree";

export const VERDICT_WORDS: Record<Verdict, string> = {
  none: "no example came by",
  few: "too few examples to tell",
  agrees: "agrees",
  weaker: "less sure than it seems",
  stronger: "surer than it seems",
  flipped: "other class than it says",
};

export interface NodeTexts {
  /** 0 for the negative class, 1 for the positive, 2 for neither. */
  kind: 0 | 1 | 2;
  /** The class, and its posterior in percent. */
  name: string;
  posterior: string;
  confidence: string;
  rule: string;
  /** Examples and weight, what it speaks for, held-out figures: a line each. */
  lines: string[];
}

/** What a hovered node says. */
export function describeNode(forest: Forest, ensemble: number, tree: Tree, row: number): NodeTexts {
  const node = tree.node[row];
  const value = tree.value[node];
  const kind = value === 0 ? 2 : value > 0 ? 1 : 0;
  const lines = [];
  const share = shareText(tree, node);
  if (share) lines.push(share);
  if (tree.left[node] < 0) lines.push("a leaf");
  if (tree.nTags[row] > 0)
    lines.push(
      `speaks for ${count(tree.nTags[row])} less sure ${tree.nTags[row] === 1 ? "leaf" : "leaves"} below it`,
    );
  const held = heldOutText(tree, row);
  if (held) lines.push(held);
  return {
    kind,
    name: kind === 2 ? "neither class" : forest.classesOf(ensemble)[kind],
    posterior: `${percent(value)} %`,
    confidence: `confidence ${shortNumber(Math.abs(value), 4)}`,
    rule: ruleText(pathRule(tree, node), forest.columns, { showMissing: false }),
    lines,
  };
}

/** Examples and weight of a node; empty if neither is known. */
export function shareText(tree: Tree, node: number): string {
  const parts = [];
  if (tree.count[node] >= 0)
    parts.push(`${count(tree.count[node])} ${tree.count[node] === 1 ? "example" : "examples"}`);
  if (!Number.isNaN(tree.weight[node]))
    parts.push(`${percentOf(tree.weight[node])} % of the weight`);
  return parts.join(" · ");
}

/** Where held-out data put a node, in the posterior of its own class; empty without such data. */
export function heldOutText(tree: Tree, row: number): string {
  const held = tree.heldOut;
  if (!held) return "";
  const verdict = VERDICTS[held.verdict[row]];
  if (verdict === "none") return `held-out: ${VERDICT_WORDS.none}`;
  const sign = tree.valueOf(row) < 0 ? -1 : 1;
  const share = (value: number): string => percentOf(sigmoid(sign * value));
  const [low, high] = sign > 0 ? [held.low[row], held.high[row]] : [held.high[row], held.low[row]];
  const n = held.count[row];
  return (
    `held-out ${share(held.value[row])} % (${share(low)} to ${share(high)} %), ` +
    `${count(n)} ${n === 1 ? "example" : "examples"}: ${VERDICT_WORDS[verdict]}`
  );
}

/** The held-out posterior of a node's own class, in few words; empty if there is none. */
export function heldOutShort(tree: Tree, row: number): string {
  const held = tree.heldOut;
  if (!held || Number.isNaN(held.value[row])) return "";
  const sign = tree.valueOf(row) < 0 ? -1 : 1;
  return `held-out ${percentOf(sigmoid(sign * held.value[row]))} %`;
}

/** All that is said of a node, in one sentence after the other: for those who listen. */
export function speakNode(texts: NodeTexts): string {
  return [
    `${texts.name}, ${texts.posterior}`,
    texts.confidence,
    `if ${texts.rule}`,
    ...texts.lines,
  ].join("; ");
}

export { shorten } from "./names";
