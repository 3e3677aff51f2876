// The slider of t, on which the automatic t is marked.

import { button, el, uniqueId } from "../dom";
import { plainNumber } from "../../model/numbers";
import type { Viewer } from "../../viewer";

// Share of the range within which the automatic t attracts the slider.
const ATTRACTION = 0.012;

const MEANING = "Temperature t: the lower, the more room at the border";

export class TemperatureSlider {
  readonly element: HTMLElement;

  constructor(viewer: Viewer) {
    const { forest } = viewer;
    const [low, high] = viewer.tRange;
    const id = uniqueId();
    const input = el("input", {
      part: "t-slider",
      class: "ht-range",
      attributes: { id, type: "range", min: low, max: high, step: "any" },
    });
    const output = el("output", { class: "ht-t", part: "t-value", attributes: { for: id } });
    const mark = el("span", {
      class: "ht-t-mark",
      part: "t-mark",
      attributes: { "aria-hidden": "true" },
    });
    const automatic = button("", "t-auto", () => viewer.camera.slideTo(forest.layoutT), {
      class: "ht-small ht-automatic",
      title: "The t that draws the farthest node of all trees near the border",
    });
    input.addEventListener("input", () => {
      const t = input.valueAsNumber;
      viewer.stage.touch();
      const { layoutT } = forest;
      const near = Math.abs(t - layoutT) < ATTRACTION * (high - low);
      viewer.store.update({ t: near ? layoutT : t });
    });
    // The arrow keys' steps must not be caught by the automatic t.
    input.addEventListener("keydown", (event) => {
      const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!sign) return;
      event.preventDefault();
      const step = (sign * (high - low)) / (event.shiftKey ? 200 : 50);
      const { t } = viewer.state;
      const next = Math.min(Math.max(t + step, low), high);
      viewer.stage.touch();
      const { layoutT } = forest;
      const passes = (t - layoutT) * (next - layoutT) < 0;
      viewer.store.update({ t: passes ? layoutT : next });
    });
    const show = (): void => {
      const { t } = viewer.state;
      const { layoutT } = forest;
      const share = high > low ? (layoutT - low) / (high - low) : 1;
      mark.style.setProperty("--share", String(share));
      automatic.textContent = `automatic ${plainNumber(layoutT, 2)}`;
      input.value = String(t);
      output.textContent = `t = ${plainNumber(t, 2)}`;
      input.setAttribute(
        "aria-valuetext",
        `t = ${t.toFixed(2)}${t === layoutT ? ", automatic" : ""}`,
      );
      automatic.setAttribute("aria-pressed", String(t === layoutT));
    };
    viewer.store.listen((changed) => {
      if (changed.has("t") || changed.has("center")) show();
    });
    show();
    const label = el("label", {
      class: "ht-hidden",
      text: MEANING,
      attributes: { for: id },
    });
    this.element = el(
      "div",
      { class: "ht-temperature" },
      output,
      label,
      el("span", { class: "ht-range-frame", title: MEANING }, mark, input),
      automatic,
    );
  }
}
