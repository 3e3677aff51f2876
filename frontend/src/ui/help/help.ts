// The help: how to read the picture, and the list of keys.

import type { Colors } from "../colors";
import { button, el, uniqueId } from "../dom";
import type { Session } from "../session";
import { makeReading } from "./reading";

const KEYS: [keys: string, what: string][] = [
  ["← →  Home End", "previous, next, first, last tree (nowhere or on the strip of trees)"],
  ["[  ]  Page ↑ ↓", "previous, next tree, ten trees on: from anywhere"],
  ["↑ ↓ ← →", "on the disk: to the parent, the strongest child, the siblings"],
  ["Enter", "on the disk: tell of the node, with its path"],
  ["+  −  0", "enlarge, make smaller, the whole disk"],
  ["f", "fit: enlarge each tree to fill the picture"],
  ["c or double click", "move a node to the middle: how far is it from here?"],
  ["Esc", "back: to the center, from a node, from a search"],
  ["/", "search for a feature"],
  ["i", "isolines: what nodes say, log-odds, none"],
  ["h", "held-out ticks on or off"],
  ["e", "one example through all trees"],
  ["?", "this help; Esc closes it"],
];

const MOVES =
  "The wheel enlarges the picture (where the page scrolls: with Ctrl, or after a click on the disk), dragging moves it, " +
  "a double click moves a node to the middle. Where the page scrolls one finger scrolls it, and two " +
  "move and enlarge the disk. A click or tap on a node tells of it.";

export interface Help {
  readonly element: HTMLDialogElement;
  show: () => void;
}

export function makeHelp(session: Session, colors: Colors): Help {
  const reading = makeReading(session, colors);
  const close = button("Close", "help-close", () => dialog.close(), { class: "ht-primary" });
  const title = el("h2", { text: "How to read it", id: uniqueId() });
  const dialog = el(
    "dialog",
    { class: "ht-help", part: "help", "aria-labelledby": title.id },
    el("div", { class: "ht-help-head" }, title, close),
    reading.element,
    el("h3", { text: "Keys" }),
    el(
      "dl",
      {},
      ...KEYS.flatMap(([keys, what]) => [el("dt", { text: keys }), el("dd", { text: what })]),
    ),
    el("h3", { text: "Mouse and fingers" }),
    el("p", { text: MOVES }),
  );
  // A click beside the dialog is sent to it, with a place outside of its box.
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) dialog.close();
  });
  const show = (): void => {
    if (dialog.open) return;
    reading.show();
    dialog.showModal();
    dialog.scrollTop = 0;
  };
  return { element: dialog, show };
}
