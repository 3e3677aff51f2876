import { expect, test } from "vitest";

import { findTicks } from "../src/held_out";
import { decode, fromBase64, inflate, VERSION } from "../src/payload";
import { countUses, findFeatures, findLit } from "../src/search";
import { expectClose, golden, readForest } from "./golden";

const [model] = golden.models;

test("the payload is read: header and arrays of any width", async () => {
  const { header, arrays } = decode(await inflate(fromBase64(model.payload)));
  expect(header.version).toBe(VERSION);
  expect(header.title).toBe("Golden");
  expect(header.classes).toEqual(["no", "<yes>"]);
  expect(header.features[1]).toBe("petal length (cm)");
  expect(header.nTrees).toBe(4);
  for (const { name, length } of header.arrays) expect(arrays.get(name)!.length).toBe(length);
  expect(Array.from(arrays.get("treeStart")!)).toEqual([0, 1, 4, 21, 68]);
});

test("data of another version are refused", async () => {
  const blob = new Uint8Array(await inflate(fromBase64(model.payload)));
  const text = new TextDecoder().decode(blob);
  const at = text.indexOf('"version":1');
  expect(at).toBeGreaterThan(0);
  blob[at + '"version":'.length] = "9".charCodeAt(0);
  expect(() => decode(blob.buffer)).toThrow("version 9");
});

test.each(golden.models)("hosts, parents, tests and tags are Python's", async (one) => {
  const forest = await readForest(one);
  one.scenes.forEach((scene, j) => {
    const tree = forest.at(j);
    expect(Array.from(tree.node)).toEqual(scene.node);
    expect(Array.from(tree.row)).toEqual(scene.row);
    expect(Array.from(tree.parentRow)).toEqual(scene.parent);
    expect(Array.from(tree.nTests)).toEqual(scene.nTests);
    expect(Array.from(tree.nTags)).toEqual(scene.nTags);
    expectClose(tree.distance, scene.distance, 1e-6);
  });
});

test.each(golden.models)("held-out ticks are Python's", async (one) => {
  const forest = await readForest(one);
  one.scenes.forEach((scene, j) => {
    const ticks = findTicks(forest.at(j));
    expect(ticks.map(({ row }) => row)).toEqual(scene.ticks.row);
    expect(ticks.map(({ positive }) => positive)).toEqual(scene.ticks.positive);
    expect(ticks.map(({ verdict }) => verdict)).toEqual(scene.ticks.verdict);
    // Shown figures have 13 bits.
    for (const key of ["low", "middle", "high"] as const)
      expectClose(
        ticks.map((tick) => tick[key]),
        scene.ticks[key],
        2e-4,
      );
  });
});

test("paths lead from the root", async () => {
  const tree = (await readForest(model)).at(3);
  const row = tree.m - 1;
  const rows = tree.rowsTo(row);
  expect(rows[0]).toBe(0);
  expect(rows.at(-1)).toBe(row);
  for (let i = 1; i < rows.length; i++) {
    expect(tree.parentRow[rows[i]]).toBe(rows[i - 1]);
    expect(tree.childrenOf(rows[i - 1])).toContain(rows[i]);
    expect(tree.distance[rows[i]]).toBeGreaterThan(tree.distance[rows[i - 1]]);
  }
  expect(tree.nodesTo(tree.node[row])[0]).toBe(0);
});

test("the strongest rows are those of largest worth", async () => {
  const tree = (await readForest(model)).at(3);
  const sorted = Array.from(tree.worth.keys())
    .filter((r) => tree.worth[r] > 0)
    .sort((a, b) => tree.worth[b] - tree.worth[a] || a - b);
  expect(tree.strongestRows(4)).toEqual(sorted.slice(0, 4));
  expect(tree.strongestRows(1e6)).toEqual(sorted);
});

test("features are found by name, and where they are used", async () => {
  const forest = await readForest(model);
  const { features } = forest.header;
  expect(findFeatures(features, "")).toEqual(new Set());
  expect(findFeatures(features, "AGE")).toEqual(new Set([0]));
  expect(findFeatures(features, "e")).toEqual(new Set([0, 1, 3, 4, 6]));
  expect(findFeatures(features, "city")).toEqual(new Set([2]));
  const wanted = new Set([2, 3]);
  const uses = countUses(forest, 0, wanted);
  for (let j = 0; j < 4; j++) {
    const tree = forest.at(j);
    expect(uses[j]).toBe(Array.from(tree.feature).filter((f) => wanted.has(f)).length);
    const lit = findLit(tree, wanted);
    expect(lit.rows.length > 0).toBe(uses[j] > 0);
    for (const row of lit.arcs) {
      const path = tree.nodesTo(tree.node[row], tree.node[tree.parentRow[row]]);
      expect(path.slice(0, -1).some((v) => wanted.has(tree.feature[v]))).toBe(true);
    }
  }
});
