// Writes a display list as SVG.

import { FONT, toPixels } from "./shapes";
import type { CurvesShape, LabelShape, Layer, MarksShape, Shape, Stroke } from "./shapes";

/** Text for XML: escaped, and without what XML cannot hold. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

const number = (x: number): string => String(Math.round(x * 100) / 100);

/** Return an SVG file of layers; its units are pixels. */
export function toSvg(
  layers: Layer[],
  width: number,
  height: number,
  background: string,
  title: string,
): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" ` +
      `viewBox="0 0 ${number(width)} ${number(height)}" font-family="${escapeXml(FONT)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="100%" height="100%" fill="${background}"/>`,
  ];
  for (const layer of layers) {
    const [x, y, across, down] = (layer.clip ?? [0, 0, width, height]).map(number);
    const box = `x="${x}" y="${y}" width="${across}" height="${down}"`;
    // An SVG inside of another hides what is outside of its box.
    parts.push(
      `<svg ${box} viewBox="${x} ${y} ${across} ${down}" opacity="${number(layer.opacity)}">`,
      ...layer.shapes.flatMap((shape) => write(layer, shape)),
      "</svg>",
    );
  }
  parts.push("</svg>", "");
  return parts.join("\n");
}

function strokeOf({ color, width, alpha = 1, dash }: Stroke): string {
  return (
    ` stroke="${color}" stroke-width="${number(width)}"` +
    (alpha < 1 ? ` stroke-opacity="${number(alpha)}"` : "") +
    (dash?.length ? ` stroke-dasharray="${dash.map(number).join(" ")}"` : "")
  );
}

function write(layer: Layer, shape: Shape): string[] {
  if (shape.kind === "curves") return writeCurves(layer, shape);
  if (shape.kind === "marks") return writeMarks(layer, shape);
  if (shape.kind === "label") return [writeLabel(layer, shape)];
  const [x, y] = toPixels(layer, shape.x, shape.y);
  return [
    `<circle cx="${number(x)}" cy="${number(y)}" r="${number(layer.scale * shape.r)}" ` +
      `fill="${shape.fill ?? "none"}"${shape.stroke ? strokeOf(shape.stroke) : ""}/>`,
  ];
}

function writeCurves(
  layer: Layer,
  { points, n, which, stroke, stride = 1 }: CurvesShape,
): string[] {
  if (!which.length) return [];
  const lines = Array.from(which, (curve) => {
    const text = [];
    for (let j = 0; j < n; j += stride) {
      const i = 2 * (n * curve + j);
      text.push(
        toPixels(layer, points[i], points[i + 1])
          .map(number)
          .join(" "),
      );
    }
    return `M${text.join("L")}`;
  });
  const cap = n > 2 ? ' stroke-linecap="round" stroke-linejoin="round"' : "";
  return [`<g fill="none"${strokeOf(stroke)}${cap}>`, ...lines.map(path), "</g>"];
}

const path = (d: string): string => `<path d="${d}"/>`;

function writeMarks(layer: Layer, shape: MarksShape): string[] {
  if (!shape.which.length) return [];
  const marks = Array.from(shape.which, (i) => {
    const [x, y] = toPixels(layer, shape.x[i], shape.y[i]);
    const r = shape.radius[i] * shape.scale + shape.grow;
    if (shape.marker === "disk")
      return `<circle cx="${number(x)}" cy="${number(y)}" r="${number(r)}"/>`;
    if (shape.marker === "diamond") {
      const d = number(1.3 * r);
      return path(`M${number(x)} ${number(y - 1.3 * r)}l${d} ${d} -${d} ${d} -${d} -${d}z`);
    }
    const corners = Array.from({ length: 10 }, (_, k) => {
      const size = k % 2 ? 0.45 * r : r;
      const turn = (k * Math.PI) / 5;
      return `${number(x + size * Math.sin(turn))} ${number(y - size * Math.cos(turn))}`;
    });
    return path(`M${corners.join("L")}z`);
  });
  const stroke = shape.stroke ? strokeOf(shape.stroke) : "";
  const order = shape.rim ? ' paint-order="stroke"' : "";
  return [`<g fill="${shape.fill ?? "none"}"${stroke}${order}>`, ...marks, "</g>"];
}

function writeLabel(layer: Layer, shape: LabelShape): string {
  const [x, y] = toPixels(layer, shape.x, shape.y);
  const anchor = { left: "start", center: "middle", right: "end" }[shape.align];
  const halo = shape.halo
    ? ` stroke="${shape.halo}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke"`
    : "";
  const parts = shape.parts.map(
    ({ text, color }) => `<tspan fill="${color}">${escapeXml(text)}</tspan>`,
  );
  return (
    `<text x="${number(x + shape.dx)}" y="${number(y + shape.dy)}" font-size="${number(shape.size)}" ` +
    `text-anchor="${anchor}" dominant-baseline="central" xml:space="preserve"` +
    `${shape.bold ? ' font-weight="600"' : ""}${halo}>${parts.join("")}</text>`
  );
}
