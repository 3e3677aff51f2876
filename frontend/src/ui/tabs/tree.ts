// What is told of a tree: its figures, the nodes that decide most, and how to read the picture.

import { el } from "../dom";
import { FeatureList } from "./features";
import { keyOf } from "./key";
import { count, shortNumber } from "../../model/numbers";
import type { TabContent } from "./panel";
import { QualitySection } from "./quality";
import { treeNumber, treeTotal } from "../../model/shown";
import { fitText, shorterTexts } from "../../model/strongest";
import { shortenAll } from "../../model/names";
import { confidenceWord, figuresOf, piecesOf } from "../../model/node_texts";
import type { Tree } from "../../model/tree";
import type { Viewer } from "../../viewer";

const SHOWN = ["tab", "tree", "ensemble", "center", "isolines"] as const;

export class TreeTab implements TabContent {
  readonly element = el("div");
  /** Writes what there is room for. */
  private fits: (() => void)[] = [];

  private readonly features: FeatureList;
  private readonly quality: QualitySection;

  constructor(private readonly viewer: Viewer) {
    this.features = new FeatureList(viewer);
    this.quality = new QualitySection(viewer);
    viewer.store.listen((changed) => {
      if (viewer.state.tab === "tree" && SHOWN.some((key) => changed.has(key))) this.show();
    });
    viewer.onTheme.push(() => this.show());
    new ResizeObserver(() => this.fits.forEach((fit) => fit())).observe(this.element);
  }

  private show(): void {
    const { viewer } = this;
    const { ensemble, tree: j } = viewer.state;
    const { forest } = viewer;
    const tree = viewer.stage.plan.tree;
    const name = forest.ensembles.length > 1 ? ` for ${forest.classesOf(ensemble)[1]}` : "";
    const total = treeTotal(forest, ensemble);
    const of = total > 1 ? ` ${count(treeNumber(forest, ensemble, j))} of ${count(total)}` : "";
    this.fits = [];
    this.element.replaceChildren(
      el("h2", { text: `Tree${of}${name}`, part: "tree-name" }),
      el("p", {
        class: "ht-quiet",
        text: `${count(tree.m)} of its ${count(tree.n)} nodes: the monotonic tree`,
      }),
      this.figures(tree),
      el("h3", { text: "Where it decides" }),
      this.strongest(tree),
      el("h3", { text: "How to read it" }),
      ...keyOf(viewer, tree),
      this.features.element,
      this.quality.element,
    );
    this.fits.forEach((fit) => fit());
  }

  private figures(tree: Tree): HTMLElement {
    const moves = tree.center === "half" ? "adds at most" : "moves at most";
    const figures: [string, string][] = [
      ["leverage", shortNumber(tree.leverage)],
      [moves, shortNumber(Math.abs(tree.leverageConfidence))],
      [`largest ${confidenceWord(tree.center)}`, shortNumber(tree.maxConfidence)],
    ];
    if (!Number.isNaN(tree.edge)) figures.push(["edge", shortNumber(tree.edge)]);
    return el(
      "dl",
      { class: "ht-figures" },
      ...figures
        .filter(([, value]) => value !== "nan")
        .map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value }))),
    );
  }

  private strongest(tree: Tree): HTMLElement {
    const rows = this.viewer.numbered();
    if (!rows.length)
      return el("p", { class: "ht-quiet", text: "Nowhere: its nodes say the same." });
    const items = rows.map((row) => el("li", {}, this.item(tree, row)));
    return el("ol", { class: "ht-list", part: "strongest" }, ...items);
  }

  private item(tree: Tree, row: number): HTMLElement {
    const { viewer } = this;
    const { forest } = viewer;
    const classes = forest.classesOf(viewer.state.ensemble);
    const names = shortenAll(classes, 24);
    const kind = tree.kindOf(row);
    const [first, ...more] = figuresOf(forest, tree, row, classes[1]);
    const rule = el("span", { class: "ht-rule ht-clamp" });
    const texts = shorterTexts(tree, tree.node[row], forest.columns.short());
    this.fits.push(() => fitText(rule, texts));
    const item = el(
      "button",
      { class: "ht-told" },
      el(
        "span",
        { class: `ht-text-${kind}` },
        el("strong", { text: names[Number(kind === 1)] }),
        ": ",
        ...piecesOf(first),
      ),
      ...more.map((text) => el("span", { class: `ht-text-${kind}`, text })),
      rule,
    );
    item.type = "button";
    item.addEventListener("click", () => viewer.select(row));
    item.addEventListener("pointerenter", () => viewer.store.update({ hovered: row }));
    item.addEventListener("pointerleave", () => viewer.store.update({ hovered: -1 }));
    return item;
  }
}
