// The panel beside the disk: what is told of the tree, of a node, of an example.

import { el, uniqueId } from "../dom";
import type { Tab } from "../state";
import type { Viewer } from "../../viewer";

export interface TabContent {
  readonly element: HTMLElement;
}

const NAMES: Record<Tab, string> = { tree: "Tree", node: "Node", example: "Example" };

export function makePanel(viewer: Viewer, contents: Record<Tab, TabContent>): HTMLElement {
  const tabs = Object.keys(NAMES) as Tab[];
  const buttons = new Map<Tab, HTMLButtonElement>();
  const panels = new Map<Tab, HTMLElement>();
  for (const tab of tabs) {
    const [id, panelId] = [uniqueId(), uniqueId()];
    const head = el("button", {
      text: NAMES[tab],
      part: `tab-${tab}`,
      attributes: { role: "tab", id, "aria-controls": panelId },
    });
    head.type = "button";
    head.addEventListener("click", () => viewer.store.update({ tab }));
    buttons.set(tab, head);
    panels.set(
      tab,
      el(
        "section",
        {
          class: "ht-tab",
          part: `panel-${tab}`,
          attributes: { role: "tabpanel", id: panelId, "aria-labelledby": id, tabindex: 0 },
        },
        contents[tab].element,
      ),
    );
  }
  const list = el(
    "div",
    { class: "ht-tabs", attributes: { role: "tablist", "aria-label": "What is told" } },
    ...buttons.values(),
  );
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.indexOf(viewer.state.tab);
    const tab = tabs[(at + step + tabs.length) % tabs.length];
    viewer.store.update({ tab });
    buttons.get(tab)!.focus();
    event.preventDefault();
  });
  const show = (): void => {
    for (const tab of tabs) {
      const isShown = tab === viewer.state.tab;
      buttons.get(tab)!.setAttribute("aria-selected", String(isShown));
      buttons.get(tab)!.tabIndex = isShown ? 0 : -1;
      panels.get(tab)!.hidden = !isShown;
    }
  };
  viewer.store.listen((changed) => {
    if (changed.has("tab")) show();
  });
  show();
  return el("aside", { class: "ht-panel" }, list, ...panels.values());
}
