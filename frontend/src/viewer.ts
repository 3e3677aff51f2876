// The viewer: makes its parts, gives each what it needs, and puts them on the page.

import { findChange, type Found } from "./model/change/smallest";
import { attribute, type Attribution } from "./model/example/shapley";
import { Forest } from "./model/forest";
import type { Payload } from "./model/payload";
import { isPartial } from "./model/shown";
import { Colors } from "./ui/colors";
import { Camera } from "./ui/disk/camera";
import { Motion } from "./ui/disk/motion";
import { listenToPointers } from "./ui/disk/pointer";
import { makeSheet } from "./ui/disk/sheet";
import { Stage } from "./ui/disk/stage";
import { makeTemperature } from "./ui/disk/temperature";
import { Tooltip } from "./ui/disk/tooltip";
import { listenToTouch } from "./ui/disk/touch";
import { makeZoomButtons } from "./ui/disk/zoom_buttons";
import { el } from "./ui/dom";
import { exportPng, exportSvg } from "./ui/export";
import { makeHelp } from "./ui/help/help";
import { listenToKeys } from "./ui/keys";
import { Live } from "./ui/live";
import { followRoom } from "./ui/room";
import { Session } from "./ui/session";
import { Scrubber } from "./ui/strip/scrubber";
import { adoptStyles } from "./ui/styles";
import { ExampleTab } from "./ui/tabs/example";
import { NodeTab } from "./ui/tabs/node";
import { makePanel } from "./ui/tabs/panel";
import { TreeTab } from "./ui/tabs/tree";
import { makeToolbar } from "./ui/toolbar";

export interface Options {
  /** Whether the viewer is the whole page; else it leaves keys and wheel to others. */
  page?: boolean;
  /** Height of a viewer that is part of a page, as CSS. */
  height?: string;
}

/** What pages get hold of. */
export interface Handle {
  /** The state, as plain values. */
  readonly state: Record<string, unknown>;
  readonly stats: Stage["stats"];
  /** Where a row (a kept node, the root is 0) is in the disk's element, in pixels. */
  placeOf(row: number): [x: number, y: number];
  benchmark(frames?: number): number[];
  /** What each feature did to a row's scores, an entry an ensemble; null where it is not known. */
  attributions(row: (number | null)[]): (Attribution | null)[];
  /** The smallest change of a row that turns the model's answer, and how far it was searched for. */
  change(row: (number | null)[]): Found | null;
  destroy: () => void;
}

/** Show a model in an element; fulfilled when everything is shown, not the disk alone. */
export async function show(
  root: HTMLElement,
  payload: Payload,
  { page = false, height }: Options,
): Promise<Handle> {
  const forest = new Forest(payload);
  const session = new Session(forest);
  const end = new AbortController();
  adoptStyles(root);
  root.classList.add("horotree");
  root.classList.toggle("ht-page", page);
  if (height) root.style.setProperty("--ht-height", height);
  followRoom(root, page, end.signal);

  const colors = new Colors(root, session, end.signal);
  const motion = new Motion();
  const stage: Stage = new Stage(session, colors, motion, () => camera.refit(true));
  const camera = new Camera(session, stage, motion);
  const live = new Live(session, stage.element);
  const help = makeHelp(session, colors);
  const { toolbar, search } = makeToolbar(session, {
    showCenter: (center) => {
      motion.settle();
      session.showCenter(center);
    },
    exportSvg: () => exportSvg(session, stage, colors.theme),
    exportPng: () => void exportPng(session, stage, colors.theme),
    showHelp: help.show,
  });
  const scrubber = new Scrubber(session, colors);
  const panel = makePanel(session, {
    tree: new TreeTab(session, colors).element,
    node: new NodeTab(session, (text) => live.say(text)).element,
    example: new ExampleTab(session, colors).element,
  });
  const disk = [
    stage.element,
    makeZoomButtons(session, camera),
    new Tooltip(session, stage).element,
  ];
  const column = el(
    page ? "main" : "div",
    { class: "ht-stage" },
    el("div", { class: "ht-frame" }, ...disk),
    makeTemperature(session, stage, camera),
  );
  root.replaceChildren(
    toolbar,
    el("div", { class: "ht-main" }, column, panel.element),
    scrubber.element,
    makeSheet(session, stage, panel.showNode, end.signal),
    help.element,
    live.element,
  );

  listenToPointers(root, session, stage, camera);
  listenToTouch(root, session, stage, camera);
  const targets = {
    disk: stage.element,
    dialog: help.element,
    camera,
    showHelp: help.show,
    focusSearch: () => {
      search.focus();
      search.select();
    },
  };
  listenToKeys(page ? document : root, session, targets, end.signal);

  let isReady = false;
  const observer = new ResizeObserver(() => {
    adoptStyles(root); // a notebook may put the element on the page later
    if (stage.resize()) camera.refit(false);
    if (isReady) scrubber.resize();
  });
  observer.observe(stage.element);
  observer.observe(scrubber.element);
  stage.resize();
  stage.draw();
  // What is around the disk comes after it.
  await afterPaint();
  isReady = true;
  colors.notify();
  scrubber.resize();

  return {
    get state() {
      const { features, example, ...rest } = session.state;
      return { ...rest, features: [...features], example: example && [...example] };
    },
    stats: stage.stats,
    placeOf: (row) => stage.placeOf(row),
    benchmark: (frames) => stage.benchmark(frames),
    attributions: (row) => forest.ensembles.map((_, k) => attribute(forest, k, toRow(row))),
    change: (row) => (isPartial(forest) ? null : findChange(forest, toRow(row))),
    destroy: () => {
      observer.disconnect();
      end.abort();
      motion.stop();
      root.replaceChildren();
    },
  };
}

/** Fulfilled after the browser has painted once; soon, if it does not, as out of sight. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 500);
  });
}

function toRow(values: (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}
