// Buttons over the disk: zoom, fit, the whole disk, and the way back from a moved one.

import { button, el } from "../dom";
import type { Session } from "../session";
import type { Camera } from "./camera";

export function makeZoomButtons(session: Session, camera: Camera): HTMLElement {
  const fit = button("Fit", "fit", () => camera.toggleFit(), {
    title: "Enlarge each tree to fill the picture (f)",
  });
  const zoom = el(
    "div",
    { class: "ht-zoom", role: "group", "aria-label": "Zoom" },
    button("+", "zoom-in", () => camera.zoomIn(), {
      title: "Enlarge (+)",
      "aria-label": "Enlarge",
    }),
    button("−", "zoom-out", () => camera.zoomOut(), {
      title: "Make smaller (−)",
      "aria-label": "Make smaller",
    }),
    fit,
    button("Whole disk", "whole", () => camera.whole(), { title: "Show the whole disk (0)" }),
  );
  const back = button("Back to the center (Esc)", "back", () => session.update({ centered: -1 }), {
    class: "ht-back",
  });
  session.follow(["fit", "centered"], () => {
    fit.setAttribute("aria-pressed", String(session.state.fit));
    back.hidden = session.state.centered < 0;
  });
  return el("div", { class: "ht-over" }, zoom, back);
}
