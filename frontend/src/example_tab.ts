// What is told of an example: what the model says, the running score, the strongest trees.

import { button, choice, el, svg } from "./dom";
import {
  allScores,
  BadExample,
  exampleText,
  findFlip,
  findSpread,
  follow,
  leafRule,
  neutralScore,
  parseExample,
  probabilities,
  shownValue,
  type Stop,
  type Walk,
} from "./example";
import { count, percentOf, shortNumber, signedNumber } from "./numbers";
import type { TabContent } from "./panel";
import { shorten } from "./texts";
import type { Viewer } from "./viewer";

// Trees that are listed; changes that are told, and trees for which they are sought.
const LISTED = 10;
const CHANGED = 5;
const TRIED = 25;

export class ExampleTab implements TabContent {
  readonly element: HTMLElement;
  private readonly input: HTMLTextAreaElement;
  private readonly error = el("p", {
    class: "ht-error",
    part: "example-error",
    attributes: { role: "alert" },
  });
  private readonly result = el("div", { part: "example-result" });
  private spread: Float64Array | null = null;
  private all = false;
  private label = "";

  constructor(private readonly viewer: Viewer) {
    const { header } = viewer.forest;
    this.input = el("textarea", {
      part: "example-input",
      attributes: {
        rows: 6,
        spellcheck: "false",
        "aria-label": "A row: name = value on lines, or values separated by commas",
      },
    });
    const [first] = header.features;
    this.input.placeholder = `${shorten(first, 30)} = …\nor all ${header.features.length} values, separated by commas`;
    this.element = el(
      "div",
      {},
      el("h2", { text: "One example through all trees" }),
      this.chooser(),
      this.input,
      el(
        "div",
        { class: "ht-buttons" },
        button("Follow", "example-follow", () => this.follow(), { class: "ht-primary" }),
        button("Clear", "example-clear", () => this.clear()),
      ),
      this.error,
      this.result,
    );
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.follow();
    });
    viewer.store.listen((changed) => {
      if (["example", "ensemble", "tree", "tab"].some((key) => changed.has(key as "tab")))
        this.show();
    });
    viewer.onTheme.push(() => this.show());
  }

  /** The rows that the author chose to embed. */
  private chooser(): HTMLElement | null {
    const { examples } = this.viewer.forest.header;
    if (!examples) return null;
    const options = examples.names.map((name, i) => ({
      value: String(i),
      text: shorten(examples.labels ? `${name}: ${examples.labels[i]}` : name, 60),
    }));
    const { element } = choice(
      "Embedded",
      "example-choice",
      [{ value: "", text: "choose a row" }, ...options],
      "",
      (value) => {
        if (value === "") return;
        const { columns } = this.viewer.forest;
        this.input.value = exampleText(this.viewer.forest.example(Number(value)), columns);
        this.follow(examples.labels?.[Number(value)] ?? "");
      },
    );
    return element;
  }

  private follow(label = ""): void {
    this.label = label;
    try {
      const example = parseExample(this.input.value, this.viewer.forest.columns);
      this.error.textContent = "";
      this.viewer.store.update({ example });
    } catch (error) {
      if (!(error instanceof BadExample)) throw error;
      this.error.textContent = error.message;
    }
  }

  private clear(): void {
    this.input.value = "";
    this.error.textContent = "";
    this.viewer.store.update({ example: null });
  }

  private show(): void {
    const { viewer } = this;
    if (viewer.state.tab !== "example") return;
    const walk = viewer.walk();
    if (!walk) {
      this.result.replaceChildren(
        el("p", {
          class: "ht-quiet",
          text: "Its path is drawn in every tree; here is what each tree adds to the score, and what would have to change. Values that are not given are missing.",
        }),
      );
      return;
    }
    this.result.replaceChildren(
      this.prediction(walk),
      el("h3", { text: "Score, tree by tree" }),
      this.chart(walk),
      this.here(walk),
      el("h3", { text: "Strongest trees" }),
      this.strongest(walk),
      el("h3", { text: "What would have to change" }),
      this.changes(walk),
    );
  }

  private prediction(walk: Walk): HTMLElement {
    const { forest, state } = this.viewer;
    const { header } = forest;
    const scores = allScores(forest, state.example!);
    const shares = probabilities(scores, header.link);
    const order = shares.map((_, k) => k).sort((a, b) => shares[b] - shares[a] || a - b);
    const [first, ...others] = order.slice(0, 3).map((k) => ({
      name: shorten(header.classes[k], 40),
      share: ` ${percentOf(shares[k])} %`,
    }));
    const own = forest.classesOf(state.ensemble)[1];
    const kind = header.classes.length > 2 ? 2 : order[0];
    return el(
      "div",
      { class: "ht-prediction", part: "prediction" },
      el(
        "span",
        { class: `ht-text-${kind} ht-answer` },
        el("strong", { text: first.name }),
        first.share,
      ),
      ...others.map(({ name, share }) =>
        el("span", { class: "ht-quiet" }, el("strong", { text: name }), share),
      ),
      el("span", {
        class: "ht-quiet",
        text: `score ${signedNumber(walk.scores.at(-1)!, 4)} for ${shorten(own, 40)}${this.label ? ` · its class: ${shorten(this.label, 40)}` : ""}`,
      }),
    );
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

  /** What the tree that is shown does with the example. */
  private here(walk: Walk): HTMLElement {
    const { forest, state, stage } = this.viewer;
    const stop = walk.stops[state.tree];
    const tree = stage.plan.tree;
    const isHost = tree.node[stop.row] !== stop.leaf;
    const end = isHost ? "; its leaf is less sure than the node that speaks for it" : "";
    return el(
      "p",
      { class: "ht-quiet", part: "example-here" },
      `Tree ${count(state.tree + 1)} adds `,
      el("strong", { class: `ht-text-${Number(stop.push > 0)}`, text: signedNumber(stop.adds) }),
      `: ${leafRule(forest, tree, stop.leaf)}${end}.`,
    );
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
      const item = el(
        "button",
        { class: "ht-told" },
        el(
          "span",
          { class: "ht-told-head" },
          el("span", { text: `Tree ${count(stop.tree + 1)}` }),
          el("span", { class: "ht-bars" }, bar),
          el("span", { class: `ht-text-${kind} ht-number`, text: signedNumber(stop.adds) }),
        ),
        el("span", { class: "ht-rule ht-clamp", text: leafRule(forest, tree, stop.leaf) }),
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

  /** For the strongest trees that one change turns, the nearest such change. */
  private changes(walk: Walk): HTMLElement {
    const items: HTMLElement[] = [];
    const firm: number[] = [];
    for (const stop of this.sorted(walk).slice(0, TRIED)) {
      const item = items.length < CHANGED ? this.change(stop) : null;
      if (item) items.push(item);
      else if (items.length < CHANGED) firm.push(stop.tree + 1);
    }
    if (firm.length) items.push(el("li", { class: "ht-quiet", text: tellFirm(firm) }));
    return el("ul", { class: "ht-changes", part: "example-changes" }, ...items);
  }

  /** What turns a tree, in words; null if no change of one value does. */
  private change(stop: Stop): HTMLElement | null {
    const { forest, state } = this.viewer;
    const x = state.example!;
    this.spread ??= findSpread(forest);
    const tree = forest.tree(state.ensemble, stop.tree);
    const flip = findFlip(forest, tree, x, this.spread);
    if (!flip) return null;
    const now = shownValue(x[flip.feature], flip.feature, forest.columns);
    const changed = x.slice();
    changed[flip.feature] = flip.value;
    const before = this.viewer.walk()!.scores.at(-1)!;
    const after = follow(forest, state.ensemble, changed).scores.at(-1)!;
    const kind = Number(flip.push > 0);
    const name = forest.classesOf(state.ensemble)[kind];
    return el(
      "li",
      {},
      el("strong", { text: `Tree ${count(stop.tree + 1)}` }),
      " says ",
      el("span", { class: `ht-text-${kind}`, text: shorten(name, 30) }),
      ` if ${flip.needed} (now ${shorten(now, 30)}): it adds ${signedNumber(flip.adds)}, not ` +
        `${signedNumber(stop.adds)}; the whole score goes from ${signedNumber(before)} to ${signedNumber(after)}.`,
    );
  }
}

/** Trees that no single change turns. */
function tellFirm(trees: number[]): string {
  const shown = trees.slice(0, 6).join(", ") + (trees.length > 6 ? ", …" : "");
  const which = trees.length === 1 ? `Tree ${shown} says` : `Trees ${shown} say`;
  return `${which} the same whatever one value becomes, missing aside.`;
}
