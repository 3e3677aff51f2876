// The display list of one tree: its ground, isolines, circles of leverage, arcs, nodes and labels.

import { move, moveCircle, translate, unlift } from "./geometry";
import { heldOutShapes } from "./held_out";
import { findIsolines, type Isoline, type Sight } from "./isolines";
import { findLabels } from "./labels";
import { diskLayer, markScale, marksOf, type Look } from "./look";
import { CROWDED, HEAVY, type Plan } from "./plan";
import { circle, fromPixels } from "./shapes";
import type { CurvesShape, Layer, MarksShape, Shape } from "./shapes";
import type { Theme } from "./theme";

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
  const isolines = findIsolines(look.levels, t, center, sightOf(look, ground));
  ground.shapes.push(
    circle({ x: 0, y: 0, r: 1 }, { color: theme.border, width: 1.3 }, theme.ground),
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
  const { shapes, labelAngle } = findLabels(plan, look, ground, isolines, light);
  return { layers: [ground, tree, { ...ground, shapes }], labelAngle };
}

/** Which norms, counted from where confidence is 0, are seen. */
function sightOf(look: Look, layer: Layer): Sight {
  const { width, height, center } = look;
  const extent = Math.min(width, height) / 2 / layer.scale;
  let nearest = 1;
  let farthest = 0;
  // On a grid of what is seen, moved back.
  for (let i = 0; i <= 8; i++)
    for (let j = 0; j <= 8; j++) {
      const [x, y] = fromPixels(layer, (width * i) / 8, (height * j) / 8);
      const size = Math.hypot(x, y);
      const inside = size > 0.9999 ? 0.9999 / size : 1;
      const [u, v] = translate(x * inside, y * inside, -center.x, -center.y);
      const norm = Math.hypot(u, v);
      nearest = Math.min(nearest, norm);
      farthest = Math.max(farthest, norm);
    }
  return { extent: Math.min(extent, 1), nearest, farthest: Math.max(farthest, 0.05 * extent) };
}

function isolineShape(isoline: Isoline, theme: Theme): Shape {
  if (!isoline.emphasized) return circle(isoline.circle, { color: theme.isoline, width: 1 });
  return circle(isoline.circle, { color: theme.emphasized, width: 1.2, dash: [7, 4] });
}

/** Circles of leverage (whole) and largest confidence (dotted). */
function leverageShapes(plan: Plan, { t, center, theme }: Look): Shape[] {
  const { leverageConfidence, maxConfidence } = plan.tree;
  const at = (distance: number, dash: number[]): Shape => {
    const moved = moveCircle(unlift(Math.abs(distance), t), center);
    return circle(moved, { color: theme.leverage, width: 1.5, dash });
  };
  const whole = Number.isFinite(leverageConfidence) ? [at(leverageConfidence, [])] : [];
  return [...whole, at(maxConfidence, [3, 3.5])];
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
  const m = plan.tree.m;
  const rim = { stroke: { color: theme.ground, width: 1.8 }, rim: true };
  const nodes = plan.kinds.map((which, kind): MarksShape => {
    const marker = kind === 0 ? "diamond" : "disk";
    const style = m > CROWDED ? { dense: m > HEAVY } : rim;
    return { ...marksOf(plan, look, which), marker, fill: theme.kinds[kind], ...style };
  });
  const root = marksOf(plan, look, [0], 3, 1.45);
  const shapes = [...nodes, { ...root, stroke: { color: theme.ink, width: 2 } }];
  if (m > CROWDED) return shapes;
  const stroke = { color: theme.ring, width: 1 };
  return [{ ...marksOf(plan, look, plan.hosts, 1.5, 1.5), fill: theme.ground, stroke }, ...shapes];
}
