import { expect, test } from "vitest";

import { follow, rounded } from "../../src/model/example/follow";
import type { Forest } from "../../src/model/forest";
import { findTicks } from "../../src/draw/held_out";
import { findLevels } from "../../src/draw/isolines";
import { decode, fromBase64, inflate, ORIGINS, VERSION } from "../../src/model/payload";
import { shorterRules } from "../../src/model/rules/shorter";
import { ruleText } from "../../src/model/rules/text";
import { countUses, findFeatures, findLit } from "../../src/model/search";
import { findStrongest } from "../../src/model/strongest";
import { figuresOf } from "../../src/model/node_texts";
import type { Tree } from "../../src/model/tree";
import { expectClose, golden, readForest, toNumber, type GoldenModel } from "../golden";

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
  const at = text.indexOf('"version":2');
  expect(at).toBeGreaterThan(0);
  blob[at + '"version":'.length] = "9".charCodeAt(0);
  expect(() => decode(blob.buffer)).toThrow("version 9");
});

const CASES = golden.models.flatMap((one) => ORIGINS.map((center) => ({ one, center })));

/** The forest as it is drawn from a center, and what Python says of its trees. */
async function readScenes({ one, center }: (typeof CASES)[number]): Promise<Scene[]> {
  const forest = await readForest(one);
  forest.center = center;
  return one.scenes[center].map((scene, j) => ({ forest, tree: forest.at(j), scene }));
}

interface Scene {
  forest: Forest;
  tree: Tree;
  scene: GoldenModel["scenes"]["half"][number];
}

test.each(CASES)("hosts, parents, tests and tags are Python's", async (one) => {
  for (const { tree, scene } of await readScenes(one)) {
    expect(Array.from(tree.node)).toEqual(scene.node);
    expect(Array.from(tree.row)).toEqual(scene.row);
    expect(Array.from(tree.parentRow)).toEqual(scene.parent);
    expect(Array.from(tree.nTests)).toEqual(scene.nTests);
    expect(Array.from(tree.nTags)).toEqual(scene.nTags);
    expectClose(tree.distance, scene.distance, 1e-6);
  }
});

test.each(CASES)("held-out ticks are Python's", async (one) => {
  for (const { tree, scene } of await readScenes(one)) {
    const ticks = findTicks(tree);
    expect(ticks.map(({ row }) => row)).toEqual(scene.ticks.row);
    expect(ticks.map(({ positive }) => positive)).toEqual(scene.ticks.positive);
    expect(ticks.map(({ verdict }) => verdict)).toEqual(scene.ticks.verdict);
    // Shown figures have 11 bits, before the origin is taken off them.
    for (const key of ["low", "middle", "high"] as const)
      ticks.forEach((tick, i) => {
        const expected = toNumber(scene.ticks[key][i]);
        if (!Number.isFinite(expected)) expect(tick[key]).toBe(expected);
        else expect(Math.abs(tick[key] - expected)).toBeLessThan(1e-3 * (expected + 5));
      });
  }
});

test.each(CASES)("the rows that decide most are Python's, with their rules", async (one) => {
  for (const { forest, tree, scene } of await readScenes(one)) {
    expectClose(tree.worth, scene.worth, 1e-6);
    const strongest = findStrongest(tree, 5);
    expect(strongest).toEqual(scene.strongest);
    const rules = strongest.map((row) =>
      shorterRules(tree, tree.node[row]).map((rule) =>
        ruleText(rule, forest.columns, { showMissing: false }),
      ),
    );
    expect(rules).toEqual(scene.rules);
  }
});

test.each(CASES)("what is said of the rows at a node is what Python says", async (one) => {
  let n = 0;
  for (const { forest, tree, scene } of await readScenes(one))
    scene.strongest.forEach((row, i) => {
      expect(figuresOf(forest, tree, row, "")).toEqual(scene.text[i]);
      n++;
    });
  expect(n).toBeGreaterThan(3);
});

test.each(CASES)("isolines are Python's", async (one) => {
  for (const { forest, tree, scene } of await readScenes(one)) {
    const { valueKind } = forest.header;
    const levels = findLevels("value", valueKind, one.center, tree.origin);
    for (const [distance, ...texts] of scene.isolines) {
      const level = levels.find((one) => Math.abs(one.distance - Number(distance)) < 1e-6);
      expect(level?.texts).toEqual(texts);
    }
  }
});

test.each(golden.models)("scores are those of the roots and evidence", async (one) => {
  const forest = await readForest(one);
  for (const center of ORIGINS) {
    forest.center = center;
    for (let i = 0; i < 6; i++)
      forest.ensembles.forEach((_, k) => {
        const x = rounded(forest.example(i), forest.header.inputDtype);
        let [roots, evidence] = [forest.ensembles[k].baseValue, 0];
        for (let j = 0; j < forest.size(k); j++) {
          const tree = forest.tree(k, j);
          roots += tree.leverage * tree.origin;
          evidence += tree.leverage * (tree.value[tree.leafOf(x)] - tree.origin);
        }
        expect(roots + evidence).toBeCloseTo(toNumber(one.scores[i][k]), 5);
        const { stops, scores } = follow(forest, k, forest.example(i));
        const moves = stops.reduce((sum, { push }) => sum + push, 0);
        expect(moves).toBeCloseTo(center === "base" ? evidence : scores.at(-1)! - scores[0], 10);
      });
  }
});

test("the rows at inner nodes are those at their leaves", async () => {
  for (const one of golden.models) {
    const forest = await readForest(one);
    for (let j = 0; j < forest.header.nTrees; j++) {
      const { rows, left, right, n } = forest.at(j);
      expect(rows!.count[0]).toBe(60);
      for (let v = 0; v < n; v++) {
        if (left[v] < 0) continue;
        expect(rows!.count[v]).toBe(rows!.count[left[v]] + rows!.count[right[v]]);
        expect(rows!.positive[v]).toBe(rows!.positive[left[v]] + rows!.positive[right[v]]);
      }
    }
  }
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
