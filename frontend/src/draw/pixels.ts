// Marks and lines written into pixels: for very many, much faster than paths.

import type { CurvesShape, Layer, MarksShape } from "./shapes";

type Color = [red: number, green: number, blue: number];

function parseColor(color: string): Color {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export class Pixels {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d", { willReadFrequently: true })!;
  private image = this.context.createImageData(1, 1);
  private ratio = 1;

  /** Start anew, for a picture of this size, with so many pixels a pixel of the page. */
  begin(width: number, height: number, ratio: number): void {
    const [across, down] = [Math.ceil(width * ratio), Math.ceil(height * ratio)];
    this.ratio = ratio;
    if (this.image.width !== across || this.image.height !== down) {
      this.canvas.width = across;
      this.canvas.height = down;
      this.image = this.context.createImageData(across, down);
    } else this.image.data.fill(0);
  }

  /** Put everything that was written on another canvas. */
  end(target: CanvasRenderingContext2D): void {
    this.context.putImageData(this.image, 0, 0);
    const { width, height } = this.image;
    target.globalAlpha = 1;
    target.drawImage(this.canvas, 0, 0, width / this.ratio, height / this.ratio);
  }

  /** Write straight lines from the first to the last point of curves, one pixel wide. */
  lines(layer: Layer, shape: CurvesShape): void {
    const { data, width, height } = this.image;
    const { points, n, which, stroke } = shape;
    const [red, green, blue] = parseColor(stroke.color);
    const strength = Math.round(
      255 * (stroke.alpha ?? 1) * layer.opacity * Math.min(stroke.width, 1),
    );
    const scale = layer.scale * this.ratio;
    const [x0, y0] = [layer.x0 * this.ratio, layer.y0 * this.ratio];
    for (let k = 0; k < which.length; k++) {
      const i = 2 * n * which[k];
      const j = i + 2 * (n - 1);
      let x = x0 + scale * points[i];
      let y = y0 - scale * points[i + 1];
      const dx = x0 + scale * points[j] - x;
      const dy = y0 - scale * points[j + 1] - y;
      const steps = Math.min(Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))), 4096);
      const sx = dx / (steps || 1);
      const sy = dy / (steps || 1);
      for (let s = 0; s <= steps; s++, x += sx, y += sy) {
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        const p = 4 * ((y | 0) * width + (x | 0));
        data[p] = red;
        data[p + 1] = green;
        data[p + 2] = blue;
        data[p + 3] += ((255 - data[p + 3]) * strength) >> 8;
      }
    }
  }

  /** Write marks as small squares. */
  squares(layer: Layer, shape: MarksShape): void {
    const { width, height } = this.image;
    const { x, y, radius, which, fill } = shape;
    if (!fill) return;
    const words = new Uint32Array(this.image.data.buffer);
    const [red, green, blue] = parseColor(fill);
    const alpha = Math.round(255 * layer.opacity);
    const word = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    const scale = layer.scale * this.ratio;
    const x0 = layer.x0 * this.ratio;
    const y0 = layer.y0 * this.ratio;
    for (let k = 0; k < which.length; k++) {
      const i = which[k];
      const size = Math.max(
        Math.round(1.8 * (radius[i] * shape.scale + shape.grow) * this.ratio),
        1,
      );
      const left = Math.round(x0 + scale * x[i] - size / 2);
      const top = Math.round(y0 - scale * y[i] - size / 2);
      if (left < 0 || top < 0 || left + size > width || top + size > height) continue;
      for (let v = top; v < top + size; v++)
        for (let u = v * width + left, end = u + size; u < end; u++) words[u] = word;
    }
  }

  /** Write marks with soft edges. */
  marks(layer: Layer, shape: MarksShape): void {
    const { width, height } = this.image;
    const { x, y, radius, which, fill } = shape;
    if (!fill) return;
    const color = parseColor(fill);
    const scale = layer.scale * this.ratio;
    const [x0, y0] = [layer.x0 * this.ratio, layer.y0 * this.ratio];
    const isDiamond = shape.marker === "diamond";
    for (let k = 0; k < which.length; k++) {
      const i = which[k];
      const r = (radius[i] * shape.scale + shape.grow) * this.ratio * (isDiamond ? 1.3 : 1);
      const px = x0 + scale * x[i];
      const py = y0 - scale * y[i];
      if (px < r || py < r || px >= width - r || py >= height - r) continue;
      this.splat(px, py, r, color, isDiamond, layer.opacity);
    }
  }

  private splat(
    px: number,
    py: number,
    r: number,
    color: Color,
    sharp: boolean,
    opacity: number,
  ): void {
    const { data, width, height } = this.image;
    const left = Math.max(Math.floor(px - r), 0);
    const right = Math.min(Math.ceil(px + r), width - 1);
    const top = Math.max(Math.floor(py - r), 0);
    const bottom = Math.min(Math.ceil(py + r), height - 1);
    for (let v = top; v <= bottom; v++)
      for (let u = left; u <= right; u++) {
        const dx = Math.abs(u + 0.5 - px);
        const dy = Math.abs(v + 0.5 - py);
        const far = sharp ? (dx + dy) * 0.7071 + r * 0.2929 : Math.sqrt(dx * dx + dy * dy);
        const cover = opacity * Math.min(Math.max(r + 0.5 - far, 0), 1);
        if (cover <= 0) continue;
        const p = 4 * (v * width + u);
        const mix = data[p + 3] === 0 ? 1 : cover;
        data[p] += (color[0] - data[p]) * mix;
        data[p + 1] += (color[1] - data[p + 1]) * mix;
        data[p + 2] += (color[2] - data[p + 2]) * mix;
        data[p + 3] += (255 - data[p + 3]) * cover;
      }
  }
}
