// A path in a tree as a rule: one condition a feature, in words, for pandas and for SQL.

import type { Columns } from "./columns";
import { exactNumber, roundTo } from "./numbers";
import type { Tree } from "./tree";

/** What the value of one feature must fulfill: low < x <= high, or be among codes or not. */
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

/** What sends a value left, or right, at one node. */
export function testOf(tree: Tree, node: number, left: boolean): Condition {
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

/** One condition a feature, in the order in which the features come first. */
export function merge(conditions: Condition[]): Condition[] {
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

/** A condition with the codes that fulfill it or not. */
interface Part extends Condition {
  isNumeric: boolean;
  inside: number[];
  outside: number[];
  takesAll: boolean;
  takesNone: boolean;
}

function toPart(condition: Condition, columns: Columns): Part {
  const { feature, low, high, allowed, excluded } = condition;
  const isNumeric = columns.labels[feature] === null;
  const inside: number[] = [];
  const outside: number[] = [];
  for (let code = 0; code < columns.nLabels(feature); code++) {
    // A test may compare codes with a threshold, too.
    const fulfills =
      low < code && code <= high && !excluded.has(code) && (allowed === null || allowed.has(code));
    (fulfills ? inside : outside).push(code);
  }
  return {
    ...condition,
    isNumeric,
    inside,
    outside,
    takesAll: isNumeric ? low === -Infinity && high === Infinity : outside.length === 0,
    takesNone: isNumeric ? low >= high : inside.length === 0,
  };
}

/** Write what is not void; one condition that cannot be fulfilled is enough for `never`. */
function join(
  conditions: Condition[],
  columns: Columns,
  write: (part: Part) => string,
  glue: string,
  always: string,
  never: string,
): string {
  const parts = conditions
    .map((condition) => toPart(condition, columns))
    .filter((part) => !(part.takesAll && part.missing));
  if (parts.some((part) => part.takesNone && !part.missing)) return never;
  return parts.map(write).join(glue) || always;
}

// --- in words -------------------------------------------------------------------------------------

export interface TextOptions {
  /** Significant digits of bounds; null for exact ones. */
  digits?: number | null;
  /** Labels of a set that are written; null for all. */
  maxLabels?: number | null;
  /** Whether to say what missing values do, or of which features. */
  showMissing?: boolean | ReadonlySet<number>;
}

/** The rule for people to read, in one line. */
export function ruleText(
  conditions: Condition[],
  columns: Columns,
  { digits = 4, maxLabels = 5, showMissing = true }: TextOptions = {},
): string {
  const write = (part: Part): string => {
    const name = columns.nameTexts(part.feature)[0];
    if (part.takesNone) return `${name} is missing`;
    if (part.takesAll) return `${name} is known`;
    const text = part.isNumeric
      ? intervalText(name, part.low, part.high, digits)
      : setText(name, part, columns, maxLabels);
    const isShown = typeof showMissing === "boolean" ? showMissing : showMissing.has(part.feature);
    return part.missing && isShown ? `${text} (or missing)` : text;
  };
  return join(conditions.map(withoutLargest), columns, write, " and ", "always", "never");
}

/** A condition without the largest number, by which a tree parts missing values from known ones. */
function withoutLargest(condition: Condition): Condition {
  if (condition.high === Number.MAX_VALUE) return { ...condition, high: Infinity };
  if (condition.low === Number.MAX_VALUE && condition.missing)
    return { ...condition, high: Number.MAX_VALUE }; // no number at all
  return condition;
}

/** An interval; the sign says on which side a rounded bound itself is. */
function intervalText(name: string, low: number, high: number, digits: number | null): string {
  const [shownLow, shownHigh] = roundBoth(low, high, digits);
  const atMost = `${shownHigh > high ? "<" : "<="} ${exactNumber(shownHigh)}`;
  if (low === -Infinity) return `${name} ${atMost}`;
  const isIn = shownLow > low;
  if (high === Infinity) return `${name} ${isIn ? ">=" : ">"} ${exactNumber(shownLow)}`;
  return `${exactNumber(shownLow)} ${isIn ? "<=" : "<"} ${name} ${atMost}`;
}

/** Round two bounds with as many digits as keep them apart. */
function roundBoth(low: number, high: number, digits: number | null): [number, number] {
  for (let n = digits ?? 17; n < 17; n++) {
    const rounded: [number, number] = [roundBound(low, n), roundBound(high, n)];
    if (rounded[0] < rounded[1]) return rounded;
  }
  return [low, high];
}

/** Round to significant digits, but not before the first decimal. */
export function roundBound(x: number, digits: number): number {
  if (!Number.isFinite(x) || x === 0) return x;
  // The number before 0, in float32 or float64: what is at most that is below 0.
  if (x >= -(2 ** -149) && x < 0) return 0;
  const size = Math.abs(x);
  const before = size < 1e16 ? String(Math.trunc(size)).length : 0;
  const rounded = roundTo(x, Math.max(digits, before + 1));
  return Number.isFinite(rounded) ? rounded : x;
}

/** The shorter of the two sets of labels. */
function setText(name: string, part: Part, columns: Columns, maxLabels: number | null): string {
  const isInside = part.inside.length <= part.outside.length;
  const few = isInside ? part.inside : part.outside;
  const shown = (code: number): string => columns.labelTexts(part.feature, code)[0];
  if (few.length === 1) return `${name} ${isInside ? "=" : "!="} ${shown(few[0])}`;
  const listed = few.slice(0, maxLabels ?? few.length).map(shown);
  if (few.length > listed.length) listed.push(`... ${few.length - listed.length} more`);
  return `${name} ${isInside ? "in" : "not in"} {${listed.join(", ")}}`;
}

// --- as code --------------------------------------------------------------------------------------

/** A name or label has no form in the language. */
export class NoForm extends Error {}

function known(text: string | null, name: string, language: string): string {
  if (text === null) throw new NoForm(`${name} has a name or label that ${language} cannot hold.`);
  return text;
}

/** A Python expression: the mask of a pandas data frame's rows where the rule holds. */
export function rulePandas(conditions: Condition[], columns: Columns, inputDtype: string): string {
  const write = (part: Part): string => {
    const [shown, name] = columns.nameTexts(part.feature);
    const column = `df[${known(name, shown, "Python")}]`;
    if (part.isNumeric) return pandasInterval(`${column}.astype('float64')`, part);
    // A row that is missing or has an unseen label is in no list of known ones.
    const codes = part.missing ? part.outside : part.inside;
    const labels = codes.map((c) => known(columns.labelTexts(part.feature, c)[1], shown, "Python"));
    // Else long whole numbers are compared as floats.
    const cast = labels.every((label) => /^['"]/.test(label)) ? "" : ".astype(object)";
    return `${part.missing ? "~" : ""}${column}${cast}.isin([${labels.join(", ")}])`;
  };
  const always = "df.index.isin(df.index)";
  return join(adjust(conditions, inputDtype), columns, write, " & ", always, `~${always}`);
}

function pandasInterval(column: string, part: Part): string {
  if (part.takesNone) return `${column}.isna()`;
  if (part.takesAll) return `${column}.notna()`;
  const [low, high] = [exactNumber(part.low), exactNumber(part.high)];
  let text = `${column}.between(${low}, ${high}, inclusive='right')`;
  if (part.low === -Infinity) text = `(${column} <= ${high})`;
  else if (part.high === Infinity) text = `(${column} > ${low})`;
  return part.missing ? `(${text} | ${column}.isna())` : text;
}

/** An SQL condition that is true for the rows where the rule holds. */
export function ruleSql(conditions: Condition[], columns: Columns, inputDtype: string): string {
  const write = (part: Part): string => {
    const [shown, , name] = columns.nameTexts(part.feature);
    const column = known(name, shown, "SQL");
    if (part.isNumeric) return sqlInterval(column, part);
    const codes = part.missing ? part.outside : part.inside;
    const labels = codes.map((c) => known(columns.labelTexts(part.feature, c)[2], shown, "SQL"));
    const listed = labels.join(", ");
    if (part.missing) return `(${column} NOT IN (${listed}) OR ${column} IS NULL)`;
    return `${column} IN (${listed})`;
  };
  return join(adjust(conditions, inputDtype), columns, write, " AND ", "1 = 1", "1 = 0");
}

function sqlInterval(column: string, part: Part): string {
  if (part.takesNone) return `${column} IS NULL`;
  if (part.takesAll) return `${column} IS NOT NULL`;
  const bounds = [];
  if (part.low > -Infinity) bounds.push(`${column} > ${exactNumber(part.low)}`);
  if (part.high < Infinity) bounds.push(`${column} <= ${exactNumber(part.high)}`);
  const text = bounds.join(" AND ");
  if (!part.missing) return text;
  return `(${bounds.length === 1 ? text : `(${text})`} OR ${column} IS NULL)`;
}

// --- models that round to float32 -----------------------------------------------------------------

/** Conditions for what has not been rounded to the dtype that the model reads. */
function adjust(conditions: Condition[], inputDtype: string): Condition[] {
  if (inputDtype !== "float32") return conditions;
  return conditions.map((c) => ({ ...c, low: unrounded(c.low), high: unrounded(c.high) }));
}

/** The largest float64 that rounds to a float32 at most this bound. */
export function unrounded(bound: number): number {
  if (!Number.isFinite(bound)) return bound;
  let below = Math.fround(bound);
  if (below > bound) below = nextFloat32(below, -1);
  const above = nextFloat32(below, 1);
  // An infinite end is where the next number would be if there were larger exponents.
  const [low, high] = [below, above].map((end) => Math.min(Math.max(end, -(2 ** 128)), 2 ** 128));
  const middle = (low + high) / 2; // exact: 25 bits
  return Math.fround(middle) <= bound ? middle : previousFloat64(middle);
}

function nextFloat32(x: number, direction: 1 | -1): number {
  if (x === direction * Infinity) return x;
  if (x === 0) return direction * 2 ** -149;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  view.setUint32(0, view.getUint32(0) + (x > 0 === direction > 0 ? 1 : -1));
  return view.getFloat32(0);
}

function previousFloat64(x: number): number {
  if (x === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
