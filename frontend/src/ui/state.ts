// What is looked at, and how: all that the parts of the viewer share.

import type { Point } from "../draw/geometry";
import type { IsolineKind } from "../draw/isolines";
import type { Origin } from "../model/payload";
import type { Scheme } from "../draw/theme";

export type Tab = "tree" | "node" | "example";

export interface State {
  /** Which ensemble: that of a class, if there are several. */
  ensemble: number;
  /** Which tree of it, from 0. */
  tree: number;
  /** What is at the disk's center: even odds, or the root. */
  center: Origin;
  t: number;
  zoom: number;
  /** The point of the disk in the middle of the picture. */
  pan: Point;
  /** Whether the tree is enlarged to fill the picture, whichever it is. */
  fit: boolean;
  /** Rows of the tree, -1 for none: moved to the middle; under the pointer; of the keyboard; clicked; tapped. */
  centered: number;
  hovered: number;
  focused: number;
  selected: number;
  tapped: number;
  /** What is searched for, and the features that it matches. */
  query: string;
  features: ReadonlySet<number>;
  isolines: IsolineKind;
  heldOut: boolean;
  scheme: Scheme;
  theme: "auto" | "light" | "dark";
  tab: Tab;
  /** An example that is followed: its values. */
  example: Float64Array | null;
}

export type Key = keyof State;
type Listener = (changed: ReadonlySet<Key>) => void;

/** The state, and those who listen to its changes. */
export class Store {
  private readonly listeners: Listener[] = [];

  constructor(private current: State) {}

  get state(): Readonly<State> {
    return this.current;
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Change some of it; rows belong to their tree and center, and go with them. */
  update(patch: Partial<State>): void {
    const next = { ...this.current, ...patch };
    const belong = ["tree", "ensemble", "center"] as const;
    if (belong.some((key) => next[key] !== this.current[key]))
      for (const key of ["centered", "hovered", "focused", "selected", "tapped"] as const)
        if (!(key in patch)) next[key] = -1;
    const changed = new Set<Key>();
    for (const key of Object.keys(next) as Key[])
      if (!Object.is(next[key], this.current[key])) changed.add(key);
    if (!changed.size) return;
    this.current = next;
    for (const listener of this.listeners) listener(changed);
  }
}
