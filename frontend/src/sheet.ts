// What a tap on a node brings up from below: its card, and the way to all that is told of it.

import { button, el } from "./dom";
import { describeNode } from "./texts";
import { cardOf } from "./tooltip";
import type { Viewer } from "./viewer";

// Pixels that stay free between the node and the sheet.
const GAP = 28;

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
  /** Scroll so far that the sheet does not cover its node. */
  const uncover = (row: number): void => {
    const y = stage.element.getBoundingClientRect().top + stage.placeOf(row)[1];
    const over = y + GAP - sheet.getBoundingClientRect().top;
    if (over > 0) window.scrollBy(0, over);
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
