// One example through the ensemble: where it goes, what each tree adds, what would change that.

import type { Columns } from "./columns";
import { exactNumber, shortNumber, sigmoid } from "./numbers";
import type { Link } from "./payload";
import { pathRule, ruleText } from "./rules";
import type { Forest, Tree } from "./tree";

// --- reading --------------------------------------------------------------------------------------

const MISSING = /^(|na|n\/a|nan|none|null|\?|missing)$/i;

/** A text is not an example of this model. */
export class BadExample extends Error {}

/**
 * Read an example: `name = value` on lines (or between commas or semicolons), or the values alone,
 * comma-separated, in the order of the features; a line with the names may come before.
 */
export function parseExample(text: string, columns: Columns): Float64Array {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (!lines.length) throw new BadExample("Type or paste a row first.");
  if (findAssignments(lines, columns)) return parseAssignments(lines, columns);
  let rows = lines.map(splitRow);
  if (rows.every((row) => row.length === 1) && rows.length === columns.names.length)
    rows = [rows.map(([cell]) => cell)];
  const order = headerOrder(rows[0], columns);
  const cells = order ? rows[1] : rows[0];
  if (!cells || rows.length > (order ? 2 : 1))
    throw new BadExample(`One row is followed at a time, got ${rows.length - (order ? 1 : 0)}.`);
  const n = columns.names.length;
  if (cells.length !== (order?.length ?? n))
    throw new BadExample(
      `The model has ${n} features, got ${cells.length} values: give them all, empty if missing, or write name = value.`,
    );
  const x = new Float64Array(n).fill(Number.NaN);
  cells.forEach((cell, i) => {
    const feature = order ? order[i] : i;
    x[feature] = parseValue(cell, feature, columns);
  });
  return x;
}

/** Whether a text is a list of `name = value`. */
function findAssignments(lines: string[], columns: Columns): boolean {
  const equals = lines[0].indexOf("=");
  return equals > 0 && (findName(lines[0].slice(0, equals), columns) >= 0 || lines.length > 1);
}

function parseAssignments(lines: string[], columns: Columns): Float64Array {
  const x = new Float64Array(columns.names.length).fill(Number.NaN);
  // A line may hold several, if the names and values themselves have no commas.
  const parts = lines.flatMap((line) =>
    (line.match(/=/g)?.length ?? 0) > 1 ? splitAssignments(line, columns) : [line],
  );
  for (const part of parts) {
    const [name, value] = splitAssignment(part, columns);
    const feature = findName(name, columns);
    if (feature < 0) throw new BadExample(`There is no feature ${name.trim()}.`);
    x[feature] = parseValue(value, feature, columns);
  }
  return x;
}

function splitAssignments(line: string, columns: Columns): string[] {
  const equals = line.indexOf("=");
  if (/[<>=!]/.test(line[equals + 1] ?? "")) return [line];
  const parts = line.split(/[,;]/);
  // A comma inside of a name or value: the part after it names nothing.
  const joined: string[] = [];
  for (const part of parts) {
    const at = part.indexOf("=");
    const isNamed = at > 0 && findName(part.slice(0, at), columns) >= 0;
    if (isNamed || !joined.length) joined.push(part);
    else joined[joined.length - 1] += `,${part}`;
  }
  return joined;
}

/** Names may hold "=", too: the longest name that is one wins. */
function splitAssignment(part: string, columns: Columns): [string, string] {
  for (let at = part.lastIndexOf("="); at > 0; at = part.lastIndexOf("=", at - 1))
    if (findName(part.slice(0, at), columns) >= 0) return [part.slice(0, at), part.slice(at + 1)];
  const at = part.indexOf("=");
  if (at < 0) throw new BadExample(`Write name = value, got ${part.trim()}.`);
  return [part.slice(0, at), part.slice(at + 1)];
}

function findName(text: string, columns: Columns): number {
  const name = text.trim();
  const found = columns.names.indexOf(name);
  return found >= 0 ? found : columns.names.indexOf(unquote(name));
}

/** Cells of one line of CSV, or of a table whose cells are divided by tabs or semicolons. */
function splitRow(line: string): string[] {
  const divider = line.includes("\t") ? "\t" : line.includes(",") ? "," : ";";
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') cell += line[i++];
    else if (c === '"' && (quoted || !cell.trim())) quoted = !quoted;
    else if (c === divider && !quoted) {
      cells.push(cell);
      cell = "";
    } else cell += c;
  }
  cells.push(cell);
  return cells.map((text) => text.trim());
}

/** If cells are names of features, which. */
function headerOrder(cells: string[], columns: Columns): number[] | null {
  const order = cells.map((cell) => columns.names.indexOf(cell));
  return order.length && order.every((feature) => feature >= 0) ? order : null;
}

function unquote(text: string): string {
  const inside = /^(["'])(.*)\1$/s.exec(text);
  return inside ? inside[2] : text;
}

function parseValue(text: string, feature: number, columns: Columns): number {
  const value = text.trim();
  const labels = columns.labels[feature];
  if (labels) {
    for (const label of [value, unquote(value)]) {
      const code = labels.indexOf(label);
      if (code >= 0) return code;
    }
    if (MISSING.test(value)) return Number.NaN;
    const some = labels.slice(0, 6).join(", ");
    throw new BadExample(
      `${columns.names[feature]} must be one of ${some}${labels.length > 6 ? ", …" : ""}, got ${value}.`,
    );
  }
  if (MISSING.test(value)) return Number.NaN;
  const number = Number(unquote(value).replace("−", "-"));
  if (!Number.isFinite(number))
    throw new BadExample(`${columns.names[feature]} must be a number, got ${value}.`);
  return number;
}

/** A value as it is written in the text of an example. */
export function valueText(x: number, feature: number, columns: Columns): string {
  if (Number.isNaN(x)) return "";
  return columns.labels[feature]?.[x] ?? exactNumber(x);
}

/** A value as it is shown beside others. */
export function shownValue(x: number, feature: number, columns: Columns): string {
  if (Number.isNaN(x)) return "missing";
  return columns.labels[feature]?.[x] ?? shortNumber(x, 6);
}

/** An example as a text that `parseExample` reads. */
export function exampleText(x: Float64Array, columns: Columns): string {
  return columns.names
    .map((name, feature) => `${name} = ${valueText(x[feature], feature, columns)}`)
    .join("\n");
}

// --- following ------------------------------------------------------------------------------------

export interface Stop {
  /** Which tree of the ensemble. */
  tree: number;
  leaf: number;
  /** The row that speaks for the leaf in the picture. */
  row: number;
  /** Leverage times output: what the tree adds to the score. */
  adds: number;
  /** The same, counted from where it speaks for neither class: differs for class shares only. */
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
  for (let j = 0; j < n; j++) {
    const tree = forest.tree(ensemble, j);
    const leaf = tree.leafOf(values);
    const adds = tree.leverage * tree.output[leaf];
    const push = tree.leverage * (tree.output[leaf] - neutral);
    stops.push({ tree: j, leaf, row: tree.row[leaf], adds, push });
    scores[j + 1] = scores[j] + adds;
  }
  return { stops, scores };
}

/** The probabilities of the classes from the scores of the ensembles: what the link says. */
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

/** The score, and the output of a leaf, that speaks for neither class. */
export function neutralScore(link: Link): number {
  return link === "mean" ? 0.5 : 0;
}

// --- changing -------------------------------------------------------------------------------------

export interface Flip {
  feature: number;
  /** The value that it would have to have. */
  value: number;
  /** In words: what the value would have to fulfill; any that does ends in the same leaf. */
  needed: string;
  /** Where the example would end, what the tree would add, and how it would push. */
  leaf: number;
  adds: number;
  push: number;
  /** How far the value moves, in units of the spread of the feature's thresholds. */
  gap: number;
}

/**
 * The nearest change of one value after which a tree speaks for the other class; null if none does.
 *
 * All values of a feature between two of the tree's thresholds end in one leaf, so one of each such
 * interval is tried, the nearest, and every label. Features off the path change nothing.
 */
export function findFlip(
  forest: Forest,
  tree: Tree,
  x: Float64Array,
  spread: Float64Array,
): Flip | null {
  const values = rounded(x, forest.header.inputDtype);
  const leaf = tree.leafOf(values);
  const neutral = neutralScore(forest.header.link);
  const before = tree.leverage * (tree.output[leaf] - neutral);
  let best: Flip | null = null;
  const asked = new Set(
    tree
      .nodesTo(leaf)
      .slice(0, -1)
      .map((v) => tree.feature[v]),
  );
  for (const feature of asked) {
    const changed = values.slice();
    for (const value of candidates(forest, tree, feature, values[feature])) {
      changed[feature] = value;
      const end = tree.leafOf(changed);
      const push = tree.leverage * (tree.output[end] - neutral);
      if (!(push * before < 0)) continue;
      const gap = gapOf(forest, feature, values[feature], value, spread);
      if (best && gap >= best.gap) continue;
      const needed = pathRule(tree, end).filter((condition) => condition.feature === feature);
      const text = ruleText(needed, forest.columns, { showMissing: false });
      best = {
        feature,
        value,
        needed: text,
        leaf: end,
        adds: tree.leverage * tree.output[end],
        push,
        gap,
      };
    }
  }
  return best;
}

/** Values of a feature, other than the one it has, of which each other leads to the same leaf. */
function candidates(forest: Forest, tree: Tree, feature: number, x: number): number[] {
  const labels = forest.columns.nLabels(feature);
  if (labels) return Array.from({ length: labels }, (_, code) => code).filter((code) => code !== x);
  const found = new Set<number>();
  const { inputDtype } = forest.header;
  for (let v = 0; v < tree.n; v++) {
    if (tree.left[v] < 0 || tree.feature[v] !== feature) continue;
    const threshold = tree.threshold[v];
    if (!(x <= threshold)) found.add(atMost(threshold, inputDtype));
    if (!(x > threshold)) found.add(justAbove(threshold, inputDtype));
  }
  return [...found];
}

/** The largest number up to this one that the model can hold. */
function atMost(x: number, inputDtype: string): number {
  if (inputDtype !== "float32") return x;
  const single = Math.fround(x);
  return single <= x ? single : Math.fround(x - Math.max(Math.abs(x) * 2 ** -23, 2 ** -149));
}

/** The next larger number that the model can tell from this one. */
function justAbove(x: number, inputDtype: string): number {
  if (inputDtype === "float32") {
    const step = Math.max(Math.abs(x) * 2 ** -22, 2 ** -140);
    return Math.fround(x + step);
  }
  const step = Math.max(Math.abs(x) * 2 ** -51, Number.MIN_VALUE * 4);
  return x + step;
}

function gapOf(
  forest: Forest,
  feature: number,
  from: number,
  to: number,
  spread: Float64Array,
): number {
  // Another label, or a value where there was none, is a large step.
  if (forest.columns.nLabels(feature) || Number.isNaN(from)) return 1;
  return Math.abs(to - from) / spread[feature];
}

/** How far apart the thresholds of each feature are, over all trees: the unit of its changes. */
export function findSpread(forest: Forest): Float64Array {
  const n = forest.header.features.length;
  const low = new Float64Array(n).fill(Infinity);
  const high = new Float64Array(n).fill(-Infinity);
  for (let j = 0; j < forest.header.nTrees; j++) {
    const tree = forest.at(j);
    for (let v = 0; v < tree.n; v++) {
      if (tree.left[v] < 0) continue;
      const feature = tree.feature[v];
      low[feature] = Math.min(low[feature], tree.threshold[v]);
      high[feature] = Math.max(high[feature], tree.threshold[v]);
    }
  }
  return low.map((lowest, f) => {
    const width = high[f] - lowest;
    return width > 0 ? width : Math.max(Math.abs(lowest), 1);
  });
}

/** The rule of the leaf in which an example ends. */
export function leafRule(forest: Forest, tree: Tree, leaf: number): string {
  return ruleText(pathRule(tree, leaf), forest.columns, { showMissing: false });
}
