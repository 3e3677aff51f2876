// The card beside a node that is hovered or focused.

import { el } from "../dom";
import { unlift, lift, polarDistance } from "../../draw/geometry";
import { shortNumber } from "../../model/numbers";
import { fitText } from "../../model/strongest";
import { describeNode, piecesOf, speakNode, type NodeTexts } from "../../model/node_texts";
import type { Viewer } from "../../viewer";

export class Tooltip {
  readonly element: HTMLElement;

  constructor(private readonly viewer: Viewer) {
    this.element = el("div", {
      class: "ht-tooltip",
      part: "tooltip",
      attributes: { role: "tooltip" },
    });
    this.element.hidden = true;
    viewer.store.listen((changed) => {
      const moves = ["zoom", "pan", "t", "centered"] as const;
      if (changed.has("hovered") || moves.some((key) => changed.has(key))) this.show();
    });
    viewer.tellFocused = () => {
      const { focused, ensemble } = viewer.state;
      if (focused < 0) return "";
      return speakNode(describeNode(viewer.forest, ensemble, viewer.stage.plan.tree, focused));
    };
  }

  private show(): void {
    const { hovered, ensemble } = this.viewer.state;
    this.element.hidden = hovered < 0;
    if (hovered < 0) return;
    const { stage, forest } = this.viewer;
    const texts = describeNode(forest, ensemble, stage.plan.tree, hovered);
    const from = this.distanceFromCenter(hovered);
    if (from) texts.lines.push(from);
    this.element.replaceChildren(...cardOf(texts));
    fitText(this.element.querySelector<HTMLElement>(".ht-rule")!, texts.rules);
    this.place(...stage.placeOf(hovered));
  }

  /** How far it is from the node in the middle, if there is one. */
  private distanceFromCenter(row: number): string {
    const { centered, t } = this.viewer.state;
    const { tree } = this.viewer.stage.plan;
    if (centered < 0 || centered === row) return "";
    const drawn = polarDistance(
      unlift(tree.distance[row], t),
      tree.angle[row],
      unlift(tree.distance[centered], t),
      tree.angle[centered],
    );
    return `${shortNumber(lift(drawn, t))} from the node in the middle`;
  }

  private place(x: number, y: number): void {
    const [width, height] = this.viewer.stage.size;
    const { offsetWidth, offsetHeight } = this.element;
    const gap = 16;
    // Outwards, if there is room: less of the tree is covered.
    const [right, left] = [x + gap, x - gap - offsetWidth];
    const fits = { right: right + offsetWidth < width - 4, left: left > 4 };
    const across = (x > width / 2 && fits.right) || !fits.left ? right : left;
    const top = Math.min(Math.max(y - offsetHeight / 2, 6), height - offsetHeight - 6);
    this.element.style.left = `${Math.max(Math.min(across, width - offsetWidth - 4), 4)}px`;
    this.element.style.top = `${Math.max(top, 4)}px`;
  }
}

/** The elements that tell of a node. */
export function cardOf(texts: NodeTexts): HTMLElement[] {
  return [
    el(
      "div",
      { class: "ht-head ht-card-head" },
      el("span", { class: `ht-mark ht-kind-${texts.kind}`, attributes: { "aria-hidden": "true" } }),
      el("strong", { class: `ht-text-${texts.kind}`, text: texts.name }),
      el("span", { class: "ht-quiet", text: texts.confidence }),
    ),
    ...texts.figures.map((line) => el("div", { class: "ht-figure" }, ...piecesOf(line))),
    el("div", { class: "ht-rule", text: texts.rules[0] }),
    ...texts.lines.map((line) => el("div", { class: "ht-quiet", text: line })),
  ];
}
