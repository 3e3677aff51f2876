// Colors: of the classes by scheme, of everything else by theme.

export const SCHEMES = ["safe", "paper", "gray"] as const;
export type Scheme = (typeof SCHEMES)[number];
export type ThemeName = "light" | "dark";

/** Colors of the negative and the positive class. */
export type Pair = readonly [negative: string, positive: string];

export interface Theme {
  name: ThemeName;
  /** Marks of the classes, and texts about them, which need more contrast. */
  classes: Pair;
  texts: Pair;
  page: string;
  ground: string;
  ink: string;
  gray: string;
  isoline: string;
  emphasized: string;
  arc: string;
  ring: string;
  leverage: string;
  border: string;
  neutral: string;
  agrees: string;
  lit: string;
  path: string;
}

const MARKS: Record<ThemeName, Record<Scheme, Pair>> = {
  light: {
    safe: ["#d55e00", "#0072b2"],
    paper: ["#c8201f", "#1f8a35"],
    gray: ["#8a8a8a", "#262626"],
  },
  dark: {
    safe: ["#f0883e", "#56b4e9"],
    paper: ["#ff7069", "#57c46c"],
    gray: ["#8c8c8c", "#f2f2f0"],
  },
};

const TEXTS: Record<ThemeName, Record<Scheme, Pair>> = {
  light: {
    safe: ["#ad4c00", "#0068a3"],
    paper: ["#b51c1b", "#197130"],
    gray: ["#696969", "#262626"],
  },
  dark: {
    safe: ["#f0883e", "#56b4e9"],
    paper: ["#ff7069", "#57c46c"],
    gray: ["#a3a3a3", "#f2f2f0"],
  },
};

const REST: Record<ThemeName, Omit<Theme, "name" | "classes" | "texts">> = {
  light: {
    page: "#ffffff",
    ground: "#fcfcfb",
    ink: "#1a1a1a",
    gray: "#595959",
    isoline: "#d4d4d2",
    emphasized: "#a8a8a4",
    arc: "#5c6270",
    ring: "#9094a0",
    leverage: "#8f3a76",
    border: "#6e6e6e",
    neutral: "#7a7a7a",
    agrees: "#8b8f99",
    lit: "#e3a008",
    path: "#1a1a1a",
  },
  dark: {
    page: "#121417",
    ground: "#181b1f",
    ink: "#ececea",
    gray: "#a6abb4",
    isoline: "#343840",
    emphasized: "#5a606b",
    arc: "#868d9d",
    ring: "#6f7684",
    leverage: "#d487bd",
    border: "#7d838f",
    neutral: "#a0a0a0",
    agrees: "#7f8591",
    lit: "#f2c744",
    path: "#f4f4f2",
  },
};

/** The colors of a theme and a scheme. */
export function makeTheme(name: ThemeName, scheme: Scheme): Theme {
  return { name, classes: MARKS[name][scheme], texts: TEXTS[name][scheme], ...REST[name] };
}

/** Colors as custom properties, for the style sheet. */
export function asProperties(theme: Theme): Record<string, string> {
  const { classes, texts } = theme;
  return {
    "--ht-page": theme.page,
    "--ht-ground": theme.ground,
    "--ht-ink": theme.ink,
    "--ht-gray": theme.gray,
    "--ht-rule": theme.name === "light" ? "#e2e2df" : "#2b2f36",
    "--ht-control": theme.name === "light" ? "#8b8b88" : "#6c727d",
    "--ht-soft": theme.name === "light" ? "#f4f4f2" : "#1e2126",
    "--ht-focus": theme.name === "light" ? "#0b63ce" : "#8ec5ff",
    "--ht-leverage": theme.leverage,
    "--ht-lit": theme.lit,
    "--ht-negative": classes[0],
    "--ht-positive": classes[1],
    "--ht-negative-text": texts[0],
    "--ht-positive-text": texts[1],
  };
}
