// Circles of equal posterior or confidence: which to draw, and where to write what they are.

import { move, moveCircle, unlift, type Center, type Circle } from "./geometry";
import { plainNumber, posteriorText } from "./numbers";
import type { LabelShape } from "./shapes";
import type { Theme } from "./theme";

export type IsolineKind = "posterior" | "confidence" | "none";

export interface Isoline {
  /** At which distance and norm from the center of all confidence it is drawn. */
  drawn: number;
  norm: number;
  circle: Circle;
  emphasized: boolean;
  texts: [negative: string, positive: string] | [both: string];
}

/** The part of the disk that is seen. */
export interface Window {
  /** Half its width, in units of the disk. */
  extent: number;
  /** Norms from the center of all confidence, of what is seen. */
  nearest: number;
  farthest: number;
}

const EMPHASIZED = 0.999;

// The roundest first, then those between them.
const POSTERIORS = [
  EMPHASIZED, 0.9, 0.7, 0.99, 0.6, 0.8, 0.9999, 1 - 1e-6, 1 - 1e-8, 1 - 1e-12, 0.55, 0.65, 0.75,
  0.52, 0.51, 0.54, 0.53, 0.505, 0.502, 0.501, 0.5005, 0.5002, 0.5001,
]; // prettier-ignore
const CONFIDENCES = [
  1, 5, 2, 10, 3, 20, 0.5, 7, 4, 50, 30, 15, 100, 0.2, 0.1, 1.5, 0.05, 0.02, 0.01, 0.3, 0.7, 0.15,
  0.03, 0.07, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
]; // prettier-ignore

/** Return isolines: round ones, far enough apart to be told from each other. */
export function findIsolines(
  kind: IsolineKind,
  t: number,
  center: Center,
  window: Window,
): Isoline[] {
  if (kind === "none") return [];
  const found: Isoline[] = [];
  const { extent, nearest, farthest } = window;
  const whole = extent >= 0.999;
  for (const level of kind === "posterior" ? POSTERIORS : CONFIDENCES) {
    const distance = kind === "posterior" ? Math.log(level / (1 - level)) : level;
    const drawn = unlift(distance, t);
    const norm = Math.tanh(drawn / 2);
    const isEmphasized = level === EMPHASIZED;
    if (found.length >= 6 && !isEmphasized) break;
    const apart = found.every((other) => Math.abs(norm - other.norm) >= 0.11 * extent);
    const isSeen = norm > Math.max(nearest, 0.12 * Math.min(extent, 1)) && norm < farthest;
    if (!isSeen || !apart || norm > (isEmphasized && whole ? 0.992 : 0.985)) continue;
    const texts: Isoline["texts"] =
      kind === "posterior"
        ? [posteriorText(1 - level), posteriorText(level)]
        : [plainNumber(distance)];
    found.push({
      drawn,
      norm,
      circle: moveCircle(drawn, center),
      emphasized: isEmphasized,
      texts,
    });
  }
  return found;
}

/** The label of an isoline, on the ray of an angle. */
export function isolineLabel(
  isoline: Isoline,
  angle: number,
  center: Center,
  theme: Theme,
  textScale: number,
): LabelShape {
  const { drawn, texts } = isoline;
  const [x, y] = move(drawn, angle, center);
  const [first, second] = texts;
  const parts =
    second === undefined
      ? [{ text: first, color: theme.gray }]
      : [
          { text: `${first} `, color: theme.texts[0] },
          { text: "|", color: theme.gray },
          { text: ` ${second}`, color: theme.texts[1] },
        ];
  return {
    kind: "label",
    x,
    y,
    dx: 0,
    dy: 0,
    parts,
    align: "center",
    size: 11 * textScale,
    halo: theme.ground,
  };
}
