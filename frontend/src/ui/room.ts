// Small windows: there all is in one column, and the page scrolls as one.

/** A window is small if it is narrower or lower than this, in rem. */
const NARROW = 52;
const LOW = 30;

/**
 * Mark an element as small where it has little room, now and later.
 *
 * For a page that is its window; for a viewer in another page, its own width.
 */
export function followRoom(root: HTMLElement, isPage: boolean, signal: AbortSignal): void {
  const mark = (isSmall: boolean): void => void root.classList.toggle("ht-small", isSmall);
  if (isPage) {
    const query = window.matchMedia(`(max-width: ${NARROW}rem), (max-height: ${LOW}rem)`);
    mark(query.matches);
    query.addEventListener("change", () => mark(query.matches), { signal });
    return;
  }
  const measure = (): void => {
    const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    if (root.clientWidth) mark(root.clientWidth <= NARROW * letter);
  };
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(root);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Whether fingers and wheel have a page around the disk to scroll. */
export function isScrolled(root: HTMLElement): boolean {
  return !root.classList.contains("ht-page") || root.classList.contains("ht-small");
}
