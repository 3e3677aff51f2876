// The disk: two canvases, one for the tree and one for what lies over it.

import { paint, type Dense } from "../../draw/canvas";
import { between, centerAt, NormTable, ORIGIN, unlift } from "../../draw/geometry";
import type { Center, Point } from "../../draw/geometry";
import { findLevels } from "../../draw/isolines";
import { diskLayer, type Look } from "../../draw/look";
import { drawOverlay, type Marks } from "../../draw/overlay";
import { drawTree } from "../../draw/picture";
import { Pixels } from "../../draw/pixels";
import { HEAVY, Plan } from "../../draw/plan";
import { fromPixels, toPixels, type Layer } from "../../draw/shapes";
import { findLit } from "../../model/search";
import { strongestOf } from "../../model/strongest";
import type { Colors } from "../colors";
import { el, hasFocus, HIDDEN, sizeCanvas } from "../dom";
import type { Key, Session } from "../session";
import type { Screen } from "./camera";
import type { Motion } from "./motion";

// Milliseconds: of a move, and until a picture at rest gets all its detail.
const MOVE = 420;
const REST = 140;

// Rows of trees that are kept ready.
const MAX_ROWS = 300_000;

// How near the pointer must be to a node, in pixels.
const REACH = 14;

// Parts of the state that change what lies over the tree, and not the tree.
const OVER_ONLY: Key[] = ["hovered", "focused", "tapped", "query", "fit"];

const OTHER_TREE: Key[] = ["tree", "ensemble", "center"];

export class Stage implements Screen {
  readonly element: HTMLElement;
  /** Milliseconds: of the last picture, and until the first. */
  readonly stats = { frame: NaN, overlay: NaN, hover: NaN, firstPaint: NaN };
  private readonly base = el("canvas", { class: "ht-canvas", ...HIDDEN });
  private readonly over = el("canvas", { class: "ht-canvas", ...HIDDEN });
  private table!: NormTable;
  private readonly pixels = new Pixels();
  private readonly plans = new Map<number, Plan>();
  private rows = 0;
  private width = 0;
  private height = 0;
  private dirty = { base: true, over: true };
  private request = 0;
  private moving = false;
  private restTimer = 0;
  private labelAngle: number | null = null;
  private center: Center = ORIGIN;
  private from: Center = ORIGIN;
  private progress = 1;
  private textScale = 1;

  constructor(
    private readonly session: Session,
    private readonly colors: Colors,
    private readonly motion: Motion,
    /** Called when a node has been moved to the middle, or back. */
    private readonly onMoved: () => void,
  ) {
    this.element = el(
      "div",
      {
        class: "ht-disk",
        part: "disk",
        role: "application",
        tabindex: 0,
        "aria-roledescription": "tree in a disk",
      },
      this.base,
      this.over,
    );
    this.forget();
    const keys = Object.keys(session.state) as Key[];
    session.on(keys, (changed) => this.onChange(changed));
    colors.listen(() => this.invalidate());
  }

  /** The tree that is shown, made ready. */
  private get plan(): Plan {
    const { forest, state } = this.session;
    const j = forest.ensembles[state.ensemble].trees[0] + state.tree;
    let plan = this.plans.get(j);
    if (!plan) {
      this.rows += forest.at(j).m;
      if (this.rows > MAX_ROWS) {
        this.plans.clear();
        this.rows = 0;
      }
      plan = new Plan(forest.at(j), forest.layoutT, this.table);
      this.plans.set(j, plan);
    }
    return plan;
  }

  /** Begin anew: trees are drawn from another center. */
  private forget(): void {
    const { forest } = this.session;
    const largest = forest.maxConfidences().reduce((a, b) => Math.max(a, b), 1e-9);
    this.table = new NormTable(largest, forest.layoutT);
    this.plans.clear();
    this.rows = 0;
  }

  /** Take over the size of the element; returns whether it has changed. */
  resize(): boolean {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === this.width && clientHeight === this.height) return false;
    this.width = clientWidth;
    this.height = clientHeight;
    this.labelAngle = null;
    const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.textScale = (size || 16) / 16;
    this.invalidate();
    return true;
  }

  /** Paint anew before the next frame. */
  invalidate(what: "all" | "over" = "all"): void {
    if (what === "all") this.dirty.base = true;
    this.dirty.over = true;
    this.request ||= requestAnimationFrame(() => {
      this.request = 0;
      this.draw();
    });
  }

  touch(): void {
    this.moving = true;
    clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(() => {
      this.moving = false;
      if (this.plan.tree.m > HEAVY) this.invalidate();
    }, REST);
  }

  private onChange(changed: ReadonlySet<Key>): void {
    const has = (keys: Key[]): boolean => keys.some((key) => changed.has(key));
    if (changed.has("center")) this.forget();
    if (changed.has("centered")) this.recenter(has(OTHER_TREE));
    if (has([...OTHER_TREE, "isolines", "tab"])) this.labelAngle = null;
    const isOver = [...changed].every((key) => OVER_ONLY.includes(key));
    this.invalidate(isOver ? "over" : "all");
  }

  /** Start the move of the disk to its new center. */
  private recenter(atOnce: boolean): void {
    this.from = this.center;
    this.progress = atOnce ? 1 : 0;
    if (atOnce) return;
    this.motion.animate(MOVE, (share) => {
      this.progress = share;
      this.touch();
      this.invalidate();
      if (share < 1) return;
      this.labelAngle = null;
      this.onMoved();
    });
  }

  /** The center at this moment: it goes along when t moves its node. */
  private findCenter(): Center {
    const { centered, t } = this.session.state;
    const { tree } = this.session;
    const aim =
      centered < 0 ? ORIGIN : centerAt(unlift(tree.distance[centered], t), tree.angle[centered]);
    this.center = between(this.from, aim, this.progress);
    return this.center;
  }

  private look(): Look {
    const { state, tree, forest } = this.session;
    const isCovered = state.features.size > 0 || state.selected >= 0 || state.example !== null;
    return {
      t: state.t,
      center: this.findCenter(),
      width: this.width,
      height: this.height,
      zoom: state.zoom,
      pan: state.pan,
      levels: findLevels(state.isolines, forest.header.valueKind, state.center, tree.origin),
      heldOut: state.heldOut,
      theme: this.colors.theme,
      moving: this.moving,
      opacity: isCovered ? 0.38 : 1,
      numbered: state.tab === "tree" && tree.m <= HEAVY ? strongestOf(tree) : [],
      textScale: this.textScale,
      labelAngle: this.labelAngle,
    };
  }

  private marks(): Marks {
    const { state, tree } = this.session;
    const { hovered, focused, selected, centered, tapped, features } = state;
    return {
      hovered: hovered >= 0 ? hovered : tapped,
      focused: hasFocus(this.element) ? focused : -1,
      selected,
      centered,
      lit: features.size ? findLit(tree, features) : null,
      example: this.session.exampleRow(),
    };
  }

  /** Paint now what is out of date. */
  draw(): void {
    if (!this.width || !this.height) return;
    const look = this.look();
    if (this.dirty.base) {
      const start = performance.now();
      const heavy = this.moving && this.plan.tree.m > HEAVY;
      const picture = drawTree(this.plan, look);
      this.labelAngle ??= heavy ? null : picture.labelAngle;
      this.paint(this.base, picture.layers, heavy);
      this.stats.frame = performance.now() - start;
      if (Number.isNaN(this.stats.firstPaint)) this.stats.firstPaint = performance.now();
    }
    const start = performance.now();
    this.paint(this.over, this.overlayLayers(look), false);
    this.stats.overlay = performance.now() - start;
    this.dirty = { base: false, over: false };
  }

  /** Paint on a canvas; with coarse pixels while the picture moves. */
  private paint(canvas: HTMLCanvasElement, layers: Layer[], coarse: boolean): void {
    const { pixels, width, height } = this;
    const context = sizeCanvas(canvas, width, height);
    const ratio = coarse ? 1 : window.devicePixelRatio || 1;
    const dense: Dense = { pixels, width, height, ratio, hard: coarse };
    paint(context, layers, dense);
  }

  private overlayLayers(look: Look): Layer[] {
    const marks = this.marks();
    const needsCurves =
      marks.lit !== null || Math.max(marks.hovered, marks.selected, marks.example) >= 0;
    if (needsCurves) this.plan.place(look.t, look.center, "curves");
    return drawOverlay(this.plan, look, marks);
  }

  /** The picture as it is, without pointer and keyboard: for export. */
  layers(): Layer[] {
    const look = { ...this.look(), moving: false };
    const marks = { ...this.marks(), hovered: -1, focused: -1 };
    return [...drawTree(this.plan, look).layers, ...drawOverlay(this.plan, look, marks)];
  }

  get size(): [width: number, height: number] {
    return [this.width, this.height];
  }

  private get layer(): Layer {
    return diskLayer({ width: this.width, height: this.height, ...this.session.state });
  }

  /** The nearest row to a place in the element, in pixels; -1 if none is near. */
  rowAt(px: number, py: number, reach = REACH): number {
    const start = performance.now();
    const row = this.plan.nearestRow(this.pointAt(px, py), reach / this.layer.scale);
    this.stats.hover = performance.now() - start;
    return row;
  }

  /** Where a row is in the element, in pixels. */
  placeOf(row: number): Point {
    return toPixels(this.layer, this.plan.x[row], this.plan.y[row]);
  }

  pointAt(px: number, py: number): Point {
    return fromPixels(this.layer, px, py);
  }

  outermost(): number {
    this.plan.place(this.session.state.t, this.findCenter(), "none");
    return this.plan.outermost();
  }

  /** Milliseconds a frame while t slides, until its pixels are there. */
  benchmark(frames = 20): number[] {
    const { session } = this;
    const { t } = session.state;
    const context = this.base.getContext("2d")!;
    const times = [];
    for (let i = 0; i < frames; i++) {
      session.update({ t: Math.min(t, 0.99) + ((i % 2 ? 1 : -1) * (i + 1)) / 10_000 });
      this.touch();
      this.dirty.base = true;
      const start = performance.now();
      this.draw();
      context.getImageData(0, 0, 1, 1);
      times.push(performance.now() - start);
    }
    session.update({ t });
    return times;
  }
}
