// The card of a tapped node, from below, with the way to the node's tab.

import { describeNode } from "../../model/node_texts";
import { cardOf } from "../card";
import { button, el } from "../dom";
import type { Session } from "../session";
import type { Stage } from "./stage";

// Pixels that stay free between the node and the sheet.
const GAP = 28;

// The least height of a sheet, in pixels: it scrolls by itself where there is no room.
const LEAST = 140;

/** Make the sheet; `showPanel` brings the node's tab into view. */
export function makeSheet(
  session: Session,
  stage: Stage,
  showPanel: () => void,
  signal: AbortSignal,
): HTMLElement {
  const card = el("div", { class: "ht-sheet-card" });
  const close = (): void => session.update({ tapped: -1 });
  const more = (): void => {
    session.select(session.state.tapped);
    close();
    showPanel();
  };
  const sheet = el(
    "div",
    { class: "ht-sheet", part: "sheet", role: "dialog", "aria-label": "Node", tabindex: -1 },
    card,
    el(
      "div",
      { class: "ht-sheet-buttons" },
      button("More", "sheet-more", more, { title: "Its rule to copy, and the path to it" }),
      button("Close", "sheet-close", close),
    ),
  );
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
  session.follow(["tapped"], () => {
    const { tapped, ensemble } = session.state;
    sheet.hidden = tapped < 0;
    if (tapped < 0) return;
    card.replaceChildren(...cardOf(describeNode(session.forest, ensemble, session.tree, tapped)));
    sheet.scrollTop = 0;
    uncover(tapped);
  });
  // A click elsewhere closes it; taps on the disk are no clicks.
  const closeOutside = (event: Event): void => {
    if (!sheet.hidden && !event.composedPath().includes(sheet)) close();
  };
  document.addEventListener("click", closeOutside, { signal });
  return sheet;
}
