// One row through an ensemble: its leaves, what each tree adds, the model's answer.

import { sigmoid } from "../numbers";
import type { Link } from "../payload";
import { pathRule } from "../rules/path";
import { shownRule } from "../rules/text";
import type { Forest } from "../forest";
import type { Tree } from "../tree";

export interface Stop {
  /** Which tree of the ensemble. */
  tree: number;
  leaf: number;
  /** The row of the leaf's host in the picture. */
  row: number;
  /** Leverage times output: what the tree adds to the score. */
  adds: number;
  /** The same, counted from the center: from an output for neither class, or from the root's. */
  push: number;
}

export interface Walk {
  stops: Stop[];
  /** The score before the first tree, and after each. */
  scores: Float64Array;
}

/** The values as the model compares them. */
export function rounded(x: Float64Array, inputDtype: string): Float64Array {
  return inputDtype === "float32" ? x.map(Math.fround) : x;
}

/** Send an example through the trees of an ensemble. */
export function follow(forest: Forest, ensemble: number, x: Float64Array): Walk {
  const values = rounded(x, forest.header.inputDtype);
  const n = forest.size(ensemble);
  const scores = new Float64Array(n + 1);
  scores[0] = forest.ensembles[ensemble].baseValue;
  const stops: Stop[] = [];
  const neutral = neutralScore(forest.header.link);
  const isBase = forest.center === "base";
  for (let j = 0; j < n; j++) {
    const tree = forest.tree(ensemble, j);
    const leaf = tree.leafOf(values);
    const adds = tree.leverage * tree.output[leaf];
    const push = tree.leverage * (tree.output[leaf] - (isBase ? tree.output[0] : neutral));
    stops.push({ tree: j, leaf, row: tree.row[leaf], adds, push });
    scores[j + 1] = scores[j] + adds;
  }
  return { stops, scores };
}

/** The probabilities of the classes from the scores of the ensembles, by the link. */
export function probabilities(scores: number[], link: Link): number[] {
  if (link === "mean") {
    const shares = scores.map((score) => Math.min(Math.max(score, 0), 1));
    return shares.length === 1 ? [1 - shares[0], shares[0]] : shares;
  }
  if (link === "logistic") return [sigmoid(-scores[0]), sigmoid(scores[0])];
  const logits = link === "ovr" ? scores.map(logSigmoid) : scores;
  const largest = Math.max(...logits);
  const shares = logits.map((score) => Math.exp(score - largest));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

function logSigmoid(score: number): number {
  return Math.min(score, 0) - Math.log1p(Math.exp(-Math.abs(score)));
}

/** The final scores of all ensembles. */
export function allScores(forest: Forest, x: Float64Array): number[] {
  return forest.ensembles.map((_, k) => follow(forest, k, x).scores.at(-1)!);
}

/** The score, or the output of a leaf, at which neither class leads. */
export function neutralScore(link: Link): number {
  return link === "mean" ? 0.5 : 0;
}

/** The class that the model predicts, the first of equals. */
export function decide(scores: ArrayLike<number>, link: Link): number {
  if (scores.length === 1) return Number(scores[0] > neutralScore(link));
  let best = 0;
  for (let k = 1; k < scores.length; k++) if (scores[k] > scores[best]) best = k;
  return best;
}

/** The rule of the leaf in which an example ends. */
export function leafRule(forest: Forest, tree: Tree, leaf: number): string {
  return shownRule(pathRule(tree, leaf), forest.columns);
}
