// Mouse, pen and wheel on the disk: pan, zoom, hover, click. Fingers: touch.ts.

import type { Point } from "../../draw/geometry";
import { hasFocus, placeIn } from "../dom";
import { isScrolled } from "../room";
import type { Session } from "../session";
import type { Camera } from "./camera";
import type { Stage } from "./stage";

const DRAG = 4;

export function listenToPointers(
  root: HTMLElement,
  session: Session,
  stage: Stage,
  camera: Camera,
): void {
  const { element } = stage;
  let held = -1;
  let dragged = false;
  let start: Point = [0, 0];
  let last: Point = start;
  const rowAt = (event: MouseEvent): number => stage.rowAt(...placeIn(element, event));

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    element.setPointerCapture(event.pointerId);
    held = event.pointerId;
    dragged = false;
    start = last = placeIn(element, event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    if (event.pointerId !== held) {
      session.update({ hovered: rowAt(event) });
      return;
    }
    const now = placeIn(element, event);
    if (Math.hypot(now[0] - start[0], now[1] - start[1]) > DRAG) dragged = true;
    if (!dragged) return;
    stage.touch();
    camera.panBy(now[0] - last[0], now[1] - last[1]);
    last = now;
    session.update({ hovered: -1 });
    element.classList.add("ht-dragging");
  });
  const release = (event: PointerEvent): void => {
    if (event.pointerId !== held) return;
    held = -1;
    element.classList.remove("ht-dragging");
    if (!dragged && event.type !== "pointercancel") session.select(rowAt(event));
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => session.update({ hovered: -1 }));
  element.addEventListener("dblclick", (event) => {
    const row = rowAt(event);
    if (row >= 0 || session.state.centered >= 0) session.centerOn(row);
  });
  const zoom = (event: WheelEvent): void => {
    // Where there is nothing to scroll, the wheel zooms; else only if the disk has the focus.
    if (isScrolled(root) && !event.ctrlKey && !hasFocus(element)) return;
    event.preventDefault();
    stage.touch();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    const factor = Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0018));
    camera.zoomBy(factor, placeIn(element, event));
  };
  element.addEventListener("wheel", zoom, { passive: false });
  element.addEventListener("focus", () => {
    const { focused, selected } = session.state;
    if (focused < 0) session.update({ focused: Math.max(selected, 0) });
    stage.invalidate("over");
  });
  element.addEventListener("blur", () => stage.invalidate("over"));
}
