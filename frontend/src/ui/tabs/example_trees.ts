// A row through the trees of an ensemble: the running score, and the trees that add most.

import { button, el, svg } from "../dom";
import { leafRule, neutralScore, type Stop, type Walk } from "../../model/example/follow";
import { shorten } from "../../model/names";
import { count, percent, shortNumber, signedNumber } from "../../model/numbers";
import { isPartial, treeNumber } from "../../model/shown";
import { fitText, shorterTexts } from "../../model/strongest";
import type { Viewer } from "../../viewer";

// Trees that are listed.
const LISTED = 10;

export class ExampleTrees {
  private all = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly show: () => void,
  ) {}

  elements(walk: Walk): HTMLElement[] {
    const { forest, state } = this.viewer;
    const isOne = forest.ensembles.length === 1;
    const own = isOne ? "" : ` for ${shorten(forest.classesOf(state.ensemble)[1], 24)}`;
    const isWhole = !isPartial(forest); // else a running score would not end at the model's
    return [
      ...(isWhole
        ? [el("h3", { text: `Score${own}, tree by tree` }), el("div", {}, this.chart(walk))]
        : []),
      this.here(walk),
      el("h3", { text: (isWhole ? "Strongest trees" : "Strongest of the trees here") + own }),
      ...(isWhole && forest.center === "base" ? [this.intercept(walk)] : []),
      this.strongest(walk),
    ];
  }

  /** The running score; a click goes to the tree. */
  private chart(walk: Walk): SVGElement {
    const { theme, state, forest } = this.viewer;
    const [width, height] = [320, 110];
    const n = walk.stops.length;
    const neutral = neutralScore(forest.header.link);
    let [low, high] = [neutral, neutral];
    for (const score of walk.scores) {
      low = Math.min(low, score);
      high = Math.max(high, score);
    }
    const span = high - low || 1;
    const x = (j: number): number => 34 + ((width - 42) * j) / Math.max(n, 1);
    const y = (score: number): number => 8 + ((height - 26) * (high - score)) / span;
    const points = Array.from(
      walk.scores,
      (score, j) => `${x(j).toFixed(1)},${y(score).toFixed(1)}`,
    );
    const text = (words: string, at: [number, number], anchor: string): SVGElement =>
      svg("text", { x: at[0], y: at[1], "text-anchor": anchor, class: "ht-chart-text" }, words);
    const ends = [high, low].filter((score) => Math.abs(y(score) - y(neutral)) > 12);
    const chart = svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: "ht-chart",
        role: "img",
        "data-ht": "score-chart",
        "aria-label": `Running score: ${signedNumber(walk.scores[0])} before the first tree, ${signedNumber(walk.scores[n])} after the last`,
      },
      svg("line", {
        x1: 34,
        x2: width - 8,
        y1: y(neutral),
        y2: y(neutral),
        stroke: theme.emphasized,
      }),
      svg("line", {
        x1: x(state.tree + 1),
        x2: x(state.tree + 1),
        y1: 6,
        y2: height - 16,
        stroke: theme.emphasized,
        "stroke-dasharray": "2 3",
      }),
      svg("polyline", {
        points: points.join(" "),
        fill: "none",
        stroke: theme.classes[Number(walk.scores[n] > neutral)],
        "stroke-width": 2,
        "stroke-linejoin": "round",
      }),
      svg("circle", {
        cx: x(state.tree + 1),
        cy: y(walk.scores[state.tree + 1]),
        r: 4,
        fill: theme.leverage,
        stroke: theme.page,
        "stroke-width": 1.5,
      }),
      text(shortNumber(neutral), [28, y(neutral) + 4], "end"),
      ...ends.map((score) => text(shortNumber(score), [28, y(score) + 4], "end")),
      text(n > 1 ? "tree 1" : "", [x(0), height - 3], "start"),
      text(count(n), [width - 8, height - 3], "end"),
    );
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      this.viewer.showTree(Math.round(((at - 34) / (width - 42)) * n) - 1);
    });
    return chart;
  }

  /** From the root: what all rows have in common, and what is listed then. */
  private intercept(walk: Walk): HTMLElement {
    const roots = walk.stops.reduce((sum, { adds, push }) => sum + adds - push, walk.scores[0]);
    const moves = walk.stops.reduce((sum, { push }) => sum + push, 0);
    return el("p", {
      class: "ht-quiet",
      part: "example-intercept",
      text:
        `The base value and the roots add ${signedNumber(roots, 4)} to the score of any row. ` +
        `From there the trees move it by ${signedNumber(moves, 4)}:`,
    });
  }

  /** What the tree that is shown does with the example. */
  private here(walk: Walk): HTMLElement {
    const { forest, state, stage } = this.viewer;
    const stop = walk.stops[state.tree];
    const tree = stage.plan.tree;
    const isShare = this.isShare();
    const isHost = tree.node[stop.row] !== stop.leaf;
    const isBase = tree.center === "base";
    const less = isBase ? "nearer to the root" : "less sure";
    const end = isHost ? `; its leaf is ${less} than the node that speaks for it` : "";
    const root = isBase ? ` (its root: ${signedNumber(stop.adds - stop.push)})` : "";
    return el(
      "p",
      { class: "ht-quiet", part: "example-here" },
      `Tree ${count(treeNumber(forest, state.ensemble, state.tree))} ${isShare ? "says" : "adds"} `,
      el("strong", {
        class: `ht-text-${Number(stop.push > 0)}`,
        text: isShare ? this.told(stop) : signedNumber(stop.adds),
      }),
      `${root}: ${leafRule(forest, tree, stop.leaf)}${end}.`,
    );
  }

  /** Whether a tree says a class share: in a forest, unless that is counted from the root. */
  private isShare(): boolean {
    const { header, center } = this.viewer.forest;
    return header.link === "mean" && center === "half";
  }

  /** A class share, what the tree adds to the score, or by how much it moves it from its root. */
  private told({ tree, leaf, adds, push }: Stop): string {
    const { forest, state } = this.viewer;
    if (this.isShare()) return `${percent(forest.tree(state.ensemble, tree).output[leaf])} %`;
    return signedNumber(forest.center === "base" ? push : adds);
  }

  private sorted(walk: Walk): Stop[] {
    return [...walk.stops].sort((a, b) => Math.abs(b.push) - Math.abs(a.push) || a.tree - b.tree);
  }

  private strongest(walk: Walk): HTMLElement {
    const { viewer } = this;
    const { forest, state } = viewer;
    const stops = this.sorted(walk);
    const shown = this.all ? stops : stops.slice(0, LISTED);
    const largest = Math.abs(stops[0]?.push ?? 1) || 1;
    const items = shown.map((stop) => {
      const tree = forest.tree(state.ensemble, stop.tree);
      const kind = Number(stop.push > 0);
      const bar = el("span", { class: `ht-bar ht-fill-${kind}` });
      bar.style.width = `${(100 * Math.abs(stop.push)) / largest}%`;
      const rule = el("span", { class: "ht-rule ht-clamp" });
      const texts = shorterTexts(tree, stop.leaf, forest.columns.short());
      rule.textContent = texts[0];
      requestAnimationFrame(() => fitText(rule, texts)); // when it has its place
      const item = el(
        "button",
        { class: "ht-told" },
        el(
          "span",
          { class: "ht-told-head" },
          el("span", {
            text: `Tree ${count(treeNumber(forest, state.ensemble, stop.tree))}`,
          }),
          el("span", { class: "ht-bars" }, bar),
          el("span", { class: `ht-text-${kind} ht-number`, text: this.told(stop) }),
        ),
        rule,
      );
      item.type = "button";
      if (stop.tree === state.tree) item.setAttribute("aria-current", "true");
      item.addEventListener("click", () => viewer.showTree(stop.tree));
      return el("li", {}, item);
    });
    const more =
      stops.length > LISTED &&
      button(
        this.all ? `Only the first ${LISTED}` : `All ${count(stops.length)}`,
        "example-all",
        () => {
          this.all = !this.all;
          this.show();
        },
        { class: "ht-small" },
      );
    return el(
      "div",
      {},
      el("ol", { class: "ht-list ht-plain", part: "example-trees" }, ...items),
      more,
    );
  }
}
