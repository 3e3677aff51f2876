// Circles of equal confidence: which ones are drawn, and their labels.

import { move, moveCircle, unlift, type Center, type Circle } from "./geometry";
import { plainNumber, posteriorText, shareText } from "../model/numbers";
import type { Origin, ValueKind } from "../model/payload";
import type { LabelShape } from "./shapes";
import type { Theme } from "./theme";

/** The labels of isolines: the meaning of values, or the distance itself. */
export type IsolineKind = "value" | "confidence" | "none";

/** A circle that a picture may have. */
export interface Level {
  distance: number;
  texts: [negative: string, positive: string] | [both: string];
  /** Whether it is drawn stronger than others: the paper's {.001, .999}. */
  emphasized: boolean;
}

export interface Isoline extends Level {
  /** The drawn distance and norm, from the point of no confidence. */
  drawn: number;
  norm: number;
  circle: Circle;
}

/** The part of the disk that is seen. */
export interface Sight {
  /** Half its width, in units of the disk. */
  extent: number;
  /** The norms in sight, from the point of no confidence. */
  nearest: number;
  farthest: number;
}

const EMPHASIZED = 0.999;

// The roundest first, then those between them.
const POSTERIORS = [
  EMPHASIZED, 0.9, 0.7, 0.99, 0.6, 0.8, 0.9999, 1 - 1e-6, 1 - 1e-8, 1 - 1e-12, 0.55, 0.65, 0.75,
  0.52, 0.51, 0.54, 0.53, 0.505, 0.502, 0.501, 0.5005, 0.5002, 0.5001,
]; // prettier-ignore
// From the root: factors of the odds. Of votes: log-odds.
const ODDS = [10, 100, 2, 1e3, 30, 5, 1e4, 1e6, 3, 1.5, 1.2, 1.1, 1.05, 1.02, 1.01];
const VOTES = [1, 5, 2, 10, 3, 0.5, 20, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const CONFIDENCES = [
  1, 5, 2, 10, 3, 20, 0.5, 7, 4, 50, 30, 15, 100, 0.2, 0.1, 1.5, 0.05, 0.02, 0.01, 0.3, 0.7, 0.15,
  0.03, 0.07, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
]; // prettier-ignore

/**
 * The circles that a picture may have, the roundest first.
 *
 * From even odds they are of round posteriors. From the root, whose value is the origin, they are of
 * round changes of the odds, with the posterior that either class then has. Margins are no logits of
 * posteriors: theirs are of round votes.
 */
export function findLevels(
  kind: IsolineKind,
  valueKind: ValueKind,
  center: Origin,
  origin: number,
): Level[] {
  if (kind === "none") return [];
  const plain = { emphasized: false };
  if (kind === "confidence")
    return CONFIDENCES.map((distance) => ({ ...plain, distance, texts: [plainNumber(distance)] }));
  if (valueKind === "margin")
    return VOTES.map((distance) => {
      const text = plainNumber(distance);
      return { ...plain, distance, texts: [`−${text}`, `+${text}`] };
    });
  if (center === "half")
    return POSTERIORS.map((p) => ({
      distance: Math.log(p / (1 - p)),
      texts: [posteriorText(1 - p), posteriorText(p)],
      emphasized: p === EMPHASIZED,
    }));
  return ODDS.map((ratio) => {
    const distance = Math.log(ratio);
    return {
      ...plain,
      distance,
      texts: [shareText(origin - distance), shareText(origin + distance)],
    };
  });
}

/** Return isolines: round ones, with room between them. */
export function findIsolines(levels: Level[], t: number, center: Center, sight: Sight): Isoline[] {
  const found: Isoline[] = [];
  const { extent, nearest, farthest } = sight;
  const whole = extent >= 0.999;
  for (const level of levels) {
    const drawn = unlift(level.distance, t);
    const norm = Math.tanh(drawn / 2);
    if (found.length >= 6 && !level.emphasized) break;
    const isFree = found.every((other) => Math.abs(norm - other.norm) >= 0.11 * extent);
    const isSeen = norm > Math.max(nearest, 0.12 * Math.min(extent, 1)) && norm < farthest;
    if (!isSeen || !isFree || norm > (level.emphasized && whole ? 0.992 : 0.985)) continue;
    found.push({ ...level, drawn, norm, circle: moveCircle(drawn, center) });
  }
  return found;
}

/** What may be written on isolines, in words. */
export function isolineChoices(valueKind: ValueKind): { value: IsolineKind; text: string }[] {
  const text = { share: "class share", posterior: "posterior of the round", margin: "vote" };
  const choices: { value: IsolineKind; text: string }[] = [
    { value: "value", text: text[valueKind] },
    { value: "confidence", text: "log-odds" },
    { value: "none", text: "none" },
  ];
  return valueKind === "margin" ? choices.filter(({ value }) => value !== "confidence") : choices;
}

/** About how wide the label of an isoline is, in pixels, and some room. */
export function labelWidth({ texts }: Level): number {
  return 6.2 * texts.join(" | ").length + 8;
}

/** The label of an isoline, on the ray of an angle. */
export function isolineLabel(
  isoline: Isoline,
  angle: number,
  { center, theme, textScale }: { center: Center; theme: Theme; textScale: number },
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
