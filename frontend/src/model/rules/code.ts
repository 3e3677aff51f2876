// What rules as code have in common: names that a language can hold, and bounds before rounding to float32.

import type { Condition } from "./path";

/** The language has no form for a name or label. */
export class NoForm extends Error {}

export function known(text: string | null, name: string, language: string): string {
  if (text === null) throw new NoForm(`${name} has a name or label that ${language} cannot hold.`);
  return text;
}

/** Conditions for values that are not yet rounded to the dtype that the model reads. */
export function adjust(conditions: Condition[], inputDtype: string): Condition[] {
  if (inputDtype !== "float32") return conditions;
  return conditions.map((c) => ({ ...c, low: unrounded(c.low), high: unrounded(c.high) }));
}

/** The largest float64 that rounds to a float32 at most this bound. */
export function unrounded(bound: number): number {
  if (!Number.isFinite(bound)) return bound;
  let below = Math.fround(bound);
  if (below > bound) below = nextFloat32(below, -1);
  const above = nextFloat32(below, 1);
  // In place of infinity, the number that a larger exponent would give.
  const [low, high] = [below, above].map((end) => Math.min(Math.max(end, -(2 ** 128)), 2 ** 128));
  const middle = (low + high) / 2; // exact: 25 bits
  return Math.fround(middle) <= bound ? middle : previousFloat64(middle);
}

function nextFloat32(x: number, direction: 1 | -1): number {
  if (x === direction * Infinity) return x;
  if (x === 0) return direction * 2 ** -149;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  view.setUint32(0, view.getUint32(0) + (x > 0 === direction > 0 ? 1 : -1));
  return view.getFloat32(0);
}

function previousFloat64(x: number): number {
  if (x === 0) return -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + (x > 0 ? -1n : 1n));
  return view.getFloat64(0);
}
