import { expect, test } from "vitest";

import { centerAt, NormTable, normAt, ORIGIN } from "../../src/draw/geometry";
import { findIsolines, findLevels } from "../../src/draw/isolines";
import type { Look } from "../../src/draw/look";
import { drawTree } from "../../src/draw/picture";
import { Plan } from "../../src/draw/plan";
import type { CurvesShape, Layer, Shape } from "../../src/draw/shapes";
import { escapeXml, toSvg } from "../../src/draw/svg";
import { makeTheme, SCHEMES } from "../../src/draw/theme";
import type { Forest } from "../../src/model/forest";
import { golden, readForest } from "../golden";

const [model] = golden.models;

function makePlan(forest: Forest, j: number): Plan {
  const { layoutT } = forest;
  const table = new NormTable(Math.max(...forest.maxConfidences()), layoutT);
  return new Plan(forest.at(j), layoutT, table);
}

function makeLook(t: number): Look {
  return {
    t,
    center: ORIGIN,
    width: 800,
    height: 600,
    zoom: 1,
    pan: [0, 0],
    levels: findLevels("value", "posterior", "half", 0),
    heldOut: true,
    theme: makeTheme("light", "safe"),
    moving: false,
    opacity: 1,
    numbered: [0],
    textScale: 1,
    labelAngle: null,
  };
}

test("nodes are drawn at the norms of their confidences, at any t", async () => {
  const plan = makePlan(await readForest(model), 3);
  for (const t of [0, 0.5, 1]) {
    plan.place(t, ORIGIN, "curves");
    plan.tree.distance.forEach((distance, row) => {
      expect(Math.hypot(plan.x[row], plan.y[row])).toBeCloseTo(normAt(distance, t), 5);
    });
  }
});

test("arcs begin and end at nodes, also when the disk is moved", async () => {
  const plan = makePlan(await readForest(model), 3);
  const { tree, n, points } = plan;
  for (const center of [ORIGIN, centerAt(1.2, 0.5), centerAt(9, 2)]) {
    plan.place(0.7, center, "curves");
    for (let row = 1; row < tree.m; row++) {
      const first = 2 * n * (row - 1);
      const last = first + 2 * (n - 1);
      const parent = tree.parentRow[row];
      expect(
        Math.hypot(points[first] - plan.x[parent], points[first + 1] - plan.y[parent]),
      ).toBeLessThan(1e-5);
      expect(Math.hypot(points[last] - plan.x[row], points[last + 1] - plan.y[row])).toBeLessThan(
        1e-5,
      );
    }
  }
});

test("arcs drawn with fewer points stay where they are", async () => {
  const plan = makePlan(await readForest(model), 3);
  const scale = 400;
  for (const t of [0, 0.5, 1]) {
    plan.place(t, ORIGIN, "curves");
    const { points, n } = plan;
    for (const { arcs, stride } of plan.groups(scale, false))
      for (const arc of arcs)
        for (let i = 0; i < n; i++) {
          const at = (k: number): [number, number] => [
            points[2 * (n * arc + k)],
            points[2 * (n * arc + k) + 1],
          ];
          const low = Math.min(Math.floor(i / stride) * stride, n - 1 - stride);
          const [[x, y], [ax, ay], [bx, by]] = [at(i), at(low), at(low + stride)];
          const length = Math.hypot(bx - ax, by - ay) || 1;
          const off = Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length;
          expect(off * scale).toBeLessThan(0.35);
        }
  }
});

test("the display list has every node and arc once", async () => {
  const plan = makePlan(await readForest(model), 3);
  const { layers } = drawTree(plan, makeLook(0.7));
  const shapes = layers.flatMap((layer) => layer.shapes);
  const arcs = shapes.filter(
    (shape): shape is CurvesShape => shape.kind === "curves" && shape.n === plan.n,
  );
  const drawn = arcs
    .filter(({ points }) => points === plan.points)
    .flatMap(({ which }) => [...Array.from(which)]);
  expect(drawn.sort((a, b) => a - b)).toEqual(Array.from({ length: plan.tree.m - 1 }, (_, i) => i));
  const nodes = shapes.flatMap((shape) =>
    shape.kind === "marks" && shape.fill && shape.rim ? Array.from(shape.which) : [],
  );
  expect(nodes.sort((a, b) => a - b)).toEqual(Array.from({ length: plan.tree.m }, (_, i) => i));
});

const LEVELS = [
  findLevels("value", "posterior", "half", 0),
  findLevels("value", "posterior", "base", -3.5),
  findLevels("value", "margin", "base", -3.5),
  findLevels("confidence", "share", "half", 0),
];

test("isolines are round numbers, inside and apart", () => {
  for (const t of [0, 0.6, 1])
    for (const extent of [1, 0.3, 0.01])
      for (const levels of LEVELS) {
        const window = { extent, nearest: 0, farthest: extent };
        const norms = findIsolines(levels, t, ORIGIN, window).map(({ norm }) => norm);
        expect(norms.length).toBeGreaterThan(1);
        norms.sort((a, b) => a - b);
        for (let i = 1; i < norms.length; i++)
          expect(norms[i] - norms[i - 1]).toBeGreaterThanOrEqual(0.11 * extent - 1e-12);
        expect(norms.at(-1)).toBeLessThan(1);
      }
  expect(findLevels("none", "posterior", "half", 0)).toEqual([]);
});

test("SVG is well-formed, and names in it are text", async () => {
  const plan = makePlan(await readForest(model), 3);
  const { layers } = drawTree(plan, makeLook(0.7));
  const hostile = `<script>"&'\u0000\ud800`;
  const label: Shape = {
    kind: "label",
    x: 0,
    y: 0,
    dx: 0,
    dy: 0,
    parts: [{ text: hostile, color: "#000000" }],
    align: "left",
    size: 10,
  };
  const caption: Layer = { x0: 0, y0: 0, scale: 1, opacity: 0.5, shapes: [label] };
  const svg = toSvg([...layers, caption], 800, 600, "#ffffff", hostile);
  expect(svg).not.toContain("<script");
  expect(svg).toContain(escapeXml(hostile));
  expect(escapeXml(hostile)).toBe("&lt;script&gt;&quot;&amp;&#39;\ufffd\ufffd");
  expect(svg).not.toContain("NaN");
  const opened = svg.match(/<[a-z]+/g)!.length;
  const closed = svg.match(/<\/[a-z]+>|\/>/g)!.length;
  expect(opened).toBe(closed);
});

function luminance(color: string): number {
  const parts = [1, 3, 5].map((i) => {
    const c = Number.parseInt(color.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test.each(["light", "dark"] as const)("texts have contrast, %s", (name) => {
  for (const scheme of SCHEMES) {
    const theme = makeTheme(name, scheme);
    for (const ground of [theme.page, theme.ground]) {
      for (const text of [...theme.texts, theme.ink, theme.gray, theme.leverage])
        expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
      for (const mark of theme.classes) expect(contrast(mark, ground)).toBeGreaterThanOrEqual(3);
    }
  }
});
