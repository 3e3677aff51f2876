// How to read a picture: a small example, drawn as all trees are, and the meaning of its parts.

import { paint } from "../../draw/canvas";
import { NormTable, ORIGIN, unlift, type Point } from "../../draw/geometry";
import { findLevels } from "../../draw/isolines";
import { diskLayer, type Look } from "../../draw/look";
import { drawTree } from "../../draw/picture";
import { Plan } from "../../draw/plan";
import { markLabel, type Layer } from "../../draw/shapes";
import type { Theme } from "../../draw/theme";
import { confidenceWord } from "../../model/node_texts";
import type { Origin, ValueKind } from "../../model/payload";
import type { Colors } from "../colors";
import { el, sizeCanvas } from "../dom";
import type { Session } from "../session";
import { CENTER_MEANS, isolineText } from "../words";
import { makeExample } from "./reading_tree";

const SIZE = 320;
const T = 1;

/** What the texts depend on. */
export interface Kind {
  center: Origin;
  valueKind: ValueKind;
  /** Whether the outputs of trees are added up to a score. */
  adds: boolean;
}

/** A letter: the place that it explains, its offset from there in pixels, and its text. */
export interface Letter {
  at: (plan: Plan) => Point;
  offset: Point;
  text: string;
}

const node =
  (v: number) =>
  ({ tree, x, y }: Plan): Point => [x[tree.row[v]], y[tree.row[v]]];

/** The middle of the arc that ends at a node. */
const arc =
  (v: number) =>
  ({ tree, points, n }: Plan): Point => {
    const i = 2 * (n * (tree.row[v] - 1) + (n - 1) / 2);
    return [points[i], points[i + 1]];
  };

const circle =
  (distance: (plan: Plan) => number, angle: number) =>
  (plan: Plan): Point => {
    const norm = Math.tanh(unlift(distance(plan), T) / 2);
    return [norm * Math.cos(angle), norm * Math.sin(angle)];
  };

/** A distance at which there is an isoline. */
export function isolineOf({ center, valueKind }: Kind): number {
  if (valueKind === "margin") return 2;
  return Math.log(center === "half" ? 9 : 10);
}

/** The parts of the picture, in the order of their letters. */
export function partsOf(kind: Kind): Letter[] {
  const isBase = kind.center === "base";
  const sure = confidenceWord(kind.center);
  const parts: (Letter | false)[] = [
    !isBase && {
      at: () => [0, 0],
      offset: [-12, 12],
      text: "The center, a cross: even odds, no better than guessing.",
    },
    {
      at: node(0),
      offset: [14, -13],
      text: isBase
        ? "The root, a thick ring in the center: all rows, before any test."
        : "The root, a thick ring: what the tree says before any test.",
    },
    {
      at: node(3),
      offset: [-4, -14],
      text: isBase
        ? "Near the border evidence is strong. A diamond is for one class, a disk for the other."
        : "Near the border confidence is large. A diamond says one class, a disk the other.",
    },
    {
      at: node(1),
      offset: [-17, 4],
      text: `A thin ring: it also speaks for leaves below it of less ${sure}, which are not drawn.`,
    },
    {
      at: arc(15),
      offset: [12, -10],
      text: "A thick arc: several tests on the way. A thin one: a single test.",
    },
    kind.adds && {
      at: circle(({ tree }) => tree.leverageConfidence, 3.7),
      offset: [0, 0],
      text: `The whole circle, its leverage: the most that this tree ${isBase ? "moves" : "adds to"} the score.`,
    },
    {
      at: circle(({ tree }) => tree.maxConfidence, 4.05),
      offset: [0, 0],
      text: `The dotted circle: the tree's largest ${sure}.`,
    },
    {
      at: circle(() => isolineOf(kind), 1.75),
      offset: [0, 0],
      text: `A gray circle: ${isolineText("value", kind.valueKind, kind.center)}.`,
    },
  ];
  return parts.filter((part) => part !== false);
}

/** The picture and what its letters stand for, with a way to paint it. */
export function makeReading(
  session: Session,
  colors: Colors,
): { element: HTMLElement; show: () => void } {
  const canvas = el("canvas", {
    part: "reading",
    role: "img",
    "aria-label": "A small tree in a disk, with letters at its parts",
  });
  canvas.style.width = canvas.style.height = `${SIZE}px`;
  const list = el("ol", { class: "ht-letters" });
  const means = el("p");
  const show = (): void => {
    const { valueKind, link } = session.forest.header;
    const kind: Kind = { center: session.state.center, valueKind, adds: link !== "mean" };
    const parts = partsOf(kind);
    means.textContent = CENTER_MEANS[kind.center];
    list.replaceChildren(...parts.map(({ text }) => el("li", { text })));
    paint(sizeCanvas(canvas, SIZE, SIZE), drawReading(colors.theme, kind, parts));
  };
  return { element: el("div", { class: "ht-reading" }, canvas, el("div", {}, means, list)), show };
}

function drawReading(theme: Theme, kind: Kind, parts: Letter[]): Layer[] {
  const tree = makeExample(kind.center, kind.adds);
  const plan = new Plan(tree, T, new NormTable(tree.maxConfidence, T));
  const look: Look = {
    t: T,
    center: ORIGIN,
    width: SIZE,
    height: SIZE,
    zoom: 1,
    pan: [0, 0],
    levels: findLevels("value", kind.valueKind, kind.center, tree.origin),
    heldOut: false,
    theme,
    moving: false,
    opacity: 1,
    numbered: [],
    textScale: 1,
    labelAngle: 4.9,
  };
  const { layers } = drawTree(plan, look);
  const shapes = parts.map(({ at, offset }, k) =>
    markLabel(String.fromCharCode(65 + k), at(plan), offset, 14, theme.ink, theme.ground),
  );
  return [...layers, { ...diskLayer(look), shapes }];
}
