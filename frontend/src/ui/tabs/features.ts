// Which features move the score: one ranking, with where larger values push it.

import { button, el } from "../dom";
import { shorten } from "../../model/names";
import { count, plainNumber } from "../../model/numbers";
import type { RankedFeature } from "../../model/payload";
import type { Viewer } from "../../viewer";

/** So many are listed at first. */
const FEW = 8;

const ARROWS = { "1": "↑", "-1": "↓", "0": "↕" } as const;

const MEANING =
  "Importance: the part of the variance of what trees add to the score, over training rows, that tests of the feature explain. All parts sum to 1.";

/** An importance as a number: a part of a variance is no share of rows, which a % would say. */
function importance(part: number): string {
  return part > 0 && part < 0.0005 ? "< .001" : plainNumber(part, 3);
}

/** The section of the tree's panel. A feature that is clicked is searched for. */
export class FeatureList {
  readonly element = el("div");
  private shown = FEW;
  private buttons = new Map<number, HTMLElement>();

  constructor(private readonly viewer: Viewer) {
    viewer.store.listen((changed) => {
      if (changed.has("ensemble")) this.show();
      else if (changed.has("features")) this.mark();
    });
    this.show();
  }

  private show(): void {
    const { ranking, tested } = this.viewer.forest.header.importance;
    this.element.hidden = !ranking.length;
    this.buttons = new Map();
    const items = ranking.slice(0, this.shown).map((ranked) => el("li", {}, this.item(ranked)));
    const all = ranking.length < tested ? "the first" : "all";
    const more = button(
      `Show ${all} ${count(ranking.length)}`,
      "features-all",
      () => {
        this.shown = ranking.length;
        this.show();
      },
      { class: "ht-small" },
    );
    this.element.replaceChildren(
      el("h3", { text: "Features, in the whole model" }),
      el("ol", { class: "ht-list ht-plain", part: "features" }, ...items),
      ...(ranking.length > this.shown ? [more] : []),
      el("p", { class: "ht-quiet", part: "features-key", text: this.explain() }),
    );
    this.mark();
  }

  /** What shares and arrows mean. */
  private explain(): string {
    const { header } = this.viewer.forest;
    const { reason, ranking } = header.importance;
    const { ensemble } = this.viewer.state;
    const name = shorten(header.classes[header.ensembles[ensemble].positive], 24);
    const shares = reason ? `By the trees that test them. No shares: ${reason}.` : MEANING;
    if (!ranking.some(([, , , ways]) => ways[ensemble] !== null)) return shares;
    const none = ranking.some(([, , , ways]) => ways[ensemble] === null)
      ? " Without an arrow: categories, or no test in trees of this class."
      : "";
    return `${shares} Larger values mostly push ↑ to ${name}, mostly ↓ away from it, ↕ both ways.${none}`;
  }

  private item([feature, share, nTrees, ways]: RankedFeature): HTMLElement {
    const { forest, state } = this.viewer;
    const largest = forest.header.importance.ranking[0][1] || 1;
    const way = ways[state.ensemble];
    const bar = el("span", { class: "ht-bar ht-fill-score" });
    bar.style.width = `${(100 * (share ?? 0)) / largest}%`;
    const trees = `${count(nTrees)} ${nTrees === 1 ? "tree" : "trees"}`;
    const element = el(
      "button",
      {
        class: "ht-told ht-feature",
        title: `${forest.header.features[feature]}: tested in ${trees} of the model`,
      },
      el("span", { class: "ht-feature-name", text: forest.columns.short().names[feature] }),
      el("span", { class: "ht-bars" }, share !== null && bar),
      el("span", { class: "ht-way", text: way === null ? "" : ARROWS[`${way}`] }),
      el("span", { class: "ht-number", text: share === null ? trees : importance(share) }),
    );
    element.type = "button";
    element.addEventListener("click", () => this.search(feature));
    this.buttons.set(feature, element);
    return element;
  }

  /** Light up the nodes that test a feature, as the search field does; again to put them out. */
  private search(feature: number): void {
    const isOn = this.isLit(feature);
    this.viewer.store.update({
      query: isOn ? "" : this.viewer.forest.header.features[feature],
      features: new Set(isOn ? [] : [feature]),
    });
  }

  private isLit(feature: number): boolean {
    const { features } = this.viewer.state;
    return features.size === 1 && features.has(feature);
  }

  private mark(): void {
    for (const [feature, element] of this.buttons)
      element.setAttribute("aria-pressed", String(this.isLit(feature)));
  }
}
