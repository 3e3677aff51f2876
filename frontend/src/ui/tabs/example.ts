// The Example tab of one row: the model's answer, what each feature did, what would turn it, the trees.

import { findChange, type Found } from "../../model/change/smallest";
import { tellChange, tellMeasure } from "../../model/change/sentences";
import { listContributions } from "./contributions";
import { button, choice, el } from "../dom";
import { allScores, decide, probabilities } from "../../model/example/follow";
import { ExampleTrees } from "./example_trees";
import { count, percent, signedNumber } from "../../model/numbers";
import type { TabContent } from "./panel";
import { BadExample, exampleText, parseExample } from "../../model/example/row_text";
import { attribute } from "../../model/example/shapley";
import { isPartial, treeTotal, wholeScores } from "../../model/shown";
import { shorten } from "../../model/names";
import type { Forest } from "../../model/forest";
import type { Viewer } from "../../viewer";

export class ExampleTab implements TabContent {
  readonly element: HTMLElement;
  private readonly input: HTMLTextAreaElement;
  private readonly error = el("p", {
    class: "ht-error",
    part: "example-error",
    attributes: { role: "alert" },
  });
  private readonly result = el("div", { part: "example-result" });
  private readonly trees: ExampleTrees;
  private label = "";
  private found: { key: unknown; found: Found } | null = null;

  constructor(private readonly viewer: Viewer) {
    const { header } = viewer.forest;
    this.trees = new ExampleTrees(viewer, () => this.show());
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
      el("h2", { text: `One example through ${isPartial(viewer.forest) ? "some" : "all"} trees` }),
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
      // What is shown must not be taken for what this text gives.
      this.viewer.store.update({ example: null });
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
          text: "What the model says of the row, what each of its features did, the smallest change that turns the answer, and its path through every tree. Values that are not given are missing.",
        }),
      );
      return;
    }
    const { example, ensemble } = viewer.state;
    if (isPartial(viewer.forest)) {
      const text = `What each feature did, and what would turn the answer, are found in all trees: a page made with trees="all" says it.`;
      this.result.replaceChildren(
        this.prediction(),
        el("p", { class: "ht-quiet", part: "contributions-unknown", text }),
        ...this.trees.elements(walk),
      );
      return;
    }
    const scores = allScores(viewer.forest, example!);
    const attribution = attribute(viewer.forest, ensemble, example!);
    this.result.replaceChildren(
      this.prediction(),
      el("h3", {
        text: `What each feature did, for ${shorten(viewer.forest.classesOf(ensemble)[1], 40)}`,
      }),
      listContributions(viewer.forest, ensemble, example!, scores, attribution),
      el("h3", { text: "What would turn the answer" }),
      this.change(),
      ...this.trees.elements(walk),
    );
  }

  private prediction(): HTMLElement {
    const { forest, state } = this.viewer;
    const { header } = forest;
    const total = count(forest.ensembles.reduce((sum, _, k) => sum + treeTotal(forest, k), 0));
    const scores = findScores(forest, state.example!);
    if (!scores)
      return el(
        "div",
        { class: "ht-prediction", part: "prediction" },
        el("span", {
          class: "ht-quiet",
          text: `No answer here: the model's takes all ${total} trees, and this page has ${count(header.nTrees)}. It knows the answer for embedded rows alone. A page made with trees="all" follows any row; what single trees say is below.`,
        }),
      );
    const shares = probabilities(scores, header.link);
    const answer = decide(scores, header.link);
    const others = shares.map((_, k) => k).filter((k) => k !== answer);
    const told = [answer, ...others.sort((a, b) => shares[b] - shares[a] || a - b).slice(0, 2)];
    const [first, ...rest] = told.map((k) => ({
      name: shorten(header.classes[k], 40),
      share: ` ${percent(shares[k])} %`,
    }));
    const own = forest.classesOf(state.ensemble)[1];
    const kind = header.classes.length > 2 ? 2 : answer;
    return el(
      "div",
      { class: "ht-prediction", part: "prediction" },
      el(
        "span",
        { class: `ht-text-${kind} ht-answer` },
        el("strong", { text: first.name }),
        first.share,
      ),
      ...rest.map(({ name, share }) =>
        el("span", { class: "ht-quiet" }, el("strong", { text: name }), share),
      ),
      el("span", {
        class: "ht-quiet",
        text: `Probabilities of the whole model, from ${total === "1" ? "its one tree" : `all ${total} trees`}: score ${signedNumber(scores[state.ensemble], 4)} for ${shorten(own, 40)}.`,
      }),
      this.label
        ? el("span", { class: "ht-quiet", text: `True class: ${shorten(this.label, 40)}.` })
        : null,
    );
  }

  /** The smallest change of the row that turns the answer of the whole model. */
  private change(): HTMLElement {
    const { forest, state } = this.viewer;
    const x = state.example!;
    if (this.found?.key !== x) this.found = { key: x, found: findChange(forest, x) };
    const { found } = this.found;
    return el(
      "div",
      { class: "ht-change" },
      el("p", { part: "example-change", text: tellChange(found, forest, x) }),
      el("p", { class: "ht-quiet", part: "example-measure", text: tellMeasure(found, forest) }),
      found.change &&
        button("Follow the changed row", "example-turn", () => this.turn(found), {
          class: "ht-small",
        }),
    );
  }

  /** Follow the row with the smallest change made. */
  private turn({ change }: Found): void {
    const changed = this.viewer.state.example!.slice();
    for (const { feature, value } of change!.moves) changed[feature] = value;
    this.input.value = exampleText(changed, this.viewer.forest.columns);
    this.follow();
  }
}

/** The scores of a row by the whole model; null if the page cannot know them. */
function findScores(forest: Forest, x: Float64Array): number[] | null {
  return isPartial(forest) ? wholeScores(forest, x) : allScores(forest, x);
}
