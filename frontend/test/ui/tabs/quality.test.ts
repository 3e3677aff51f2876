import { expect, test } from "vitest";
import { axisTop, groupsOf, groupText } from "../../../src/ui/tabs/quality";
import { golden, readForest } from "../../golden";

const [first, second] = groupsOf({
  count: [1000, 1],
  positive: [20, 1],
  probability: [0.031, 0.5],
});

test("a group's figures are told in words", () => {
  expect(groupText(first, "default")).toBe(
    "1\u202f000 rows: the model says 3.10 %, 2.00 % are default (1.23 to 3.07 %)",
  );
  expect(groupText(second, "yes")).toBe(
    "1 row: the model says 50.0 %, 100 % are yes (2.50 to 100 %)",
  );
});

test("a group agrees if its interval holds the probability", () => {
  expect([first.agrees, second.agrees]).toEqual([false, true]);
});

test("the axis ends at a round number that is not below the largest", () => {
  const tops: [number, number][] = [
    [0.3698, 0.4],
    [0.02, 0.02],
    [0.021, 0.03],
    [0.95, 1],
    [1, 1],
    [0.00031, 0.0004],
    [0, 0.000001],
  ];
  for (const [largest, top] of tops) expect(axisTop(largest)).toBeCloseTo(top, 12);
});

test.each(golden.models)("groups that agree are as many as Python counts", async (model) => {
  const { header } = await readForest(model);
  const { parts, calibration } = header.quality!;
  expect(calibration.length).toBe(header.ensembles.length);
  const groups = calibration.flatMap(groupsOf);
  expect(groups.length).toBeGreaterThan(0);
  if (calibration.length === 1 || header.classes.length > 2) {
    const agree = groups.filter((group) => group.agrees).length;
    expect(parts.at(-1)).toBe(`calibrated in ${agree} of ${groups.length} groups`);
  }
});
