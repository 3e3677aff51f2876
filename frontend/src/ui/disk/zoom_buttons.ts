// Buttons over the disk: zoom, fit, the whole disk, and the way back from a moved one.

import { button, el } from "../dom";
import type { Viewer } from "../../viewer";

export function makeZoomButtons(viewer: Viewer): HTMLElement {
  const { store } = viewer;
  const fit = button("Fit", "fit", () => toggleFit(), {
    title: "Enlarge each tree to fill the picture (f)",
  });
  const toggleFit = (): void => (store.state.fit ? viewer.camera.whole() : viewer.camera.fit(true));
  const zoom = el(
    "div",
    { class: "ht-zoom", attributes: { role: "group", "aria-label": "Zoom" } },
    button("+", "zoom-in", () => viewer.camera.zoomStep(1.4), {
      title: "Enlarge (+)",
      attributes: { "aria-label": "Enlarge" },
    }),
    button("−", "zoom-out", () => viewer.camera.zoomStep(1 / 1.4), {
      title: "Make smaller (−)",
      attributes: { "aria-label": "Make smaller" },
    }),
    fit,
    button("Whole disk", "whole", () => viewer.camera.whole(), {
      title: "Show the whole disk (0)",
    }),
  );
  const back = button("Back to the center (Esc)", "back", () => store.update({ centered: -1 }), {
    class: "ht-back",
  });
  const show = (): void => {
    fit.setAttribute("aria-pressed", String(store.state.fit));
    back.hidden = store.state.centered < 0;
  };
  store.listen(show);
  show();
  return el("div", { class: "ht-over" }, zoom, back);
}
