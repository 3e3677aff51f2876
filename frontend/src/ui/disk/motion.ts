// One movement at a time, over some time, or at once where motion is not wanted.

export class Motion {
  private readonly calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  private request = 0;
  private finish: (() => void) | null = null;

  /** Call a step with shares from 0 to 1, the last time with 1. */
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
      this.request = requestAnimationFrame(next);
      step(share > 0 ? share * share * (3 - 2 * share) : 0);
    };
    this.request = requestAnimationFrame(next);
  }

  /** Bring the movement to its end, at once. */
  settle(): void {
    this.stop();
    const { finish } = this;
    this.finish = null;
    finish?.();
  }

  /** End the movement where it is. */
  stop(): void {
    cancelAnimationFrame(this.request);
  }
}
