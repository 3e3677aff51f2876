// What is told of a tree: its figures, the nodes that decide most, and how to read the picture.

import { el } from "./dom";
import { mark, moved, ring, stroke, tick } from "./key_icons";
import { shortenAll } from "./names";
import { count, percent, percentOf, shortNumber } from "./numbers";
import type { TabContent } from "./panel";
import { CROWDED } from "./plan";
import { pathRule, ruleText } from "./rules";
import { treeNumber, treeTotal } from "./shown";
import { heldOutShort } from "./texts";
import { VERDICTS, type Tree, type Verdict } from "./tree";
import type { Viewer } from "./viewer";

const SHOWN = ["tree", "ensemble", "isolines"] as const;

const ISOLINES = {
  posterior: "equal posterior, written for both classes",
  confidence: "equal confidence",
} as const;

export class TreeTab implements TabContent {
  readonly element = el("div");

  constructor(private readonly viewer: Viewer) {
    viewer.store.listen((changed) => {
      if (changed.has("tab") && viewer.state.tab === "tree") this.show();
      else if (viewer.state.tab === "tree" && SHOWN.some((key) => changed.has(key))) this.show();
    });
    viewer.onTheme.push(() => this.show());
  }

  private show(): void {
    const { viewer } = this;
    const { ensemble, tree: j } = viewer.state;
    const { forest } = viewer;
    const tree = viewer.stage.plan.tree;
    const name = forest.ensembles.length > 1 ? ` for ${forest.classesOf(ensemble)[1]}` : "";
    const total = treeTotal(forest, ensemble);
    const of = total > 1 ? ` ${count(treeNumber(forest, ensemble, j))} of ${count(total)}` : "";
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
      ...this.key(tree),
    );
  }

  private figures(tree: Tree): HTMLElement {
    const figures: [string, string][] = [
      ["leverage", shortNumber(tree.leverage)],
      ["adds at most", shortNumber(Math.abs(tree.leverageConfidence))],
      ["largest confidence", shortNumber(tree.maxConfidence)],
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
    const { viewer } = this;
    const { forest, state } = viewer;
    const names = shortenAll(forest.classesOf(state.ensemble), 24);
    const items = viewer.numbered().map((row) => {
      const node = tree.node[row];
      const value = tree.value[node];
      const kind = value > 0 ? 1 : 0;
      const figures = [`${percent(value)} %`];
      if (!Number.isNaN(tree.weight[node]))
        figures.push(`${percentOf(tree.weight[node])} % of the weight`);
      const held = heldOutShort(tree, row);
      if (held) figures.push(held);
      const rule = ruleText(pathRule(tree, node), forest.columns.short(), { showMissing: false });
      const item = el(
        "button",
        { class: "ht-told" },
        el(
          "span",
          { class: `ht-text-${kind}` },
          el("strong", { text: names[kind] }),
          ...figures.flatMap((text, i) => [
            i ? " · " : " ",
            el("span", { class: "ht-piece", text }),
          ]),
        ),
        el("span", { class: "ht-rule ht-clamp", text: rule }),
      );
      item.type = "button";
      item.addEventListener("click", () => viewer.select(row));
      item.addEventListener("pointerenter", () => viewer.store.update({ hovered: row }));
      item.addEventListener("pointerleave", () => viewer.store.update({ hovered: -1 }));
      return el("li", {}, item);
    });
    return el("ol", { class: "ht-list", part: "strongest" }, ...items);
  }

  private key(tree: Tree): HTMLElement[] {
    const { theme, forest, state } = this.viewer;
    const [negative, positive] = shortenAll(forest.classesOf(state.ensemble), 36);
    const nTags = tree.nTags.reduce((a, b) => a + b, 0);
    const lines: [SVGElement, string][] = [
      [mark("diamond", theme.classes[0]), `says ${negative}`],
      [mark("disk", theme.classes[1]), `says ${positive}`],
      [ring(theme.ink, 2), "the root: no test yet"],
    ];
    if (nTags && tree.m <= CROWDED)
      lines.push([
        ring(theme.ring, 1),
        `speaks for less sure leaves below it (${count(nTags)} in all)`,
      ]);
    if (tree.m <= CROWDED)
      lines.push([stroke(theme.arc, 3), "more tests on the way than on a thin line"]);
    if (state.isolines !== "none")
      lines.push([stroke(theme.emphasized, 1), ISOLINES[state.isolines]]);
    if (Number.isFinite(tree.leverageConfidence))
      lines.push([stroke(theme.leverage, 1.5), "most that this tree adds to the score"]);
    lines.push([stroke(theme.leverage, 1.5, "3 3"), "its largest confidence"]);
    const key = el(
      "ul",
      { class: "ht-key" },
      ...lines.map(([icon, text]) => el("li", {}, icon, el("span", { text }))),
    );
    return [
      el("p", {
        class: "ht-quiet",
        text: "Distance from the center is confidence: near the border a node is sure, at the center it knows nothing.",
      }),
      key,
      ...this.heldOutKey(tree),
    ];
  }

  private heldOutKey(tree: Tree): HTMLElement[] {
    const { theme } = this.viewer;
    const held = tree.heldOut;
    if (!held) return [];
    const number = (verdict: Verdict): number => {
      const code = VERDICTS.indexOf(verdict);
      let n = 0;
      for (const v of held.verdict) n += Number(v === code);
      return n;
    };
    const lines: [SVGElement, string][] = [
      [tick(theme.agrees), "would put it here (95 % interval for all at once)"],
    ];
    for (const [verdict, words] of [
      ["weaker", "less sure than it seems"],
      ["flipped", "other class than it says"],
      ["stronger", "surer than it seems"],
    ] as const)
      if (number(verdict))
        lines.push([
          moved(verdict, theme),
          `${count(number(verdict))} of ${count(tree.m)} nodes: ${words}`,
        ]);
    return [
      el("h3", { text: "Held-out data" }),
      el(
        "ul",
        { class: "ht-key", part: "held-out-key" },
        ...lines.map(([icon, text]) => el("li", {}, icon, el("span", { text }))),
        el("li", { text: `${count(number("agrees"))} agree; faint ones have too few examples` }),
      ),
    ];
  }
}
