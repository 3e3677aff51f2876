// The disk: two canvases, one for the tree and one for what lies over it.

import { el, sizeCanvas } from "../dom";
import {
  between,
  centerAt,
  NormTable,
  ORIGIN,
  unlift,
  type Center,
  type Point,
} from "../../draw/geometry";
import { findLevels } from "../../draw/isolines";
import { drawOverlay, type Marks } from "../../draw/overlay";
import { diskLayer, drawTree, type Look } from "../../draw/picture";
import { HEAVY, Plan } from "../../draw/plan";
import { Pixels } from "../../draw/pixels";
import { paint, type Dense } from "../../draw/canvas";
import { findLit } from "../../model/search";
import type { Layer } from "../../draw/shapes";
import type { Key } from "../state";
import type { Viewer } from "../../viewer";

// Milliseconds: of a move, and until a picture at rest gets all its detail.
const MOVE = 420;
const REST = 140;

// Rows of trees that are kept ready.
const MAX_ROWS = 300_000;

// How near the pointer must be to a node, in pixels.
const REACH = 14;

const TREE_KEYS: Key[] = [
  "ensemble", "tree", "center", "t", "zoom", "pan", "centered", "selected", "features", "isolines", "heldOut",
  "scheme", "theme", "tab", "example",
]; // prettier-ignore

const OTHER_TREE: Key[] = ["tree", "ensemble", "center"];

export class Stage {
  readonly element: HTMLElement;
  /** Milliseconds: of the last picture, and until the first. */
  readonly stats = {
    frame: Number.NaN,
    overlay: Number.NaN,
    hover: Number.NaN,
    firstPaint: Number.NaN,
  };
  private readonly base: HTMLCanvasElement;
  private readonly over: HTMLCanvasElement;
  private table!: NormTable;
  private readonly pixels = new Pixels();
  private plans = new Map<number, Plan>();
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

  constructor(private readonly viewer: Viewer) {
    this.base = el("canvas", { class: "ht-canvas", attributes: { "aria-hidden": "true" } });
    this.over = el("canvas", { class: "ht-canvas", attributes: { "aria-hidden": "true" } });
    this.element = el(
      "div",
      {
        class: "ht-disk",
        part: "disk",
        attributes: {
          role: "application",
          tabindex: 0,
          "aria-roledescription": "tree in a disk",
        },
      },
      this.base,
      this.over,
    );
    this.forget();
    viewer.store.listen((changed) => this.onChange(changed));
  }

  /** The tree that is shown, made ready. */
  get plan(): Plan {
    const { ensemble, tree } = this.viewer.state;
    const j = this.viewer.forest.ensembles[ensemble].trees[0] + tree;
    let plan = this.plans.get(j);
    if (!plan) {
      this.rows += this.viewer.forest.at(j).m;
      if (this.rows > MAX_ROWS) {
        this.plans.clear();
        this.rows = 0;
      }
      const { forest } = this.viewer;
      plan = new Plan(forest.at(j), forest.layoutT, this.table);
      this.plans.set(j, plan);
    }
    return plan;
  }

  /** Begin anew: trees are drawn from another center. */
  private forget(): void {
    const { forest } = this.viewer;
    const largest = forest.maxConfidences().reduce((a, b) => Math.max(a, b), 1e-9);
    this.table = new NormTable(largest, forest.layoutT);
    this.plans.clear();
    this.rows = 0;
  }

  /** Follow the size of the element. */
  resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === this.width && clientHeight === this.height) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.labelAngle = null;
    const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.textScale = (size || 16) / 16;
    this.invalidate();
    if (this.viewer.state.fit) this.viewer.camera.fit(false);
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

  /** Tell that the picture moves: for a while, less detail will do. */
  touch(): void {
    this.moving = true;
    clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(() => {
      this.moving = false;
      if (this.plan.tree.m > HEAVY) this.invalidate();
    }, REST);
  }

  private onChange(changed: ReadonlySet<Key>): void {
    if (changed.has("center")) this.forget();
    if (changed.has("centered")) this.recenter(OTHER_TREE.some((key) => changed.has(key)));
    if ([...OTHER_TREE, "isolines", "tab"].some((key) => changed.has(key as Key)))
      this.labelAngle = null;
    if (TREE_KEYS.some((key) => changed.has(key))) this.invalidate();
    else this.invalidate("over");
  }

  /** Start the move of the disk to its new center. */
  private recenter(atOnce: boolean): void {
    this.from = this.center;
    this.progress = atOnce ? 1 : 0;
    if (atOnce) return;
    this.viewer.camera.animate(MOVE, (share) => {
      this.progress = share;
      this.touch();
      this.invalidate();
      if (share === 1) this.labelAngle = null;
      if (share === 1 && this.viewer.state.fit) this.viewer.camera.fit(true);
    });
  }

  /** The center at this moment: it goes along when t moves its node. */
  private findCenter(): Center {
    const { centered, t } = this.viewer.state;
    const tree = this.plan.tree;
    const aim =
      centered < 0 ? ORIGIN : centerAt(unlift(tree.distance[centered], t), tree.angle[centered]);
    this.center = between(this.from, aim, this.progress);
    return this.center;
  }

  look(): Look {
    const { state } = this.viewer;
    const { header } = this.viewer.forest;
    const isCovered = state.features.size > 0 || state.selected >= 0 || state.example !== null;
    return {
      t: state.t,
      center: this.findCenter(),
      width: this.width,
      height: this.height,
      zoom: state.zoom,
      pan: state.pan,
      levels: findLevels(state.isolines, header.valueKind, state.center, this.plan.tree.origin),
      heldOut: state.heldOut,
      theme: this.viewer.theme,
      moving: this.moving,
      opacity: isCovered ? 0.38 : 1,
      numbered: state.tab === "tree" && this.plan.tree.m <= HEAVY ? this.viewer.numbered() : [],
      textScale: this.textScale,
      labelAngle: this.labelAngle,
    };
  }

  marks(): Marks {
    const { state } = this.viewer;
    const { hovered, focused, selected, centered, tapped } = state;
    return {
      hovered: hovered >= 0 ? hovered : tapped,
      focused: this.hasFocus() ? focused : -1,
      selected,
      centered,
      lit: state.features.size ? findLit(this.plan.tree, state.features) : null,
      example: this.viewer.exampleRow(),
    };
  }

  private hasFocus(): boolean {
    return (this.element.getRootNode() as Document | ShadowRoot).activeElement === this.element;
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
      const context = sizeCanvas(this.base, this.width, this.height);
      context.clearRect(0, 0, this.width, this.height);
      paint(context, picture.layers, this.dense(heavy));
      this.stats.frame = performance.now() - start;
      if (Number.isNaN(this.stats.firstPaint)) this.stats.firstPaint = performance.now();
    }
    const start = performance.now();
    const context = sizeCanvas(this.over, this.width, this.height);
    context.clearRect(0, 0, this.width, this.height);
    paint(context, this.overlayLayers(look), this.dense(false));
    this.stats.overlay = performance.now() - start;
    this.dirty = { base: false, over: false };
  }

  /** What is needed to write pixels; coarse ones while the picture moves. */
  private dense(coarse: boolean): Dense {
    const ratio = coarse ? 1 : window.devicePixelRatio || 1;
    return { pixels: this.pixels, width: this.width, height: this.height, ratio, hard: coarse };
  }

  private overlayLayers(look: Look): Layer[] {
    const marks = this.marks();
    const needsCurves =
      marks.lit !== null || Math.max(marks.hovered, marks.selected, marks.example) >= 0;
    if (needsCurves) this.plan.place(look.t, look.center, "curves");
    return drawOverlay(this.plan, look, marks);
  }

  /** The picture as it is, without pointer and keyboard: for export. */
  layers(width: number, height: number): Layer[] {
    const look = { ...this.look(), width, height, moving: false };
    const marks = { ...this.marks(), hovered: -1, focused: -1 };
    const { layers } = drawTree(this.plan, look);
    return [...layers, ...drawOverlay(this.plan, look, marks)];
  }

  get size(): [width: number, height: number] {
    return [this.width, this.height];
  }

  /** The nearest row to a place in the element, in pixels; -1 if none is near. */
  rowAt(px: number, py: number, reach = REACH): number {
    const start = performance.now();
    const layer = this.layer();
    const { x, y } = this.plan;
    const u = (px - layer.x0) / layer.scale;
    const v = (layer.y0 - py) / layer.scale;
    let best = -1;
    let least = (reach / layer.scale) ** 2;
    for (let r = 0; r < x.length; r++) {
      const dx = x[r] - u;
      const dy = y[r] - v;
      const far = dx * dx + dy * dy;
      if (far < least) {
        least = far;
        best = r;
      }
    }
    this.stats.hover = performance.now() - start;
    return best;
  }

  private layer(): Layer {
    const { zoom, pan } = this.viewer.state;
    return diskLayer({ width: this.width, height: this.height, zoom, pan });
  }

  /** Where a row is in the element, in pixels. */
  placeOf(row: number): Point {
    const layer = this.layer();
    return [layer.x0 + layer.scale * this.plan.x[row], layer.y0 - layer.scale * this.plan.y[row]];
  }

  /** The point of the disk at a place in the element. */
  pointAt(px: number, py: number): Point {
    const layer = this.layer();
    return [(px - layer.x0) / layer.scale, (layer.y0 - py) / layer.scale];
  }

  /** The norm of the outermost node as it is drawn, however it is moved. */
  outermost(): number {
    const look = this.look();
    this.plan.place(look.t, look.center, "none");
    let largest = 0;
    for (let r = 0; r < this.plan.x.length; r++)
      largest = Math.max(largest, Math.hypot(this.plan.x[r], this.plan.y[r]));
    return largest;
  }

  /** Milliseconds a frame while t slides, until its pixels are there. */
  benchmark(frames = 20): number[] {
    const { state, store } = this.viewer;
    const context = this.base.getContext("2d")!;
    const times = [];
    for (let i = 0; i < frames; i++) {
      store.update({ t: Math.min(state.t, 0.99) + ((i % 2 ? 1 : -1) * (i + 1)) / 10_000 });
      this.touch();
      this.dirty.base = true;
      const start = performance.now();
      this.draw();
      context.getImageData(0, 0, 1, 1);
      times.push(performance.now() - start);
    }
    store.update({ t: state.t });
    return times;
  }
}
