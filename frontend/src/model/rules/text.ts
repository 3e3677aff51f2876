// A rule in words.

import type { Columns } from "../columns";
import { exactNumber, roundTo } from "../numbers";
import { join, type Part } from "./parts";
import type { Condition } from "./path";

export interface TextOptions {
  /** Significant digits of bounds; null for exact ones. */
  digits?: number | null;
  /** Labels of a set that are written; null for all. */
  maxLabels?: number | null;
  /** Whether to say what missing values do; or the features to say it of. */
  showMissing?: boolean | ReadonlySet<number>;
}

/** The rule in one line. */
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

/** The rule as the page shows it: of missing values where the held-out rows have some. */
export function shownRule(conditions: Condition[], columns: Columns): string {
  return ruleText(conditions, columns, { showMissing: columns.gaps });
}

/** A condition without the largest number, by which a tree separates missing values from known ones. */
function withoutLargest(condition: Condition): Condition {
  if (condition.high === Number.MAX_VALUE) return { ...condition, high: Infinity };
  if (condition.low === Number.MAX_VALUE && condition.missing)
    return { ...condition, high: Number.MAX_VALUE }; // no number at all
  return condition;
}

/** An interval; the sign shows whether a rounded bound itself is inside. */
function intervalText(name: string, low: number, high: number, digits: number | null): string {
  const [shownLow, shownHigh] = roundBoth(low, high, digits);
  const atMost = `${shownHigh > high ? "<" : "<="} ${exactNumber(shownHigh)}`;
  if (low === -Infinity) return `${name} ${atMost}`;
  const isIn = shownLow > low;
  if (high === Infinity) return `${name} ${isIn ? ">=" : ">"} ${exactNumber(shownLow)}`;
  return `${exactNumber(shownLow)} ${isIn ? "<=" : "<"} ${name} ${atMost}`;
}

/** Round two bounds, with more digits if they would be equal. */
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
  // The largest negative number, in float32 or float64: at most that means below 0.
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
