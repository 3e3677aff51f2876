// What lies over a tree: paths, searched features, the pointer, the example, and a map of what is seen.

import { diskLayer, marksOf, type Look } from "./look";
import { HEAVY, type Plan } from "./plan";
import { circle, type Layer, type MarksShape, type Shape, type Stroke } from "./shapes";

/** Rows that are marked, -1 for none. */
export interface Marks {
  hovered: number;
  focused: number;
  selected: number;
  centered: number;
  /** The row at which an example stops. */
  example: number;
  /** The rows and arcs that test searched features. */
  lit: { rows: number[]; arcs: number[] } | null;
}

// The map's radius in pixels, and the least zoom at which it is shown.
const MAP_RADIUS = 46;
const MAP_ZOOM = 1.6;

/** Return the layers over a tree that was placed before. */
export function drawOverlay(plan: Plan, look: Look, marks: Marks): Layer[] {
  const { theme } = look;
  const { hovered, focused, selected, centered, example, lit } = marks;
  const shapes: Shape[] = [];
  const ring = (rows: number[], grow: number, stroke: Stroke): void =>
    void shapes.push({ ...marksOf(plan, look, rows, grow), stroke });
  const path = (row: number, color: string, width: number): void => {
    const rows = plan.tree.rowsTo(row);
    shapes.push(
      arcsTo(plan, rows, { color: theme.ground, width: width + 3 }),
      arcsTo(plan, rows, { color, width }),
      ...classMarks(plan, look, rows, 1.5),
    );
    ring([row], 5.5, { color, width: 2.4 });
  };
  if (lit) {
    shapes.push(arcsTo(plan, lit.arcs, { color: theme.lit, width: 3, alpha: 0.9 }));
    ring(lit.rows, 4, { color: theme.lit, width: 3.5 });
    shapes.push(...classMarks(plan, look, lit.rows, 0));
  }
  if (example >= 0) {
    path(example, theme.leverage, 4);
    shapes.push(...starShapes(plan, look, example));
  }
  if (selected >= 0) path(selected, theme.path, 3);
  if (hovered >= 0 && hovered !== selected) {
    const stroke = { color: theme.path, width: 2, alpha: 0.75 };
    shapes.push(arcsTo(plan, plan.tree.rowsTo(hovered), stroke));
    shapes.push(...classMarks(plan, look, [hovered], 2));
    ring([hovered], 5, { color: theme.ink, width: 1.6 });
  }
  if (centered >= 0) ring([centered], 11, { color: theme.ink, width: 1.4, dash: [3, 3] });
  if (focused >= 0) ring([focused], 8, { color: theme.focus, width: 2.5 });
  const layer = { ...diskLayer(look), shapes };
  return look.zoom < MAP_ZOOM ? [layer] : [layer, mapLayer(plan, look)];
}

/** Arcs as curves, given by the rows to which they lead. */
function arcsTo({ points, n }: Plan, rows: number[], stroke: Stroke): Shape {
  const which = rows.filter((row) => row > 0).map((row) => row - 1);
  return { kind: "curves", points, n, which, stroke };
}

/** Nodes in the colors of their classes. */
function classMarks(plan: Plan, look: Look, rows: number[], grow: number): Shape[] {
  const { kinds, ground } = look.theme;
  return kinds.map((fill, kind) => {
    const which = rows.filter((row) => plan.tree.kindOf(row) === kind);
    const marker = kind === 0 ? "diamond" : "disk";
    const stroke = { color: ground, width: 2 };
    return { ...marksOf(plan, look, which, grow), marker, fill, stroke, rim: true };
  });
}

/** Where an example stops: a star in the color of the class. */
function starShapes(plan: Plan, look: Look, row: number): MarksShape[] {
  const { kinds, ground, leverage } = look.theme;
  const stroke = { color: leverage, width: 2.4 };
  const fill = kinds[plan.tree.kindOf(row)];
  return [
    { ...marksOf(plan, look, [row], 9), fill: ground, stroke },
    { ...marksOf(plan, look, [row], 7), marker: "star", fill },
  ];
}

/** When the picture shows a part only: the whole disk in a corner, and which part it is. */
function mapLayer({ x, y }: Plan, look: Look): Layer {
  const { theme, width, height, zoom, textScale } = look;
  const seen = Math.min(width, height) / 2 / diskLayer(look).scale;
  const [px, py] = look.pan;
  const step = Math.max(1, Math.ceil(x.length / HEAVY));
  return {
    x0: MAP_RADIUS + 8,
    y0: height - MAP_RADIUS - 8,
    scale: MAP_RADIUS,
    opacity: 1,
    shapes: [
      circle({ x: 0, y: 0, r: 1 }, { color: theme.border, width: 1.2 }, theme.page),
      circle(
        { x: px, y: py, r: Math.max(seen, 0.04) },
        { color: theme.border, width: 1 },
        theme.isoline,
      ),
      {
        kind: "marks",
        marker: "disk",
        dense: true,
        x,
        y,
        radius: new Float32Array(x.length).fill(0.8),
        scale: 1,
        grow: 0,
        which: Array.from(x.keys()).filter((row) => row % step === 0),
        fill: theme.neutral,
      },
      {
        kind: "label",
        x: 0,
        y: 0,
        dx: MAP_RADIUS + 6,
        dy: MAP_RADIUS - 8,
        parts: [{ text: `enlarged ${Number(zoom.toPrecision(3))} times`, color: theme.gray }],
        align: "left",
        size: 12 * textScale,
        halo: theme.page,
      },
    ],
  };
}
