// All trees in a row: a strip of their leverages to slide along, and thumbnails of some.

import { el, sizeCanvas } from "../dom";
import { count, shortNumber, signedNumber } from "../../model/numbers";
import { countUses } from "../../model/search";
import { treeNumber, treeTotal } from "../../model/shown";
import { Thumbnails } from "./thumbnails";
import type { Viewer } from "../../viewer";

const STRIP_HEIGHT = 44;
const PITCH = 68;
const THUMBNAIL = 60;
const SLACK = 6;

export class Scrubber {
  readonly element: HTMLElement;
  private readonly strip: HTMLElement;
  private readonly stripCanvas = el("canvas", { attributes: { "aria-hidden": "true" } });
  private readonly film: HTMLElement;
  private readonly filmCanvas = el("canvas", { attributes: { "aria-hidden": "true" } });
  private readonly filmRun = el("div", { class: "ht-film-run" });
  private readonly label = el("span", { class: "ht-strip-label", part: "tree-label" });
  private readonly thumbnails: Thumbnails;
  private uses: Uint32Array = new Uint32Array(0);
  private request = 0;

  constructor(private readonly viewer: Viewer) {
    this.thumbnails = new Thumbnails(viewer, THUMBNAIL);
    this.strip = el(
      "div",
      {
        class: "ht-strip",
        part: "scrubber",
        attributes: { role: "slider", tabindex: 0, "aria-label": "Tree", "aria-valuemin": 1 },
      },
      this.stripCanvas,
    );
    this.film = el(
      "div",
      { class: "ht-film", part: "film", attributes: { "aria-hidden": "true", tabindex: -1 } },
      this.filmRun,
    );
    this.filmRun.append(this.filmCanvas);
    this.element = el(
      "footer",
      { class: "ht-scrubber" },
      this.film,
      el("div", { class: "ht-strip-row" }, this.strip, this.label),
    );
    this.element.hidden = this.n < 2;
    this.listen();
    viewer.onTheme.push(() => {
      this.thumbnails.clear();
      this.invalidate();
    });
    viewer.store.listen((changed) => {
      if (changed.has("features") || changed.has("ensemble")) this.findUses();
      if (changed.has("tree") || changed.has("ensemble")) this.reveal();
      if (
        ["tree", "ensemble", "center", "features", "example"].some((key) =>
          changed.has(key as "tree"),
        )
      )
        this.invalidate();
    });
    this.findUses();
  }

  private get n(): number {
    return this.viewer.forest.size(this.viewer.state.ensemble);
  }

  private findUses(): void {
    const { features, ensemble } = this.viewer.state;
    this.uses = countUses(this.viewer.forest, ensemble, features);
  }

  resize(): void {
    this.element.hidden = this.n < 2;
    this.filmRun.style.width = `${this.n * PITCH}px`;
    this.reveal();
    this.invalidate();
  }

  private invalidate(): void {
    this.request ||= requestAnimationFrame(() => {
      this.request = 0;
      this.draw();
    });
  }

  /** Scroll the film so that the tree is in the middle, if it is out of sight or nearly so. */
  private reveal(): void {
    this.filmRun.style.width = `${this.n * PITCH}px`;
    const { clientWidth, scrollLeft } = this.film;
    const x = this.viewer.state.tree * PITCH;
    if (x < scrollLeft + PITCH || x + 2 * PITCH > scrollLeft + clientWidth)
      this.film.scrollLeft = x + PITCH / 2 - clientWidth / 2;
  }

  private listen(): void {
    const { viewer, strip, film } = this;
    const treeAt = (event: PointerEvent): number => {
      const box = strip.getBoundingClientRect();
      return Math.floor(((event.clientX - box.left) / box.width) * this.n);
    };
    // A finger may be about to scroll the page: it counts when it goes along the strip, or taps.
    let start: [x: number, y: number] | null = null;
    const isMeant = ({ clientX, clientY }: PointerEvent): boolean =>
      !start || Math.abs(clientX - start[0]) > Math.abs(clientY - start[1]) + SLACK;
    strip.addEventListener("pointerdown", (event) => {
      strip.setPointerCapture(event.pointerId);
      start = event.pointerType === "touch" ? [event.clientX, event.clientY] : null;
      if (!start) viewer.showTree(treeAt(event));
    });
    strip.addEventListener("pointermove", (event) => {
      if (!strip.hasPointerCapture(event.pointerId) || !isMeant(event)) return;
      start = null;
      viewer.showTree(treeAt(event));
    });
    strip.addEventListener("pointerup", (event) => viewer.showTree(treeAt(event)));
    strip.addEventListener("keydown", (event) => {
      const { tree } = viewer.state;
      const steps: Record<string, number> = {
        ArrowLeft: tree - 1,
        ArrowDown: tree - 1,
        ArrowRight: tree + 1,
        ArrowUp: tree + 1,
        PageDown: tree - 10,
        PageUp: tree + 10,
        Home: 0,
        End: this.n - 1,
      };
      if (!(event.key in steps)) return;
      viewer.showTree(steps[event.key]);
      event.preventDefault();
    });
    film.addEventListener("scroll", () => this.invalidate());
    film.addEventListener("click", (event) => {
      const box = film.getBoundingClientRect();
      const tree = Math.floor((event.clientX - box.left + film.scrollLeft) / PITCH);
      if (tree < this.n) viewer.showTree(tree);
    });
  }

  private draw(): void {
    if (this.element.hidden || !this.element.clientWidth) return;
    this.drawStrip();
    this.drawFilm();
    this.tell();
  }

  private tell(): void {
    const { tree } = this.viewer.state;
    const { leverage, leverageConfidence, center } = this.viewer.stage.plan.tree;
    this.strip.setAttribute("aria-valuemax", String(this.n));
    this.strip.setAttribute("aria-valuenow", String(tree + 1));
    const stop = this.viewer.walk()?.stops[tree];
    // What its bar shows.
    const most = Math.abs(leverageConfidence);
    const adds = stop
      ? center === "half"
        ? `, adds ${signedNumber(stop.adds)}`
        : `, moves by ${signedNumber(stop.push)}`
      : Number.isFinite(most)
        ? `, ${center === "half" ? "adds" : "moves"} at most ${shortNumber(most)}`
        : `, leverage ${shortNumber(leverage)}`;
    const uses = this.uses[tree] ? `, ${count(this.uses[tree])} tests of what is searched` : "";
    const { forest, state } = this.viewer;
    const number = count(treeNumber(forest, state.ensemble, tree));
    const which = `${number} of ${count(treeTotal(forest, state.ensemble))}`;
    this.strip.setAttribute("aria-valuetext", `${which}${adds}${uses}`);
    this.label.textContent = `Tree ${which}${adds}`;
  }

  /** Bars: leverages, or what the trees add for an example; dots below trees that use a feature. */
  private drawStrip(): void {
    const width = this.strip.clientWidth;
    const height = STRIP_HEIGHT;
    const { theme, state } = this.viewer;
    const context = sizeCanvas(this.stripCanvas, width, height);
    context.clearRect(0, 0, width, height);
    const slot = width / this.n;
    const walk = this.viewer.walk();
    const first = this.viewer.forest.ensembles[state.ensemble].trees[0];
    const sizes = Float64Array.from({ length: this.n }, (_, j) =>
      walk ? walk.stops[j].push : Math.abs(this.heightOf(first + j)),
    );
    const largest = sizes.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-300);
    const foot = height - 9;
    const base = walk ? foot / 2 + 1 : foot;
    const reach = walk ? foot / 2 - 2 : foot - 4;
    context.fillStyle = theme.isoline;
    context.globalAlpha = 0.6;
    context.fillRect(Math.min(state.tree * slot, width - 3), 0, Math.max(slot, 3), height);
    context.globalAlpha = 1;
    context.fillStyle = theme.isoline;
    context.fillRect(0, base - 0.5, width, 1);
    const bar = Math.max(slot > 4 ? slot - Math.min(slot * 0.25, 3) : slot, 1);
    for (let j = 0; j < this.n; j++) {
      const up = (sizes[j] / largest) * reach;
      context.fillStyle = walk ? theme.classes[Number(up > 0)] : theme.leverage;
      context.globalAlpha = j === state.tree ? 1 : 0.62;
      const tall = Math.max(Math.abs(up), 1);
      context.fillRect(j * slot + (slot - bar) / 2, up > 0 ? base - tall : base, bar, tall);
      if (this.uses[j]) {
        context.globalAlpha = 1;
        context.fillStyle = theme.lit;
        context.fillRect(j * slot + (slot - bar) / 2, height - 6, bar, 5);
      }
    }
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    const x = (state.tree + 0.5) * slot;
    context.beginPath();
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, 6);
    context.fill();
  }

  /** What the bar of a tree shows: the most that it moves the score, or its leverage if that is not known. */
  private heightOf(j: number): number {
    const { forest } = this.viewer;
    const most = forest.leverageConfidence(j);
    return Number.isFinite(most) ? most : forest.leverage[j];
  }

  private drawFilm(): void {
    const width = this.film.clientWidth;
    const { scrollLeft } = this.film;
    const height = THUMBNAIL + 8;
    const { theme, state } = this.viewer;
    this.filmCanvas.style.width = `${width}px`;
    this.filmCanvas.style.height = `${height}px`;
    const context = sizeCanvas(this.filmCanvas, width, height);
    context.clearRect(0, 0, width, height);
    const first = Math.max(Math.floor(scrollLeft / PITCH), 0);
    const last = Math.min(Math.ceil((scrollLeft + width) / PITCH), this.n);
    // A few at a time, so that sliding stays smooth; the rest follow.
    let missing = 0;
    const start = performance.now();
    for (let j = first; j < last; j++) {
      const x = j * PITCH - scrollLeft;
      if (!this.thumbnails.has(state.ensemble, j) && performance.now() - start > 8) {
        missing++;
        continue;
      }
      const picture = this.thumbnails.get(state.ensemble, j);
      context.globalAlpha = state.features.size && !this.uses[j] ? 0.3 : 1;
      context.drawImage(picture, x + (PITCH - THUMBNAIL) / 2, 4, THUMBNAIL, THUMBNAIL);
      context.globalAlpha = 1;
      if (j === state.tree) {
        context.strokeStyle = theme.ink;
        context.lineWidth = 2;
        context.strokeRect(x + 2, 1, PITCH - 4, height - 2);
      }
      if (this.uses[j]) {
        context.fillStyle = theme.lit;
        context.beginPath();
        context.arc(x + PITCH - 11, 11, 4.5, 0, 2 * Math.PI);
        context.fill();
      }
    }
    if (missing) this.invalidate();
  }
}
