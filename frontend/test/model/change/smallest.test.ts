import { expect, test } from "vitest";

import { findChange, type Found } from "../../../src/model/change/smallest";
import { changeText, measureText } from "../../../src/model/change/sentences";
import { allScores, decide, probabilities } from "../../../src/model/example/follow";
import { Places } from "../../../src/model/change/places";
import type { Forest } from "../../../src/model/forest";
import { golden, readForest } from "../../golden";

/** All values that some tree tells from others, and how far each is, counted anew. */
function allValues(forest: Forest, feature: number, x: number): { value: number; move: number }[] {
  const labels = forest.columns.nLabels(feature);
  if (labels)
    return Array.from({ length: labels }, (_, code) => ({ value: code, move: Number(code !== x) }));
  const found = new Set<number>();
  for (let j = 0; j < forest.header.nTrees; j++) {
    const tree = forest.at(j);
    for (let v = 0; v < tree.n; v++)
      if (tree.left[v] >= 0 && tree.feature[v] === feature) found.add(tree.threshold[v]);
  }
  const cuts = [...found].sort((a, b) => a - b);
  if (!cuts.length) return [];
  const middles = cuts.slice(1).map((cut, i) => (cuts[i] + cut) / 2);
  return [cuts[0] - 1, ...middles, cuts.at(-1)! + 1].map((value) => {
    const crossed = cuts.filter((cut) => value <= cut !== x <= cut).length;
    return { value, move: Number.isNaN(x) ? 1 : crossed / cuts.length };
  });
}

/** The size of the smallest change, by trying all. */
function bruteForce(forest: Forest, x: Float64Array): { features: number; size: number } | null {
  const { link } = forest.header;
  const before = decide(allScores(forest, x), link);
  const values = Array.from(x, (value, f) => allValues(forest, f, value));
  const turns = (changes: [number, number][]): boolean => {
    const changed = x.slice();
    for (const [feature, value] of changes) changed[feature] = value;
    return decide(allScores(forest, changed), link) !== before;
  };
  let size = Infinity;
  values.forEach((of, f) => {
    for (const { value, move } of of) if (move < size && turns([[f, value]])) size = move;
  });
  if (size < Infinity) return { features: 1, size };
  values.forEach((of, f) => {
    for (let g = 0; g < f; g++)
      for (const a of of)
        for (const b of values[g])
          if (
            a.move + b.move < size &&
            turns([
              [f, a.value],
              [g, b.value],
            ])
          )
            // prettier-ignore
            size = a.move + b.move;
  });
  return size < Infinity ? { features: 2, size } : null;
}

/** Rows from the examples, with some values of others, and a shift of the scores. */
function* rowsOf(forest: Forest): Generator<Float64Array> {
  for (let i = 0; i < 6; i++) {
    yield forest.example(i);
    const mixed = forest.example(i);
    forest.example((i + 1) % 6).forEach((value, f) => {
      if (f % 2) mixed[f] = value;
    });
    yield mixed;
  }
}

function check(forest: Forest, x: Float64Array, found: Found): void {
  const { link } = forest.header;
  const { moves, probability, class: to } = found.change!;
  const before = decide(allScores(forest, x), link);
  expect(to).not.toBe(before);
  const places = new Places(forest);
  // Any combination of values that are needed, some of each.
  const choices = moves.map(({ value, needed: { low, high, allowed } }) => {
    if (allowed) return [value, ...allowed];
    const far = [
      low + 1e-9 * Math.max(1, Math.abs(low)),
      high,
      (low + high) / 2,
      low + 1e4,
      high - 1e4,
    ];
    const seen = forest.header.inputDtype === "float32" ? far.map(Math.fround) : far;
    return [value, ...seen].filter((v) => Number.isFinite(v) && low < v && v <= high);
  });
  for (const a of choices[0])
    for (const b of choices[1] ?? [0]) {
      const changed = x.slice();
      [a, b].slice(0, moves.length).forEach((value, i) => (changed[moves[i].feature] = value));
      const scores = allScores(forest, changed);
      expect(decide(scores, link)).toBe(to);
      const share = probabilities(scores, link)[to];
      expect(share).toBeGreaterThanOrEqual(probability[0] - 1e-9);
      expect(share).toBeLessThanOrEqual(probability[1] + 1e-9);
    }
  for (const { feature, value, crossed } of moves) {
    if (crossed === null) continue;
    const [from, to] = [x[feature], value].map((v) => places.of(feature, v));
    expect(crossed).toBe(Math.abs(to - from));
  }
  const text = changeText(found, forest, x);
  for (const { feature } of moves) expect(text).toContain(forest.columns.short().names[feature]);
  expect(text).toContain(
    `the model would say ${forest.header.classes[to]}, with a probability of `,
  );
}

test.each(golden.models)("the smallest change is that of trying all", async (model) => {
  const forest = await readForest(model);
  const shifts = forest.ensembles.length === 1 ? [0, -3, 3, -6, 6, -9, 9] : [0, 4, -4, 8];
  const seen = { 0: 0, 1: 0, 2: 0 };
  const base = forest.ensembles[0].baseValue;
  for (const shift of shifts) {
    forest.ensembles[0].baseValue = base + shift;
    for (const x of rowsOf(forest)) {
      const expected = bruteForce(forest, x);
      const found = findChange(forest, x);
      if (found.change?.moves.length !== 1) expect(found.searched).toBe(found.pairs);
      if (found.change) check(forest, x, found);
      expect(found.change?.moves.length).toBe(expected?.features);
      if (expected) expect(found.change!.size).toBeCloseTo(expected.size, 12);
      seen[(expected?.features ?? 0) as 0 | 1 | 2]++;
      if (!expected) expect(changeText(found, forest, x)).toContain("whatever one value or two");
    }
  }
  forest.ensembles[0].baseValue = base;
  expect(Math.min(seen[0], seen[1], seen[2])).toBeGreaterThan(1);
});

test("a search that is cut says so", async () => {
  const forest = await readForest(golden.models[0]);
  forest.ensembles[0].baseValue += 1000;
  const x = forest.example(0);
  const cut = findChange(forest, x, 0);
  expect(cut.searched).toBeLessThan(cut.pairs);
  expect(changeText(cut, forest, x)).toMatch(/but only \d+ of \d+ pairs/);
  expect(measureText(cut, forest)).toBe("");
  forest.ensembles[0].baseValue -= 1000;
});
