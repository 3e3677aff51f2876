// What each feature did to the score of one row, as a list with bars.

import { el } from "../dom";
import { neutralScore, probabilities } from "../../model/example/follow";
import { count, percent } from "../../model/numbers";
import { shownValue } from "../../model/example/row_text";
import type { Attribution } from "../../model/example/shapley";
import { shorten, shortenAll } from "../../model/names";
import type { Forest } from "../../model/forest";

// Features that have a line of their own.
const LISTED = 12;

const UNKNOWN =
  "What each feature did cannot be said: it is found by averaging over the training rows of each " +
  "node, and this model does not know how many there were.";

/** How scores and their parts are written: class shares in percent, their parts in points. */
class Numbers {
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
function unitText(forest: Forest, own: string): string {
  const { link } = forest.header;
  if (link === "mean")
    return `Percentage points that each value adds to the class share of ${own}.`;
  if (link === "softmax") return `What each value adds to the score of ${own}.`;
  return `Log-odds that each value adds to the score of ${own}.`;
}

/** The list, from the score before any feature is known to that of the row. */
export function listContributions(
  forest: Forest,
  ensemble: number,
  x: Float64Array,
  scores: number[],
  attribution: Attribution | null,
): HTMLElement {
  if (!attribution)
    return el("p", { class: "ht-quiet", part: "contributions-unknown", text: UNKNOWN });
  const { base, values } = attribution;
  const order = [...values.keys()]
    .filter((feature) => values[feature] !== 0)
    .sort((f, g) => Math.abs(values[g]) - Math.abs(values[f]) || f - g);
  const others = order.length > LISTED + 1 ? order.splice(LISTED) : [];
  const rest = others.reduce((sum, feature) => sum + values[feature], 0);
  const score = scores[ensemble];
  const largest = order.reduce((a, f) => Math.max(a, Math.abs(values[f])), Math.abs(rest)) || 1;
  const numbers = new Numbers(forest.header.link === "mean", [base, score, ...values]);
  const names = shortenAll(forest.columns.names, 26);
  const known = order.map((f) => {
    const value = ` = ${shownValue(x[f], f, forest.columns)}`;
    const title = `${forest.columns.names[f]}${value}`;
    return part(title, names[f], value, values[f] / largest, numbers.part(values[f]));
  });
  const left = `${count(others.length)} others`;
  return el(
    "div",
    {},
    el("p", {
      class: "ht-quiet",
      text: unitText(forest, shorten(forest.classesOf(ensemble)[1], 40)),
    }),
    el(
      "ul",
      { class: "ht-parts", part: "contributions" },
      total("Before any feature is known", base, forest, numbers),
      ...known,
      others.length ? part(left, left, "", rest / largest, numbers.part(rest)) : null,
      total("Together: the score", score, forest, numbers),
    ),
    el("p", {
      class: "ht-quiet",
      part: "contributions-sum",
      text: sumText(forest, ensemble, scores),
    }),
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

/** What one feature did: its name and value, a bar and a number. */
function part(
  title: string,
  name: string,
  value: string,
  share: number,
  adds: string,
): HTMLElement {
  return el(
    "li",
    { class: "ht-part" },
    el(
      "span",
      { class: "ht-part-name", title },
      el("strong", { text: name }),
      el("span", { text: value }),
    ),
    bar(share),
    el("span", { class: `ht-number ht-text-${Number(share > 0)}`, text: adds }),
  );
}

/** A sum: where the list starts and ends. */
function total(name: string, score: number, forest: Forest, numbers: Numbers): HTMLElement {
  const kind = Number(score > neutralScore(forest.header.link));
  return el(
    "li",
    { class: "ht-part ht-total" },
    el("span", { text: name }),
    el("span", { class: `ht-number ht-text-${kind}`, text: numbers.sum(score) }),
  );
}

/** A bar to the right or left of the middle; the share is from -1 to 1. */
function bar(share: number): HTMLElement {
  const inside = el("span", { class: `ht-bar ht-fill-${Number(share > 0)}` });
  inside.style.width = `${50 * Math.abs(share)}%`;
  inside.style.marginLeft = share > 0 ? "50%" : `${50 * (1 - Math.abs(share))}%`;
  return el("span", { class: "ht-bars", attributes: { "aria-hidden": "true" } }, inside);
}
