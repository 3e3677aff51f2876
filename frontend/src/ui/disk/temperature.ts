// The slider of t, with a mark at the automatic t.

import { plainNumber } from "../../model/numbers";
import { button, el, HIDDEN, uniqueId } from "../dom";
import type { Session } from "../session";
import type { Camera } from "./camera";
import type { Stage } from "./stage";

// Share of the range within which the automatic t attracts the slider.
const ATTRACTION = 0.012;

const MEANING = "Temperature t: the lower, the more room at the border";

export function makeTemperature(session: Session, stage: Stage, camera: Camera): HTMLElement {
  const { forest } = session;
  const { half, base } = forest.header.layoutT;
  const [low, high] = [Math.min(0, half, base), 1];
  const id = uniqueId();
  const input = el("input", {
    part: "t-slider",
    class: "ht-range",
    id,
    type: "range",
    min: low,
    max: high,
    step: "any",
  });
  const output = el("output", { class: "ht-t", part: "t-value", for: id });
  const mark = el("span", { class: "ht-t-mark", part: "t-mark", ...HIDDEN });
  const automatic = button("", "t-auto", () => camera.slideTo(forest.layoutT), {
    class: "ht-small ht-automatic",
    title: "The t that draws the farthest node of all trees near the border",
  });
  const set = (t: number, isCaught: boolean): void => {
    stage.touch();
    session.update({ t: isCaught ? forest.layoutT : t });
  };
  input.addEventListener("input", () => {
    const t = input.valueAsNumber;
    set(t, Math.abs(t - forest.layoutT) < ATTRACTION * (high - low));
  });
  // The automatic t must not hold the slider when arrow keys move it.
  input.addEventListener("keydown", (event) => {
    const sign = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!sign) return;
    event.preventDefault();
    const step = (sign * (high - low)) / (event.shiftKey ? 200 : 50);
    const { t } = session.state;
    const next = Math.min(Math.max(t + step, low), high);
    set(next, (t - forest.layoutT) * (next - forest.layoutT) < 0);
  });
  session.follow(["t", "center"], () => {
    const { t } = session.state;
    const { layoutT } = forest;
    const share = high > low ? (layoutT - low) / (high - low) : 1;
    mark.style.setProperty("--share", String(share));
    automatic.textContent = `automatic ${plainNumber(layoutT, 2)}`;
    input.value = String(t);
    output.textContent = `t = ${plainNumber(t, 2)}`;
    const value = `t = ${t.toFixed(2)}${t === layoutT ? ", automatic" : ""}`;
    input.setAttribute("aria-valuetext", value);
    automatic.setAttribute("aria-pressed", String(t === layoutT));
  });
  return el(
    "div",
    { class: "ht-temperature" },
    output,
    el("label", { class: "ht-hidden", text: MEANING, for: id }),
    el("span", { class: "ht-range-frame", title: MEANING }, mark, input),
    automatic,
  );
}
