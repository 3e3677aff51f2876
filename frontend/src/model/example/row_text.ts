// A row as a text: what a person types or pastes, and how an embedded one is written.

import type { Columns } from "../columns";
import { nearestNames } from "./nearest";
import { exactNumber, shortNumber } from "../numbers";
import { shorten } from "../names";

const MISSING = /^(|na|n\/a|nan|none|null|\?|missing)$/i;

/** The text is no example of this model. */
export class BadExample extends Error {}

/**
 * Read an example: `name = value` on lines (or between commas or semicolons), or the values alone,
 * comma-separated, in the order of the features; a line with the names may come before.
 */
export function parseExample(text: string, columns: Columns): Float64Array {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (!lines.length) throw new BadExample("Type or paste a row first.");
  if (findAssignments(lines, columns)) return parseAssignments(lines, columns);
  let rows = lines.map(splitRow);
  if (rows.every((row) => row.length === 1) && rows.length === columns.names.length)
    rows = [rows.map(([cell]) => cell)];
  const order = headerOrder(rows[0], columns);
  const cells = order ? rows[1] : rows[0];
  if (!cells || rows.length > (order ? 2 : 1))
    throw new BadExample(`One row is followed at a time, got ${rows.length - (order ? 1 : 0)}.`);
  const n = columns.names.length;
  if (cells.length !== (order?.length ?? n))
    throw new BadExample(
      `The model has ${n} features, got ${cells.length} values: give them all, empty if missing, or write name = value.`,
    );
  const x = new Float64Array(n).fill(Number.NaN);
  cells.forEach((cell, i) => {
    const feature = order ? order[i] : i;
    x[feature] = parseValue(cell, feature, columns);
  });
  return x;
}

/** Whether a text is a list of `name = value`: labels may have "=", too. */
function findAssignments(lines: string[], columns: Columns): boolean {
  const equals = lines[0].indexOf("=");
  if (equals <= 0) return false;
  if (findName(lines[0].slice(0, equals), columns) >= 0 || lines.length > 1) return true;
  const cells = splitRow(lines[0]);
  const isRow = cells.length === columns.names.length;
  return !isRow || (cells.length === 1 && !columns.labels[0]?.includes(cells[0]));
}

function noFeature(name: string, columns: Columns): string {
  const nearest = nearestNames(name, columns.names).map((known) => shorten(known, 40));
  return `There is no feature ${shorten(name, 40)}. The nearest names: ${nearest.join(", ")}.`;
}

function parseAssignments(lines: string[], columns: Columns): Float64Array {
  const x = new Float64Array(columns.names.length).fill(Number.NaN);
  // A line may hold several, if the names and values themselves have no commas.
  const parts = lines.flatMap((line) =>
    (line.match(/=/g)?.length ?? 0) > 1 ? splitAssignments(line, columns) : [line],
  );
  for (const part of parts) {
    const [name, value] = splitAssignment(part, columns);
    const feature = findName(name, columns);
    if (feature < 0) throw new BadExample(noFeature(name.trim(), columns));
    x[feature] = parseValue(value, feature, columns);
  }
  return x;
}

function splitAssignments(line: string, columns: Columns): string[] {
  const equals = line.indexOf("=");
  if (/[<>=!]/.test(line[equals + 1] ?? "")) return [line];
  const parts = line.split(/[,;]/);
  // After a comma inside of a name or value there is no known name.
  const joined: string[] = [];
  for (const part of parts) {
    const at = part.indexOf("=");
    const isNamed = at > 0 && findName(part.slice(0, at), columns) >= 0;
    if (isNamed || !joined.length) joined.push(part);
    else joined[joined.length - 1] += `,${part}`;
  }
  return joined;
}

/** Split at "="; names may have it, too: the longest known name wins. */
function splitAssignment(part: string, columns: Columns): [string, string] {
  for (let at = part.lastIndexOf("="); at > 0; at = part.lastIndexOf("=", at - 1))
    if (findName(part.slice(0, at), columns) >= 0) return [part.slice(0, at), part.slice(at + 1)];
  const at = part.indexOf("=");
  if (at < 0) throw new BadExample(`Write name = value, got ${part.trim()}.`);
  return [part.slice(0, at), part.slice(at + 1)];
}

function findName(text: string, columns: Columns): number {
  const name = text.trim();
  const found = columns.names.indexOf(name);
  return found >= 0 ? found : columns.names.indexOf(unquote(name));
}

/** Cells of one line of CSV, or of a table whose cells are divided by tabs or semicolons. */
function splitRow(line: string): string[] {
  const divider = line.includes("\t") ? "\t" : line.includes(",") ? "," : ";";
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') cell += line[i++];
    else if (c === '"' && (quoted || !cell.trim())) quoted = !quoted;
    else if (c === divider && !quoted) {
      cells.push(cell);
      cell = "";
    } else cell += c;
  }
  cells.push(cell);
  return cells.map((text) => text.trim());
}

/** The features that cells name; null if they are no names. */
function headerOrder(cells: string[], columns: Columns): number[] | null {
  const order = cells.map((cell) => columns.names.indexOf(cell));
  return order.length && order.every((feature) => feature >= 0) ? order : null;
}

function unquote(text: string): string {
  const inside = /^(["'])(.*)\1$/s.exec(text);
  return inside ? inside[2] : text;
}

function parseValue(text: string, feature: number, columns: Columns): number {
  const value = text.trim();
  const labels = columns.labels[feature];
  if (labels) {
    for (const label of [value, unquote(value)]) {
      const code = labels.indexOf(label);
      if (code >= 0) return code;
    }
    if (MISSING.test(value)) return Number.NaN;
    const some = labels.slice(0, 6).join(", ");
    throw new BadExample(
      `${columns.names[feature]} must be one of ${some}${labels.length > 6 ? ", …" : ""}, got ${value}.`,
    );
  }
  if (MISSING.test(value)) return Number.NaN;
  const number = Number(unquote(value).replace("−", "-"));
  if (!Number.isFinite(number))
    throw new BadExample(`${columns.names[feature]} must be a number, got ${value}.`);
  return number;
}

/** A value as it is shown beside others. */
export function shownValue(x: number, feature: number, columns: Columns): string {
  if (Number.isNaN(x)) return "missing";
  return columns.labels[feature]?.[x] ?? shortNumber(x, 6);
}

/** An example as a text that `parseExample` reads. */
export function exampleText(x: Float64Array, columns: Columns): string {
  const write = (value: number, feature: number): string =>
    Number.isNaN(value) ? "" : (columns.labels[feature]?.[value] ?? exactNumber(value));
  return columns.names.map((name, f) => `${name} = ${write(x[f], f)}`).join("\n");
}
