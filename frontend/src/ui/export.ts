// The current picture as a file.

import { paint } from "../draw/canvas";
import type { Layer } from "../draw/shapes";
import { toSvg } from "../draw/svg";
import type { Theme } from "../draw/theme";
import { shorten, shortenAll } from "../model/names";
import { plainNumber } from "../model/numbers";
import { treeName, treeNumber, treeTotal } from "../model/shown";
import type { Stage } from "./disk/stage";
import type { Session } from "./session";
import { saysText } from "./words";

// Pixels above the picture: title and classes, and a line for each note.
const CAPTION = 62;
const NOTE = 19;

// Pixels of a PNG by pixel of the page.
const SCALE = 2;

const DISTANCE = { half: "confidence", base: "evidence, counted from the root" };

interface Drawing {
  layers: Layer[];
  width: number;
  height: number;
  title: string;
}

/** The picture with a caption above, as large as it is on the screen. */
function makeDrawing({ forest, state, classes }: Session, stage: Stage, theme: Theme): Drawing {
  const [across, down] = stage.size;
  const [negative, positive] = shortenAll(classes, 40);
  const name = treeName(forest, state.ensemble, state.tree).toLowerCase();
  const tree = treeTotal(forest, state.ensemble) > 1 ? `${name}, ` : "";
  const title = `${forest.header.title}: ${tree}t = ${plainNumber(state.t, 2)}`;
  const { heldOut } = forest.header;
  const notes = [...forest.header.notes, ...(heldOut ? [heldOut[state.center]] : [])];
  const top = CAPTION + NOTE * notes.length;
  const layers = stage.layers();
  for (const layer of layers) {
    layer.y0 += top;
    layer.clip = [0, top, across, down];
  }
  const caption: Layer = { x0: 20, y0: 0, scale: 1, opacity: 1, shapes: [] };
  const write = (dy: number, size: number, parts: { text: string; color: string }[]): void => {
    caption.shapes.push({ kind: "label", x: 0, y: 0, dx: 0, dy, parts, align: "left", size });
  };
  write(24, 17, [{ text: shorten(title, 90), color: theme.ink }]);
  write(46, 12.5, [
    { text: `◆ ${saysText(negative, state.center)}   `, color: theme.texts[0] },
    { text: `● ${saysText(positive, state.center)}`, color: theme.texts[1] },
    { text: `   distance from the center is ${DISTANCE[state.center]}`, color: theme.gray },
  ]);
  notes.forEach((text, i) => write(46 + NOTE * (i + 1), 12.5, [{ text, color: theme.gray }]));
  return { layers: [...layers, caption], width: across, height: down + top, title };
}

export function exportSvg(session: Session, stage: Stage, theme: Theme): void {
  const { layers, width, height, title } = makeDrawing(session, stage, theme);
  const text = toSvg(layers, width, height, theme.page, title);
  download(session, "svg", new Blob([text], { type: "image/svg+xml" }));
}

export async function exportPng(session: Session, stage: Stage, theme: Theme): Promise<void> {
  const { layers, width, height } = makeDrawing(session, stage, theme);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * SCALE);
  canvas.height = Math.round(height * SCALE);
  const context = canvas.getContext("2d")!;
  context.fillStyle = theme.page;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(SCALE, SCALE);
  paint(context, layers);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) download(session, "png", blob);
}

function download({ forest, state }: Session, suffix: string, blob: Blob): void {
  const number = treeNumber(forest, state.ensemble, state.tree);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `horotree-tree-${number}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
