// How good the whole model is: a line in the heading, and ten groups of rows in the tree's tab.

import { shorten } from "../../model/names";
import { count, percent } from "../../model/numbers";
import type { Groups } from "../../model/payload";
import { exactInterval } from "../../model/proportions";
import { chartText, el, quiet, svg } from "../dom";
import type { Session } from "../session";

/** In units of the drawing, which is as wide as its place. */
const SIZE = { width: 336, height: 132, left: 38, right: 4, top: 10, bottom: 26 };

/** Lines of the heading about held-out rows: how good the model is, and whether pictures show it. */
export function qualityNotes(session: Session): HTMLElement[] {
  const { quality, agreement } = session.forest.header;
  if (!quality || !agreement) return [];
  const [rows, auc, ...more] = quality.parts;
  const line = el(
    "p",
    { class: "ht-note", part: "quality" },
    `${rows}; ${auc}`,
    el("span", { class: "ht-wide", text: `; ${more.join("; ")}` }),
    ".",
    ...quality.cautions.map((text) => el("strong", { text: ` ${text}` })),
  );
  const caution = el("p", { class: "ht-note ht-caution", part: "agreement" });
  session.follow(["center"], () => {
    const text = agreement[session.state.center];
    caution.textContent = text ?? "";
    caution.hidden = !text;
  });
  return [line, caution];
}

/** The section of the tree's tab: all figures, and whether probabilities are what they say. */
export function makeQuality(session: Session): HTMLElement {
  const element = el("div");
  session.follow(["ensemble"], () => element.replaceChildren(...sectionOf(session)));
  return element;
}

function sectionOf({ forest, state, classes }: Session): Element[] {
  const { quality } = forest.header;
  if (!quality) return [];
  const name = shorten(classes[1], 24);
  const groups = groupsOf(quality.calibration[state.ensemble]);
  const parts = quality.parts.map((part) => el("li", { text: part }));
  return [
    el("h3", { text: "How good the whole model is" }),
    el("ul", { class: "ht-key", part: "quality-list" }, ...parts),
    el("h3", { text: `Probabilities of ${name}: are they what they say?` }),
    drawGroups(groups, name),
    quiet(
      `Held-out rows in ${count(groups.length)} groups, by the probability that the model ` +
        `gives to ${name}. A line is the model's mean probability, a dot the share of the rows that ` +
        `are ${name}, with its 95 % interval; it is open where the interval misses the line.`,
      "calibration-key",
    ),
  ];
}

/** A group of rows: the model's mean probability, and the share of the class with its interval. */
export interface Group {
  n: number;
  probability: number;
  share: number;
  low: number;
  high: number;
  /** Whether the interval holds the probability. */
  agrees: boolean;
}

export function groupsOf({ count: counts, positive, probability }: Groups): Group[] {
  return counts.map((n, i) => {
    const [low, high] = exactInterval(positive[i], n);
    const agrees = low <= probability[i] && probability[i] <= high;
    return { n, probability: probability[i], share: positive[i] / n, low, high, agrees };
  });
}

/** The least round number from which the axis goes down to 0. */
export function axisTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1e-6)));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((s) => s * power >= largest * (1 - 1e-9)) ?? 10;
  return Math.min(step * power, 1);
}

function drawGroups(groups: Group[], name: string): SVGElement {
  const top = axisTop(Math.max(...groups.flatMap(({ high, probability }) => [high, probability])));
  const across = (SIZE.width - SIZE.left - SIZE.right) / groups.length;
  const down = SIZE.height - SIZE.top - SIZE.bottom;
  const y = (share: number): number => SIZE.top + down * (1 - share / top);
  const parts = groups.map((group, i) => {
    const middle = SIZE.left + across * (i + 0.5);
    return drawGroup(group, middle, Math.min(across, 26), y, name);
  });
  const ticks = [0, 0.5, 1].flatMap((part) => tickAt(part * top, y(part * top)));
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
      class: "ht-groups",
      role: "img",
      "aria-label": groups.map((group) => groupText(group, name)).join("; "),
    },
    ...ticks,
    ...parts,
    chartText("smallest probability", SIZE.left, SIZE.height - 6, "start"),
    chartText("largest", SIZE.width - SIZE.right, SIZE.height - 6, "end"),
  );
  drawing.dataset["ht"] = "calibration";
  return drawing;
}

function drawGroup(
  group: Group,
  x: number,
  width: number,
  y: (share: number) => number,
  name: string,
): SVGElement {
  const at = y(group.probability);
  const [x1, x2] = [x - width / 2 + 2, x + width / 2 - 2];
  return svg(
    "g",
    { class: group.agrees ? "ht-group" : "ht-group ht-misses" },
    svg("title", {}, groupText(group, name)),
    svg("rect", { x: x - width / 2, y: SIZE.top, width, height: y(0) - SIZE.top, opacity: 0 }),
    svg("line", { x1: x, x2: x, y1: y(group.low), y2: y(group.high), class: "ht-interval" }),
    svg("line", { x1, x2, y1: at, y2: at, class: "ht-says" }),
    svg("circle", { cx: x, cy: y(group.share), r: 3.4, class: "ht-share" }),
  );
}

/** All figures of a group, in words. */
export function groupText(group: Group, name: string): string {
  const { n, probability } = group;
  const [share, low, high] = [group.share, group.low, group.high].map(percent);
  return (
    `${count(n)} ${n === 1 ? "row" : "rows"}: the model says ${percent(probability)} %, ` +
    `${share} % are ${name} (${low} to ${high} %)`
  );
}

function tickAt(share: number, y: number): SVGElement[] {
  const text = `${Number((100 * share).toPrecision(3))} %`;
  return [
    svg("line", { x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y, y2: y, class: "ht-grid" }),
    chartText(text, SIZE.left - 5, y + 3.5, "end"),
  ];
}
