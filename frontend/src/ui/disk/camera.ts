// What part of the disk is seen, and at which t: pan, zoom, fit; at once or smoothly.

import type { Point } from "../../draw/geometry";
import type { Session } from "../session";
import type { Motion } from "./motion";

const ZOOM: [least: number, most: number] = [0.7, 1e5];

/** One step of the buttons and keys that enlarge. */
const STEP = 1.4;

/** The disk's element, as far as the camera needs it. */
export interface Screen {
  /** The point of the disk at a place in the element. */
  pointAt(px: number, py: number): Point;
  /** The norm of the outermost node. */
  outermost(): number;
  /** The picture moves: for a while it may have less detail. */
  touch(): void;
}

export class Camera {
  constructor(
    private readonly session: Session,
    private readonly screen: Screen,
    private readonly motion: Motion,
  ) {
    session.on(["tree", "ensemble", "center", "t"], () => this.refit(false));
  }

  panBy(dx: number, dy: number): void {
    this.motion.settle();
    const { zoom, pan } = this.session.state;
    const [a, b] = [this.screen.pointAt(0, 0), this.screen.pointAt(dx, dy)];
    this.setView(zoom, [pan[0] - (b[0] - a[0]), pan[1] - (b[1] - a[1])]);
  }

  /** Zoom about a place in the disk's element. */
  zoomBy(factor: number, at: Point): void {
    this.motion.settle();
    const { state } = this.session;
    const zoom = limit(state.zoom * factor);
    const share = state.zoom / zoom;
    const [x, y] = this.screen.pointAt(...at);
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
    this.session.update({ zoom, pan: inside, fit: false });
  }

  /** Enlarge about the middle by one step. */
  zoomIn(): void {
    this.zoomStep(STEP);
  }

  zoomOut(): void {
    this.zoomStep(1 / STEP);
  }

  private zoomStep(factor: number): void {
    this.motion.settle();
    const { zoom, pan } = this.session.state;
    this.glideTo(zoom * factor, pan, false);
  }

  /** Show the whole disk. */
  whole(): void {
    this.motion.settle();
    this.glideTo(1, [0, 0], false);
  }

  /** Enlarge the tree to fill the picture, and every other that is shown until that is undone. */
  fit(smooth = true): void {
    if (smooth) this.motion.settle();
    const zoom = Math.max(1, 1 / Math.max(1.12 * this.screen.outermost(), 1e-5));
    if (smooth) this.glideTo(zoom, [0, 0], true);
    else this.session.update({ zoom: limit(zoom), pan: [0, 0], fit: true });
  }

  /** Fit anew, if trees are to fill the picture. */
  refit(smooth: boolean): void {
    if (this.session.state.fit) this.fit(smooth);
  }

  toggleFit(): void {
    if (this.session.state.fit) this.whole();
    else this.fit();
  }

  private glideTo(zoom: number, pan: Point, fit: boolean): void {
    const aim = limit(zoom);
    const from = this.session.state;
    const part = (a: number, b: number, share: number): number => a + (b - a) * share;
    this.motion.animate(220, (share) => {
      this.screen.touch();
      if (share === 1) this.session.update({ zoom: aim, pan, fit });
      else
        this.session.update({
          zoom: from.zoom * (aim / from.zoom) ** share,
          pan: [part(from.pan[0], pan[0], share), part(from.pan[1], pan[1], share)],
          fit,
        });
    });
  }

  /** Go to a t smoothly. */
  slideTo(t: number): void {
    this.motion.settle();
    const from = this.session.state.t;
    this.motion.animate(260, (share) => {
      this.screen.touch();
      this.session.update({ t: share === 1 ? t : from + (t - from) * share });
    });
  }
}

function limit(zoom: number): number {
  return Math.min(Math.max(zoom, ZOOM[0]), ZOOM[1]);
}
