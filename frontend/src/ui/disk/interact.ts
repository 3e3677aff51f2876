// Mouse, pen and keys: pan, zoom, hover, click, and walking along the tree. Fingers: touch.ts.

import type { Point } from "../../draw/geometry";
import type { Viewer } from "../../viewer";

const DRAG = 4;

/** Let mouse, pen and wheel act on the disk. */
export function listenToPointers(viewer: Viewer): void {
  const { stage, store } = viewer;
  const { element } = stage;
  let held = -1;
  let dragged = false;
  let start: Point = [0, 0];
  let last: Point = start;
  const place = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    element.setPointerCapture(event.pointerId);
    held = event.pointerId;
    dragged = false;
    start = last = place(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const now = place(event);
    if (event.pointerId !== held) {
      store.update({ hovered: stage.rowAt(...now) });
      return;
    }
    if (Math.hypot(now[0] - start[0], now[1] - start[1]) > DRAG) dragged = true;
    if (!dragged) return;
    stage.touch();
    viewer.camera.panBy(now[0] - last[0], now[1] - last[1]);
    last = now;
    store.update({ hovered: -1 });
    element.classList.add("ht-dragging");
  });
  const release = (event: PointerEvent): void => {
    if (event.pointerId !== held) return;
    held = -1;
    element.classList.remove("ht-dragging");
    if (dragged || event.type === "pointercancel") return;
    viewer.select(stage.rowAt(...place(event)));
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => store.update({ hovered: -1 }));
  element.addEventListener("dblclick", (event) => {
    const row = stage.rowAt(...place(event));
    if (row >= 0 || store.state.centered >= 0) store.update({ centered: row, hovered: -1 });
  });
  element.addEventListener(
    "wheel",
    (event) => {
      if (!viewer.takesWheel(event)) return;
      event.preventDefault();
      stage.touch();
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
      viewer.camera.zoomBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0018)), place(event));
    },
    { passive: false },
  );
  element.addEventListener("focus", () => {
    if (store.state.focused < 0)
      store.update({ focused: store.state.selected >= 0 ? store.state.selected : 0 });
    stage.invalidate("over");
  });
  element.addEventListener("blur", () => stage.invalidate("over"));
}

/** Walk to a parent, child or sibling by arrow key; returns whether the key was one. */
function walk(viewer: Viewer, key: string): boolean {
  const { store, stage } = viewer;
  const tree = stage.plan.tree;
  const row = Math.max(store.state.focused, 0);
  const byAngle = (rows: number[]): number[] =>
    rows.sort((a, b) => tree.angle[a] - tree.angle[b] || a - b);
  let next = row;
  if (key === "ArrowUp") next = tree.parentRow[row] >= 0 ? tree.parentRow[row] : row;
  else if (key === "ArrowDown") {
    const children = tree.childrenOf(row);
    next = children.sort((a, b) => tree.worth[b] - tree.worth[a] || a - b)[0] ?? row;
  } else if (key === "ArrowLeft" || key === "ArrowRight") {
    const above = tree.parentRow[row];
    const siblings = above >= 0 ? byAngle(tree.childrenOf(above)) : [row];
    const step = key === "ArrowLeft" ? 1 : -1;
    next = siblings[(siblings.indexOf(row) + step + siblings.length) % siblings.length];
  } else if (key === "Home") next = 0;
  else return false;
  store.update({ focused: next, hovered: next });
  return true;
}

/** Whether an element takes letters itself. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["range", "checkbox", "button"].includes(target.type);
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Let keys act: those of the disk where it has the focus, the others everywhere. */
export function listenToKeys(
  viewer: Viewer,
  target: HTMLElement | Document,
  signal: AbortSignal,
): void {
  const { stage, store } = viewer;
  const listen = (event: Event): void => {
    const { key, altKey, ctrlKey, metaKey } = event as KeyboardEvent;
    if (event.defaultPrevented || altKey || ctrlKey || metaKey) return;
    // An open dialog has its own keys: Escape closes it.
    if (viewer.help.element.open) return;
    if (takesText(event.target)) {
      if (key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    const onDisk = event.target === stage.element;
    const onPage = event.target === document.body || event.target === document.documentElement;
    if (onDisk && walk(viewer, key)) event.preventDefault();
    else if (onDisk && (key === "Enter" || key === " ")) {
      viewer.select(store.state.focused);
      event.preventDefault();
    } else if ((onPage && pageKey(viewer, key)) || viewerKey(viewer, key)) event.preventDefault();
  };
  target.addEventListener("keydown", listen, { signal });
}

/** Where nothing has the focus, arrow keys go through the trees. */
function pageKey(viewer: Viewer, key: string): boolean {
  const { tree, ensemble } = viewer.state;
  const steps: Record<string, number> = {
    ArrowLeft: tree - 1,
    ArrowRight: tree + 1,
    Home: 0,
    End: viewer.forest.size(ensemble) - 1,
  };
  if (!(key in steps)) return false;
  viewer.showTree(steps[key]);
  return true;
}

function viewerKey(viewer: Viewer, key: string): boolean {
  const { store, state } = viewer;
  const actions: Record<string, () => void> = {
    "+": () => viewer.camera.zoomStep(1.4),
    "=": () => viewer.camera.zoomStep(1.4),
    "-": () => viewer.camera.zoomStep(1 / 1.4),
    "0": () => viewer.camera.whole(),
    f: () => viewer.camera.fit(true),
    c: () => viewer.centerOnMarked(),
    Escape: () => viewer.goBack(),
    h: () => store.update({ heldOut: viewer.forest.header.heldOut !== null && !state.heldOut }),
    i: () => viewer.nextIsolines(),
    "/": () => viewer.focusSearch(),
    e: () => store.update({ tab: "example" }),
    "?": () => viewer.help.show(),
    "[": () => viewer.showTree(state.tree - 1),
    "]": () => viewer.showTree(state.tree + 1),
    PageUp: () => viewer.showTree(state.tree - 10),
    PageDown: () => viewer.showTree(state.tree + 10),
  };
  const action = actions[key];
  action?.();
  return action !== undefined;
}
