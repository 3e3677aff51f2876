import { expect, test } from "vitest";

import {
  exactNumber,
  percent,
  plainNumber,
  posteriorText,
  pythonFloat,
  shareText,
} from "../../../src/model/numbers";
import { exactInterval } from "../../../src/model/proportions";
import { NoForm, unrounded } from "../../../src/model/rules/code";
import { rulePandas } from "../../../src/model/rules/pandas";
import { pathRule } from "../../../src/model/rules/path";
import { ruleSql } from "../../../src/model/rules/sql";
import { roundBound, ruleText } from "../../../src/model/rules/text";
import { golden, readForest } from "../../golden";

const { numbers } = golden;

test("numbers are written as Python writes them", () => {
  expect(numbers.floats.map(pythonFloat)).toEqual(numbers.repr);
  expect(numbers.floats.map(exactNumber)).toEqual(numbers.number);
});

test("bounds are rounded as Python rounds them, ties to even", () => {
  expect(numbers.floats.map((x) => [1, 3, 4, 8].map((n) => roundBound(x, n)))).toEqual(
    numbers.round,
  );
});

test("bounds of models that round to float32 are Python's", () => {
  expect(numbers.floats.map((x) => pythonFloat(unrounded(x)))).toEqual(numbers.unrounded);
});

test("posteriors and labels are written as in Python's pictures", () => {
  expect(numbers.shares.map(percent)).toEqual(numbers.percent);
  expect(numbers.values.map(shareText)).toEqual(numbers.shareText);
  expect(numbers.posteriors.map(posteriorText)).toEqual(numbers.posteriorText);
  expect(numbers.values.map((x) => plainNumber(x))).toEqual(numbers.plain);
  expect(numbers.values.map((x) => plainNumber(x, 2))).toEqual(numbers.plain2);
});

test("intervals of shares are Python's", () => {
  for (const [positive, count, low, high] of numbers.intervals) {
    const found = exactInterval(positive, count);
    expect(found[0]).toBeCloseTo(low, 9);
    expect(Math.abs(found[0] - low)).toBeLessThanOrEqual(1e-6 * low);
    expect(Math.abs(found[1] - high)).toBeLessThanOrEqual(1e-6 * (1 - high) + 1e-10);
  }
  expect(exactInterval(0, 0)).toEqual([Number.NaN, Number.NaN]);
});

test.each(golden.models)("rules are Python's, in words and as code", async (model) => {
  const forest = await readForest(model);
  const { columns, header } = forest;
  model.rules.forEach((rules, j) => {
    for (const expected of rules) {
      const rule = pathRule(forest.at(j), expected.node);
      expect(ruleText(rule, columns)).toBe(expected.text);
      expect(ruleText(rule, columns, { showMissing: false })).toBe(expected.hover);
      expect(ruleText(rule, columns, { digits: null, maxLabels: null })).toBe(expected.exact);
      expect(ruleText(rule, columns, { maxLabels: null })).toBe(expected.copied);
      expect(rulePandas(rule, columns, header.inputDtype)).toBe(expected.pandas);
      if (expected.sql === null)
        expect(() => ruleSql(rule, columns, header.inputDtype)).toThrow(NoForm);
      else expect(ruleSql(rule, columns, header.inputDtype)).toBe(expected.sql);
    }
  });
});

test("the rule of a path is that of its parts", async () => {
  const forest = await readForest(golden.models[0]);
  const tree = forest.at(3);
  expect(ruleText(pathRule(tree, 0), forest.columns)).toBe("always");
  expect(pathRule(tree, 5, 5)).toEqual([]);
});
