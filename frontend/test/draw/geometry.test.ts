import { describe, expect, test } from "vitest";

import {
  between,
  centerAt,
  lift,
  move,
  moveCircle,
  normAt,
  NormTable,
  ORIGIN,
  polarDistance,
  sampleArcs,
  translate,
  unlift,
} from "../../src/draw/geometry";
import { expectClose, golden, readForest } from "../golden";

const { geometry } = golden;
const temperatures = Object.keys(geometry.norm) as (keyof typeof geometry.norm)[];

describe.each(temperatures)("at t = %s", (key) => {
  const t = Number(key);

  test("distances are drawn where Python draws them", () => {
    expectClose(
      geometry.distances.map((d) => unlift(d, t)),
      geometry.unlift[key],
    );
    expectClose(
      geometry.distances.slice(0, 5).map((d) => lift(d, t)),
      geometry.lift[key],
    );
    expectClose(
      geometry.distances.map((d) => normAt(d, t)),
      geometry.norm[key],
    );
  });

  test("an infinite distance is at the border", () => {
    expect(normAt(Infinity, t)).toBe(1);
  });

  test("a table gives the norms to a small part of a pixel", () => {
    const table = new NormTable(20, 0.3);
    const norms = table.at(t);
    for (let d = 0; d <= 20; d += 0.173) {
      const place = table.place(d);
      const k = Math.floor(place);
      const norm = norms[k] + (place - k) * (norms[k + 1] - norms[k]);
      expect(Math.abs(norm - normAt(d, t))).toBeLessThan(1e-6);
    }
  });
});

test("distances of points are Python's", () => {
  const [b, beta] = geometry.by;
  expectClose(
    geometry.distances.map((a, i) => polarDistance(a, geometry.angles[i], b, beta)),
    geometry.polarDistance,
  );
});

test("a moved disk is Python's translation", () => {
  const center = centerAt(geometry.by[0], geometry.by[1]);
  const [distances, angles] = geometry.moved;
  geometry.distances.forEach((a, i) => {
    const [x, y] = move(a, geometry.angles[i], center);
    const norm = Math.tanh((distances[i] as number) / 2);
    const angle = angles[i] as number;
    expectClose([x, y], [norm * Math.cos(angle), norm * Math.sin(angle)], 1e-7);
  });
});

test("moves by distance and angle are those of coordinates", () => {
  const center = centerAt(1.3, -2.1);
  for (const [a, angle] of [
    [0, 0],
    [1.3, -2.1],
    [2, 1],
    [0.4, 3],
  ] as const) {
    const norm = Math.tanh(a / 2);
    const moved = translate(norm * Math.cos(angle), norm * Math.sin(angle), center.x, center.y);
    expectClose(move(a, angle, center), moved, 1e-9);
  }
  expectClose(move(30, 0.5, centerAt(30, 0.5)), [0, 0], 1e-9);
});

test("the image of a circle goes through the images of its points", () => {
  const center = centerAt(2.2, 0.7);
  for (const a of [0.5, 2.2, 3, 9]) {
    const circle = moveCircle(a, center);
    for (let angle = 0; angle < 6; angle += 0.7) {
      const [x, y] = move(a, angle, center);
      expect(Math.hypot(x - circle.x, y - circle.y)).toBeCloseTo(circle.r, 9);
    }
  }
  expect(moveCircle(Infinity, center)).toEqual({ x: 0, y: 0, r: 1 });
  expect(moveCircle(1, ORIGIN).r).toBeCloseTo(Math.tanh(0.5), 12);
});

test("the way between centers is a geodesic", () => {
  const [from, to] = [centerAt(1, 0.3), centerAt(2, 2.5)];
  const whole = polarDistance(from.a, from.angle, to.a, to.angle);
  for (const share of [0, 0.25, 0.8, 1]) {
    const at = between(from, to, share);
    expect(polarDistance(from.a, from.angle, at.a, at.angle)).toBeCloseTo(share * whole, 9);
    expect(polarDistance(to.a, to.angle, at.a, at.angle)).toBeCloseTo((1 - share) * whole, 9);
  }
});

test.each(golden.models)("arcs are Python's", async (model) => {
  const forest = await readForest(model);
  model.scenes[forest.center].forEach((scene, j) => {
    const tree = forest.at(j);
    const { layoutT } = forest;
    const arcs = sampleArcs(tree.distance, tree.angle, tree.parentRow, layoutT, 5);
    // Angles are in single precision.
    expectClose(arcs.distance, scene.arcs.distance, 2e-6);
    arcs.angle.forEach((angle, i) => {
      const turn = angle - (scene.arcs.angle[i] as number);
      expect(Math.abs(Math.sin(turn / 2))).toBeLessThan(1e-6);
    });
  });
});
