import { beforeEach, expect, test, vi } from "vitest";

import { ORIGINS } from "../../src/model/payload";
import type { Camera } from "../../src/ui/disk/camera";
import { listenToKeys, nextRow } from "../../src/ui/keys";
import type { Session } from "../../src/ui/session";
import { FakeElement, makeSession, send } from "../dom";
import { golden, readForest } from "../golden";

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];

let session: Session;
let page: FakeElement;
let disk: FakeElement;
let dialog: FakeElement;
const actions = { showHelp: vi.fn(), focusSearch: vi.fn() };
const camera = { zoomIn: vi.fn(), zoomOut: vi.fn(), whole: vi.fn(), fit: vi.fn() };

beforeEach(async () => {
  vi.clearAllMocks();
  session = await makeSession();
  [page, disk, dialog] = ["MAIN", "DIV", "DIALOG"].map((tag) => new FakeElement(tag));
  const targets = {
    disk: disk as unknown as HTMLElement,
    dialog: dialog as unknown as HTMLDialogElement,
    camera: camera as unknown as Camera,
    ...actions,
  };
  const end = new AbortController().signal;
  listenToKeys(page as unknown as HTMLElement, session, targets, end);
});

const press = (key: string, target: unknown = document.body, more = {}): boolean =>
  send(page, "keydown", { key, target, ...more });

test("arrow keys walk along the tree", () => {
  session.showTree(3);
  const { tree } = session;
  for (let row = 0; row < tree.m; row++) {
    const above = tree.parentRow[row];
    expect(nextRow(tree, row, "ArrowUp")).toBe(Math.max(above, 0));
    expect(nextRow(tree, row, "Home")).toBe(0);
    expect(nextRow(tree, row, "x")).toBeNull();
    const children = tree.childrenOf(row);
    const down = nextRow(tree, row, "ArrowDown")!;
    if (!children.length) expect(down).toBe(row);
    else {
      expect(children).toContain(down);
      for (const child of children) expect(tree.worth[child]).toBeLessThanOrEqual(tree.worth[down]);
    }
    const left = nextRow(tree, row, "ArrowLeft")!;
    expect(nextRow(tree, left, "ArrowRight")).toBe(row);
  }
});

test("all siblings are met on the way around, by their angles", async () => {
  let nFamilies = 0;
  for (const model of golden.models)
    for (const center of ORIGINS) {
      const forest = await readForest(model);
      forest.center = center;
      const tree = forest.at(3);
      for (let row = 0; row < tree.m; row++) {
        const siblings = tree.childrenOf(row);
        if (siblings.length < 3) continue;
        const met = [siblings[0]];
        while (met.length < siblings.length) met.push(nextRow(tree, met.at(-1)!, "ArrowLeft")!);
        expect([...met].sort((a, b) => a - b)).toEqual(siblings);
        const next = (i: number): number => met[(i + 1) % met.length];
        const turns = met.filter((r, i) => tree.angle[r] > tree.angle[next(i)]);
        expect(turns.length).toBe(1);
        nFamilies++;
      }
    }
  expect(nFamilies).toBeGreaterThan(3);
});

test("on the disk arrow keys focus nodes, Enter selects; elsewhere they go through the trees", () => {
  session.showTree(2);
  expect(press("ArrowDown", disk)).toBe(true);
  const { focused } = session.state;
  expect(focused).toBeGreaterThan(0);
  expect(session.state.hovered).toBe(focused);
  press("Enter", disk);
  expect([session.state.selected, session.state.tree]).toEqual([focused, 2]);
  press("ArrowRight");
  expect(session.state.tree).toBe(3);
  press("Home");
  expect(session.state.tree).toBe(0);
  press("End");
  expect(session.state.tree).toBe(3);
  const other = new FakeElement("BUTTON");
  for (const key of ARROWS) expect(press(key, other)).toBe(false);
  expect(session.state.tree).toBe(3);
  press("[", other);
  expect(session.state.tree).toBe(2);
});

test("keys of the picture", () => {
  const keys = { "+": "zoomIn", "=": "zoomIn", "-": "zoomOut", "0": "whole", f: "fit" } as const;
  for (const [key, name] of Object.entries(keys)) {
    camera[name].mockClear();
    expect(press(key)).toBe(true);
    expect(camera[name]).toHaveBeenCalledOnce();
  }
  press("?");
  expect(actions.showHelp).toHaveBeenCalledOnce();
  press("/");
  expect(actions.focusSearch).toHaveBeenCalledOnce();
  press("e");
  expect(session.state.tab).toBe("example");
  press("h");
  expect(session.state.heldOut).toBe(false);
  expect(press("x")).toBe(false);
});

test("letters belong to fields, keys to an open dialog, shortcuts to the browser", () => {
  const field = new FakeElement("INPUT");
  field.setAttribute("type", "search");
  expect(press("e", field)).toBe(false);
  field.focus();
  press("Escape", field);
  expect(document.activeElement).toBeNull();
  expect(press("e", new FakeElement("TEXTAREA"))).toBe(false);
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
    expect(press("e", document.body, more)).toBe(false);
  dialog.open = true;
  expect(press("e")).toBe(false);
  dialog.open = false;
  expect(session.state.tab).toBe("tree");
  const slider = new FakeElement("INPUT");
  slider.setAttribute("type", "range");
  expect(press("e", slider)).toBe(true);
});
