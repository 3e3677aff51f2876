// The state that all parts of the page share, the tree that it selects, and the steps to other states.

import type { Point } from "../draw/geometry";
import { isolineChoices, type IsolineKind } from "../draw/isolines";
import type { Scheme } from "../draw/theme";
import { follow, type Walk } from "../model/example/follow";
import type { Forest } from "../model/forest";
import type { Origin } from "../model/payload";
import type { Tree } from "../model/tree";

export type Tab = "tree" | "node" | "example";

export interface State {
  /** Which ensemble: that of a class, if there are several. */
  ensemble: number;
  /** Which tree of it, from 0. */
  tree: number;
  /** The disk's center: even odds, or the root. */
  center: Origin;
  t: number;
  zoom: number;
  /** The point of the disk in the middle of the picture. */
  pan: Point;
  /** Whether every tree is enlarged to fill the picture. */
  fit: boolean;
  /** Rows of the tree, -1 for none: moved to the middle; under the pointer; of the keyboard; clicked; tapped. */
  centered: number;
  hovered: number;
  focused: number;
  selected: number;
  tapped: number;
  /** The text that is searched for, and the features that it matches. */
  query: string;
  features: ReadonlySet<number>;
  isolines: IsolineKind;
  heldOut: boolean;
  scheme: Scheme;
  theme: "auto" | "light" | "dark";
  tab: Tab;
  /** The values of the example that is followed. */
  example: Float64Array | null;
}

export type Key = keyof State;
type Listener = (changed: ReadonlySet<Key>) => void;

const NO_ROWS = { centered: -1, hovered: -1, focused: -1, selected: -1, tapped: -1 };

function firstState({ header }: Forest): State {
  return {
    ensemble: Math.max(
      header.ensembles.findIndex(({ trees }) => trees[1] > trees[0]),
      0,
    ),
    tree: 0,
    center: header.center,
    t: header.layoutT[header.center],
    zoom: 1,
    pan: [0, 0],
    fit: false,
    ...NO_ROWS,
    query: "",
    features: new Set(),
    isolines: "value",
    heldOut: header.heldOut !== null,
    scheme: "safe",
    theme: "auto",
    tab: "tree",
    example: null,
  };
}

export class Session {
  private current: State;
  private readonly listeners: Listener[] = [];
  private walked: { key: unknown[]; walk: Walk } | null = null;

  constructor(readonly forest: Forest) {
    this.current = firstState(forest);
  }

  get state(): Readonly<State> {
    return this.current;
  }

  /** Call a listener after changes of any of these parts of the state. */
  on(keys: readonly Key[], listener: Listener): void {
    this.listeners.push((changed) => {
      if (keys.some((key) => changed.has(key))) listener(changed);
    });
  }

  /** The same, and once now. */
  follow(keys: readonly Key[], show: () => void): void {
    this.on(keys, show);
    show();
  }

  /** Change parts of the state. Rows belong to a tree and a center: they are unset when these change. */
  update(patch: Partial<State>): void {
    const isNew = (key: Key): boolean => key in patch && !Object.is(patch[key], this.current[key]);
    const isOther = (["tree", "ensemble", "center"] as const).some(isNew);
    const next = { ...this.current, ...(isOther ? NO_ROWS : {}), ...patch };
    const keys = Object.keys(next) as Key[];
    const changed = new Set(keys.filter((key) => !Object.is(next[key], this.current[key])));
    if (!changed.size) return;
    this.current = next;
    this.forest.center = next.center;
    for (const listener of this.listeners) listener(changed);
  }

  // --- trees --------------------------------------------------------------------------------------

  /** The tree that is shown. */
  get tree(): Tree {
    return this.forest.tree(this.current.ensemble, this.current.tree);
  }

  /** The number of trees to go through. */
  get size(): number {
    return this.forest.size(this.current.ensemble);
  }

  /** The names of the negative and the positive class. */
  get classes(): [string, string] {
    return this.forest.classesOf(this.current.ensemble);
  }

  /** Show a tree of the ensemble; beyond the ends, the first or last. */
  showTree(tree: number): void {
    this.update({ tree: Math.min(Math.max(tree, 0), this.size - 1) });
  }

  showEnsemble(ensemble: number): void {
    const last = this.forest.size(ensemble) - 1;
    this.update({ ensemble, tree: Math.max(Math.min(this.current.tree, last), 0) });
  }

  /** Draw from another center; selected and focused nodes, or their hosts, stay so. */
  showCenter(center: Origin): void {
    const { forest, state } = this;
    const { node } = this.tree;
    const isAutomatic = state.t === forest.layoutT;
    forest.center = center;
    const { row } = this.tree;
    const moved = (r: number): number => (r < 0 ? r : row[node[r]]);
    this.update({
      center,
      selected: moved(state.selected),
      focused: moved(state.focused),
      ...(isAutomatic ? { t: forest.layoutT } : {}),
    });
  }

  // --- nodes --------------------------------------------------------------------------------------

  /** Select the node that the node's tab describes; -1 for none. */
  select(row: number): void {
    this.update(row < 0 ? { selected: row } : { selected: row, focused: row, tab: "node" });
  }

  /** Move a node to the middle of the disk. */
  centerOn(row: number): void {
    this.update({ centered: row, hovered: -1 });
  }

  /** Move the node that is marked, by pointer or keyboard, to the middle. */
  centerOnMarked(): void {
    const { hovered, focused, selected } = this.current;
    const row = [hovered, focused, selected].find((r) => r >= 0) ?? -1;
    if (row >= 0) this.centerOn(row);
  }

  /** One step back: close the sheet, move the disk back, unselect the node, clear the search. */
  goBack(): void {
    const { tapped, centered, selected, query } = this.current;
    if (tapped >= 0) this.update({ tapped: -1 });
    else if (centered >= 0) this.update({ centered: -1 });
    else if (selected >= 0) this.update({ selected: -1, tab: "tree" });
    else if (query) this.update({ query: "", features: new Set() });
  }

  nextIsolines(): void {
    const kinds = isolineChoices(this.forest.header.valueKind).map(({ value }) => value);
    const next = (kinds.indexOf(this.current.isolines) + 1) % kinds.length;
    this.update({ isolines: kinds[next] });
  }

  toggleHeldOut(): void {
    this.update({ heldOut: this.forest.header.heldOut !== null && !this.current.heldOut });
  }

  // --- the example --------------------------------------------------------------------------------

  /** The way of the example through the trees of the ensemble; null without an example. */
  walk(): Walk | null {
    const { example, ensemble, center } = this.current;
    if (!example) return null;
    const key = [example, ensemble, center];
    if (this.walked?.key.some((part, i) => part !== key[i]) ?? true)
      this.walked = { key, walk: follow(this.forest, ensemble, example) };
    return this.walked!.walk;
  }

  /** The row at which the example stops in the tree that is shown. */
  exampleRow(): number {
    return this.walk()?.stops[this.current.tree]?.row ?? -1;
  }
}
