// The example's tab: the model's answer for one row, what each feature did, what would turn it, the trees.

import { changeText, measureText } from "../../model/change/sentences";
import { findChange, type Found } from "../../model/change/smallest";
import { allScores, decide, probabilities } from "../../model/example/follow";
import { BadExample, exampleText, parseExample } from "../../model/example/row_text";
import { attribute } from "../../model/example/shapley";
import { shorten } from "../../model/names";
import { count, percent, signedNumber } from "../../model/numbers";
import { isPartial, treeTotal, wholeScores } from "../../model/shown";
import type { Colors } from "../colors";
import { button, choice, el, quiet } from "../dom";
import type { Session } from "../session";
import { listContributions } from "./contributions";
import { ExampleTrees } from "./example_trees";

const EMPTY =
  "What the model says of the row, what each of its features did, the smallest change that turns the answer, and its path through every tree. Values that are not given are missing.";
const PARTIAL = `What each feature did, and what would turn the answer, are found in all trees: a page made with max_trees=None (--max-trees all) says it.`;

export class ExampleTab {
  readonly element: HTMLElement;
  private readonly input: HTMLTextAreaElement;
  private readonly error = el("p", { class: "ht-error", part: "example-error", role: "alert" });
  private readonly result = el("div", { part: "example-result" });
  private readonly trees: ExampleTrees;
  private readonly isPartial: boolean;
  private label = "";
  private found: { key: unknown; found: Found } | null = null;

  constructor(
    private readonly session: Session,
    colors: Colors,
  ) {
    const { header } = session.forest;
    this.isPartial = isPartial(session.forest);
    this.trees = new ExampleTrees(session, colors, () => this.show());
    this.input = el("textarea", {
      part: "example-input",
      rows: 6,
      spellcheck: "false",
      "aria-label": "A row: name = value on lines, or values separated by commas",
    });
    const [first] = header.features;
    this.input.placeholder = `${shorten(first, 30)} = …\nor all ${header.features.length} values, separated by commas`;
    this.element = el(
      "div",
      {},
      el("h2", { text: `One example through ${this.isPartial ? "some" : "all"} trees` }),
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
    session.on(["example", "ensemble", "tree", "tab"], () => this.show());
    colors.listen(() => this.show());
  }

  /** The rows that the author chose to embed. */
  private chooser(): HTMLElement | null {
    const { forest } = this.session;
    const { examples } = forest.header;
    if (!examples) return null;
    const options = examples.names.map((name, i) => ({
      value: String(i),
      text: shorten(examples.labels ? `${name}: ${examples.labels[i]}` : name, 60),
    }));
    const choose = (value: string): void => {
      if (value === "") return;
      this.input.value = exampleText(forest.example(Number(value)), forest.columns);
      this.follow(examples.labels?.[Number(value)] ?? "");
    };
    const all = [{ value: "", text: "choose a row" }, ...options];
    return choice("Embedded", "example-choice", all, "", choose).element;
  }

  private follow(label = ""): void {
    this.label = label;
    try {
      const example = parseExample(this.input.value, this.session.forest.columns);
      this.error.textContent = "";
      this.session.update({ example });
    } catch (error) {
      if (!(error instanceof BadExample)) throw error;
      // The results on the page must not be taken for those of this text.
      this.session.update({ example: null });
      this.error.textContent = error.message;
    }
  }

  private clear(): void {
    this.input.value = "";
    this.error.textContent = "";
    this.session.update({ example: null });
  }

  private show(): void {
    const { session } = this;
    if (session.state.tab !== "example") return;
    const walk = session.walk();
    if (!walk) {
      this.result.replaceChildren(quiet(EMPTY));
      return;
    }
    const explanation = this.isPartial
      ? [quiet(PARTIAL, "contributions-unknown")]
      : this.explanation();
    this.result.replaceChildren(this.prediction(), ...explanation, ...this.trees.elements(walk));
  }

  private explanation(): HTMLElement[] {
    const { forest, state, classes } = this.session;
    const { ensemble } = state;
    const x = state.example!;
    const attribution = attribute(forest, ensemble, x);
    return [
      el("h3", { text: `What each feature did, for ${shorten(classes[1], 40)}` }),
      listContributions(forest, ensemble, x, allScores(forest, x), attribution),
      el("h3", { text: "What would turn the answer" }),
      this.change(),
    ];
  }

  private prediction(): HTMLElement {
    const { forest, state, classes } = this.session;
    const { header } = forest;
    const total = count(forest.ensembles.reduce((sum, _, k) => sum + treeTotal(forest, k), 0));
    const note = (text: string): HTMLElement => el("span", { class: "ht-quiet", text });
    const box = { class: "ht-prediction", part: "prediction" };
    const x = state.example!;
    const scores = this.isPartial ? wholeScores(forest, x) : allScores(forest, x);
    if (!scores) {
      const text = `No answer here: the model's takes all ${total} trees, and this page has ${count(header.nTrees)}. It knows the answer for embedded rows alone. A page made with trees="all" follows any row; what single trees say is below.`;
      return el("div", box, note(text));
    }
    const shares = probabilities(scores, header.link);
    const answer = decide(scores, header.link);
    const others = shares.map((_, k) => k).filter((k) => k !== answer);
    others.sort((a, b) => shares[b] - shares[a] || a - b);
    const line = (k: number, options: { class: string }): HTMLElement => {
      const name = el("strong", { text: shorten(header.classes[k], 40) });
      return el("span", options, name, ` ${percent(shares[k])} %`);
    };
    const kind = header.classes.length > 2 ? 2 : answer;
    const trees = total === "1" ? "its one tree" : `all ${total} trees`;
    const score = `score ${signedNumber(scores[state.ensemble], 4)} for ${shorten(classes[1], 40)}`;
    return el(
      "div",
      box,
      line(answer, { class: `ht-text-${kind} ht-answer` }),
      ...others.slice(0, 2).map((k) => line(k, { class: "ht-quiet" })),
      note(`Probabilities of the whole model, from ${trees}: ${score}.`),
      this.label ? note(`True class: ${shorten(this.label, 40)}.`) : null,
    );
  }

  /** The smallest change of the row that turns the answer of the whole model. */
  private change(): HTMLElement {
    const { forest, state } = this.session;
    const x = state.example!;
    if (this.found?.key !== x) this.found = { key: x, found: findChange(forest, x) };
    const { found } = this.found;
    return el(
      "div",
      { class: "ht-change" },
      el("p", { part: "example-change", text: changeText(found, forest, x) }),
      quiet(measureText(found, forest), "example-measure"),
      found.change &&
        button("Follow the changed row", "example-turn", () => this.turn(found), {
          class: "ht-small",
        }),
    );
  }

  /** Follow the row with the smallest change made. */
  private turn({ change }: Found): void {
    const changed = this.session.state.example!.slice();
    for (const { feature, value } of change!.moves) changed[feature] = value;
    this.input.value = exampleText(changed, this.session.forest.columns);
    this.follow();
  }
}
