// What each feature did to the score of one row, as a list with bars.

import { neutralScore, probabilities } from "../../model/example/follow";
import { shownValue } from "../../model/example/row_text";
import type { Attribution } from "../../model/example/shapley";
import type { Forest } from "../../model/forest";
import { shorten, shortenAll } from "../../model/names";
import { count, percent } from "../../model/numbers";
import { bar, el, HIDDEN, quiet } from "../dom";

// Features that have a line of their own.
const LISTED = 12;

const UNKNOWN =
  "What each feature did cannot be said: it is found by averaging over the training rows of each " +
  "node, and this model does not know how many there were.";

/** How scores and their parts are written: class shares in percent, their parts in points. */
class Format {
  private readonly unit: number;
  private readonly decimals: number;

  constructor(
    private readonly isShare: boolean,
    all: readonly number[],
  ) {
    this.unit = isShare ? 100 : 1;
    // Four digits of the largest, as many decimals for all: so that they can be added up.
    const largest = this.unit * all.reduce((a, x) => Math.max(a, Math.abs(x)), 1e-9);
    this.decimals = Math.min(Math.max(3 - Math.floor(Math.log10(largest)), 0), 12);
  }

  part(x: number): string {
    const text = Math.abs(this.unit * x).toFixed(this.decimals);
    return (Number(text) === 0 ? "" : x > 0 ? "+" : "−") + text;
  }

  sum(x: number): string {
    return this.isShare ? `${(100 * x).toFixed(this.decimals)} %` : this.part(x);
  }
}

/** What the numbers are. */
function unitText(forest: Forest, name: string): string {
  const { link } = forest.header;
  if (link === "mean")
    return `Percentage points that each value adds to the class share of ${name}.`;
  if (link === "softmax") return `What each value adds to the score of ${name}.`;
  return `Log-odds that each value adds to the score of ${name}.`;
}

/** The list, from the score before any feature is known to that of the row. */
export function listContributions(
  forest: Forest,
  ensemble: number,
  x: Float64Array,
  scores: number[],
  attribution: Attribution | null,
): HTMLElement {
  if (!attribution) return quiet(UNKNOWN, "contributions-unknown");
  const { base, values } = attribution;
  const order = [...values.keys()]
    .filter((feature) => values[feature] !== 0)
    .sort((f, g) => Math.abs(values[g]) - Math.abs(values[f]) || f - g);
  const others = order.length > LISTED + 1 ? order.splice(LISTED) : [];
  const rest = others.reduce((sum, feature) => sum + values[feature], 0);
  const score = scores[ensemble];
  const largest = order.reduce((a, f) => Math.max(a, Math.abs(values[f])), Math.abs(rest)) || 1;
  const format = new Format(forest.header.link === "mean", [base, score, ...values]);
  const names = shortenAll(forest.columns.names, 26);
  const line = (title: string, name: string, value: string, adds: number): HTMLElement =>
    listPart(title, name, value, adds / largest, format.part(adds));
  const known = order.map((f) => {
    const value = ` = ${shownValue(x[f], f, forest.columns)}`;
    return line(`${forest.columns.names[f]}${value}`, names[f], value, values[f]);
  });
  const left = `${count(others.length)} others`;
  return el(
    "div",
    {},
    quiet(unitText(forest, shorten(forest.classesOf(ensemble)[1], 40))),
    el(
      "ul",
      { class: "ht-parts", part: "contributions" },
      listTotal("Before any feature is known", base, forest, format),
      ...known,
      others.length ? line(left, left, "", rest) : null,
      listTotal("Together: the score", score, forest, format),
    ),
    quiet(sumText(forest, ensemble, scores), "contributions-sum"),
  );
}

/** What probability the score is. */
function sumText(forest: Forest, ensemble: number, scores: number[]): string {
  const { link, classes } = forest.header;
  const { positive } = forest.ensembles[ensemble];
  const name = shorten(classes[positive], 40);
  const share = percent(probabilities(scores, link)[positive]);
  if (link === "mean") return `The score is the model's probability of ${name}: ${share}\u00a0%.`;
  if (scores.length === 1) return `As a probability of ${name} this score is ${share}\u00a0%.`;
  return `Beside the scores of the other classes it is a probability of ${name} of ${share}\u00a0%.`;
}

/** What one feature did: its name and value, a number, and a bar from -1 to 1 about the middle. */
function listPart(
  title: string,
  name: string,
  value: string,
  share: number,
  adds: string,
): HTMLElement {
  const kind = Number(share > 0);
  const size = Math.abs(share);
  return el(
    "li",
    { class: "ht-part" },
    el(
      "span",
      { class: "ht-part-name", title },
      el("strong", { text: name }),
      el("span", { text: value }),
    ),
    el("span", { class: "ht-bars", ...HIDDEN }, bar(50 * size, kind, kind ? 50 : 50 * (1 - size))),
    el("span", { class: `ht-number ht-text-${kind}`, text: adds }),
  );
}

/** A sum: where the list starts and ends. */
function listTotal(name: string, score: number, forest: Forest, format: Format): HTMLElement {
  const kind = Number(score > neutralScore(forest.header.link));
  return el(
    "li",
    { class: "ht-part ht-total" },
    el("span", { text: name }),
    el("span", { class: `ht-number ht-text-${kind}`, text: format.sum(score) }),
  );
}
