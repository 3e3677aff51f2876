import { beforeAll, describe, expect, test } from "vitest";

import {
  allScores,
  decide,
  follow,
  probabilities,
  rounded,
} from "../../../src/model/example/follow";
import { BadExample, exampleText, parseExample } from "../../../src/model/example/row_text";
import type { Forest } from "../../../src/model/forest";
import { expectClose, golden, readForest } from "../../golden";

test.each(golden.models)("examples end in Python's leaves, with its scores", async (model) => {
  const forest = await readForest(model);
  for (let i = 0; i < 6; i++) {
    const x = forest.example(i);
    for (let j = 0; j < forest.header.nTrees; j++)
      expect(forest.at(j).leafOf(rounded(x, forest.header.inputDtype))).toBe(model.leaves[j][i]);
    const scores = allScores(forest, x);
    expectClose(scores, model.scores[i], 1e-6);
    expectClose(probabilities(scores, forest.header.link), model.probabilities[i], 1e-6);
  }
});

test("links give the classes their shares", () => {
  expectClose(probabilities([0], "logistic"), [0.5, 0.5]);
  expectClose(probabilities([0.25], "mean"), [0.75, 0.25]);
  expectClose(probabilities([0.2, 0.8], "mean"), [0.2, 0.8]);
  expectClose(probabilities([1000, 1000, -1000], "softmax"), [0.5, 0.5, 0]);
  expectClose(probabilities([-2000, -2001], "ovr"), [1 / (1 + Math.exp(-1)), 1 / (1 + Math.E)]);
});

test("the answer is the most probable class, the first of equals", () => {
  expect([decide([0], "logistic"), decide([1e-9], "logistic")]).toEqual([0, 1]);
  expect([decide([0.5], "mean"), decide([0.6], "mean")]).toEqual([0, 1]);
  expect(decide([1, 3, 3], "softmax")).toBe(1);
});

describe("reading a row", () => {
  let forest: Forest;
  beforeAll(async () => {
    forest = await readForest(golden.models[0]);
  });
  const read = (text: string): number[] => Array.from(parseExample(text, forest.columns));
  const nan = Number.NaN;

  test("what is written is read back", () => {
    for (let i = 0; i < 6; i++) {
      const x = forest.example(i);
      expect(parseExample(exampleText(x, forest.columns), forest.columns)).toEqual(x);
    }
  });

  test("names and values, on lines or between commas; what is not named is missing", () => {
    expect(read("age = 3\ncity = Rome")).toEqual([3, nan, 2, nan, nan, nan, nan]);
    expect(read("age=3, city=Rome; shoe = 41")).toEqual([3, nan, 2, 1, nan, nan, nan]);
    expect(read("age = 3")).toEqual([3, nan, nan, nan, nan, nan, nan]);
  });

  test("values in the order of the features, with or without their names above", () => {
    const expected = [1.5, -2, 1, 3, nan, 0, nan];
    expect(read("1.5, -2, Oslo, True, , 0, NA")).toEqual(expected);
    expect(read("1.5\t-2\tOslo\tTrue\t\t0\tnan")).toEqual(expected);
    expect(read('city,age\n"Bern",4')).toEqual([4, nan, 0, nan, nan, nan, nan]);
    expect(read("1.5\n-2\nOslo\nTrue\nNA\n0\nNA")).toEqual(expected);
  });

  test("labels are text also where they look like numbers", () => {
    expect(read("city = 7")[2]).toBe(5);
    expect(read("city = it's")[2]).toBe(4);
    expect(read("city = new york")[2]).toBe(3);
  });

  test.each([
    ["", "first"],
    ["1, 2", "7 features, got 2"],
    ["age = old", "age must be a number"],
    ["city = Paris", "city must be one of Bern"],
    ["weight = 3\nage = 2", "no feature weight"],
    ["foo = 1", "no feature foo. The nearest names: "],
    ["citi = Bern", "The nearest names: city, "],
    ["petal = 1", "The nearest names: petal length (cm), "],
    ["1,2,Oslo,41,0,0,0\n1,2,Oslo,41,0,0,0", "One row"],
    ["age = inf", "age must be a number"],
  ])("%j is refused", (text, message) => {
    expect(() => read(text)).toThrow(BadExample);
    expect(() => read(text)).toThrow(message);
  });
});

test("running scores add up", async () => {
  const forest = await readForest(golden.models[0]);
  const { stops, scores } = follow(forest, 0, forest.example(0));
  expect(scores[0]).toBe(forest.ensembles[0].baseValue);
  stops.forEach(({ adds }, j) => expect(scores[j + 1] - scores[j]).toBeCloseTo(adds, 12));
});
