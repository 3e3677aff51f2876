// The display list of one tree: its ground, isolines, circles of leverage, arcs, nodes and labels.

import { Crowd } from "./crowd";
import { move, moveCircle, translate, unlift, type Center, type Point } from "./geometry";
import { heldOutShapes } from "./held_out";
import { findIsolines, isolineLabel, labelWidth, type Isoline, type Level } from "./isolines";
import { CROWDED, HEAVY, type Plan } from "./plan";
import type { CurvesShape, LabelShape, Layer, MarksShape, Shape } from "./shapes";
import type { Theme } from "./theme";

/** How a tree is looked at. */
export interface Look {
  t: number;
  /** The point of the disk that is moved to its middle. */
  center: Center;
  /** Size of the picture, in pixels. */
  width: number;
  height: number;
  zoom: number;
  /** The point of the (moved) disk in the middle of the picture. */
  pan: Point;
  /** The circles that it may have. */
  levels: Level[];
  heldOut: boolean;
  theme: Theme;
  /** While it moves, large trees are drawn with less detail. */
  moving: boolean;
  /** How strongly the tree is painted: less if something else is to be seen. */
  opacity: number;
  /** Rows to number 1, 2, ... */
  numbered: number[];
  /** What texts are multiplied with: 1 at the usual size of letters. */
  textScale: number;
  /** The ray of the isolines' labels; found anew if it is null. */
  labelAngle: number | null;
}

const MARGIN = 20;

/** The layer of the disk, without shapes. */
export function diskLayer(look: Pick<Look, "width" | "height" | "zoom" | "pan">): Layer {
  const { width, height, zoom, pan } = look;
  const scale = Math.max(Math.min(width, height) / 2 - MARGIN, 10) * zoom;
  return {
    x0: width / 2 - scale * pan[0],
    y0: height / 2 + scale * pan[1],
    scale,
    opacity: 1,
    shapes: [],
  };
}

/** What marks are multiplied with: 1 for a disk of 690 pixels; they grow slowly when enlarged. */
export function markScale(plan: Plan, look: Look): number {
  const size = Math.min(Math.max(Math.min(look.width, look.height) / 730, 0.58), 1.3);
  return size * Math.min(1, plan.density * look.zoom ** 0.4);
}

/** Pixels of the radius of a row's mark. */
export function markRadius(plan: Plan, look: Look, row: number): number {
  return plan.radius[row] * baseRadius(plan, look);
}

function baseRadius(plan: Plan, look: Look): number {
  return Math.max(5.4 * markScale(plan, look), 1.3);
}

export interface Picture {
  layers: Layer[];
  labelAngle: number;
}

/** Return the layers of a tree, the lowest first. */
export function drawTree(plan: Plan, look: Look): Picture {
  const { t, center, theme } = look;
  const m = plan.tree.m;
  const light = look.moving && m > HEAVY;
  plan.place(t, center, light ? "chords" : "curves");
  const ground = diskLayer(look);
  const isolines = findIsolines(look.levels, t, center, windowOf(look, ground));
  ground.shapes.push(
    {
      kind: "circle",
      x: 0,
      y: 0,
      r: 1,
      fill: theme.ground,
      stroke: { color: theme.border, width: 1.3 },
    },
    ...isolines.map((isoline) => isolineShape(isoline, theme)),
    ...leverageShapes(plan, look),
    crossShape(look, ground.scale),
  );
  const tree: Layer = {
    ...ground,
    opacity: look.opacity,
    shapes: arcShapes(plan, look, ground.scale, light),
  };
  if (look.heldOut && !light) tree.shapes.push(...heldOutShapes(plan, look, ground.scale));
  tree.shapes.push(...nodeShapes(plan, look));
  const labels: Layer = { ...ground, shapes: [] };
  const crowd = light ? null : markCrowd(plan, look, ground);
  if (crowd) labels.shapes.push(...numberShapes(plan, look, ground, crowd));
  const angle = look.labelAngle ?? (crowd ? freeAngle(isolines, look, ground, crowd) : 4.0);
  const written: Spot[] = [];
  for (const isoline of isolines) {
    const label = isolineLabel(isoline, angle, center, theme, look.textScale);
    const width = labelWidth(isoline) * look.textScale;
    const spot: Spot = [ground.scale * label.x, ground.scale * label.y, width];
    if (isoline.norm >= 0.992 || written.some((other) => collide(spot, other, look))) continue;
    written.push(spot);
    labels.shapes.push(label);
  }
  return { layers: [ground, tree, labels], labelAngle: angle };
}

/** Which norms, counted from where confidence is 0, are seen. */
function windowOf(look: Look, layer: Layer): { extent: number; nearest: number; farthest: number } {
  const { width, height, center } = look;
  const extent = Math.min(width, height) / 2 / layer.scale;
  let nearest = 1;
  let farthest = 0;
  // On a grid of what is seen, moved back.
  for (let i = 0; i <= 8; i++)
    for (let j = 0; j <= 8; j++) {
      const x = ((width * i) / 8 - layer.x0) / layer.scale;
      const y = (layer.y0 - (height * j) / 8) / layer.scale;
      const size = Math.hypot(x, y);
      const inside = size > 0.9999 ? 0.9999 / size : 1;
      const [u, v] = translate(x * inside, y * inside, -center.x, -center.y);
      const norm = Math.hypot(u, v);
      nearest = Math.min(nearest, norm);
      farthest = Math.max(farthest, norm);
    }
  return { extent: Math.min(extent, 1), nearest, farthest: Math.max(farthest, 0.05 * extent) };
}

function isolineShape({ circle, emphasized }: Isoline, theme: Theme): Shape {
  const stroke = emphasized
    ? { color: theme.emphasized, width: 1.2, dash: [7, 4] }
    : { color: theme.isoline, width: 1 };
  return { kind: "circle", ...circle, stroke };
}

/** Circles of leverage (whole) and largest confidence (dotted). */
function leverageShapes(plan: Plan, { t, center, theme }: Look): Shape[] {
  const { leverageConfidence, maxConfidence } = plan.tree;
  const shapes: Shape[] = [];
  for (const [distance, dash] of [
    [leverageConfidence, []],
    [maxConfidence, [3, 3.5]],
  ] as const) {
    if (!Number.isFinite(distance)) continue;
    const circle = moveCircle(unlift(Math.abs(distance), t), center);
    const stroke = { color: theme.leverage, width: 1.5, dash: [...dash] };
    shapes.push({ kind: "circle", ...circle, stroke });
  }
  return shapes;
}

/** Where confidence is 0. */
function crossShape({ center, theme }: Look, scale: number): Shape {
  const [x, y] = move(0, 0, center);
  const arm = 6 / scale;
  const points = Float32Array.of(x - arm, y, x + arm, y, x, y - arm, x, y + arm);
  const stroke = { color: theme.emphasized, width: 1.2 };
  return { kind: "curves", points, n: 2, which: [0, 1], stroke };
}

function arcShapes(plan: Plan, look: Look, pixels: number, light: boolean): Shape[] {
  const m = plan.tree.m;
  const scale = 1.45 * markScale(plan, look);
  const stroke = { color: look.theme.arc, width: 0.5, alpha: m > CROWDED ? 0.45 : 0.75 };
  if (light) {
    return [{ kind: "curves", points: plan.chords, n: 2, which: plan.arcs, stroke, dense: true }];
  }
  return plan.groups(pixels, look.center.a > 0).map(({ nTests, stride, arcs }): CurvesShape => {
    const width = Math.max(scale * Math.min(0.7 + 0.45 * Math.log2(nTests), 2.4), 0.5);
    const { points, n } = plan;
    return { kind: "curves", points, n, stride, which: arcs, stroke: { ...stroke, width } };
  });
}

/** Nodes, a mark and color a class; a ring for the root, a thin one for hosts. */
function nodeShapes(plan: Plan, look: Look): Shape[] {
  const { theme } = look;
  const crowded = plan.tree.m > CROWDED;
  const scale = baseRadius(plan, look);
  const base = {
    kind: "marks",
    x: plan.x,
    y: plan.y,
    radius: plan.radius,
    scale,
    grow: 0,
  } as const;
  const shapes: MarksShape[] = [];
  if (!crowded)
    shapes.push({
      ...base,
      marker: "disk",
      scale: 1.5 * scale,
      grow: 1.5,
      which: plan.hosts,
      fill: theme.ground,
      stroke: { color: theme.ring, width: 1 },
    });
  const colors = [...theme.classes, theme.neutral];
  plan.kinds.forEach((which, kind) => {
    const marker = kind === 0 ? "diamond" : "disk";
    const mark: MarksShape = { ...base, marker, which, fill: colors[kind] };
    if (crowded) mark.dense = plan.tree.m > HEAVY;
    else {
      mark.stroke = { color: theme.ground, width: 1.8 };
      mark.rim = true;
    }
    shapes.push(mark);
  });
  shapes.push({
    ...base,
    marker: "disk",
    scale: 1.45 * scale,
    grow: 3,
    which: [0],
    stroke: { color: theme.ink, width: 2 },
  });
  return shapes;
}

/** Take the places of arcs and nodes, which labels should not cover. */
function markCrowd(plan: Plan, look: Look, layer: Layer): Crowd {
  const crowd = new Crowd(look.width, look.height);
  crowd.markPairs(plan.points, layer);
  for (let r = 0; r < plan.x.length; r++) {
    const size = 2 * markRadius(plan, look, r);
    crowd.markBox(
      layer.x0 + layer.scale * plan.x[r],
      layer.y0 - layer.scale * plan.y[r],
      size,
      size,
    );
  }
  return crowd;
}

/** Write 1, 2, ... beside nodes, where there is room. */
function numberShapes(plan: Plan, look: Look, layer: Layer, crowd: Crowd): LabelShape[] {
  const shapes: LabelShape[] = [];
  look.numbered.forEach((row, k) => {
    const [x, y] = [plan.x[row], plan.y[row]];
    const [px, py] = [layer.x0 + layer.scale * x, layer.y0 - layer.scale * y];
    const reach = markRadius(plan, look, row) + 11;
    const outward = Math.atan2(-y, x);
    let best: [taken: number, dx: number, dy: number] | null = null;
    for (const turn of [0, 0.7, -0.7, 1.4, -1.4, 2.1, -2.1, 2.8]) {
      const dx = reach * Math.cos(outward + turn);
      const dy = reach * Math.sin(outward + turn);
      const taken = crowd.taken(px + dx, py + dy, 10, 12);
      if (!best || taken < best[0]) best = [taken, dx, dy];
    }
    if (!best || best[0] >= 99) return;
    const [, dx, dy] = best;
    crowd.markBox(px + dx, py + dy, 12, 14);
    const parts = [{ text: String(k + 1), color: look.theme.ink }];
    const halo = look.theme.ground;
    shapes.push({
      kind: "label",
      x,
      y,
      dx,
      dy,
      parts,
      align: "center",
      size: 13 * look.textScale,
      bold: true,
      halo,
    });
  });
  return shapes;
}

/** The middle of a label, in pixels, and its width. */
type Spot = [x: number, y: number, width: number];

/** Whether the labels of two isolines would overlap. */
function collide(p: Spot, q: Spot, { textScale }: Look): boolean {
  return Math.abs(p[0] - q[0]) < (p[2] + q[2]) / 2 && Math.abs(p[1] - q[1]) < 14 * textScale;
}

/** The ray on which the labels of isolines cover least. */
function freeAngle(isolines: Isoline[], look: Look, layer: Layer, crowd: Crowd): number {
  let best = 4.0;
  let least = Infinity;
  // From the lower left, where the eye expects them, both ways around.
  for (let k = 0; k < 90; k++) {
    const angle = 3.9 + ((k % 2 ? -1 : 1) * Math.ceil(k / 2) * Math.PI) / 45;
    let taken = 0;
    const spots: Spot[] = [];
    for (const isoline of isolines) {
      const [x, y] = move(isoline.drawn, angle, look.center);
      const width = labelWidth(isoline) * look.textScale;
      const spot: Spot = [layer.scale * x, layer.scale * y, width];
      taken += crowd.taken(layer.x0 + spot[0], layer.y0 - spot[1], width - 4, 16);
      if (spots.some((other) => collide(spot, other, look))) taken += 30;
      spots.push(spot);
    }
    if (taken < least) {
      least = taken;
      best = angle;
    }
  }
  return best;
}
