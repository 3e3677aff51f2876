// What a tap on a node brings up from below: its card, and the way to all that is told of it.

import { button, el } from "../dom";
import { describeNode } from "../../model/node_texts";
import { cardOf } from "./tooltip";
import type { Viewer } from "../../viewer";

// Pixels that stay free between the node and the sheet.
const GAP = 28;

// The least height of a sheet, in pixels: it scrolls by itself where there is no room.
const LEAST = 140;

export function makeSheet(viewer: Viewer, signal: AbortSignal): HTMLElement {
  const { store, stage, forest } = viewer;
  const card = el("div", { class: "ht-sheet-card" });
  const close = (): void => store.update({ tapped: -1 });
  const more = (): void => {
    viewer.select(store.state.tapped);
    close();
    const panel = viewer.root.querySelector<HTMLElement>("[data-ht='panel-node']")!;
    panel.parentElement!.scrollIntoView();
    panel.focus({ preventScroll: true });
  };
  const sheet = el(
    "div",
    {
      class: "ht-sheet",
      part: "sheet",
      attributes: { role: "dialog", "aria-label": "Node", tabindex: -1 },
    },
    card,
    el(
      "div",
      { class: "ht-sheet-buttons" },
      button("More", "sheet-more", more, { title: "Its rule to copy, and the path to it" }),
      button("Close", "sheet-close", close),
    ),
  );
  const show = (): void => {
    const { tapped, ensemble } = store.state;
    sheet.hidden = tapped < 0;
    if (tapped < 0) return;
    const tree = stage.plan.tree;
    card.replaceChildren(...cardOf(describeNode(forest, ensemble, tree, tapped)));
    sheet.scrollTop = 0;
    uncover(tapped);
  };
  /** By how much the sheet covers its node, with a gap; not above 0 if it does not. */
  const overlap = (row: number): number =>
    stage.element.getBoundingClientRect().top +
    stage.placeOf(row)[1] +
    GAP -
    sheet.getBoundingClientRect().top;
  /** Scroll so far that the sheet does not cover its node; where nothing scrolls, make it lower. */
  const uncover = (row: number): void => {
    sheet.style.maxHeight = "";
    if (overlap(row) > 0) window.scrollBy(0, overlap(row));
    const over = overlap(row);
    if (over > 0) sheet.style.maxHeight = `${Math.max(sheet.offsetHeight - over, LEAST)}px`;
  };
  store.listen((changed) => {
    if (changed.has("tapped")) show();
  });
  // A click elsewhere closes it; taps on the disk are no clicks.
  document.addEventListener(
    "click",
    (event) => {
      if (!sheet.hidden && !event.composedPath().includes(sheet)) close();
    },
    { signal },
  );
  sheet.hidden = true;
  return sheet;
}
