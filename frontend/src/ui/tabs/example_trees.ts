// A row through the trees of an ensemble: the running score, and the trees that add most.

import { leafRule, neutralScore, type Stop, type Walk } from "../../model/example/follow";
import { shorten } from "../../model/names";
import { count, percent, signedNumber } from "../../model/numbers";
import { shorterTexts } from "../../model/rules/shorter";
import { isPartial, treeNumber } from "../../model/shown";
import type { Colors } from "../colors";
import { bar, button, el, entry, fitText, quiet } from "../dom";
import type { Session } from "../session";
import { makeScoreChart } from "./score_chart";

// Trees that are listed.
const LISTED = 10;

export class ExampleTrees {
  private all = false;

  constructor(
    private readonly session: Session,
    private readonly colors: Colors,
    private readonly show: () => void,
  ) {}

  elements(walk: Walk): HTMLElement[] {
    const { forest, classes } = this.session;
    const own = forest.ensembles.length === 1 ? "" : ` for ${shorten(classes[1], 24)}`;
    const isWhole = !isPartial(forest); // else a running score would not end at the model's
    const heading = el("h3", { text: `Score${own}, tree by tree` });
    return [
      ...(isWhole ? [heading, el("div", {}, this.chart(walk))] : []),
      this.here(walk),
      el("h3", { text: (isWhole ? "Strongest trees" : "Strongest of the trees here") + own }),
      ...(isWhole && forest.center === "base" ? [this.intercept(walk)] : []),
      this.strongest(walk),
    ];
  }

  private chart(walk: Walk): SVGElement {
    const { session } = this;
    const neutral = neutralScore(session.forest.header.link);
    return makeScoreChart(walk, neutral, session.state.tree, this.colors.theme, (tree) =>
      session.showTree(tree),
    );
  }

  /** From the root: what all rows have in common, which the list leaves out. */
  private intercept({ stops, scores }: Walk): HTMLElement {
    const roots = stops.reduce((sum, { adds, push }) => sum + adds - push, scores[0]);
    const moves = stops.reduce((sum, { push }) => sum + push, 0);
    return quiet(
      `The base value and the roots add ${signedNumber(roots, 4)} to the score of any row. ` +
        `From there the trees move it by ${signedNumber(moves, 4)}:`,
      "example-intercept",
    );
  }

  /** What the tree that is shown does with the example. */
  private here(walk: Walk): HTMLElement {
    const { forest, state, tree } = this.session;
    const stop = walk.stops[state.tree];
    const isShare = this.isShare();
    const isHost = tree.node[stop.row] !== stop.leaf;
    const isBase = tree.center === "base";
    const less = isBase ? "nearer to the root" : "less sure";
    const end = isHost ? `; its leaf is ${less} than the node that speaks for it` : "";
    const root = isBase ? ` (its root: ${signedNumber(stop.adds - stop.push)})` : "";
    return el(
      "p",
      { class: "ht-quiet", part: "example-here" },
      `${this.nameOf(stop)} ${isShare ? "says" : "adds"} `,
      el("strong", {
        class: `ht-text-${Number(stop.push > 0)}`,
        text: isShare ? this.figure(stop) : signedNumber(stop.adds),
      }),
      `${root}: ${leafRule(forest, tree, stop.leaf)}${end}.`,
    );
  }

  private nameOf({ tree }: Stop): string {
    const { forest, state } = this.session;
    return `Tree ${count(treeNumber(forest, state.ensemble, tree))}`;
  }

  /** Whether a tree says a class share: in a forest, unless that is counted from the root. */
  private isShare(): boolean {
    const { header, center } = this.session.forest;
    return header.link === "mean" && center === "half";
  }

  /** A class share, what the tree adds to the score, or by how much it moves it from its root. */
  private figure({ tree, leaf, adds, push }: Stop): string {
    const { forest, state } = this.session;
    if (this.isShare()) return `${percent(forest.tree(state.ensemble, tree).output[leaf])} %`;
    return signedNumber(forest.center === "base" ? push : adds);
  }

  private strongest(walk: Walk): HTMLElement {
    const stops = [...walk.stops];
    stops.sort((a, b) => Math.abs(b.push) - Math.abs(a.push) || a.tree - b.tree);
    const shown = this.all ? stops : stops.slice(0, LISTED);
    const largest = Math.abs(stops[0]?.push ?? 1) || 1;
    const items = shown.map((stop) => el("li", {}, this.item(stop, largest)));
    const text = this.all ? `Only the first ${LISTED}` : `All ${count(stops.length)}`;
    const toggle = (): void => {
      this.all = !this.all;
      this.show();
    };
    return el(
      "div",
      {},
      el("ol", { class: "ht-list ht-plain", part: "example-trees" }, ...items),
      stops.length > LISTED && button(text, "example-all", toggle, { class: "ht-small" }),
    );
  }

  private item(stop: Stop, largest: number): HTMLElement {
    const { session } = this;
    const { forest, state } = session;
    const kind = Number(stop.push > 0);
    const rule = el("span", { class: "ht-rule ht-clamp" });
    const tree = forest.tree(state.ensemble, stop.tree);
    const texts = shorterTexts(tree, stop.leaf, forest.columns.short());
    rule.textContent = texts[0];
    requestAnimationFrame(() => fitText(rule, texts)); // when it has its place
    const width = (100 * Math.abs(stop.push)) / largest;
    const item = entry(
      () => session.showTree(stop.tree),
      {},
      el(
        "span",
        { class: "ht-entry-head" },
        el("span", { text: this.nameOf(stop) }),
        el("span", { class: "ht-bars" }, bar(width, kind)),
        el("span", { class: `ht-text-${kind} ht-number`, text: this.figure(stop) }),
      ),
      rule,
    );
    if (stop.tree === state.tree) item.setAttribute("aria-current", "true");
    return item;
  }
}
