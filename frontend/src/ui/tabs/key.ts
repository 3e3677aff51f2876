// How to read the picture: what distances, colors, rings and circles stand for.

import { el } from "../dom";
import { mark, moved, ring, stroke, tick } from "./key_icons";
import { shortenAll } from "../../model/names";
import type { IsolineKind } from "../../draw/isolines";
import { count } from "../../model/numbers";
import type { Origin, ValueKind } from "../../model/payload";
import { CROWDED } from "../../draw/plan";
import { confidenceWord, VERDICT_WORDS } from "../../model/node_texts";
import { VERDICTS, type Tree, type Verdict } from "../../model/tree";
import type { Viewer } from "../../viewer";

/** What may be at the disk's center. */
export const CENTER_NAMES: Record<Origin, string> = { base: "base rate", half: "even odds" };

/** What distances from the center mean. */
export const CENTER_MEANS: Record<Origin, string> = {
  half: "Distance from the center is confidence: how strongly a node of this tree speaks for a class.",
  base: "Distance from the center is evidence, in log-odds: how far a node is from what the tree says of all, its root.",
};

/** Why there is a choice. */
const CENTER_WHY: Record<Origin, string> = {
  half: "The center is even odds. Where one class is rare, none of its nodes may be drawn: they are less sure than the root. The center “base rate” (above) shows them.",
  base: "The center is the base rate, as each tree has it, so that both classes have room where one is rare. From “even odds” (above), only what is surer than the root is drawn.",
};

/** What a mark of a class means. */
export function saysText(name: string, center: Origin): string {
  return center === "half" ? `says ${name}` : `more ${name} than the root`;
}

/** The section of a tree. */
export function keyOf(viewer: Viewer, tree: Tree): HTMLElement[] {
  const { theme, forest, state } = viewer;
  const classes = shortenAll(forest.classesOf(state.ensemble), 36);
  const says = classes.map((name) => saysText(name, tree.center));
  const nTags = tree.nTags.reduce((a, b) => a + b, 0);
  const lines: [SVGElement, string][] = [
    [mark("diamond", theme.classes[0]), says[0]],
    [mark("disk", theme.classes[1]), says[1]],
    [ring(theme.ink, 2), "the root: no test yet"],
  ];
  if (nTags && tree.m <= CROWDED)
    lines.push([
      ring(theme.ring, 1),
      tree.center === "half"
        ? `speaks for less sure leaves below it (${count(nTags)} in all)`
        : `speaks for leaves nearer to the root (${count(nTags)} in all)`,
    ]);
  if (tree.m <= CROWDED)
    lines.push([stroke(theme.arc, 3), "more tests on the way than on a thin line"]);
  if (state.isolines !== "none")
    lines.push([
      stroke(theme.emphasized, 1),
      tellIsolines(state.isolines, forest.header.valueKind, tree.center, classes[1]),
    ]);
  const moves = tree.center === "half" ? "adds to" : "moves";
  if (Number.isFinite(tree.leverageConfidence))
    lines.push([stroke(theme.leverage, 1.5), `most that this tree ${moves} the score`]);
  lines.push([stroke(theme.leverage, 1.5, "3 3"), `its largest ${confidenceWord(tree.center)}`]);
  return [
    el("p", { class: "ht-quiet", text: CENTER_MEANS[tree.center] }),
    listOf(lines),
    el("p", { class: "ht-quiet", text: CENTER_WHY[tree.center] }),
    ...heldOutKey(viewer, tree),
  ];
}

/** What the numbers of isolines are. */
export function tellIsolines(
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

function heldOutKey(viewer: Viewer, tree: Tree): HTMLElement[] {
  const { theme } = viewer;
  const held = tree.heldOut;
  if (!held) return [];
  const number = (verdict: Verdict): number => {
    const code = VERDICTS.indexOf(verdict);
    let n = 0;
    for (const v of held.verdict) n += Number(v === code);
    return n;
  };
  const lines: [SVGElement, string][] = [];
  if (!number("unknown"))
    lines.push([tick(theme.agrees), "would put it here (95 % interval for all at once)"]);
  for (const verdict of ["weaker", "flipped", "stronger"] as const)
    if (number(verdict))
      lines.push([
        moved(verdict, theme),
        `${count(number(verdict))} of ${count(tree.m)} nodes: ${VERDICT_WORDS[tree.center][verdict]}`,
      ]);
  const list = listOf(lines);
  list.dataset["ht"] = "held-out-key";
  const rest = number("unknown")
    ? VERDICT_WORDS[tree.center].unknown
    : `${count(number("agrees"))} agree; faint ones have too few rows`;
  list.append(el("li", { text: rest }));
  return [el("h3", { text: "Held-out data" }), list];
}

function listOf(lines: [SVGElement, string][]): HTMLElement {
  const items = lines.map(([icon, text]) => el("li", {}, icon, el("span", { text })));
  return el("ul", { class: "ht-key" }, ...items);
}
