// Paints a display list on a canvas.

import type { Pixels } from "./pixels";
import { FONT, toPixels, type CircleShape, type CurvesShape, type LabelShape } from "./shapes";
import type { Layer, MarksShape, Shape, Stroke } from "./shapes";

type Context = CanvasRenderingContext2D;

/** What is needed to write pixels: where, and how large the picture is. */
export interface Dense {
  pixels: Pixels;
  width: number;
  height: number;
  ratio: number;
  /** Whether edges may be hard: faster, for what moves. */
  hard: boolean;
}

/** Paint layers; the context's transform maps their pixels to the canvas's own. */
export function paint(context: Context, layers: Layer[], dense?: Dense): void {
  for (const layer of layers) {
    context.save();
    if (layer.clip) {
      context.beginPath();
      context.rect(...layer.clip);
      context.clip();
    }
    paintLayer(context, layer, dense);
    context.restore();
  }
}

function paintLayer(context: Context, layer: Layer, dense?: Dense): void {
  for (let k = 0; k < layer.shapes.length; k++) {
    const shape = layer.shapes[k];
    if (dense && isDense(shape)) {
      k = paintDense(context, layer, k, dense) - 1;
      continue;
    }
    context.globalAlpha = layer.opacity;
    if (shape.kind === "circle") paintCircle(context, layer, shape);
    else if (shape.kind === "curves") paintCurves(context, layer, shape);
    else if (shape.kind === "marks") paintMarks(context, layer, shape);
    else paintLabel(context, layer, shape);
  }
}

function isDense(shape: Shape): boolean {
  return (shape.kind === "curves" || shape.kind === "marks") && shape.dense === true;
}

/** Write the dense shapes from one on; returns the place of the next that is not. */
function paintDense(context: Context, layer: Layer, first: number, dense: Dense): number {
  const { pixels, width, height, ratio, hard } = dense;
  pixels.begin(width, height, ratio);
  let k = first;
  for (; k < layer.shapes.length && isDense(layer.shapes[k]); k++) {
    const shape = layer.shapes[k];
    if (shape.kind === "curves") pixels.lines(layer, shape);
    else if (shape.kind !== "marks") break;
    else if (hard) pixels.squares(layer, shape);
    else pixels.marks(layer, shape);
  }
  pixels.end(context);
  return k;
}

function setStroke(context: Context, layer: Layer, stroke: Stroke): void {
  context.strokeStyle = stroke.color;
  context.lineWidth = stroke.width;
  context.globalAlpha = layer.opacity * (stroke.alpha ?? 1);
  context.setLineDash(stroke.dash ?? []);
}

function paintCircle(context: Context, layer: Layer, shape: CircleShape): void {
  context.beginPath();
  const [x, y] = toPixels(layer, shape.x, shape.y);
  context.arc(x, y, Math.max(layer.scale * shape.r, 0), 0, 2 * Math.PI);
  if (shape.fill) {
    context.fillStyle = shape.fill;
    context.fill();
  }
  if (shape.stroke) {
    setStroke(context, layer, shape.stroke);
    context.stroke();
  }
}

// A path of very many pieces takes longer than several paths of fewer.
const BATCH = 2_000;

function paintCurves(context: Context, layer: Layer, shape: CurvesShape): void {
  const { points, n, which, stroke, stride = 1 } = shape;
  const { x0, y0, scale } = layer;
  setStroke(context, layer, stroke);
  context.lineCap = n > 2 ? "round" : "butt";
  context.lineJoin = "round";
  const batch = Math.max(1, Math.floor((BATCH * stride) / n));
  for (let first = 0; first < which.length; first += batch) {
    const last = Math.min(first + batch, which.length);
    context.beginPath();
    for (let k = first; k < last; k++) {
      let i = 2 * n * which[k];
      context.moveTo(x0 + scale * points[i], y0 - scale * points[i + 1]);
      for (let j = stride; j < n; j += stride) {
        i += 2 * stride;
        context.lineTo(x0 + scale * points[i], y0 - scale * points[i + 1]);
      }
    }
    context.stroke();
  }
}

/** Add a mark to the path. */
function trace(context: Context, marker: string, x: number, y: number, r: number): void {
  if (marker === "diamond") {
    const d = 1.3 * r;
    context.moveTo(x, y - d);
    context.lineTo(x + d, y);
    context.lineTo(x, y + d);
    context.lineTo(x - d, y);
    context.closePath();
  } else if (marker === "star") {
    for (let i = 0; i < 10; i++) {
      const size = i % 2 ? 0.45 * r : r;
      const turn = (i * Math.PI) / 5;
      const [px, py] = [x + size * Math.sin(turn), y - size * Math.cos(turn)];
      if (i) context.lineTo(px, py);
      else context.moveTo(px, py);
    }
    context.closePath();
  } else {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
  }
}

function paintMarks(context: Context, layer: Layer, shape: MarksShape): void {
  const { marker, x, y, radius, which, fill, stroke, rim } = shape;
  const { x0, y0, scale } = layer;
  const traceAll = (first: number, grow: number): void => {
    const last = Math.min(first + BATCH, which.length);
    context.beginPath();
    for (let k = first; k < last; k++) {
      const i = which[k];
      const r = radius[i] * shape.scale + shape.grow + grow;
      trace(context, marker, x0 + scale * x[i], y0 - scale * y[i], r);
    }
  };
  for (let first = 0; first < which.length; first += BATCH) {
    if (stroke && rim) {
      // Larger marks below: filling is faster than stroking.
      traceAll(first, (marker === "diamond" ? 0.54 : 0.5) * stroke.width);
      context.fillStyle = stroke.color;
      context.fill();
    }
    traceAll(first, 0);
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke && !rim) {
      setStroke(context, layer, stroke);
      context.lineJoin = "miter";
      context.stroke();
      context.globalAlpha = layer.opacity;
    }
  }
}

function paintLabel(context: Context, layer: Layer, shape: LabelShape): void {
  context.font = `${shape.bold ? "600 " : ""}${shape.size}px ${FONT}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const widths = shape.parts.map(({ text }) => context.measureText(text).width);
  const whole = widths.reduce((a, b) => a + b, 0);
  const shift = { left: 0, center: whole / 2, right: whole }[shape.align];
  const [px, py] = toPixels(layer, shape.x, shape.y);
  const each = (write: (text: string, color: string, x: number, y: number) => void): void => {
    let x = px + shape.dx - shift;
    shape.parts.forEach(({ text, color }, i) => {
      write(text, color, x, py + shape.dy);
      x += widths[i];
    });
  };
  if (shape.halo) {
    setStroke(context, layer, { color: shape.halo, width: 3.5 });
    context.lineJoin = "round";
    each((text, _, x, y) => context.strokeText(text, x, y));
  }
  context.globalAlpha = layer.opacity;
  each((text, color, x, y) => {
    context.fillStyle = color;
    context.fillText(text, x, y);
  });
}
