// The card beside the node that is hovered or focused.

import { lift, polarDistance, unlift } from "../../draw/geometry";
import { describeNode } from "../../model/node_texts";
import { shortNumber } from "../../model/numbers";
import { cardOf } from "../card";
import { el, fitText } from "../dom";
import type { Session } from "../session";
import type { Stage } from "./stage";

// Pixels between the node and its card.
const GAP = 16;

export class Tooltip {
  readonly element = el("div", { class: "ht-tooltip", part: "tooltip", role: "tooltip" });

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
  ) {
    session.follow(["hovered", "zoom", "pan", "t", "centered"], () => this.show());
  }

  private show(): void {
    const { session, element } = this;
    const { hovered } = session.state;
    element.hidden = hovered < 0;
    if (hovered < 0) return;
    const texts = describeNode(session.forest, session.state.ensemble, session.tree, hovered);
    const from = this.distanceFromMiddle(hovered);
    if (from) texts.lines.push(from);
    element.replaceChildren(...cardOf(texts));
    fitText(element.querySelector<HTMLElement>(".ht-rule")!, texts.rules);
    const { offsetWidth, offsetHeight } = element;
    const place = this.stage.placeOf(hovered);
    const [left, top] = placeBeside(place, [offsetWidth, offsetHeight], this.stage.size);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }

  /** How far it is from the node in the middle, if there is one. */
  private distanceFromMiddle(row: number): string {
    const { tree, state } = this.session;
    const { centered, t } = state;
    if (centered < 0 || centered === row) return "";
    const drawn = polarDistance(
      unlift(tree.distance[row], t),
      tree.angle[row],
      unlift(tree.distance[centered], t),
      tree.angle[centered],
    );
    return `${shortNumber(lift(drawn, t))} from the node in the middle`;
  }
}

type Pair = readonly [number, number];

/** Where a card goes beside a point: outwards, if there is room, so that it covers less of the tree. */
export function placeBeside([x, y]: Pair, card: Pair, [width, height]: Pair): [number, number] {
  const [right, left] = [x + GAP, x - GAP - card[0]];
  const fits = { right: right + card[0] < width - 4, left: left > 4 };
  const across = (x > width / 2 && fits.right) || !fits.left ? right : left;
  const top = Math.min(Math.max(y - card[1] / 2, 6), height - card[1] - 6);
  return [Math.max(Math.min(across, width - card[0] - 4), 4), Math.max(top, 4)];
}
