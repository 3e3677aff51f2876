// A small picture of a tree, without what cannot be seen at its size.

import type { Tree } from "../model/tree";
import { normAt, type Point } from "./geometry";
import type { Theme } from "./theme";

// With more nodes, only every so many are drawn.
const MANY = 600;

/** Paint a tree at a temperature, in a canvas of so many pixels of the page. */
export function drawThumbnail(
  tree: Tree,
  t: number,
  theme: Theme,
  size: number,
): HTMLCanvasElement {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.round(size * ratio);
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  const middle = size / 2;
  const radius = middle - 1.5;
  const circle = (norm: number): void => {
    context.beginPath();
    context.arc(middle, middle, radius * norm, 0, 2 * Math.PI);
  };
  circle(1);
  context.fillStyle = theme.ground;
  context.fill();
  context.strokeStyle = theme.emphasized;
  context.stroke();
  const step = Math.ceil(tree.m / MANY);
  const place = (r: number): Point => {
    const norm = radius * normAt(tree.distance[r], t);
    return [middle + norm * Math.cos(tree.angle[r]), middle - norm * Math.sin(tree.angle[r])];
  };
  context.strokeStyle = theme.arc;
  context.globalAlpha = 0.5;
  context.lineWidth = 0.6;
  context.beginPath();
  for (let r = step; r < tree.m; r += step) {
    context.moveTo(...place(tree.parentRow[r]));
    context.lineTo(...place(r));
  }
  context.stroke();
  context.globalAlpha = 1;
  const mark = tree.m > 150 ? 1.6 : 2.2;
  for (let r = 0; r < tree.m; r += step) {
    context.fillStyle = theme.kinds[tree.kindOf(r)];
    const [x, y] = place(r);
    context.fillRect(x - mark / 2, y - mark / 2, mark, mark);
  }
  if (Number.isFinite(tree.leverageConfidence)) {
    circle(normAt(Math.abs(tree.leverageConfidence), t));
    context.strokeStyle = theme.leverage;
    context.lineWidth = 1;
    context.stroke();
  }
  return canvas;
}
