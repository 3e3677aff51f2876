// Where the texts of a picture are written, so that they cover little: labels of isolines, numbers of nodes.

import { Crowd } from "./crowd";
import { move } from "./geometry";
import { isolineLabel, labelWidth, type Isoline } from "./isolines";
import { markRadius, type Look } from "./look";
import type { Plan } from "./plan";
import { markLabel, toPixels, type LabelShape, type Layer } from "./shapes";

// The ray of the labels where none is looked for: to the lower left.
const USUAL = 4.0;

/** The middle of a label, in pixels from that of the disk, and its width. */
type Spot = [x: number, y: number, width: number];

/** The labels of a picture and the ray of those of the isolines; of a light one, without numbers. */
export function findLabels(
  plan: Plan,
  look: Look,
  layer: Layer,
  isolines: Isoline[],
  light: boolean,
): { shapes: LabelShape[]; labelAngle: number } {
  const crowd = light ? null : markCrowd(plan, look, layer);
  const shapes = crowd ? numberShapes(plan, look, layer, crowd) : [];
  const angle = look.labelAngle ?? (crowd ? freeAngle(isolines, look, layer, crowd) : USUAL);
  const written: Spot[] = [];
  for (const isoline of isolines) {
    const label = isolineLabel(isoline, angle, look);
    const width = labelWidth(isoline) * look.textScale;
    const spot: Spot = [layer.scale * label.x, layer.scale * label.y, width];
    if (isoline.norm >= 0.992 || written.some((other) => collide(spot, other, look))) continue;
    written.push(spot);
    shapes.push(label);
  }
  return { shapes, labelAngle: angle };
}

/** Take the places of arcs and nodes, which labels should not cover. */
function markCrowd(plan: Plan, look: Look, layer: Layer): Crowd {
  const crowd = new Crowd(look.width, look.height);
  crowd.markPairs(plan.points, layer);
  for (let r = 0; r < plan.x.length; r++) {
    const size = 2 * markRadius(plan, look, r);
    crowd.markBox(...toPixels(layer, plan.x[r], plan.y[r]), size, size);
  }
  return crowd;
}

/** Write 1, 2, ... beside nodes, where there is room. */
function numberShapes(plan: Plan, look: Look, layer: Layer, crowd: Crowd): LabelShape[] {
  const shapes: LabelShape[] = [];
  look.numbered.forEach((row, k) => {
    const [x, y] = [plan.x[row], plan.y[row]];
    const [px, py] = toPixels(layer, x, y);
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
    const { ink, ground } = look.theme;
    shapes.push(markLabel(String(k + 1), [x, y], [dx, dy], 13 * look.textScale, ink, ground));
  });
  return shapes;
}

/** Whether the labels of two isolines would overlap. */
function collide(p: Spot, q: Spot, { textScale }: Look): boolean {
  return Math.abs(p[0] - q[0]) < (p[2] + q[2]) / 2 && Math.abs(p[1] - q[1]) < 14 * textScale;
}

/** The ray on which the labels of isolines cover least. */
function freeAngle(isolines: Isoline[], look: Look, layer: Layer, crowd: Crowd): number {
  let best = USUAL;
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
