import { beforeEach, describe, expect, test } from "vitest";

import { Camera } from "../../../src/ui/disk/camera";
import { Motion } from "../../../src/ui/disk/motion";
import { listenToPointers } from "../../../src/ui/disk/pointer";
import { Stage } from "../../../src/ui/disk/stage";
import { placeBeside, Tooltip } from "../../../src/ui/disk/tooltip";
import { listenToTouch } from "../../../src/ui/disk/touch";
import { Colors } from "../../../src/ui/colors";
import type { Session } from "../../../src/ui/session";
import { fake, FakeElement, frame, makeSession, send } from "../../dom";

let session: Session;
let stage: Stage;
let camera: Camera;
let root: FakeElement;
let moved: number;

beforeEach(async () => {
  session = await makeSession();
  session.showTree(3);
  root = new FakeElement("DIV");
  root.className = "horotree ht-page";
  const html = root as unknown as HTMLElement;
  const motion = new Motion();
  moved = 0;
  const colors = new Colors(html, session, new AbortController().signal);
  stage = new Stage(session, colors, motion, () => moved++);
  camera = new Camera(session, stage, motion);
  listenToPointers(html, session, stage, camera);
  listenToTouch(html, session, stage, camera);
  fake(stage.element).clientWidth = 800;
  fake(stage.element).clientHeight = 600;
  stage.resize();
  stage.draw();
});

const at = (row: number, dx = 0, dy = 0): { clientX: number; clientY: number } => {
  const [x, y] = stage.placeOf(row);
  return { clientX: x + dx, clientY: y + dy };
};

/** A row that no other is near to. */
function loneRow(): number {
  const { m } = session.tree;
  const far = (r: number, other: number): number => {
    const [[x, y], [u, v]] = [stage.placeOf(r), stage.placeOf(other)];
    return r === other ? Infinity : Math.hypot(x - u, y - v);
  };
  const rows = Array.from({ length: m }, (_, r) => r);
  const found = rows.find((r) => r > 0 && rows.every((other) => far(r, other) > 30));
  return found ?? 1;
}

/** How often each of the two canvases was painted since `calls` were cleared. */
function painted(): number[] {
  return fake(stage.element).children.map((canvas) => {
    const { calls } = canvas as FakeElement;
    return calls.splice(0).filter((name) => name === "clearRect").length;
  });
}

describe("the stage", () => {
  test("finds each node where it is drawn, and none far from all", () => {
    for (const zoom of [1, 3]) {
      session.update({ zoom });
      stage.draw();
      const row = loneRow();
      expect(stage.rowAt(...stage.placeOf(row))).toBe(row);
      const [x, y] = stage.placeOf(row);
      expect(stage.rowAt(x + 13, y)).toBe(row);
    }
    expect(stage.rowAt(-500, -500)).toBe(-1);
  });

  test("the root is in the middle from its own center, points lead there and back", () => {
    session.showCenter("base");
    stage.draw();
    expect(stage.placeOf(0)).toEqual([400, 300]);
    expect(stage.pointAt(400, 300)).toEqual([0, 0]);
    expect(stage.pointAt(400 + 280, 300)[0]).toBeCloseTo(1, 12);
  });

  test("a hovered node is painted over the tree, which is not painted again", () => {
    frame();
    painted();
    session.update({ hovered: 1 });
    frame();
    expect(painted()).toEqual([0, 1]);
    session.update({ t: 0.5 });
    frame();
    expect(painted()).toEqual([1, 1]);
    frame();
    expect(painted()).toEqual([0, 0]);
  });

  test("a node is moved to the middle and back", () => {
    const row = loneRow();
    session.centerOn(row);
    stage.draw();
    const [x, y] = stage.placeOf(row);
    expect(Math.hypot(x - 400, y - 300)).toBeLessThan(1e-3);
    expect(moved).toBe(1);
    session.update({ centered: -1 });
    stage.draw();
    expect(stage.placeOf(row)).not.toEqual([x, y]);
    expect(moved).toBe(2);
  });

  test("an exported picture lacks pointer and keyboard, but has the path", () => {
    const marked = (): number => stage.layers().flatMap(({ shapes }) => shapes).length;
    const plain = marked();
    session.update({ hovered: 2, focused: 3 });
    expect(marked()).toBe(plain);
    session.select(2);
    session.update({ tab: "tree" });
    expect(marked()).toBeGreaterThan(plain);
  });

  test("its size is taken over once", () => {
    expect(stage.resize()).toBe(false);
    fake(stage.element).clientWidth = 500;
    expect(stage.resize()).toBe(true);
    expect(stage.size).toEqual([500, 600]);
  });
});

describe("the pointer", () => {
  test("hovers, and leaves", () => {
    const row = loneRow();
    send(stage.element, "pointermove", at(row, 5));
    expect(session.state.hovered).toBe(row);
    send(stage.element, "pointerleave");
    expect(session.state.hovered).toBe(-1);
  });

  test("selects with a click, and nothing beside all nodes", () => {
    const row = loneRow();
    send(stage.element, "pointerdown", at(row));
    send(stage.element, "pointermove", at(row, 2));
    send(stage.element, "pointerup", at(row, 2));
    expect([session.state.selected, session.state.tab]).toEqual([row, "node"]);
    send(stage.element, "pointerdown", { clientX: 1, clientY: 1 });
    send(stage.element, "pointerup", { clientX: 1, clientY: 1 });
    expect(session.state.selected).toBe(-1);
  });

  test("drags the disk, which selects nothing", () => {
    const row = loneRow();
    const [x, y] = stage.placeOf(row);
    send(stage.element, "pointerdown", at(row));
    send(stage.element, "pointermove", { clientX: x + 20, clientY: y - 10 });
    expect(fake(stage.element).classes.has("ht-dragging")).toBe(true);
    send(stage.element, "pointerup", { clientX: x + 20, clientY: y - 10 });
    expect(fake(stage.element).classes.has("ht-dragging")).toBe(false);
    expect(session.state.selected).toBe(-1);
    const [u, v] = stage.placeOf(row);
    expect([u - x, v - y].map(Math.round)).toEqual([20, -10]);
  });

  test("moves a node to the middle with a double click; other buttons and fingers do nothing", () => {
    const row = loneRow();
    for (const other of [{ button: 2 }, { pointerType: "touch" }]) {
      send(stage.element, "pointerdown", { ...at(row), ...other });
      send(stage.element, "pointerup", { ...at(row), ...other });
    }
    expect(session.state.selected).toBe(-1);
    send(stage.element, "dblclick", at(row));
    expect(session.state.centered).toBe(row);
  });

  test("zooms by wheel, in a page that scrolls only with Ctrl or the focus", () => {
    const wheel = { clientX: 300, clientY: 200, deltaY: -100, deltaMode: 0, ctrlKey: false };
    expect(send(stage.element, "wheel", wheel)).toBe(true);
    const { zoom } = session.state;
    expect(zoom).toBeCloseTo(Math.exp(0.18), 12);
    root.className = "horotree";
    expect(send(stage.element, "wheel", wheel)).toBe(false);
    expect(session.state.zoom).toBe(zoom);
    expect(send(stage.element, "wheel", { ...wheel, ctrlKey: true })).toBe(true);
    stage.element.focus();
    expect(send(stage.element, "wheel", wheel)).toBe(true);
    stage.element.blur();
  });

  test("the focus starts at the selected node, or the root", () => {
    stage.element.focus();
    expect(session.state.focused).toBe(0);
    stage.element.blur();
  });
});

describe("fingers", () => {
  const touches = (...places: [number, number][]): object => ({
    targetTouches: places.map(([clientX, clientY], identifier) => ({
      identifier,
      clientX,
      clientY,
    })),
  });
  const place = (row: number): [number, number] => stage.placeOf(row) as [number, number];

  test("a tap shows the card of the nearest node, and no click follows", () => {
    const row = loneRow();
    const [x, y] = place(row);
    send(stage.element, "touchstart", touches([x + 6, y]));
    send(stage.element, "touchmove", touches([x + 8, y]));
    expect(send(stage.element, "touchend", touches())).toBe(true);
    expect(session.state.tapped).toBe(row);
  });

  test("a finger that moves does not tap: it pans, or scrolls where the page does", () => {
    for (const [name, isHeld] of [
      ["horotree ht-page", true],
      ["horotree", false],
    ] as const) {
      root.className = name;
      const { pan } = session.state;
      send(stage.element, "touchstart", touches([300, 300]));
      expect(send(stage.element, "touchmove", touches([340, 300]))).toBe(isHeld);
      send(stage.element, "touchend", touches());
      expect(session.state.tapped).toBe(-1);
      expect(session.state.pan[0] !== pan[0]).toBe(isHeld);
    }
  });

  test("two fingers enlarge, also where the page scrolls", () => {
    root.className = "horotree";
    expect(send(stage.element, "touchstart", touches([360, 300], [440, 300]))).toBe(true);
    expect(send(stage.element, "touchmove", touches([320, 300], [480, 300]))).toBe(true);
    expect(session.state.zoom).toBeCloseTo(2, 12);
    send(stage.element, "touchend", touches());
    expect(session.state.tapped).toBe(-1);
  });

  test("a touch that the system ends does not tap", () => {
    send(stage.element, "touchstart", touches(place(0)));
    send(stage.element, "touchcancel", touches());
    expect(session.state.tapped).toBe(-1);
  });
});

test("a card is beside its node, outwards, and in the picture", () => {
  const [card, picture] = [
    [200, 100],
    [800, 600],
  ] as const;
  expect(placeBeside([600, 300], card, [1000, 600])).toEqual([616, 250]);
  expect(placeBeside([300, 300], card, picture)).toEqual([84, 250]);
  expect(placeBeside([100, 300], card, picture)).toEqual([116, 250]);
  expect(placeBeside([700, 300], card, picture)).toEqual([484, 250]);
  expect(placeBeside([300, 2], card, picture)[1]).toBe(6);
  expect(placeBeside([300, 599], card, picture)[1]).toBe(494);
});

test("the tooltip is there while a node is hovered", () => {
  const tooltip = fake(new Tooltip(session, stage).element);
  expect(tooltip.hidden).toBe(true);
  session.update({ hovered: 2 });
  expect(tooltip.hidden).toBe(false);
  expect(tooltip.textContent).toContain("held-out rows");
  session.update({ hovered: -1 });
  expect(tooltip.hidden).toBe(true);
});
