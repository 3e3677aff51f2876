// One tree made ready to be drawn at any t, quickly: what does not depend on t is computed once.

import {
  move,
  type NormTable,
  sampleArcs,
  translate,
  unlift,
  type Center,
  type Point,
} from "./geometry";
import type { Tree } from "../model/tree";

// With more nodes, what cannot be seen is left out: the widths of arcs, the rings of hosts.
export const CROWDED = 1_500;

// With more nodes, moving pictures leave out what the eye cannot follow.
export const HEAVY = 3_000;

/** Points an arc: the more arcs, the shorter they are, and the less visible is their bend. */
function pointsPerArc(m: number): number {
  if (m <= 400) return 33;
  if (m <= HEAVY) return 17;
  return m <= 20_000 ? 5 : 3;
}

/** Arcs of one width, drawn through every `stride`-th of their points. */
export interface ArcGroup {
  nTests: number;
  stride: number;
  arcs: Int32Array;
}

// The largest error of a curve, in pixels.
const TOLERANCE = 0.1;

/** Where the nodes and arcs of a tree are drawn, in the unit disk; arrays are filled by `place`. */
export class Plan {
  readonly n: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly points: Float32Array;
  /** Ends of arcs only: for moving pictures of large trees. */
  readonly chords: Float32Array;
  /** Rows of the negative class, of the positive, of neither. */
  readonly kinds: [Int32Array, Int32Array, Int32Array];
  readonly hosts: Int32Array;
  /** All arcs. */
  readonly arcs: Int32Array;
  /** Radii of marks, in pixels: larger for a larger share of the training weight. */
  readonly radius: Float32Array;
  /** The factor of marks where there are many of them. */
  readonly density: number;
  private readonly spots: Spots;
  private arcSpots: Spots | null = null;
  private placed = "";
  private bend: Float32Array | null = null;
  private grouped: { scale: number; groups: ArcGroup[] } | null = null;

  constructor(
    readonly tree: Tree,
    private readonly layoutT: number,
    private readonly table: NormTable,
  ) {
    const m = tree.m;
    this.n = pointsPerArc(m);
    this.x = new Float32Array(m);
    this.y = new Float32Array(m);
    this.points = new Float32Array(2 * this.n * Math.max(m - 1, 0));
    this.chords = new Float32Array(4 * Math.max(m - 1, 0));
    this.density = Math.min(1, Math.max(0.3, (150 / m) ** 0.35));
    this.spots = new Spots(tree.distance, tree.angle, table);
    const kinds: [number[], number[], number[]] = [[], [], []];
    const hosts: number[] = [];
    this.radius = new Float32Array(m);
    for (let r = 0; r < m; r++) {
      kinds[tree.kindOf(r)].push(r);
      if (tree.nTags[r] > 0) hosts.push(r);
      const weight = tree.weight[tree.node[r]];
      const share = Number.isNaN(weight) ? 0.25 : Math.min(Math.max(weight, 0), 1);
      this.radius[r] = Math.sqrt(0.4 + 0.6 * Math.sqrt(share));
    }
    this.kinds = kinds.map((rows) => Int32Array.from(rows)) as Plan["kinds"];
    this.hosts = Int32Array.from(hosts);
    this.arcs = Int32Array.from({ length: Math.max(m - 1, 0) }, (_, c) => c);
  }

  /** Compute places at t, with `center` moved to the middle; `arcs`: which form of arcs is needed. */
  place(t: number, center: Center, arcs: "curves" | "chords" | "none"): void {
    const key = `${t} ${center.a} ${center.angle}`;
    if (this.placed !== key + arcs && !(arcs === "none" && this.placed.startsWith(key))) {
      this.placed = key + arcs;
      this.spots.place(t, center, this.x, this.y, 1);
      if (arcs === "curves") this.placeCurves(t, center);
      else if (arcs === "chords") this.placeChords();
    }
  }

  /** The nearest row to a point of the disk, closer than `reach`; -1 if none is. */
  nearestRow([u, v]: Point, reach: number): number {
    const { x, y } = this;
    let best = -1;
    let least = reach ** 2;
    for (let r = 0; r < x.length; r++) {
      const dx = x[r] - u;
      const dy = y[r] - v;
      const far = dx * dx + dy * dy;
      if (far < least) {
        least = far;
        best = r;
      }
    }
    return best;
  }

  /** The norm of the outermost node where it is drawn. */
  outermost(): number {
    let largest = 0;
    for (let r = 0; r < this.x.length; r++)
      largest = Math.max(largest, Math.hypot(this.x[r], this.y[r]));
    return largest;
  }

  /**
   * Arcs in groups, for a picture with so many pixels a unit of the disk.
   *
   * Those that bend little are drawn by fewer points; not so if the disk is moved, which bends them.
   */
  groups(scale: number, isMoved: boolean): ArcGroup[] {
    const wanted = isMoved ? Infinity : 2 ** Math.ceil(Math.log2(scale));
    if (this.grouped?.scale !== wanted)
      this.grouped = { scale: wanted, groups: groupArcs(this.tree, this.n, this.bends(), wanted) };
    return this.grouped.groups;
  }

  /** How far each arc is off its chord, at most, over all t. */
  private bends(): Float32Array {
    if (this.bend) return this.bend;
    const arcs = (this.arcSpots ??= this.sample());
    this.bend = arcs.bends(this.n, [Math.min(0, this.layoutT), this.layoutT, 1]);
    return this.bend;
  }

  private sample(): Spots {
    const { tree, layoutT } = this;
    const arcs = sampleArcs(tree.distance, tree.angle, tree.parentRow, layoutT, this.n);
    return new Spots(arcs.distance, arcs.angle, this.table);
  }

  private placeCurves(t: number, center: Center): void {
    this.arcSpots ??= this.sample();
    this.arcSpots.place(t, center, this.points, this.points.subarray(1), 2);
  }

  private placeChords(): void {
    const { x, y, chords } = this;
    const parent = this.tree.parentRow;
    for (let r = 1, i = 0; r < x.length; r++) {
      const u = parent[r];
      chords[i++] = x[u];
      chords[i++] = y[u];
      chords[i++] = x[r];
      chords[i++] = y[r];
    }
  }
}

// Beyond this, coordinates have too few digits for moves of the disk.
const FAR = 4;

/** Points by their place in the table of norms, and their direction. */
class Spots {
  private readonly cell: Float32Array;
  private readonly cos: Float32Array;
  private readonly sin: Float32Array;

  constructor(
    private readonly distance: ArrayLike<number>,
    private readonly angle: ArrayLike<number>,
    private readonly table: NormTable,
  ) {
    const n = distance.length;
    this.cell = new Float32Array(n);
    this.cos = new Float32Array(n);
    this.sin = new Float32Array(n);
    for (let i = 0; i < n; i++) {
      this.cell[i] = table.place(distance[i]);
      this.cos[i] = Math.cos(angle[i]);
      this.sin[i] = Math.sin(angle[i]);
    }
  }

  /** The largest distance of curves of n points each from their chords, over temperatures. */
  bends(n: number, temperatures: number[]): Float32Array {
    const { cell, cos, sin } = this;
    const bends = new Float32Array(cell.length / n);
    for (const t of temperatures) {
      const norms = this.table.at(t);
      const at = (i: number): Point => {
        const norm = norms[cell[i] | 0];
        return [norm * cos[i], norm * sin[i]];
      };
      for (let c = 0; c < bends.length; c++) {
        const [ax, ay] = at(n * c);
        const [bx, by] = at(n * c + n - 1);
        // Also at the quarters: a curve may bend both ways.
        for (const share of [0.25, 0.5, 0.75]) {
          const [mx, my] = at(n * c + Math.round(share * (n - 1)));
          const across = Math.abs((mx - ax) * (by - ay) - (my - ay) * (bx - ax));
          bends[c] = Math.max(bends[c], across / Math.max(Math.hypot(bx - ax, by - ay), 1e-9));
        }
      }
    }
    return bends;
  }

  /** Write x and y, at every `step`-th entry. */
  place(t: number, center: Center, x: Float32Array, y: Float32Array, step: number): void {
    const { cell, cos, sin } = this;
    const n = cell.length;
    if (center.a > FAR) {
      for (let i = 0, j = 0; i < n; i++, j += step)
        [x[j], y[j]] = move(unlift(this.distance[i], t), this.angle[i], center);
      return;
    }
    const norms = this.table.at(t);
    const moves = center.a > 0;
    for (let i = 0, j = 0; i < n; i++, j += step) {
      const k = cell[i] | 0;
      const norm = norms[k] + (cell[i] - k) * (norms[k + 1] - norms[k]);
      x[j] = norm * cos[i];
      y[j] = norm * sin[i];
      if (moves) [x[j], y[j]] = translate(norm * cos[i], norm * sin[i], center.x, center.y);
    }
  }
}

/** The arcs with equally many tests and points together: they are drawn at once. */
function groupArcs(tree: Tree, n: number, bends: Float32Array, scale: number): ArcGroup[] {
  const groups = new Map<string, { nTests: number; stride: number; arcs: number[] }>();
  for (let r = 1; r < tree.m; r++) {
    const nTests = tree.m > CROWDED ? 1 : Math.min(tree.nTests[r], 14);
    // Pieces of a curve are off by its bend divided by the square of their number.
    const pieces = Math.max(Math.sqrt((bends[r - 1] * scale) / TOLERANCE), 1);
    let stride = n - 1;
    while (stride > 1 && (n - 1) / stride < pieces) stride /= 2;
    const key = `${nTests} ${stride}`;
    const group = groups.get(key);
    if (group) group.arcs.push(r - 1);
    else groups.set(key, { nTests, stride, arcs: [r - 1] });
  }
  return [...groups.values()]
    .sort((a, b) => a.nTests - b.nTests)
    .map((group) => ({ ...group, arcs: Int32Array.from(group.arcs) }));
}
