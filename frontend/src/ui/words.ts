// What distances, marks and circles of the picture mean: words that several parts of the page share.

import type { IsolineKind } from "../draw/isolines";
import { confidenceWord } from "../model/node_texts";
import type { Origin, ValueKind } from "../model/payload";

/** What may be at the disk's center. */
export const CENTER_NAMES: Record<Origin, string> = { base: "base rate", half: "even odds" };

/** What distances from the center mean. */
export const CENTER_MEANS: Record<Origin, string> = {
  half: "Distance from the center is confidence: how strongly a node of this tree speaks for a class.",
  base: "Distance from the center is evidence, in log-odds: how far a node is from what the tree says of all, its root.",
};

/** Why there is a choice. */
export const CENTER_WHY: Record<Origin, string> = {
  half: "The center is even odds. Where one class is rare, none of its nodes may be drawn: they are less sure than the root. The center “base rate” (above) shows them.",
  base: "The center is the base rate, as each tree has it, so that both classes have room where one is rare. From “even odds” (above), only what is surer than the root is drawn.",
};

/** What a mark of a class means. */
export function saysText(name: string, center: Origin): string {
  return center === "half" ? `says ${name}` : `more ${name} than the root`;
}

/** What the numbers of isolines are. */
export function isolineText(
  kind: IsolineKind,
  valueKind: ValueKind,
  center: Origin,
  positive = "the second class",
): string {
  const distance = confidenceWord(center);
  if (kind === "confidence") return `equal ${distance}, in log-odds`;
  if (valueKind === "margin") return `equal ${distance}: this tree's vote, a class a side`;
  if (valueKind === "share") return `equal share of ${positive}, on either side`;
  return `equal posterior of ${positive} in this round, on either side`;
}
