// The parts of a picture that are taken, on a coarse grid: labels go to free places.

import type { Layer } from "./shapes";

const CELL = 8;

export class Crowd {
  private readonly across: number;
  private readonly down: number;
  private readonly cells: Uint8Array;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    this.across = Math.ceil(width / CELL);
    this.down = Math.ceil(height / CELL);
    this.cells = new Uint8Array(this.across * this.down);
  }

  /** Take the place of a point, in pixels. */
  mark(x: number, y: number): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height)
      this.cells[((y / CELL) | 0) * this.across + ((x / CELL) | 0)] = 1;
  }

  /** Take the places of points x, y of a layer, one after the other. */
  markPairs(points: Float32Array, { x0, y0, scale }: Layer): void {
    for (let i = 0; i < points.length; i += 2)
      this.mark(x0 + scale * points[i], y0 - scale * points[i + 1]);
  }

  /** Take a box around a point. */
  markBox(x: number, y: number, width: number, height: number): void {
    for (let dy = -height / 2; dy <= height / 2; dy += CELL / 2)
      for (let dx = -width / 2; dx <= width / 2; dx += CELL / 2) this.mark(x + dx, y + dy);
  }

  /** How many cells of a box are taken; all if it is not wholly inside. */
  taken(x: number, y: number, width: number, height: number): number {
    const left = Math.floor((x - width / 2) / CELL);
    const right = Math.floor((x + width / 2) / CELL);
    const top = Math.floor((y - height / 2) / CELL);
    const bottom = Math.floor((y + height / 2) / CELL);
    if (left < 0 || top < 0 || right >= this.across || bottom >= this.down) return 99;
    let n = 0;
    for (let j = top; j <= bottom; j++)
      for (let i = left; i <= right; i++) n += this.cells[j * this.across + i];
    return n;
  }
}
