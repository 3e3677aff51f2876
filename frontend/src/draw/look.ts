// The view of a tree: size, place, t, colors; and the size of marks.

import type { Center, Point } from "./geometry";
import type { Level } from "./isolines";
import type { Plan } from "./plan";
import type { Layer, MarksShape } from "./shapes";
import type { Theme } from "./theme";

/** The view of a tree. */
export interface Look {
  t: number;
  /** The point of the disk that is moved to its middle. */
  center: Center;
  /** Size of the picture, in pixels. */
  width: number;
  height: number;
  zoom: number;
  /** The point of the (moved) disk in the middle of the picture. */
  pan: Point;
  /** The circles that it may have. */
  levels: Level[];
  heldOut: boolean;
  theme: Theme;
  /** While it moves, large trees are drawn with less detail. */
  moving: boolean;
  /** The opacity of the tree: lower if something lies over it. */
  opacity: number;
  /** Rows to number 1, 2, ... */
  numbered: number[];
  /** The factor of texts: 1 at the usual size of letters. */
  textScale: number;
  /** The ray of the isolines' labels; found anew if it is null. */
  labelAngle: number | null;
}

const MARGIN = 20;

/** The layer of the disk, without shapes. */
export function diskLayer(look: Pick<Look, "width" | "height" | "zoom" | "pan">): Layer {
  const { width, height, zoom, pan } = look;
  const scale = Math.max(Math.min(width, height) / 2 - MARGIN, 10) * zoom;
  return {
    x0: width / 2 - scale * pan[0],
    y0: height / 2 + scale * pan[1],
    scale,
    opacity: 1,
    shapes: [],
  };
}

/** The factor of marks: 1 for a disk of 690 pixels; marks grow slowly when it is enlarged. */
export function markScale(plan: Plan, look: Look): number {
  const size = Math.min(Math.max(Math.min(look.width, look.height) / 730, 0.58), 1.3);
  return size * Math.min(1, plan.density * look.zoom ** 0.4);
}

/** Pixels of the radius of a row's mark. */
export function markRadius(plan: Plan, look: Look, row: number): number {
  return plan.radius[row] * baseRadius(plan, look);
}

/** Marks of rows, so many times as large as nodes are, and so many pixels larger. */
export function marksOf(
  plan: Plan,
  look: Look,
  which: ArrayLike<number>,
  grow = 0,
  times = 1,
): MarksShape {
  const { x, y, radius } = plan;
  const scale = times * baseRadius(plan, look);
  return { kind: "marks", marker: "disk", x, y, radius, scale, grow, which };
}

/** Pixels of a mark of radius 1. */
function baseRadius(plan: Plan, look: Look): number {
  return Math.max(5.4 * markScale(plan, look), 1.3);
}
