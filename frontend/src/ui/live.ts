// For screen readers: the disk's description, the focused node, short messages.

import { describeNode, speakNode } from "../model/node_texts";
import type { Origin } from "../model/payload";
import { treeName } from "../model/shown";
import { el } from "./dom";
import type { Session } from "./session";

const FARTHER: Record<Origin, string> = {
  half: "farther from the center the surer",
  base: "farther from the center the more they differ from the root",
};

export class Live {
  readonly element = el("div", { class: "ht-hidden", part: "live", "aria-live": "polite" });

  constructor(
    private readonly session: Session,
    private readonly disk: HTMLElement,
  ) {
    session.follow(["tree", "ensemble", "center"], () => this.describeDisk());
    session.on(["focused", "tree", "ensemble", "center"], () => this.speakFocused());
  }

  /** Let screen readers say something. */
  say(text: string): void {
    this.element.textContent = text;
  }

  private speakFocused(): void {
    const { forest, state, tree } = this.session;
    if (!this.disk.matches(":focus") || state.focused < 0) return;
    this.say(speakNode(describeNode(forest, state.ensemble, tree, state.focused)));
  }

  private describeDisk(): void {
    const { forest, state, tree } = this.session;
    const name = treeName(forest, state.ensemble, state.tree);
    this.disk.setAttribute(
      "aria-label",
      `${name}: ${tree.m} nodes in a disk, ${FARTHER[state.center]}. ` +
        "Arrow keys walk along the tree, Enter selects a node.",
    );
  }
}
