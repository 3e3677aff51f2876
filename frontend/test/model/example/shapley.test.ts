import { expect, test } from "vitest";

import { allScores } from "../../../src/model/example/follow";
import { attribute, gaussQuadrature } from "../../../src/model/example/shapley";
import { golden, readForest } from "../../golden";

test.each([1, 2, 3, 7, 20, 64])("a rule of %i points is exact for polynomials", (n) => {
  const { points, weights } = gaussQuadrature(n);
  for (const degree of [0, 1, n, 2 * n - 1]) {
    const sum = points.reduce((total, t, q) => total + weights[q] * t ** degree, 0);
    expect(sum).toBeCloseTo(1 / (degree + 1), 13);
  }
});

test.each(golden.models)("base and values add up to the score", async (model) => {
  const forest = await readForest(model);
  const { cover, valueKind } = forest.header;
  expect(cover).toBe(valueKind === "share" ? "weight" : "count");
  for (let i = 0; i < 6; i++) {
    const x = forest.example(i);
    const scores = allScores(forest, x);
    scores.forEach((score, k) => {
      const { base, values } = attribute(forest, k, x)!;
      expect(values.reduce((a, b) => a + b, base)).toBeCloseTo(score, 10);
      expect(Math.max(...values.map(Math.abs))).toBeGreaterThan(0.1);
      expect(attribute(forest, k, forest.example((i + 1) % 6))!.base).toBe(base);
    });
  }
});

test("without covers there are no values", async () => {
  const forest = await readForest(golden.models[0]);
  forest.header.cover = null;
  expect(attribute(forest, 0, forest.example(0))).toBeNull();
});
