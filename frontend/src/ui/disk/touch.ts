// Fingers on the disk: one scrolls the page, two move and enlarge the disk, a tap tells of a node.

import type { Point } from "../../draw/geometry";
import { isScrolled } from "../room";
import type { Viewer } from "../../viewer";

// Pixels: a finger that moves farther does not tap; how near to a node a tap must be.
const SLACK = 10;
const REACH = 24;

export function listenToTouch(viewer: Viewer): void {
  const { stage, store, camera } = viewer;
  const { element } = stage;
  let last = new Map<number, Point>();
  let start: Point = [0, 0];
  let isTap = false;
  const placesOf = (event: TouchEvent): Map<number, Point> => {
    const box = element.getBoundingClientRect();
    return new Map(
      [...event.targetTouches].map((touch) => [
        touch.identifier,
        [touch.clientX - box.left, touch.clientY - box.top],
      ]),
    );
  };

  const begin = (event: TouchEvent): void => {
    const now = placesOf(event);
    if (now.size === 1) [start] = now.values();
    isTap = now.size === 1;
    last = now;
    if (now.size > 1 && event.cancelable) event.preventDefault();
  };
  const go = (event: TouchEvent): void => {
    const now = placesOf(event);
    const [[a, to], second] = [...now];
    if (Math.hypot(to[0] - start[0], to[1] - start[1]) > SLACK) isTap = false;
    const from = last.get(a);
    // Once the page scrolls, it cannot be held.
    if (isTap || !from || !event.cancelable) return;
    if (second) {
      const [b, other] = second;
      const before = last.get(b) ?? other;
      camera.pinch(from, to, before);
      camera.pinch(before, other, to);
    } else if (isScrolled(viewer.root)) return;
    else camera.panBy(to[0] - from[0], to[1] - from[1]);
    event.preventDefault();
    stage.touch();
    last = now;
  };
  const end = (event: TouchEvent): void => {
    last = placesOf(event);
    if (!isTap || last.size || event.type === "touchcancel") return;
    // What would follow, a click and its focus, is for mice.
    event.preventDefault();
    isTap = false;
    store.update({ tapped: stage.rowAt(...start, REACH), hovered: -1 });
  };
  element.addEventListener("touchstart", begin, { passive: false });
  element.addEventListener("touchmove", go, { passive: false });
  element.addEventListener("touchend", end, { passive: false });
  element.addEventListener("touchcancel", end);
}
