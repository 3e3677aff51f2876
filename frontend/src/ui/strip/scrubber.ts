// All trees in a row: a film of small pictures, and below it a strip of bars to slide along.

import { countUses } from "../../model/search";
import type { Colors } from "../colors";
import { el } from "../dom";
import type { Session } from "../session";
import { Film } from "./film";
import { Strip } from "./strip";

export class Scrubber {
  readonly element: HTMLElement;
  private readonly strip: Strip;
  private readonly film: Film;
  private uses: Uint32Array = new Uint32Array(0);
  private request = 0;

  constructor(
    private readonly session: Session,
    colors: Colors,
  ) {
    this.strip = new Strip(session, colors);
    this.film = new Film(session, colors, () => this.invalidate());
    this.element = el(
      "footer",
      { class: "ht-scrubber" },
      this.film.element,
      el("div", { class: "ht-strip-row" }, this.strip.element, this.strip.label),
    );
    this.element.hidden = session.size < 2;
    colors.listen(() => {
      this.film.clear();
      this.invalidate();
    });
    session.follow(["features", "ensemble"], () => {
      const { features, ensemble } = session.state;
      this.uses = countUses(session.forest, ensemble, features);
    });
    session.on(["tree", "ensemble"], () => this.film.reveal());
    session.on(["tree", "ensemble", "center", "features", "example"], () => this.invalidate());
  }

  resize(): void {
    this.element.hidden = this.session.size < 2;
    this.film.reveal();
    this.invalidate();
  }

  /** Paint anew before the next frame. */
  private invalidate(): void {
    this.request ||= requestAnimationFrame(() => {
      this.request = 0;
      if (this.element.hidden || !this.element.clientWidth) return;
      this.strip.draw(this.uses);
      this.film.draw(this.uses);
    });
  }
}
