// The help's picture is of a tree as all others are, and its letters stand at what they tell of.

import { expect, test } from "vitest";

import { NormTable, ORIGIN } from "../../../src/draw/geometry";
import { findIsolines, findLevels } from "../../../src/draw/isolines";
import { ORIGINS } from "../../../src/model/payload";
import { Plan } from "../../../src/draw/plan";
import { isolineOf, partsOf } from "../../../src/ui/help/reading";
import { makeExample } from "../../../src/ui/help/reading_tree";

test.each(ORIGINS)("the example is a monotonic tree, from %s", (center) => {
  const tree = makeExample(center, true);
  const sure = (v: number): number => Math.abs(tree.value[v] - tree.origin);
  for (let v = 1; v < tree.n; v++) {
    const above = tree.node[tree.row[tree.parent[v]]];
    expect(tree.node.includes(v), `node ${v}`).toBe(sure(v) > sure(above));
  }
  expect(Math.max(...tree.nTests)).toBe(6);
  expect(tree.nTags[tree.row[1]]).toBeGreaterThan(0);
  expect(tree.maxConfidence).toBe(Math.max(...tree.distance));
});

const kinds = ORIGINS.flatMap((center) =>
  (["share", "posterior", "margin"] as const).map(
    (valueKind) => [center, valueKind, valueKind !== "share"] as const,
  ),
);

test.each(kinds)("letters stand at what is drawn: %s, %s, adds %s", (center, valueKind, adds) => {
  const kind = { center, valueKind, adds };
  const tree = makeExample(center, adds);
  const plan = new Plan(tree, 1, new NormTable(tree.maxConfidence, 1));
  plan.place(1, ORIGIN, "curves");
  const parts = partsOf(kind);
  expect(parts.length).toBe(6 + Number(center === "half") + Number(adds));
  const places = parts.map(({ at, offset }) => {
    const [x, y] = at(plan);
    expect(Math.hypot(x, y)).toBeLessThan(1);
    return [140 * x + offset[0], -140 * y + offset[1]];
  });
  places.forEach(([x, y], i) =>
    places.slice(0, i).forEach(([u, v]) => expect(Math.hypot(x - u, y - v)).toBeGreaterThan(16)),
  );
  const levels = findLevels("value", valueKind, center, tree.origin);
  const drawn = findIsolines(levels, 1, ORIGIN, { extent: 1, nearest: 0, farthest: 1 });
  expect(drawn.map(({ distance }) => distance)).toContain(isolineOf(kind));
});
