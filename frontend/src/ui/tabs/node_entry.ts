// The entry of a node in a list: a click selects the node, the pointer marks it in the disk.

import { entry, type Child } from "../dom";
import type { Session } from "../session";

export function nodeEntry(session: Session, row: number, ...children: Child[]): HTMLElement {
  const hover = (hovered: number): void => session.update({ hovered });
  const on = { pointerenter: () => hover(row), pointerleave: () => hover(-1) };
  return entry(() => session.select(row), { on }, ...children);
}
