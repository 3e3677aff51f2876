// Small pictures of trees, at the automatic t, kept once they are drawn.

import { normAt } from "../../draw/geometry";
import type { Viewer } from "../../viewer";

const MANY = 600;
const MAX_KEPT = 500;

export class Thumbnails {
  private readonly kept = new Map<string, HTMLCanvasElement>();

  constructor(
    private readonly viewer: Viewer,
    private readonly size: number,
  ) {}

  clear(): void {
    this.kept.clear();
  }

  has(ensemble: number, tree: number): boolean {
    return this.kept.has(this.keyOf(ensemble, tree));
  }

  get(ensemble: number, tree: number): HTMLCanvasElement {
    const key = this.keyOf(ensemble, tree);
    let picture = this.kept.get(key);
    if (!picture) {
      if (this.kept.size >= MAX_KEPT) this.kept.clear();
      picture = this.draw(ensemble, tree);
      this.kept.set(key, picture);
    }
    return picture;
  }

  private keyOf(ensemble: number, tree: number): string {
    return `${ensemble} ${tree} ${this.viewer.state.center}`;
  }

  private draw(ensemble: number, j: number): HTMLCanvasElement {
    const { forest, theme } = this.viewer;
    const { layoutT } = forest;
    const tree = forest.tree(ensemble, j);
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.round(this.size * ratio);
    const context = canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    const middle = this.size / 2;
    const radius = middle - 1.5;
    const circle = (norm: number): void => {
      context.beginPath();
      context.arc(middle, middle, radius * norm, 0, 2 * Math.PI);
    };
    circle(1);
    context.fillStyle = theme.ground;
    context.fill();
    context.strokeStyle = theme.emphasized;
    context.stroke();
    const step = Math.ceil(tree.m / MANY);
    const place = (r: number): [number, number] => {
      const norm = radius * normAt(tree.distance[r], layoutT);
      return [middle + norm * Math.cos(tree.angle[r]), middle - norm * Math.sin(tree.angle[r])];
    };
    context.strokeStyle = theme.arc;
    context.globalAlpha = 0.5;
    context.lineWidth = 0.6;
    context.beginPath();
    for (let r = step; r < tree.m; r += step) {
      context.moveTo(...place(tree.parentRow[r]));
      context.lineTo(...place(r));
    }
    context.stroke();
    context.globalAlpha = 1;
    const size = tree.m > 150 ? 1.6 : 2.2;
    for (let r = 0; r < tree.m; r += step) {
      context.fillStyle = [...theme.classes, theme.neutral][tree.kindOf(r)];
      const [x, y] = place(r);
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
    if (Number.isFinite(tree.leverageConfidence)) {
      circle(normAt(Math.abs(tree.leverageConfidence), layoutT));
      context.strokeStyle = theme.leverage;
      context.lineWidth = 1;
      context.stroke();
    }
    return canvas;
  }
}
