// Conditions with their labels, to be written in words or as code.

import type { Columns } from "../columns";
import type { Condition } from "./path";

/** A condition with the codes that meet it, and the others. */
export interface Part extends Condition {
  isNumeric: boolean;
  inside: number[];
  outside: number[];
  takesAll: boolean;
  takesNone: boolean;
}

function toPart(condition: Condition, columns: Columns): Part {
  const { feature, low, high, allowed, excluded } = condition;
  const isNumeric = columns.labels[feature] === null;
  const inside: number[] = [];
  const outside: number[] = [];
  for (let code = 0; code < columns.nLabels(feature); code++) {
    // A test may compare codes with a threshold, too.
    const fulfills =
      low < code && code <= high && !excluded.has(code) && (allowed === null || allowed.has(code));
    (fulfills ? inside : outside).push(code);
  }
  return {
    ...condition,
    isNumeric,
    inside,
    outside,
    takesAll: isNumeric ? low === -Infinity && high === Infinity : outside.length === 0,
    takesNone: isNumeric ? low >= high : inside.length === 0,
  };
}

/** Join the conditions that exclude something; `never` if one of them cannot hold. */
export function join(
  conditions: Condition[],
  columns: Columns,
  write: (part: Part) => string,
  glue: string,
  always: string,
  never: string,
): string {
  const parts = conditions
    .map((condition) => toPart(condition, columns))
    .filter((part) => !(part.takesAll && part.missing));
  if (parts.some((part) => part.takesNone && !part.missing)) return never;
  return parts.map(write).join(glue) || always;
}
