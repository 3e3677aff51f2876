// The film: small pictures of the trees, at the automatic t, kept once they are drawn.

import { drawThumbnail } from "../../draw/thumbnail";
import type { Colors } from "../colors";
import { el, HIDDEN, placeIn, sizeCanvas } from "../dom";
import type { Session } from "../session";

const PITCH = 68;
const SIZE = 60;
const HEIGHT = SIZE + 8;
const MAX_KEPT = 500;

// Milliseconds for new pictures in one frame.
const BUDGET = 8;

export class Film {
  private readonly canvas = el("canvas", { ...HIDDEN });
  private readonly run = el("div", { class: "ht-film-run" }, this.canvas);
  readonly element = el(
    "div",
    { class: "ht-film", part: "film", ...HIDDEN, tabindex: -1 },
    this.run,
  );
  private readonly kept = new Map<string, HTMLCanvasElement>();

  constructor(
    private readonly session: Session,
    private readonly colors: Colors,
    private readonly invalidate: () => void,
  ) {
    this.element.addEventListener("scroll", invalidate);
    this.element.addEventListener("click", (event) => {
      const [x] = placeIn(this.element, event);
      const tree = Math.floor((x + this.element.scrollLeft) / PITCH);
      if (tree < session.size) session.showTree(tree);
    });
  }

  /** Forget the pictures: colors have changed. */
  clear(): void {
    this.kept.clear();
  }

  /** Scroll so that the tree is in the middle, if it is out of sight or nearly so. */
  reveal(): void {
    this.run.style.width = `${this.session.size * PITCH}px`;
    const { clientWidth, scrollLeft } = this.element;
    const x = this.session.state.tree * PITCH;
    if (x < scrollLeft + PITCH || x + 2 * PITCH > scrollLeft + clientWidth)
      this.element.scrollLeft = x + PITCH / 2 - clientWidth / 2;
  }

  /** Paint the trees in sight; new pictures a few at a time, so that sliding stays smooth. */
  draw(uses: Uint32Array): void {
    const { clientWidth: width, scrollLeft } = this.element;
    const { theme } = this.colors;
    const { state, size } = this.session;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${HEIGHT}px`;
    const context = sizeCanvas(this.canvas, width, HEIGHT);
    const first = Math.max(Math.floor(scrollLeft / PITCH), 0);
    const last = Math.min(Math.ceil((scrollLeft + width) / PITCH), size);
    const start = performance.now();
    let isComplete = true;
    for (let j = first; j < last; j++) {
      const x = j * PITCH - scrollLeft;
      const picture = this.picture(j, performance.now() - start <= BUDGET);
      if (!picture) {
        isComplete = false;
        continue;
      }
      context.globalAlpha = state.features.size && !uses[j] ? 0.3 : 1;
      context.drawImage(picture, x + (PITCH - SIZE) / 2, 4, SIZE, SIZE);
      context.globalAlpha = 1;
      if (j === state.tree) {
        context.strokeStyle = theme.ink;
        context.lineWidth = 2;
        context.strokeRect(x + 2, 1, PITCH - 4, HEIGHT - 2);
      }
      if (uses[j]) {
        context.fillStyle = theme.lit;
        context.beginPath();
        context.arc(x + PITCH - 11, 11, 4.5, 0, 2 * Math.PI);
        context.fill();
      }
    }
    if (!isComplete) this.invalidate();
  }

  /** The picture of a tree; null if it is new and there is no time to draw it. */
  private picture(tree: number, isTime: boolean): HTMLCanvasElement | null {
    const { forest, state } = this.session;
    const key = `${state.ensemble} ${tree} ${state.center}`;
    const known = this.kept.get(key);
    if (known || !isTime) return known ?? null;
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    const shown = forest.tree(state.ensemble, tree);
    const made = drawThumbnail(shown, forest.layoutT, this.colors.theme, SIZE);
    this.kept.set(key, made);
    return made;
  }
}
