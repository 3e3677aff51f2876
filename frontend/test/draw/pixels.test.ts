// Marks and lines in pixels: where they are, in which color, and nothing outside of the picture.

import { expect, test } from "vitest";

import { Pixels } from "../../src/draw/pixels";
import type { CurvesShape, Layer, MarksShape } from "../../src/draw/shapes";
import "../dom";

const LAYER: Layer = { x0: 50, y0: 40, scale: 30, opacity: 1, shapes: [] };
const [WIDTH, HEIGHT] = [100, 80];

type Color = [red: number, green: number, blue: number, alpha: number];

function start(ratio = 1): {
  pixels: Pixels;
  at: (x: number, y: number) => Color;
  ink: () => number;
} {
  const pixels = new Pixels();
  pixels.begin(WIDTH, HEIGHT, ratio);
  const { data, width } = (pixels as unknown as { image: ImageData }).image;
  const at = (x: number, y: number): Color =>
    Array.from(data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)) as Color;
  const ink = (): number => data.filter((value, i) => i % 4 === 3 && value > 0).length;
  return { pixels, at, ink };
}

function marks(x: number[], y: number[], options: Partial<MarksShape> = {}): MarksShape {
  return {
    kind: "marks",
    marker: "disk",
    x,
    y,
    radius: x.map(() => 1),
    scale: 5,
    grow: 0,
    which: x.map((_, i) => i),
    fill: "#ff8000",
    ...options,
  };
}

function line(points: number[], options: Partial<CurvesShape> = {}): CurvesShape {
  const stroke = { color: "#0040ff", width: 1 };
  return {
    kind: "curves",
    points: Float32Array.from(points),
    n: 2,
    which: [0],
    stroke,
    ...options,
  };
}

test("squares are where their marks are, as large as these, in their color", () => {
  const { pixels, at, ink } = start();
  pixels.squares(LAYER, marks([0.5], [0.5]));
  expect(at(65, 25)).toEqual([255, 128, 0, 255]);
  expect(at(35, 55)).toEqual([0, 0, 0, 0]);
  expect(ink()).toBe(81); // 1.8 times the radius on each side
});

test("a picture of twice as many pixels has marks of twice their size", () => {
  const { pixels, at, ink } = start(2);
  pixels.squares(LAYER, marks([0.5], [0.5]));
  expect(at(130, 50)[3]).toBe(255);
  expect(ink()).toBe(18 ** 2);
});

test("soft marks have edges that fade", () => {
  const { pixels, at, ink } = start();
  pixels.marks(LAYER, marks([0], [0]));
  expect(at(50, 40)).toEqual([255, 128, 0, 255]);
  const edge = [...Array(12).keys()].map((dx) => at(50 + dx, 40)[3]);
  expect(edge[0]).toBe(255);
  expect(edge.at(-1)).toBe(0);
  expect(edge.some((alpha) => alpha > 0 && alpha < 255)).toBe(true);
  edge.slice(1).forEach((alpha, i) => expect(alpha).toBeLessThanOrEqual(edge[i]));
  expect(ink()).toBeGreaterThan(Math.PI * 25);
});

test("diamonds reach as far along the axes, and not into the corners", () => {
  const { pixels, at } = start();
  pixels.marks(LAYER, marks([0], [0], { marker: "diamond" }));
  expect(at(55, 40)[3]).toBeGreaterThan(0);
  expect(at(55, 45)[3]).toBe(0);
});

test("a mark over another hides it, one of a faint layer lets it through", () => {
  const { pixels, at } = start();
  pixels.marks(LAYER, marks([0], [0]));
  pixels.marks(LAYER, marks([0], [0], { fill: "#0000ff" }));
  expect(at(50, 40)).toEqual([0, 0, 255, 255]);
  pixels.marks({ ...LAYER, opacity: 0.5 }, marks([0], [0], { fill: "#ffffff" }));
  const [red, , blue] = at(50, 40);
  expect(red).toBeGreaterThan(100);
  expect(red).toBeLessThan(155);
  expect(blue).toBe(255);
});

test("lines go from their first to their last point, and grow darker where they cross", () => {
  const { pixels, at } = start();
  const stroke = { color: "#0040ff", width: 0.5, alpha: 0.6 };
  pixels.lines(LAYER, line([-1, 0, 1, 0], { stroke }));
  const once = at(30, 40)[3];
  expect(at(30, 40).slice(0, 3)).toEqual([0, 64, 255]);
  expect(once).toBeGreaterThan(60);
  expect(once).toBeLessThan(90);
  expect(at(19, 40)[3]).toBe(0);
  expect(at(82, 40)[3]).toBe(0);
  pixels.lines(LAYER, line([0, -1, 0, 1], { stroke }));
  expect(at(50, 40)[3]).toBeGreaterThan(once);
  expect(at(50, 20)[3]).toBe(once);
});

test("what is outside of the picture is left out", () => {
  const { pixels, ink } = start();
  pixels.squares(LAYER, marks([-2, 2, 0, 0], [0, 0, -2, 2]));
  pixels.marks(LAYER, marks([-2, 2, 0, 0], [0, 0, -2, 2]));
  pixels.lines(LAYER, line([2, 2, 3, 3]));
  pixels.squares(LAYER, marks([-1.6, 1.6, 0, 0], [0, 0, -1.3, 1.3])); // cut by an edge
  expect(ink()).toBe(0);
  pixels.lines(LAYER, line([-9, 0, 9, 0]));
  expect(ink()).toBe(WIDTH);
});

test("a picture begins empty", () => {
  const { pixels, ink } = start();
  pixels.squares(LAYER, marks([0], [0]));
  expect(ink()).toBeGreaterThan(0);
  pixels.begin(WIDTH, HEIGHT, 1);
  expect(ink()).toBe(0);
});
