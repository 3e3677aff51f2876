// The panel beside the disk: tabs about the tree, a node, an example.

import { el, uniqueId } from "../dom";
import type { Session, Tab } from "../session";

const NAMES: Record<Tab, string> = { tree: "Tree", node: "Node", example: "Example" };

export interface Panel {
  element: HTMLElement;
  /** Scroll to the node's tab, and give it the focus. */
  showNode: () => void;
}

/** A panel with the elements of its tabs. */
export function makePanel(session: Session, contents: Record<Tab, HTMLElement>): Panel {
  const tabs = (Object.keys(NAMES) as Tab[]).map((tab) => {
    const [id, panelId] = [uniqueId(), uniqueId()];
    const head = el("button", {
      text: NAMES[tab],
      part: `tab-${tab}`,
      role: "tab",
      id,
      "aria-controls": panelId,
      on: { click: () => session.update({ tab }) },
    });
    const role = { role: "tabpanel", id: panelId, "aria-labelledby": id, tabindex: 0 };
    const options = { class: "ht-tab", part: `panel-${tab}`, ...role };
    return { tab, head, panel: el("section", options, contents[tab]) };
  });
  const list = el(
    "div",
    { class: "ht-tabs", role: "tablist", "aria-label": "Details" },
    ...tabs.map(({ head }) => head),
  );
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex(({ tab }) => tab === session.state.tab);
    const { tab, head } = tabs[(at + step + tabs.length) % tabs.length];
    session.update({ tab });
    head.focus();
    event.preventDefault();
  });
  session.follow(["tab"], () => {
    for (const { tab, head, panel } of tabs) {
      const isShown = tab === session.state.tab;
      head.setAttribute("aria-selected", String(isShown));
      head.tabIndex = isShown ? 0 : -1;
      panel.hidden = !isShown;
    }
  });
  const panels = tabs.map(({ panel }) => panel);
  const element = el("aside", { class: "ht-panel" }, list, ...panels);
  const showNode = (): void => {
    element.scrollIntoView();
    panels[1].focus({ preventScroll: true });
  };
  return { element, showNode };
}
