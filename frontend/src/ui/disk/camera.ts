// Moves of the picture: pan, zoom, fit, t; at once or smoothly.

import type { Point } from "../../draw/geometry";
import type { Viewer } from "../../viewer";

const ZOOM: [least: number, most: number] = [0.7, 1e5];

export class Camera {
  private readonly calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  private animation = 0;
  private finish: (() => void) | null = null;

  constructor(private readonly viewer: Viewer) {}

  /** Call with shares from 0 to 1 over some time; with 1 at once where motion is not wanted. */
  animate(duration: number, step: (share: number) => void): void {
    this.settle();
    if (this.calm.matches) {
      step(1);
      return;
    }
    const start = performance.now();
    this.finish = () => step(1);
    const next = (now: number): void => {
      const share = (now - start) / duration;
      if (share >= 1) {
        this.settle();
        return;
      }
      this.animation = requestAnimationFrame(next);
      step(share > 0 ? share * share * (3 - 2 * share) : 0);
    };
    this.animation = requestAnimationFrame(next);
  }

  /** Bring what moves to its end, at once. */
  settle(): void {
    this.stop();
    const { finish } = this;
    this.finish = null;
    finish?.();
  }

  /** Leave what moves where it is. */
  stop(): void {
    cancelAnimationFrame(this.animation);
  }

  panBy(dx: number, dy: number): void {
    this.settle();
    const { stage, state } = this.viewer;
    const [a, b] = [stage.pointAt(0, 0), stage.pointAt(dx, dy)];
    const { pan } = state;
    this.setView(state.zoom, [pan[0] - (b[0] - a[0]), pan[1] - (b[1] - a[1])]);
  }

  /** Zoom about a place in the disk's element. */
  zoomBy(factor: number, at: Point): void {
    this.settle();
    const { stage, state } = this.viewer;
    const zoom = Math.min(Math.max(state.zoom * factor, ZOOM[0]), ZOOM[1]);
    const share = state.zoom / zoom;
    const [x, y] = stage.pointAt(...at);
    const { pan } = state;
    this.setView(zoom, [x + (pan[0] - x) * share, y + (pan[1] - y) * share]);
  }

  /** Two fingers: one stays at `other`, one moves. */
  pinch(last: Point, now: Point, other: Point): void {
    const far = (p: Point): number => Math.hypot(p[0] - other[0], p[1] - other[1]);
    const middle = (p: Point): Point => [(p[0] + other[0]) / 2, (p[1] + other[1]) / 2];
    const [a, b] = [middle(last), middle(now)];
    this.zoomBy(far(now) / Math.max(far(last), 1), a);
    this.panBy(b[0] - a[0], b[1] - a[1]);
  }

  private setView(zoom: number, pan: Point): void {
    const far = Math.hypot(...pan);
    const inside: Point = far > 1 ? [pan[0] / far, pan[1] / far] : pan;
    this.viewer.store.update({ zoom, pan: inside, fit: false });
  }

  /** Enlarge so many times, about the middle. */
  zoomStep(factor: number): void {
    this.settle();
    this.zoomTo(this.viewer.state.zoom * factor);
  }

  /** Go to a zoom (and place) smoothly. */
  zoomTo(zoom: number, pan: Point = this.viewer.state.pan, fit = false, smooth = true): void {
    if (smooth) this.settle();
    const { stage, store } = this.viewer;
    const aim = Math.min(Math.max(zoom, ZOOM[0]), ZOOM[1]);
    const from = store.state;
    if (!smooth) {
      store.update({ zoom: aim, pan, fit });
      return;
    }
    const part = (a: number, b: number, share: number): number => a + (b - a) * share;
    this.animate(220, (share) => {
      stage.touch();
      if (share === 1) store.update({ zoom: aim, pan, fit });
      else
        store.update({
          zoom: from.zoom * (aim / from.zoom) ** share,
          pan: [part(from.pan[0], pan[0], share), part(from.pan[1], pan[1], share)],
          fit,
        });
    });
  }

  /** Go to a t smoothly. */
  slideTo(t: number): void {
    this.settle();
    const { stage, store } = this.viewer;
    const from = store.state.t;
    this.animate(260, (share) => {
      stage.touch();
      store.update({ t: share === 1 ? t : from + (t - from) * share });
    });
  }

  /** Show the whole disk. */
  whole(): void {
    this.zoomTo(1, [0, 0]);
  }

  /** Enlarge the tree to fill the picture, and every other that is shown until that is undone. */
  fit(smooth: boolean): void {
    if (smooth) this.settle();
    const outermost = this.viewer.stage.outermost();
    this.zoomTo(Math.max(1, 1 / Math.max(1.12 * outermost, 1e-5)), [0, 0], true, smooth);
  }
}
