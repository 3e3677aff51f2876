// Fingers on the disk: one scrolls the page, two move and enlarge the disk, a tap shows a node's card.

import type { Point } from "../../draw/geometry";
import { placeIn } from "../dom";
import { isScrolled } from "../room";
import type { Session } from "../session";
import type { Camera } from "./camera";
import type { Stage } from "./stage";

// Pixels: a finger that moves farther does not tap; how near to a node a tap must be.
const SLACK = 10;
const REACH = 24;

export function listenToTouch(
  root: HTMLElement,
  session: Session,
  stage: Stage,
  camera: Camera,
): void {
  const { element } = stage;
  let last = new Map<number, Point>();
  let start: Point = [0, 0];
  let isTap = false;
  const fingers = (event: TouchEvent): Map<number, Point> =>
    new Map([...event.targetTouches].map((touch) => [touch.identifier, placeIn(element, touch)]));

  const begin = (event: TouchEvent): void => {
    last = fingers(event);
    isTap = last.size === 1;
    if (isTap) [start] = last.values();
    if (last.size > 1 && event.cancelable) event.preventDefault();
  };
  const go = (event: TouchEvent): void => {
    const now = fingers(event);
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
    } else if (isScrolled(root)) return;
    else camera.panBy(to[0] - from[0], to[1] - from[1]);
    event.preventDefault();
    stage.touch();
    last = now;
  };
  const end = (event: TouchEvent): void => {
    last = fingers(event);
    if (!isTap || last.size || event.type === "touchcancel") return;
    // The click and the focus that would follow are for mice.
    event.preventDefault();
    isTap = false;
    session.update({ tapped: stage.rowAt(...start, REACH), hovered: -1 });
  };
  element.addEventListener("touchstart", begin, { passive: false });
  element.addEventListener("touchmove", go, { passive: false });
  element.addEventListener("touchend", end, { passive: false });
  element.addEventListener("touchcancel", end);
}
