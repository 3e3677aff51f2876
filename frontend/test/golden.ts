// What Python computed, and how to compare with it.

import { expect } from "vitest";

import { fromBase64, read } from "../src/model/payload";
import { Forest } from "../src/model/forest";
import data from "./golden.json";

export const golden = data;

export type GoldenModel = (typeof data.models)[number];

/** Infinities and NaN are texts in JSON. */
export function toNumber(x: number | string): number {
  if (typeof x === "number") return x;
  return { inf: Infinity, "-inf": -Infinity, nan: Number.NaN }[x] ?? Number(x);
}

/** Numbers agree, by a share of the larger. */
export function expectClose(
  found: ArrayLike<number>,
  expected: (number | string)[],
  tolerance = 1e-9,
): void {
  expect(found.length).toBe(expected.length);
  expected.forEach((text, i) => {
    const x = toNumber(text);
    if (Number.isFinite(x))
      expect(Math.abs(found[i] - x), `entry ${i}: ${found[i]} is not ${x}`).toBeLessThanOrEqual(
        tolerance * Math.max(Math.abs(x), 1e-3),
      );
    else expect(found[i]).toBe(x);
  });
}

export async function readForest(model: GoldenModel): Promise<Forest> {
  return new Forest(await read(fromBase64(model.payload)));
}
