// How to read the picture: what distances, colors, rings and circles stand for.

import type { Theme } from "../../draw/theme";
import { CROWDED } from "../../draw/plan";
import { shortenAll } from "../../model/names";
import { confidenceWord, VERDICT_WORDS } from "../../model/node_texts";
import { count } from "../../model/numbers";
import { VERDICTS, type HeldOut, type Tree, type Verdict } from "../../model/tree";
import { el, quiet } from "../dom";
import type { Session } from "../session";
import { CENTER_MEANS, CENTER_WHY, isolineText, saysText } from "../words";
import { mark, moved, ring, stroke, tick } from "./key_icons";

type Line = [icon: SVGElement, text: string];

/** The section of the tree's tab. */
export function keyOf(session: Session, theme: Theme): HTMLElement[] {
  const { forest, state, tree } = session;
  const classes = shortenAll(session.classes, 36);
  const says = classes.map((name) => saysText(name, tree.center));
  const nTags = tree.nTags.reduce((a, b) => a + b, 0);
  const isHalf = tree.center === "half";
  const lines: Line[] = [
    [mark("diamond", theme.classes[0]), says[0]],
    [mark("disk", theme.classes[1]), says[1]],
    [ring(theme.ink, 2), "the root: no test yet"],
  ];
  if (nTags && tree.m <= CROWDED) {
    const leaves = isHalf ? "less sure leaves below it" : "leaves nearer to the root";
    lines.push([ring(theme.ring, 1), `speaks for ${leaves} (${count(nTags)} in all)`]);
  }
  if (tree.m <= CROWDED)
    lines.push([stroke(theme.arc, 3), "more tests on the way than on a thin line"]);
  if (state.isolines !== "none") {
    const { valueKind } = forest.header;
    const text = isolineText(state.isolines, valueKind, tree.center, classes[1]);
    lines.push([stroke(theme.emphasized, 1), text]);
  }
  if (Number.isFinite(tree.leverageConfidence)) {
    const text = `most that this tree ${isHalf ? "adds to" : "moves"} the score`;
    lines.push([stroke(theme.leverage, 1.5), text]);
  }
  lines.push([stroke(theme.leverage, 1.5, "3 3"), `its largest ${confidenceWord(tree.center)}`]);
  return [
    quiet(CENTER_MEANS[tree.center]),
    listOf(lines),
    quiet(CENTER_WHY[tree.center]),
    ...(tree.heldOut ? heldOutKey(tree, tree.heldOut, theme) : []),
  ];
}

function heldOutKey(tree: Tree, held: HeldOut, theme: Theme): HTMLElement[] {
  const number = (verdict: Verdict): number => {
    const code = VERDICTS.indexOf(verdict);
    return Array.from(held.verdict).filter((v) => v === code).length;
  };
  const words = VERDICT_WORDS[tree.center];
  const lines: Line[] = [];
  if (!number("unknown"))
    lines.push([tick(theme.agrees), "would put it here (95 % interval for all at once)"]);
  for (const verdict of ["weaker", "flipped", "stronger"] as const) {
    const nodes = `${count(number(verdict))} of ${count(tree.m)} nodes`;
    if (number(verdict)) lines.push([moved(verdict, theme), `${nodes}: ${words[verdict]}`]);
  }
  const list = listOf(lines, "held-out-key");
  const rest = number("unknown")
    ? words.unknown
    : `${count(number("agrees"))} agree; faint ones have too few rows`;
  list.append(el("li", { text: rest }));
  return [el("h3", { text: "Held-out data" }), list];
}

function listOf(lines: Line[], part?: string): HTMLElement {
  const items = lines.map(([icon, text]) => el("li", {}, icon, el("span", { text })));
  return el("ul", { class: "ht-key", part }, ...items);
}
