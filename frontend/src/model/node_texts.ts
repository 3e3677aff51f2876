// Texts about a node: counted rows, and the node's own value.

import type { Forest } from "./forest";
import { shorten } from "./names";
import { count, general, percent, shortNumber, sigmoid, signedNumber } from "./numbers";
import type { Link, Origin } from "./payload";
import { shorterTexts } from "./rules/shorter";
import { VERDICTS, type Tree, type Verdict } from "./tree";

const SAME = {
  none: "no row reached it",
  few: "too few rows to tell",
  agrees: "agrees",
  unknown: "cannot be compared: how training set the leaves is not known",
};

/** The verdicts of held-out data about a node. */
export const VERDICT_WORDS: Record<Origin, Record<Verdict, string>> = {
  half: {
    ...SAME,
    weaker: "less sure than it seems",
    stronger: "surer than it seems",
    flipped: "leans the other way",
  },
  base: {
    ...SAME,
    weaker: "nearer to the root than it seems",
    stronger: "farther from the root than it seems",
    flipped: "on the other side of the root",
  },
};

export interface NodeTexts {
  /** 0 for the negative class, 1 for the positive, 2 for neither. */
  kind: 0 | 1 | 2;
  /** The class of the node. */
  name: string;
  confidence: string;
  /** The counted rows, or its vote: one line or more. */
  figures: string[];
  /** The rule, and shorter ones where there is little room. */
  rules: string[];
  /** The vote, training rows, leaves that it is the host of, held-out figures: a line each. */
  lines: string[];
}

/** All texts about a node. */
export function describeNode(forest: Forest, ensemble: number, tree: Tree, row: number): NodeTexts {
  const node = tree.node[row];
  const classes = forest.classesOf(ensemble);
  const kind = tree.kindOf(row);
  const figures = figuresOf(forest, tree, row, classes[1]);
  const lines = [...ownLines(forest, tree, row), ...trainingLines(forest, tree, row)];
  if (tree.left[node] < 0) lines.push("a leaf");
  if (tree.nTags[row] > 0) lines.push(tagsText(tree.nTags[row], tree.center));
  const held = heldOutText(forest, tree, row);
  if (held) lines.push(held);
  const distance = shortNumber(tree.distance[row], 4);
  return {
    kind,
    name: nameOf(tree, row, classes),
    confidence: `${confidenceWord(tree.center)} ${distance}`,
    figures,
    rules: shorterTexts(tree, node, forest.columns),
    lines: lines.filter((line) => !figures.includes(line)),
  };
}

/** The class of a row; evidence is counted from the root, which then has no class. */
export function nameOf(tree: Tree, row: number, classes: [string, string]): string {
  const kind = tree.kindOf(row);
  if (kind !== 2) return classes[kind];
  return tree.center === "base" && row === 0 ? "all rows" : "neither class";
}

/** The name of distances: confidence from even odds, evidence from the root. */
export function confidenceWord(center: Origin): string {
  return center === "half" ? "confidence" : "evidence";
}

/**
 * The rows at a node in one or two lines, without the name of its class.
 *
 * With data: the number of rows, the share of the class with its exact 95 % interval, the ratio to
 * its base rate, and the model's mean probability. Without data: the class share where values are
 * shares, else the vote. The positive class is named where a node says neither class.
 */
export function figuresOf(forest: Forest, tree: Tree, row: number, positive: string): string[] {
  const kind = tree.kindOf(row);
  const of = kind === 2 ? ` ${shorten(positive, 24)} ` : " ";
  if (!tree.rows)
    return forest.header.valueKind === "share"
      ? [shareLine(forest, tree, row, of)]
      : [voteLine(tree, row), ...trainingLines(forest, tree, row)];
  const found = tree.rows.shareOf(tree.node[row], kind !== 0);
  if (!found) return ["no held-out rows"];
  const { share, low, high, lift, probability } = found;
  const first =
    `${percent(share)} %${of}of ${rowsText(found.count, "held-out")} ` +
    `(${percent(low)} to ${percent(high)} %)`;
  const model = `the model says ${percent(probability)} %`;
  const times = Number.isNaN(lift) || row === 0 ? "" : `${timesText(lift)} the base rate; `;
  return [first, times + model];
}

/** The same in few words. */
export function shortFigure(forest: Forest, tree: Tree, row: number, positive: string): string {
  const kind = tree.kindOf(row);
  const of = kind === 2 ? ` ${shorten(positive, 24)}` : "";
  if (tree.rows) {
    const found = tree.rows.shareOf(tree.node[row], kind !== 0);
    return found ? `${percent(found.share)} %${of} of ${count(found.count)}` : "no held-out rows";
  }
  if (forest.header.valueKind === "share") return `${percent(shareAt(forest, tree, row))} %${of}`;
  return kind === 2 ? "" : signedNumber(tree.valueOf(row));
}

/** The node's own value, in words that nobody takes for a share of rows. */
function ownLines(forest: Forest, tree: Tree, row: number): string[] {
  if (forest.header.valueKind === "share") return [shareLine(forest, tree, row, " ")];
  const lines = [voteLine(tree, row)];
  if (tree.center === "base" && row > 0)
    lines.push(`counted from its root's vote, ${signedNumber(tree.value[0])}`);
  const node = tree.node[row];
  if (tree.output[node] === tree.value[node]) {
    const moves = signedNumber(tree.leverage * tree.valueOf(row));
    if (row > 0 || tree.center === "half")
      lines.push(`times its leverage ${shortNumber(tree.leverage)}: ${moves} in the score`);
  }
  return lines;
}

/** The vote of a boosted tree, in log-odds. */
function voteLine(tree: Tree, row: number): string {
  if (tree.center === "base" && row === 0)
    return `the root's vote ${signedNumber(tree.value[0])} (log-odds): others are counted from it`;
  return `this tree's vote ${signedNumber(tree.valueOf(row))} (log-odds)`;
}

/** The share of the node's class among the training rows, where values are shares. */
function shareLine(forest: Forest, tree: Tree, row: number, of: string): string {
  if (forest.header.valueKind !== "share") return "";
  const rows = tree.count[tree.node[row]];
  const counted = rows >= 0 ? `${of}of ${rowsText(rows, "training")}` : of.trimEnd();
  const weighed = rows >= 0 && tree.isWeighed ? ", as weighed" : "";
  return `${percent(shareAt(forest, tree, row))} %${counted}${weighed}`;
}

/** The class share of a row: of its own class, or the positive one. */
function shareAt(forest: Forest, tree: Tree, row: number): number {
  const share = toShare(tree.output[tree.node[row]], forest.header.link);
  return tree.kindOf(row) === 0 ? 1 - share : share;
}

function toShare(output: number, link: Link): number {
  return link === "mean" ? output : sigmoid(output);
}

/** The number of training rows at the node, unless another line has it. */
function trainingLines(forest: Forest, tree: Tree, row: number): string[] {
  const rows = tree.count[tree.node[row]];
  if (rows < 0 || forest.header.valueKind === "share") return [];
  return [rowsText(rows, "training")];
}

/** The verdict and the vote of held-out data; empty without such data. */
function heldOutText(forest: Forest, tree: Tree, row: number): string {
  const held = tree.heldOut;
  if (!held) return "";
  const verdict = VERDICTS[held.verdict[row]];
  const words = VERDICT_WORDS[tree.center][verdict];
  if (verdict === "none" || verdict === "unknown" || forest.header.valueKind === "share")
    return `held-out data: ${words}`;
  const [value, low, high] = [held.value, held.low, held.high].map((figures) =>
    signedNumber(figures[row] - tree.origin, 2),
  );
  return `held-out data: ${words}; their vote ${value} (${low} to ${high})`;
}

/** All lines about a node in one text, for screen readers. */
export function speakNode(texts: NodeTexts): string {
  return [
    [texts.name, ...texts.figures].join(", "),
    texts.confidence,
    `if ${texts.rules[0]}`,
    ...texts.lines,
  ].join("; ");
}

/** The number of leaves that a node is the host of. */
function tagsText(n: number, center: Origin): string {
  const leaves = `${n === 1 ? "leaf" : "leaves"} below it`;
  if (center === "half") return `speaks for ${count(n)} less sure ${leaves}`;
  return `speaks for ${count(n)} ${leaves}, nearer to the root`;
}

/** So many rows of a kind. */
function rowsText(n: number, kind: string): string {
  return `${count(n)} ${kind} row${n === 1 ? "" : "s"}`;
}

/** How many times as large something is. */
function timesText(ratio: number): string {
  return `${ratio < 9.95 ? general(ratio, 2) : count(Math.round(ratio))} ×`;
}
