// The display list, which canvas and SVG paint alike.
//
// Places are in units of the layer (the disk's radius is 1, y upwards); widths, sizes and offsets
// are in pixels, so that they stay when the picture is enlarged.

import type { Circle, Point } from "./geometry";

export interface Stroke {
  color: string;
  width: number;
  alpha?: number;
  dash?: number[];
}

export interface CircleShape extends Circle {
  kind: "circle";
  fill?: string;
  stroke?: Stroke;
}

/** Curves through points: `n` points each, those of curve c from `points[2 n c]` on. */
export interface CurvesShape {
  kind: "curves";
  points: Float32Array;
  n: number;
  /** Which curves. */
  which: ArrayLike<number>;
  /** Only every `stride`-th point is needed; it divides n - 1. */
  stride?: number;
  stroke: Stroke;
  /** Whether pixels are written, not paths: for many curves, or for little time. */
  dense?: boolean;
}

export type Marker = "disk" | "diamond" | "star";

export interface MarksShape {
  kind: "marks";
  marker: Marker;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** Radii in pixels, by mark; multiplied with `scale` and grown by `grow`. */
  radius: ArrayLike<number>;
  scale: number;
  grow: number;
  /** Which marks. */
  which: ArrayLike<number>;
  fill?: string;
  stroke?: Stroke;
  /** Whether the stroke is below the fill: a rim around what overlaps. */
  rim?: boolean;
  /** Whether pixels are written, not paths: for many marks. */
  dense?: boolean;
}

export interface LabelShape {
  kind: "label";
  x: number;
  y: number;
  /** Offset in pixels, y downwards. */
  dx: number;
  dy: number;
  /** Parts side by side. */
  parts: { text: string; color: string }[];
  align: "left" | "center" | "right";
  size: number;
  bold?: boolean;
  halo?: string;
}

export type Shape = CircleShape | CurvesShape | MarksShape | LabelShape;

/** Shapes with one map to pixels: x -> x0 + scale x, y -> y0 - scale y. */
export interface Layer {
  x0: number;
  y0: number;
  scale: number;
  opacity: number;
  shapes: Shape[];
  /** The box, in pixels, outside of which nothing is painted. */
  clip?: [x: number, y: number, width: number, height: number];
}

/** Where a point of a layer is, in pixels. */
export function toPixels({ x0, y0, scale }: Layer, x: number, y: number): Point {
  return [x0 + scale * x, y0 - scale * y];
}

/** The point of a layer at a place in pixels. */
export function fromPixels({ x0, y0, scale }: Layer, px: number, py: number): Point {
  return [(px - x0) / scale, (y0 - py) / scale];
}

export function circle(at: Circle, stroke: Stroke, fill?: string): CircleShape {
  const { x, y, r } = at;
  return { kind: "circle", x, y, r, stroke, ...(fill ? { fill } : {}) };
}

/** A bold text beside a mark: a number or a letter. */
export function markLabel(
  text: string,
  [x, y]: Point,
  [dx, dy]: Point,
  size: number,
  color: string,
  halo: string,
): LabelShape {
  const parts = [{ text, color }];
  return { kind: "label", x, y, dx, dy, parts, align: "center", size, bold: true, halo };
}

export const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif';
