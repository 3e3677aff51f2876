// The theme in use: that of the system or the chosen one, on the page as custom properties.

import { asProperties, makeTheme, type Theme } from "../draw/theme";
import type { Session } from "./session";

export class Colors {
  theme: Theme;
  private readonly prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly session: Session,
    signal: AbortSignal,
  ) {
    this.theme = this.apply();
    const change = (): void => {
      this.theme = this.apply();
      this.notify();
    };
    session.on(["scheme", "theme"], change);
    this.prefersDark.addEventListener("change", change, { signal });
  }

  /** Call a listener when colors change, and when `notify` is called. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  notify(): void {
    for (const listener of this.listeners) listener();
  }

  private apply(): Theme {
    const { theme, scheme } = this.session.state;
    const name = theme === "auto" ? (this.prefersDark.matches ? "dark" : "light") : theme;
    const made = makeTheme(name, scheme);
    for (const [property, value] of Object.entries(asProperties(made)))
      this.root.style.setProperty(property, value);
    this.root.style.colorScheme = name;
    this.root.dataset["theme"] = name;
    return made;
  }
}
