// Long names are shortened as in Python, and can still be told apart.

import { expect, test } from "vitest";

import { Columns } from "../../src/model/columns";
import { shorten, shortenAll } from "../../src/model/names";
import { golden } from "../golden";

test("names are shortened as in Python's pictures", () => {
  for (const { names, length, short } of golden.names)
    expect(shortenAll(names, length)).toEqual(short);
});

test("names that share a long beginning, end or both stay different", () => {
  const middle = Array.from(
    { length: 30 },
    (_, i) => `${"a b ".repeat(20)}${i}${" c d".repeat(20)}`,
  );
  const start = middle.map((name) => name.slice(78));
  const end = middle.map((name) => name.slice(0, 84));
  const names = [...new Set([...middle, ...start, ...end])];
  const short = shortenAll(names, 24);
  expect(new Set(short).size).toBe(names.length);
  for (const text of short) expect([...text].length).toBeLessThanOrEqual(24);
  expect(shorten("short", 10)).toBe("short");
});

test("short columns are quoted where the long ones are, and copied whole", () => {
  const name = "the number of visits of the person in a year (abroad)";
  const other = "the number of visits of the person in a year (at home)";
  const columns = new Columns({
    gaps: [],
    features: [name, "age"],
    categories: [null, [other, name]],
    names: {
      features: [[`"${name}"`, `'${name}'`, `"${name}"`], null],
      labels: [null, [[`"${other}"`, `'${other}'`, `'${other}'`], null]],
    },
  });
  const short = columns.short();
  expect(short.nameTexts(0)[0]).toMatch(/^"the number .*\(abroad\)"$/);
  expect(short.nameTexts(0)[1]).toBe(`'${name}'`);
  expect(short.nameTexts(1)[0]).toBe("age");
  expect(short.labelTexts(1, 0)[0]).toMatch(/^".*home\)"$/);
  expect(short.labelTexts(1, 1)[0]).not.toBe(short.labelTexts(1, 0)[0]);
});
