// The card of a node: the same beside the pointer, in the sheet and in the node's tab.

import type { NodeTexts } from "../model/node_texts";
import { el, HIDDEN } from "./dom";

export function cardOf(texts: NodeTexts): HTMLElement[] {
  return [
    el(
      "div",
      { class: "ht-head ht-card-head" },
      el("span", { class: `ht-mark ht-kind-${texts.kind}`, ...HIDDEN }),
      el("strong", { class: `ht-text-${texts.kind}`, text: texts.name }),
      el("span", { class: "ht-quiet", text: texts.confidence }),
    ),
    ...texts.figures.map((line) => el("div", { class: "ht-figure" }, ...piecesOf(line))),
    el("div", { class: "ht-rule", text: texts.rules[0] }),
    ...texts.lines.map((line) => el("div", { class: "ht-quiet", text: line })),
  ];
}

/** A line whose interval, in parentheses, is not broken. */
export function piecesOf(line: string): (string | HTMLElement)[] {
  const at = line.indexOf("(");
  if (at < 0) return [line];
  return [line.slice(0, at), el("span", { class: "ht-piece", text: line.slice(at) })];
}
