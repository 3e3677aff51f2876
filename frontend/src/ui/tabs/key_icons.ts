// Symbols of the key.

import { svg } from "../dom";
import type { Theme } from "../../draw/theme";

function icon(...shapes: SVGElement[]): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 28 16", width: 28, height: 16, "aria-hidden": "true" },
    ...shapes,
  );
}

const disk = (cx: number, r: number, fill: string): SVGElement =>
  svg("circle", { cx, cy: 8, r, fill });

function line(color: string, width: number, ...[x1, y1, x2, y2]: number[]): SVGElement {
  return svg("line", { x1, y1, x2, y2, stroke: color, "stroke-width": width });
}

export function mark(marker: "diamond" | "disk", color: string): SVGElement {
  return icon(
    marker === "disk"
      ? disk(14, 4.5, color)
      : svg("path", { d: "M14 2.2l5.8 5.8-5.8 5.8-5.8-5.8z", fill: color }),
  );
}

export function ring(color: string, width: number): SVGElement {
  return icon(
    svg("circle", { cx: 14, cy: 8, r: 6, fill: "none", stroke: color, "stroke-width": width }),
  );
}

export function stroke(color: string, width: number, dash = ""): SVGElement {
  const found = line(color, width, 3, 8, 25, 8);
  found.setAttribute("stroke-dasharray", dash);
  return icon(found);
}

export function tick(color: string): SVGElement {
  return icon(line(color, 1.8, 3, 8, 25, 8), line(color, 1.8, 14, 3, 14, 13));
}

/** The center, a node, and where data would put it: nearer, farther, or to the other class. */
export function moved(verdict: "weaker" | "stronger" | "flipped", theme: Theme): SVGElement {
  const [node, at] = verdict === "stronger" ? [11, 21.5] : [23, 13];
  const own = theme.classes[1];
  const color = verdict === "flipped" ? theme.classes[0] : own;
  return icon(
    line(theme.emphasized, 1.2, 1, 8, 6, 8),
    line(theme.emphasized, 1.2, 3.5, 5.5, 3.5, 10.5),
    line(color, 2, at - 4.5, 8, at + 4.5, 8),
    line(color, 2.4, at, 3, at, 13),
    disk(node, 3.4, own),
  );
}
