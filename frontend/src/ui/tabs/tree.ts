// The tree's tab: its figures, the nodes that decide most, how to read the picture, the whole model.

import { shortenAll } from "../../model/names";
import { confidenceWord, figuresOf } from "../../model/node_texts";
import { count, shortNumber } from "../../model/numbers";
import { shorterTexts } from "../../model/rules/shorter";
import { treeName } from "../../model/shown";
import { strongestOf } from "../../model/strongest";
import { piecesOf } from "../card";
import type { Colors } from "../colors";
import { el, fitText, quiet } from "../dom";
import type { Session } from "../session";
import { makeFeatures } from "./features";
import { keyOf } from "./key";
import { nodeEntry } from "./node_entry";
import { makeQuality } from "./quality";

export class TreeTab {
  readonly element = el("div");
  /** Write the rules that there is room for. */
  private fits: (() => void)[] = [];
  /** The sections about the whole model. */
  private readonly sections: HTMLElement[];

  constructor(
    private readonly session: Session,
    private readonly colors: Colors,
  ) {
    this.sections = [makeFeatures(session), makeQuality(session)];
    session.on(["tab", "tree", "ensemble", "center", "isolines"], () => {
      if (session.state.tab === "tree") this.show();
    });
    colors.listen(() => this.show());
    new ResizeObserver(() => this.fits.forEach((fit) => fit())).observe(this.element);
  }

  private show(): void {
    const { session } = this;
    const { forest, tree } = session;
    const { ensemble, tree: j } = session.state;
    const name = forest.ensembles.length > 1 ? ` for ${session.classes[1]}` : "";
    this.fits = [];
    this.element.replaceChildren(
      el("h2", { text: `${treeName(forest, ensemble, j)}${name}`, part: "tree-name" }),
      quiet(`${count(tree.m)} of its ${count(tree.n)} nodes: the monotonic tree`),
      this.figures(),
      el("h3", { text: "Where it decides" }),
      this.strongest(),
      el("h3", { text: "How to read it" }),
      ...keyOf(session, this.colors.theme),
      ...this.sections,
    );
    this.fits.forEach((fit) => fit());
  }

  private figures(): HTMLElement {
    const { leverage, leverageConfidence, maxConfidence, edge, center } = this.session.tree;
    const figures: [string, number][] = [
      ["leverage", leverage],
      [center === "half" ? "adds at most" : "moves at most", Math.abs(leverageConfidence)],
      [`largest ${confidenceWord(center)}`, maxConfidence],
      ["edge", edge],
    ];
    const known = figures.filter(([, value]) => !Number.isNaN(value));
    const items = known.map(([name, value]) =>
      el("div", {}, el("dt", { text: name }), el("dd", { text: shortNumber(value) })),
    );
    return el("dl", { class: "ht-figures" }, ...items);
  }

  private strongest(): HTMLElement {
    const rows = strongestOf(this.session.tree);
    if (!rows.length) return quiet("Nowhere: its nodes say the same.");
    const items = rows.map((row) => el("li", {}, this.item(row)));
    return el("ol", { class: "ht-list", part: "strongest" }, ...items);
  }

  private item(row: number): HTMLElement {
    const { session } = this;
    const { forest, tree, classes } = session;
    const names = shortenAll(classes, 24);
    const kind = tree.kindOf(row);
    const [first, ...more] = figuresOf(forest, tree, row, classes[1]);
    const rule = el("span", { class: "ht-rule ht-clamp" });
    const texts = shorterTexts(tree, tree.node[row], forest.columns.short());
    this.fits.push(() => fitText(rule, texts));
    const name = el("strong", { text: names[Number(kind === 1)] });
    return nodeEntry(
      session,
      row,
      el("span", { class: `ht-text-${kind}` }, name, ": ", ...piecesOf(first)),
      ...more.map((text) => el("span", { class: `ht-text-${kind}`, text })),
      rule,
    );
  }
}
