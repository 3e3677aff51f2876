// The smallest change of a row, in sentences.

import type { Change, Found, Move } from "./smallest";
import { shownValue } from "../example/row_text";
import { count, exactNumber, percent, roundAway } from "../numbers";
import type { Condition } from "../rules/path";
import { shorten } from "../names";
import type { Forest } from "../forest";

// Labels of a set that are written, and significant digits of a bound.
const LABELS = 4;
const DIGITS = 6;

/** The change that turns the answer, in one sentence. */
export function changeText(
  { change, pairs, searched }: Found,
  forest: Forest,
  x: Float64Array,
): string {
  if (change) {
    const moves = change.moves.map((move) => moveText(move, forest, x)).join(" and ");
    const name = shorten(forest.header.classes[change.class], 40);
    return `If ${moves}, the model would say ${name}, with a probability of ${shares(change)}\u00a0%.`;
  }
  if (searched === pairs)
    return "The model says the same whatever one value or two become, missing aside.";
  return (
    "The model says the same whatever one value becomes, missing aside. No change of two values " +
    `was found that turns it, but only ${count(searched)} of ${count(pairs)} pairs of features were ` +
    "searched to the end."
  );
}

/** The measure by which the change is the smallest; nothing if there is none. */
export function measureText({ change, pairs, searched }: Found, forest: Forest): string {
  if (!change) return "";
  const moves = change.moves.map(({ feature, crossed, thresholds }) => {
    const name = forest.columns.short().names[feature];
    return crossed === null
      ? `a new ${forest.columns.nLabels(feature) ? "label" : "value"} of ${name} counts as all`
      : `${count(crossed)} of the ${count(thresholds)} of ${name}`;
  });
  const text = `Smallest by the share of the model's thresholds that are crossed: ${moves.join(", ")}.`;
  if (change.moves.length === 1) return text;
  const cut =
    ` Of two values there may be a smaller one: ${count(searched)} of ${count(pairs)} pairs of ` +
    "features were searched to the end.";
  return `No change of one value is enough. ${text}${searched === pairs ? "" : cut}`;
}

function moveText({ feature, needed }: Move, forest: Forest, x: Float64Array): string {
  const name = forest.columns.short().names[feature];
  const now = shorten(shownValue(x[feature], feature, forest.columns), 40);
  return `${name} were ${neededText(needed, forest)} (now ${now})`;
}

function neededText({ feature, low, high, allowed }: Condition, forest: Forest): string {
  if (allowed) {
    const labels = [...allowed].map((code) => forest.columns.short().labels[feature]![code]);
    if (labels.length === 1) return labels[0];
    const listed = labels.slice(0, LABELS);
    if (labels.length > LABELS) listed.push(`… ${labels.length - LABELS} more`);
    return `one of ${listed.join(", ")}`;
  }
  const above = roundAway(low, DIGITS, 1);
  const most = roundAway(high, DIGITS, -1);
  const [from, to] = above < most ? [above, most] : [low, high];
  if (low === -Infinity) return `at most ${exactNumber(to)}`;
  if (high === Infinity) return `above ${exactNumber(from)}`;
  return `above ${exactNumber(from)} and at most ${exactNumber(to)}`;
}

function shares({ probability: [least, most] }: Change): string {
  const [low, high] = [percent(least), percent(most)];
  return low === high ? low : `${low} to ${high}`;
}
