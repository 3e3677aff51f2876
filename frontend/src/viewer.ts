// The viewer: puts its parts together, and does what they ask for.

import { Camera } from "./ui/disk/camera";
import { el } from "./ui/dom";
import { exportPng, exportSvg } from "./ui/export";
import { makeHelp, type Help } from "./ui/help/help";
import { ExampleTab } from "./ui/tabs/example";
import { follow, type Walk } from "./model/example/follow";
import { Forest } from "./model/forest";
import { isolineChoices } from "./draw/isolines";
import { listenToKeys, listenToPointers } from "./ui/disk/interact";
import { NodeTab } from "./ui/tabs/node";
import { makePanel } from "./ui/tabs/panel";
import type { Origin, Payload } from "./model/payload";
import { followRoom, isScrolled } from "./ui/room";
import { Scrubber } from "./ui/strip/scrubber";
import { makeSheet } from "./ui/disk/sheet";
import { treeNumber, treeTotal } from "./model/shown";
import { Stage } from "./ui/disk/stage";
import { Store, type State } from "./ui/state";
import { adoptStyles } from "./ui/styles";
import { TemperatureSlider } from "./ui/disk/temperature";
import { asProperties, makeTheme, type Theme } from "./draw/theme";
import { makeToolbar } from "./ui/toolbar";
import { Tooltip } from "./ui/disk/tooltip";
import { listenToTouch } from "./ui/disk/touch";
import { TreeTab } from "./ui/tabs/tree";
import { makeZoomButtons } from "./ui/disk/zoom_buttons";

export interface Options {
  /** Whether the viewer is the whole page; else it leaves keys and wheel to others. */
  page?: boolean;
  /** Height of a viewer that is part of a page, as CSS. */
  height?: string;
}

/** Fulfilled after the browser has painted once; soon, if it does not, as out of sight. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 500);
  });
}

export class Viewer {
  readonly forest: Forest;
  readonly store: Store;
  readonly stage: Stage;
  readonly camera: Camera;
  readonly tRange: [low: number, high: number];
  theme: Theme;
  private readonly prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly search: HTMLInputElement;
  readonly help: Help;
  private readonly live: HTMLElement;
  private readonly observer: ResizeObserver;
  private readonly end = new AbortController();
  private walked: { key: unknown[]; walk: Walk } | null = null;

  constructor(
    readonly root: HTMLElement,
    payload: Payload,
    readonly options: Options,
  ) {
    this.forest = new Forest(payload);
    const { header } = this.forest;
    this.tRange = [Math.min(0, header.layoutT.half, header.layoutT.base), 1];
    this.store = new Store(this.firstState());
    this.store.listen((changed) => {
      if (changed.has("center")) this.forest.center = this.state.center; // before all others
    });
    this.theme = this.findTheme();
    adoptStyles(root);
    root.classList.add("horotree");
    root.classList.toggle("ht-page", options.page === true);
    if (options.height) root.style.setProperty("--ht-height", options.height);
    followRoom(root, options.page === true, this.end.signal);
    this.live = el("div", {
      class: "ht-hidden",
      part: "live",
      attributes: { "aria-live": "polite" },
    });
    this.camera = new Camera(this);
    this.stage = new Stage(this);
    const { toolbar, search } = makeToolbar(this);
    this.search = search;
    this.help = makeHelp(this);
    const scrubber = new Scrubber(this);
    const tabs = {
      tree: new TreeTab(this),
      node: new NodeTab(this),
      example: new ExampleTab(this),
    };
    root.replaceChildren(
      toolbar,
      el(
        "div",
        { class: "ht-main" },
        el(
          options.page ? "main" : "div",
          { class: "ht-stage" },
          el(
            "div",
            { class: "ht-frame" },
            this.stage.element,
            makeZoomButtons(this),
            new Tooltip(this).element,
          ),
          new TemperatureSlider(this).element,
        ),
        makePanel(this, tabs),
      ),
      scrubber.element,
      makeSheet(this, this.end.signal),
      this.help.element,
      this.live,
    );
    this.applyTheme();
    listenToPointers(this);
    listenToTouch(this);
    listenToKeys(this, options.page ? document : root, this.end.signal);
    this.store.listen((changed) => {
      if (changed.has("scheme") || changed.has("theme")) this.applyTheme();
      const has = (...keys: (keyof State)[]): boolean => keys.some((key) => changed.has(key));
      if (has("focused", "tree", "ensemble", "center")) this.speak();
      if (this.state.fit && has("tree", "ensemble", "center", "t")) this.camera.fit(false);
    });
    this.prefersDark.addEventListener("change", this.applyTheme);
    this.observer = new ResizeObserver(() => {
      adoptStyles(root); // a notebook may put the element on the page later
      this.stage.resize();
      if (this.isReady) scrubber.resize();
    });
    this.observer.observe(this.stage.element);
    this.observer.observe(scrubber.element);
    this.stage.resize();
    this.stage.draw();
    this.describeDisk();
    // What is around the disk comes after it.
    this.ready = afterPaint().then(() => {
      this.isReady = true;
      this.onTheme.forEach((listener) => listener());
      scrubber.resize();
    });
  }

  get state(): Readonly<State> {
    return this.store.state;
  }

  private firstState(): State {
    const { header } = this.forest;
    return {
      ensemble: Math.max(
        header.ensembles.findIndex(({ trees }) => trees[1] > trees[0]),
        0,
      ),
      tree: 0,
      center: header.center,
      t: header.layoutT[header.center],
      zoom: 1,
      pan: [0, 0],
      fit: false,
      centered: -1,
      hovered: -1,
      focused: -1,
      selected: -1,
      tapped: -1,
      query: "",
      features: new Set(),
      isolines: "value",
      heldOut: header.heldOut !== null,
      scheme: "safe",
      theme: "auto",
      tab: "tree",
      example: null,
    };
  }

  /** Take the viewer off the page. */
  destroy(): void {
    this.observer.disconnect();
    this.end.abort();
    this.prefersDark.removeEventListener("change", this.applyTheme);
    this.camera.stop();
    this.root.replaceChildren();
  }

  // --- colors -------------------------------------------------------------------------------------

  private findTheme(): Theme {
    const { theme, scheme } = this.store.state;
    const name = theme === "auto" ? (this.prefersDark.matches ? "dark" : "light") : theme;
    return makeTheme(name, scheme);
  }

  private readonly applyTheme = (): void => {
    this.theme = this.findTheme();
    for (const [name, value] of Object.entries(asProperties(this.theme)))
      this.root.style.setProperty(name, value);
    this.root.style.colorScheme = this.theme.name;
    this.root.dataset["theme"] = this.theme.name;
    this.stage.invalidate();
    if (this.isReady) this.onTheme.forEach((listener) => listener());
  };

  /** What else has colors: called when they change, and when all is ready. */
  readonly onTheme: (() => void)[] = [];
  /** Fulfilled when everything is shown, not the disk alone. */
  readonly ready: Promise<void>;
  private isReady = false;

  // --- trees --------------------------------------------------------------------------------------

  /** Show a tree of the ensemble; beyond the ends, the first or last. */
  showTree(tree: number): void {
    const last = this.forest.size(this.state.ensemble) - 1;
    this.store.update({ tree: Math.min(Math.max(tree, 0), last) });
  }

  showEnsemble(ensemble: number): void {
    const last = this.forest.size(ensemble) - 1;
    this.store.update({ ensemble, tree: Math.max(Math.min(this.state.tree, last), 0) });
  }

  /** Draw from another center; the nodes that are told of, or their hosts, stay so. */
  showCenter(center: Origin): void {
    const { forest, state } = this;
    const { node } = this.stage.plan.tree;
    const isAutomatic = state.t === forest.layoutT;
    this.camera.settle();
    forest.center = center;
    const { row } = forest.tree(state.ensemble, state.tree);
    const moved = (r: number): number => (r < 0 ? r : row[node[r]]);
    this.store.update({
      center,
      selected: moved(state.selected),
      focused: moved(state.focused),
      ...(isAutomatic ? { t: forest.layoutT } : {}),
    });
  }

  /** The rows that decide most, which are numbered in the picture. */
  numbered(): number[] {
    return this.stage.plan.strongest;
  }

  /** Mark a node as the one that is told of; -1 for none. */
  select(row: number): void {
    this.store.update({
      selected: row,
      focused: row >= 0 ? row : this.state.focused,
      ...(row >= 0 ? { tab: "node" as const } : {}),
    });
  }

  // --- the way the example goes -------------------------------------------------------------------

  /** Where the example goes in the trees of the ensemble; null without one. */
  walk(): Walk | null {
    const { example, ensemble, center } = this.state;
    if (!example) return null;
    const key = [example, ensemble, center];
    if (this.walked?.key.some((part, i) => part !== key[i]) ?? true)
      this.walked = { key, walk: follow(this.forest, ensemble, example) };
    return this.walked!.walk;
  }

  /** The row at which the example stops in the tree that is shown. */
  exampleRow(): number {
    return this.walk()?.stops[this.state.tree]?.row ?? -1;
  }

  // --- looking ------------------------------------------------------------------------------------

  /** Move the node that is marked, by pointer or keyboard, to the middle. */
  centerOnMarked(): void {
    const { hovered, focused, selected } = this.state;
    const row = [hovered, focused, selected].find((r) => r >= 0) ?? -1;
    if (row >= 0) this.store.update({ centered: row, hovered: -1 });
  }

  /** One step back: to the middle, from the node that is told of, from the search. */
  goBack(): void {
    const { tapped, centered, selected, query } = this.state;
    if (tapped >= 0) this.store.update({ tapped: -1 });
    else if (centered >= 0) this.store.update({ centered: -1 });
    else if (selected >= 0) this.store.update({ selected: -1, tab: "tree" });
    else if (query) this.store.update({ query: "", features: new Set() });
  }

  nextIsolines(): void {
    const kinds = isolineChoices(this.forest.header.valueKind).map(({ value }) => value);
    const next = (kinds.indexOf(this.state.isolines) + 1) % kinds.length;
    this.store.update({ isolines: kinds[next] });
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  /** Where there is nothing to scroll, the wheel zooms; else only if the disk has the focus. */
  takesWheel(event: WheelEvent): boolean {
    return (
      !isScrolled(this.root) ||
      event.ctrlKey ||
      (this.stage.element.getRootNode() as Document | ShadowRoot).activeElement ===
        this.stage.element
    );
  }

  // --- saying -------------------------------------------------------------------------------------

  /** Say something to those who listen. */
  say(text: string): void {
    this.live.textContent = text;
  }

  private speak(): void {
    const text = this.stage.element.matches(":focus") ? this.tellFocused() : "";
    this.describeDisk();
    if (text) this.say(text);
  }

  /** Set by the tooltip, which knows what is said of nodes. */
  tellFocused: () => string = () => "";

  private describeDisk(): void {
    const { tree, ensemble } = this.state;
    const shown = this.stage.plan.tree;
    const farther = {
      half: "farther from the center the surer",
      base: "farther from the center the more they differ from the root",
    };
    this.stage.element.setAttribute(
      "aria-label",
      `Tree ${treeNumber(this.forest, ensemble, tree)} of ${treeTotal(this.forest, ensemble)}: ${shown.m} nodes in a disk, ` +
        `${farther[this.state.center]}. Arrow keys walk along the tree, Enter selects a node.`,
    );
  }

  // --- files --------------------------------------------------------------------------------------

  exportSvg(): void {
    exportSvg(this);
  }

  exportPng(): void {
    void exportPng(this);
  }
}
