// The strip below the film: a bar a tree, to slide along.

import { count, shortNumber, signedNumber } from "../../model/numbers";
import { treeName } from "../../model/shown";
import type { Colors } from "../colors";
import { el, HIDDEN, sizeCanvas } from "../dom";
import { goTo } from "../keys";
import type { Session } from "../session";

const HEIGHT = 44;

// Pixels that a finger moves before it is clear whether it slides or scrolls.
const SLACK = 6;

export class Strip {
  private readonly canvas = el("canvas", { ...HIDDEN });
  readonly element = el(
    "div",
    {
      class: "ht-strip",
      part: "scrubber",
      role: "slider",
      tabindex: 0,
      "aria-label": "Tree",
      "aria-valuemin": 0,
    },
    this.canvas,
  );
  readonly label = el("span", { class: "ht-strip-label", part: "tree-label" });

  constructor(
    private readonly session: Session,
    private readonly colors: Colors,
  ) {
    this.listen();
  }

  private listen(): void {
    const { session, element } = this;
    const show = (event: PointerEvent): void => {
      const box = element.getBoundingClientRect();
      session.showTree(Math.floor(((event.clientX - box.left) / box.width) * session.size));
    };
    // A finger may be about to scroll the page: it counts when it goes along the strip, or taps.
    let start: PointerEvent | null = null;
    const isAlong = ({ clientX, clientY }: PointerEvent): boolean =>
      !start || Math.abs(clientX - start.clientX) > Math.abs(clientY - start.clientY) + SLACK;
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      start = event.pointerType === "touch" ? event : null;
      if (!start) show(event);
    });
    element.addEventListener("pointermove", (event) => {
      if (!element.hasPointerCapture(event.pointerId) || !isAlong(event)) return;
      start = null;
      show(event);
    });
    element.addEventListener("pointerup", show);
    element.addEventListener("keydown", (event) => {
      const { tree } = session.state;
      const [back, on] = [tree - 1, tree + 1];
      const steps = { ArrowLeft: back, ArrowDown: back, ArrowRight: on, ArrowUp: on };
      const jumps = { PageDown: tree - 10, PageUp: tree + 10, Home: 0, End: session.size - 1 };
      if (goTo(session, event.key, { ...steps, ...jumps })) event.preventDefault();
    });
  }

  /** Paint it, and write what is shown; `uses` are the tests of searched features by tree. */
  draw(uses: Uint32Array): void {
    this.drawBars(uses);
    this.describe(uses);
  }

  private describe(uses: Uint32Array): void {
    const { forest, state } = this.session;
    const text = `${treeName(forest, state.ensemble, state.tree)}${this.addsText()}`;
    const n = uses[state.tree];
    const found = n ? `, ${count(n)} tests of what is searched` : "";
    this.element.setAttribute("aria-valuemax", String(this.session.size - 1));
    this.element.setAttribute("aria-valuenow", String(state.tree));
    this.element.setAttribute("aria-valuetext", `${text}${found}`);
    this.label.textContent = text;
  }

  /** What the bar of the tree shows. */
  private addsText(): string {
    const { session } = this;
    const { leverage, leverageConfidence, center } = session.tree;
    const isHalf = center === "half";
    const stop = session.walk()?.stops[session.state.tree];
    if (stop)
      return isHalf ? `, adds ${signedNumber(stop.adds)}` : `, moves by ${signedNumber(stop.push)}`;
    if (!Number.isFinite(leverageConfidence)) return `, leverage ${shortNumber(leverage)}`;
    return `, ${isHalf ? "adds" : "moves"} at most ${shortNumber(Math.abs(leverageConfidence))}`;
  }

  /** What the bars show: what each tree adds for the example, or the most that it moves the score. */
  private sizes(): Float64Array {
    const { forest, state } = this.session;
    const walk = this.session.walk();
    const first = forest.ensembles[state.ensemble].trees[0];
    return Float64Array.from({ length: this.session.size }, (_, j) => {
      if (walk) return walk.stops[j].push;
      const most = forest.leverageConfidence(first + j);
      return Math.abs(Number.isFinite(most) ? most : forest.leverage[first + j]);
    });
  }

  /** Bars, upwards for the positive class; below them dots at trees that use a searched feature. */
  private drawBars(uses: Uint32Array): void {
    const width = this.element.clientWidth;
    const { theme } = this.colors;
    const { tree, example } = this.session.state;
    const context = sizeCanvas(this.canvas, width, HEIGHT);
    const sizes = this.sizes();
    const slot = width / sizes.length;
    const largest = sizes.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-300);
    const foot = HEIGHT - 9;
    const base = example ? foot / 2 + 1 : foot;
    const reach = example ? foot / 2 - 2 : foot - 4;
    context.fillStyle = theme.isoline;
    context.globalAlpha = 0.6;
    context.fillRect(Math.min(tree * slot, width - 3), 0, Math.max(slot, 3), HEIGHT);
    context.globalAlpha = 1;
    context.fillRect(0, base - 0.5, width, 1);
    const bar = Math.max(slot > 4 ? slot - Math.min(slot * 0.25, 3) : slot, 1);
    sizes.forEach((size, j) => {
      const x = j * slot + (slot - bar) / 2;
      const up = (size / largest) * reach;
      const tall = Math.max(Math.abs(up), 1);
      context.fillStyle = example ? theme.classes[Number(up > 0)] : theme.leverage;
      context.globalAlpha = j === tree ? 1 : 0.62;
      context.fillRect(x, up > 0 ? base - tall : base, bar, tall);
      if (!uses[j]) return;
      context.globalAlpha = 1;
      context.fillStyle = theme.lit;
      context.fillRect(x, HEIGHT - 6, bar, 5);
    });
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    const x = (tree + 0.5) * slot;
    context.beginPath();
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, 6);
    context.fill();
  }
}
