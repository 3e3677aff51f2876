// The list of keys.

import { button, el } from "./dom";

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
  [
    "Center",
    "base rate: distance is what tests change from the root, so a rare class has room; even odds: distance is how sure a node is",
  ],
  ["h", "held-out ticks on or off"],
  ["e", "one example through all trees"],
  ["?", "these keys"],
];

export function makeHelp(): HTMLDialogElement {
  const dialog = el("dialog", {
    class: "ht-help",
    part: "help",
    attributes: { "aria-label": "Keys" },
  });
  dialog.append(
    el("h2", { text: "Keys" }),
    el(
      "dl",
      {},
      ...KEYS.flatMap(([keys, what]) => [el("dt", { text: keys }), el("dd", { text: what })]),
    ),
    el("p", {
      class: "ht-quiet",
      text: "The wheel and two fingers zoom, dragging moves the picture.",
    }),
    button("Close", "help-close", () => dialog.close()),
  );
  return dialog;
}
