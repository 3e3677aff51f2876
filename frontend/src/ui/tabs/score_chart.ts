// The running score of an example, tree by tree; a click goes to the tree.

import type { Theme } from "../../draw/theme";
import type { Walk } from "../../model/example/follow";
import { count, shortNumber, signedNumber } from "../../model/numbers";
import { chartText, svg } from "../dom";

// In units of the drawing, which is as wide as its place.
const SIZE = { width: 320, height: 110, left: 34, right: 8, top: 8, bottom: 18 };
const ACROSS = SIZE.width - SIZE.left - SIZE.right;
const DOWN = SIZE.height - SIZE.top - SIZE.bottom;

/** The chart of a walk; `neutral` is the score that speaks for neither class. */
export function makeScoreChart(
  { scores }: Walk,
  neutral: number,
  tree: number,
  theme: Theme,
  showTree: (tree: number) => void,
): SVGElement {
  const n = scores.length - 1;
  const low = scores.reduce((a, b) => Math.min(a, b), neutral);
  const high = scores.reduce((a, b) => Math.max(a, b), neutral);
  const x = (j: number): number => SIZE.left + (ACROSS * j) / Math.max(n, 1);
  const y = (score: number): number => SIZE.top + (DOWN * (high - score)) / (high - low || 1);
  const points = Array.from(scores, (score, j) => `${x(j).toFixed(1)},${y(score).toFixed(1)}`);
  const color = theme.classes[Number(scores[n] > neutral)];
  const chart = svg(
    "svg",
    {
      viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
      class: "ht-chart",
      role: "img",
      "data-ht": "score-chart",
      "aria-label": `Running score: ${signedNumber(scores[0])} before the first tree, ${signedNumber(scores[n])} after the last`,
    },
    line(SIZE.left, SIZE.width - SIZE.right, y(neutral), y(neutral), theme),
    line(x(tree + 1), x(tree + 1), 6, SIZE.height - 16, theme, { "stroke-dasharray": "2 3" }),
    curve(points.join(" "), color),
    dot(x(tree + 1), y(scores[tree + 1]), theme),
    ...labels([neutral, high, low], y, n),
  );
  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * SIZE.width;
    showTree(Math.round(((across - SIZE.left) / ACROSS) * n) - 1);
  });
  return chart;
}

function line(x1: number, x2: number, y1: number, y2: number, theme: Theme, dash = {}): SVGElement {
  return svg("line", { x1, x2, y1, y2, stroke: theme.emphasized, ...dash });
}

function curve(points: string, stroke: string): SVGElement {
  const style = { "stroke-width": 2, "stroke-linejoin": "round" };
  return svg("polyline", { points, fill: "none", stroke, ...style });
}

function dot(cx: number, cy: number, { leverage, page }: Theme): SVGElement {
  return svg("circle", { cx, cy, r: 4, fill: leverage, stroke: page, "stroke-width": 1.5 });
}

/** The neutral score, the others where there is room, the first and the last tree. */
function labels(
  [neutral, ...ends]: number[],
  y: (score: number) => number,
  n: number,
): SVGElement[] {
  const isFree = (score: number): boolean => Math.abs(y(score) - y(neutral)) > 12;
  const foot = SIZE.height - 3;
  return [
    ...[neutral, ...ends.filter(isFree)].map((score) =>
      chartText(shortNumber(score), 28, y(score) + 4, "end"),
    ),
    chartText(n > 1 ? "tree 0" : "", SIZE.left, foot, "start"),
    chartText(count(n - 1), SIZE.width - SIZE.right, foot, "end"),
  ];
}
