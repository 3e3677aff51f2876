// Colors: of the classes by scheme, of everything else by theme.

export const SCHEMES = ["safe", "paper", "gray"] as const;
export type Scheme = (typeof SCHEMES)[number];
export type ThemeName = "light" | "dark";

/** Colors of the negative and the positive class. */
export type Pair = readonly [negative: string, positive: string];

/** Colors by theme: light, dark. */
const COLORS = {
  page: ["#ffffff", "#121417"],
  ground: ["#fcfcfb", "#181b1f"],
  ink: ["#1a1a1a", "#ececea"],
  gray: ["#595959", "#a6abb4"],
  rule: ["#e2e2df", "#2b2f36"],
  control: ["#8b8b88", "#6c727d"],
  soft: ["#f4f4f2", "#1e2126"],
  focus: ["#0b63ce", "#8ec5ff"],
  isoline: ["#d4d4d2", "#343840"],
  emphasized: ["#a8a8a4", "#5a606b"],
  arc: ["#5c6270", "#868d9d"],
  ring: ["#9094a0", "#6f7684"],
  leverage: ["#8f3a76", "#d487bd"],
  border: ["#6e6e6e", "#7d838f"],
  neutral: ["#7a7a7a", "#a0a0a0"],
  agrees: ["#8b8f99", "#7f8591"],
  lit: ["#e3a008", "#f2c744"],
  path: ["#1a1a1a", "#f4f4f2"],
} as const;

export interface Theme extends Record<keyof typeof COLORS, string> {
  name: ThemeName;
  /** Marks of the classes, and texts about them, which need more contrast. */
  classes: Pair;
  texts: Pair;
  /** Marks by kind: of the negative class, the positive, neither. */
  kinds: readonly [...Pair, neither: string];
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

const TEXTS: typeof MARKS = {
  light: {
    safe: ["#ad4c00", "#0068a3"],
    paper: ["#b51c1b", "#197130"],
    gray: ["#696969", "#262626"],
  },
  dark: { ...MARKS.dark, gray: ["#a3a3a3", "#f2f2f0"] },
};

function colorsOf(name: ThemeName): Record<keyof typeof COLORS, string> {
  const which = name === "light" ? 0 : 1;
  const found = Object.entries(COLORS).map(([key, pair]) => [key, pair[which]]);
  return Object.fromEntries(found) as ReturnType<typeof colorsOf>;
}

/** The colors of a theme and a scheme. */
export function makeTheme(name: ThemeName, scheme: Scheme): Theme {
  const [classes, texts] = [MARKS[name][scheme], TEXTS[name][scheme]];
  const colors = colorsOf(name);
  return { ...colors, name, classes, texts, kinds: [...classes, colors.neutral] };
}

/** Colors as custom properties, for the style sheet. */
export function asProperties({ name, classes, texts }: Theme): Record<string, string> {
  const [negative, positive] = classes;
  const ofTexts = { "negative-text": texts[0], "positive-text": texts[1] };
  const all = { ...colorsOf(name), negative, positive, ...ofTexts };
  return Object.fromEntries(Object.entries(all).map(([key, color]) => [`--ht-${key}`, color]));
}
