// Held-out data in the disk: a tick on each node's ray, where these data would put it.

import { move, normAt, type Point } from "./geometry";
import type { Look } from "./look";
import type { Plan } from "./plan";
import type { Shape } from "./shapes";
import { VERDICTS, type Tree, type Verdict } from "../model/tree";

// The strength of intervals and ticks: those that disagree are strong; those of few examples are
// faint and have no interval, which would cover everything.
const STRENGTH: Record<Verdict, [ray: number, bar: number, width: number]> = {
  none: [0, 0, 0],
  few: [0, 0.35, 1.2],
  agrees: [0.4, 0.8, 1.2],
  stronger: [0.7, 0.9, 1.9],
  weaker: [0.95, 1, 2.6],
  flipped: [0.95, 1, 3.1],
  unknown: [0, 0, 0],
};

const RAY_POINTS = 9;

export interface Tick {
  row: number;
  verdict: Verdict;
  positive: boolean;
  /** Distances from the center in the class of the node, or, if it flips, in the other. */
  low: number;
  middle: number;
  high: number;
}

/** The ticks of a tree; an interval that reaches into the other class ends at the center. */
export function findTicks(tree: Tree): Tick[] {
  const held = tree.heldOut;
  const ticks: Tick[] = [];
  if (!held) return ticks;
  for (let row = 0; row < tree.m; row++) {
    const verdict = VERDICTS[held.verdict[row]];
    if (verdict === "none" || verdict === "unknown") continue;
    const trained = tree.valueOf(row);
    const value = held.value[row] - tree.origin;
    const says = trained === 0 ? value > 0 : trained > 0;
    const positive = says !== (verdict === "flipped");
    const [near, far] = positive
      ? [held.low[row] - tree.origin, held.high[row] - tree.origin]
      : [tree.origin - held.high[row], tree.origin - held.low[row]];
    const middle = Math.max(positive ? value : -value, 0);
    ticks.push({ row, verdict, positive, low: Math.max(near, 0), middle, high: Math.max(far, 0) });
  }
  return ticks;
}

/** A line for the interval, a bar across it at the held-out confidence, by verdict and class. */
export function heldOutShapes(plan: Plan, look: Look, scale: number): Shape[] {
  const groups = new Map<string, Tick[]>();
  for (const tick of findTicks(plan.tree)) {
    const key = `${tick.verdict} ${Number(tick.positive)}`;
    const group = groups.get(key);
    if (group) group.push(tick);
    else groups.set(key, [tick]);
  }
  const order = ([{ verdict }]: Tick[]): number => VERDICTS.indexOf(verdict);
  const sorted = [...groups.values()].sort((a, b) => order(a) - order(b));
  return sorted.flatMap((ticks) => groupShapes(ticks, plan, look, scale));
}

function groupShapes(ticks: Tick[], plan: Plan, look: Look, scale: number): Shape[] {
  const { verdict, positive } = ticks[0];
  const [ray, bar, width] = STRENGTH[verdict];
  const isColored = verdict !== "agrees" && verdict !== "few";
  const color = isColored ? look.theme.classes[Number(positive)] : look.theme.agrees;
  const which = ticks.map((_, i) => i);
  const rays = new Float32Array(2 * RAY_POINTS * ticks.length);
  const bars = new Float32Array(4 * ticks.length);
  const half = 5.5 / scale;
  ticks.forEach((tick, k) => {
    const angle = plan.tree.angle[tick.row];
    const at = (norm: number): Point =>
      move(2 * Math.atanh(Math.min(norm, 1 - 1e-12)), angle, look.center);
    const [low, high] = [normAt(tick.low, look.t), normAt(tick.high, look.t)];
    for (let i = 0; i < RAY_POINTS; i++)
      rays.set(at(low + ((high - low) * i) / (RAY_POINTS - 1)), 2 * (RAY_POINTS * k + i));
    const middle = normAt(tick.middle, look.t);
    const [x, y] = at(middle);
    const [ux, uy] = at(Math.max(middle - 1e-3, 0));
    const [vx, vy] = at(Math.min(middle + 1e-3, 1));
    const size = Math.hypot(vx - ux, vy - uy) || 1;
    const [nx, ny] = [(-(vy - uy) / size) * half, ((vx - ux) / size) * half];
    bars.set([x - nx, y - ny, x + nx, y + ny], 4 * k);
  });
  const curves = (points: Float32Array, n: number, times: number, alpha: number): Shape => {
    return { kind: "curves", points, n, which, stroke: { color, width: times * width, alpha } };
  };
  const ends = curves(bars, 2, 1.5, bar);
  return ray > 0 ? [curves(rays, RAY_POINTS, 1, ray), ends] : [ends];
}
