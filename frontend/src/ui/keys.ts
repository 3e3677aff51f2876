// The keyboard. Some keys need the focus on the disk, some on nothing; the others work anywhere.

import type { Tree } from "../model/tree";
import type { Camera } from "./disk/camera";
import type { Session } from "./session";

/** The parts that keys act on, beside the session. */
export interface KeyTargets {
  disk: HTMLElement;
  dialog: HTMLDialogElement;
  camera: Camera;
  showHelp: () => void;
  focusSearch: () => void;
}

export function listenToKeys(
  target: HTMLElement | Document,
  session: Session,
  targets: KeyTargets,
  signal: AbortSignal,
): void {
  const act = (key: string, at: EventTarget | null): boolean => {
    if (at === targets.disk && diskKey(session, key)) return true;
    const onPage = at === document.body || at === document.documentElement;
    return (onPage && pageKey(session, key)) || otherKey(session, targets, key);
  };
  const listen = (event: Event): void => {
    const { key, altKey, ctrlKey, metaKey, defaultPrevented } = event as KeyboardEvent;
    if (defaultPrevented || altKey || ctrlKey || metaKey) return;
    if (targets.dialog.open) return; // it has its own keys: Escape closes it
    if (takesText(event.target)) {
      if (key === "Escape") (event.target as HTMLElement).blur();
    } else if (act(key, event.target)) event.preventDefault();
  };
  target.addEventListener("keydown", listen, { signal });
}

/** Whether an element takes letters itself. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["range", "checkbox", "button"].includes(target.type);
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Walk along the tree, or select; returns whether the key was one of these. */
function diskKey(session: Session, key: string): boolean {
  const { focused } = session.state;
  const next = nextRow(session.tree, Math.max(focused, 0), key);
  if (next !== null) session.update({ focused: next, hovered: next });
  else if (key === "Enter" || key === " ") session.select(focused);
  else return false;
  return true;
}

/** The row that an arrow key leads to: parent, strongest child, sibling; null for other keys. */
export function nextRow(tree: Tree, row: number, key: string): number | null {
  const above = tree.parentRow[row];
  if (key === "Home") return 0;
  if (key === "ArrowUp") return Math.max(above, 0);
  if (key === "ArrowDown") {
    const children = tree.childrenOf(row);
    return children.sort((a, b) => tree.worth[b] - tree.worth[a] || a - b)[0] ?? row;
  }
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const siblings = above >= 0 ? tree.childrenOf(above) : [row];
  siblings.sort((a, b) => tree.angle[a] - tree.angle[b] || a - b);
  const step = key === "ArrowLeft" ? 1 : -1;
  return siblings[(siblings.indexOf(row) + step + siblings.length) % siblings.length];
}

/** Where nothing has the focus, arrow keys go through the trees. */
function pageKey(session: Session, key: string): boolean {
  const { tree } = session.state;
  const last = session.size - 1;
  return goTo(session, key, { ArrowLeft: tree - 1, ArrowRight: tree + 1, Home: 0, End: last });
}

/** Show the tree of a key; returns whether there is one. */
export function goTo(session: Session, key: string, trees: Record<string, number>): boolean {
  if (!(key in trees)) return false;
  session.showTree(trees[key]);
  return true;
}

function otherKey(session: Session, targets: KeyTargets, key: string): boolean {
  const { camera } = targets;
  const { tree } = session.state;
  const actions: Record<string, () => void> = {
    "+": () => camera.zoomIn(),
    "=": () => camera.zoomIn(),
    "-": () => camera.zoomOut(),
    "0": () => camera.whole(),
    f: () => camera.fit(),
    c: () => session.centerOnMarked(),
    Escape: () => session.goBack(),
    h: () => session.toggleHeldOut(),
    i: () => session.nextIsolines(),
    e: () => session.update({ tab: "example" }),
    "/": targets.focusSearch,
    "?": targets.showHelp,
    "[": () => session.showTree(tree - 1),
    "]": () => session.showTree(tree + 1),
    PageUp: () => session.showTree(tree - 10),
    PageDown: () => session.showTree(tree + 10),
  };
  const action = actions[key];
  action?.();
  return action !== undefined;
}
