// What lies over a tree: paths, what is searched for, the pointer, and where one is.

import { diskLayer, markRadius, type Look } from "./picture";
import { HEAVY, type Plan } from "./plan";
import type { Layer, MarksShape, Shape, Stroke } from "./shapes";

export interface Marks {
  hovered: number;
  focused: number;
  selected: number;
  centered: number;
  lit: { rows: number[]; arcs: number[] } | null;
  /** The row at which an example stops. */
  example: number;
}

/** Return the layers over a tree that was placed before. */
export function drawOverlay(plan: Plan, look: Look, marks: Marks): Layer[] {
  const layer = diskLayer(look);
  const { theme } = look;
  if (marks.lit) layer.shapes.push(...litShapes(plan, look, marks.lit));
  if (marks.example >= 0) {
    layer.shapes.push(...pathShapes(plan, look, marks.example, theme.leverage, 4));
    layer.shapes.push(...starShapes(plan, look, marks.example));
  }
  if (marks.selected >= 0)
    layer.shapes.push(...pathShapes(plan, look, marks.selected, theme.path, 3));
  if (marks.hovered >= 0 && marks.hovered !== marks.selected) {
    const stroke = { color: theme.path, width: 2, alpha: 0.75 };
    layer.shapes.push(...arcsTo(plan, marks.hovered, stroke));
    layer.shapes.push(markShape(plan, look, marks.hovered, 2));
    layer.shapes.push(ringShape(plan, look, [marks.hovered], 5, { color: theme.ink, width: 1.6 }));
  }
  if (marks.centered >= 0) {
    const stroke = { color: theme.ink, width: 1.4, dash: [3, 3] };
    layer.shapes.push(ringShape(plan, look, [marks.centered], 11, stroke));
  }
  if (marks.focused >= 0) {
    const color = theme.name === "light" ? "#0b63ce" : "#8ec5ff";
    layer.shapes.push(ringShape(plan, look, [marks.focused], 8, { color, width: 2.5 }));
  }
  return [layer, ...mapLayers(plan, look)];
}

/** Nodes that ask for a feature and arcs on which it is asked, like with a marker pen. */
function litShapes(plan: Plan, look: Look, lit: { rows: number[]; arcs: number[] }): Shape[] {
  const { theme } = look;
  const shapes = arcShapes(plan, lit.arcs, { color: theme.lit, width: 3, alpha: 0.9 });
  shapes.push(ringShape(plan, look, lit.rows, 4, { color: theme.lit, width: 3.5 }));
  shapes.push(...classMarks(plan, look, lit.rows, 0));
  return shapes;
}

/** Arcs as curves, given by the rows to which they lead. */
function arcShapes(plan: Plan, rows: number[], stroke: Stroke): Shape[] {
  const which = rows.filter((row) => row > 0).map((row) => row - 1);
  return [{ kind: "curves", points: plan.points, n: plan.n, which, stroke }];
}

function arcsTo(plan: Plan, row: number, stroke: Stroke): Shape[] {
  return arcShapes(plan, plan.tree.rowsTo(row), stroke);
}

/** The path from the root to a row: its arcs and nodes. */
function pathShapes(plan: Plan, look: Look, row: number, color: string, width: number): Shape[] {
  const { theme } = look;
  const rows = plan.tree.rowsTo(row);
  return [
    ...arcsTo(plan, row, { color: theme.ground, width: width + 3 }),
    ...arcsTo(plan, row, { color, width }),
    ...classMarks(plan, look, rows, 1.5),
    ringShape(plan, look, [row], 5.5, { color, width: 2.4 }),
  ];
}

function classMarks(plan: Plan, look: Look, rows: number[], grow: number): Shape[] {
  const { classes, neutral, ground } = look.theme;
  return [...classes, neutral].map((fill, kind) => {
    const which = rows.filter((row) => plan.tree.kindOf(row) === kind);
    const marker = kind === 0 ? "diamond" : "disk";
    const stroke = { color: ground, width: 2 };
    return { ...marks(plan, look, which, grow), marker, fill, stroke, rim: true };
  });
}

function marks(plan: Plan, look: Look, which: number[], grow: number): MarksShape {
  const scale = markRadius(plan, look, 0) / plan.radius[0];
  const { x, y, radius } = plan;
  return { kind: "marks", marker: "disk", x, y, radius, scale, grow, which };
}

function ringShape(
  plan: Plan,
  look: Look,
  which: number[],
  grow: number,
  stroke: Stroke,
): MarksShape {
  return { ...marks(plan, look, which, grow), stroke };
}

function markShape(plan: Plan, look: Look, row: number, grow: number): MarksShape {
  const kind = plan.tree.kindOf(row);
  const { classes, neutral, ground } = look.theme;
  const fill = [...classes, neutral][kind];
  const mark = marks(plan, look, [row], grow);
  const marker = kind === 0 ? "diamond" : "disk";
  return { ...mark, marker, fill, stroke: { color: ground, width: 2 }, rim: true };
}

/** Where an example stops: a star in the color of the class. */
function starShapes(plan: Plan, look: Look, row: number): MarksShape[] {
  const { theme } = look;
  const fill = [...theme.classes, theme.neutral][plan.tree.kindOf(row)];
  const disk = { ...marks(plan, look, [row], 9), fill: theme.ground };
  return [
    { ...disk, stroke: { color: theme.leverage, width: 2.4 } },
    { ...marks(plan, look, [row], 7), marker: "star", fill },
  ];
}

/** When the picture shows a part only: the whole disk in a corner, and which part it is. */
function mapLayers(plan: Plan, look: Look): Layer[] {
  if (look.zoom < 1.6) return [];
  const { theme } = look;
  const radius = 46;
  const layer: Layer = {
    x0: radius + 8,
    y0: look.height - radius - 8,
    scale: radius,
    opacity: 1,
    shapes: [],
  };
  const main = diskLayer(look);
  const shown = Math.min(look.width, look.height) / 2 / main.scale;
  layer.shapes.push({
    kind: "circle",
    x: 0,
    y: 0,
    r: 1,
    fill: theme.page,
    stroke: { color: theme.border, width: 1.2 },
  });
  layer.shapes.push({
    kind: "circle",
    x: look.pan[0],
    y: look.pan[1],
    r: Math.max(shown, 0.04),
    fill: theme.isoline,
    stroke: { color: theme.border, width: 1 },
  });
  const step = Math.max(1, Math.ceil(plan.x.length / HEAVY));
  const which = Array.from(plan.x.keys()).filter((row) => row % step === 0);
  layer.shapes.push({
    kind: "marks",
    marker: "disk",
    dense: true,
    x: plan.x,
    y: plan.y,
    radius: new Float32Array(plan.x.length).fill(0.8),
    scale: 1,
    grow: 0,
    which,
    fill: theme.neutral,
  });
  layer.shapes.push({
    kind: "label",
    x: 0,
    y: 0,
    dx: radius + 6,
    dy: radius - 8,
    parts: [{ text: `enlarged ${Number(look.zoom.toPrecision(3))} times`, color: theme.gray }],
    align: "left",
    size: 12 * look.textScale,
    halo: theme.page,
  });
  return [layer];
}
