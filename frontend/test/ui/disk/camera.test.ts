import { beforeEach, expect, test } from "vitest";

import type { Point } from "../../../src/draw/geometry";
import { diskLayer } from "../../../src/draw/look";
import { fromPixels, toPixels } from "../../../src/draw/shapes";
import { Camera, type Screen } from "../../../src/ui/disk/camera";
import { Motion } from "../../../src/ui/disk/motion";
import type { Session } from "../../../src/ui/session";
import { frame, makeSession, prefers } from "../../dom";

const SIZE = { width: 800, height: 600 };

let session: Session;
let camera: Camera;
let motion: Motion;
let outermost = 0.5;

const layer = () => diskLayer({ ...SIZE, ...session.state });
const screen: Screen = {
  pointAt: (px, py) => fromPixels(layer(), px, py),
  outermost: () => outermost,
  touch: () => {},
};

beforeEach(async () => {
  prefers.calm = true;
  outermost = 0.5;
  session = await makeSession();
  motion = new Motion();
  camera = new Camera(session, screen, motion);
});

function expectPlace(point: Point, [px, py]: Point): void {
  const [x, y] = toPixels(layer(), ...point);
  expect(Math.hypot(x - px, y - py)).toBeLessThan(1e-6);
}

test("what is under the pointer stays there when it zooms", () => {
  for (const factor of [1.5, 3, 0.4]) {
    const at: Point = [431, 222];
    const point = screen.pointAt(...at);
    const { zoom } = session.state;
    camera.zoomBy(factor, at);
    expect(session.state.zoom).toBeCloseTo(zoom * factor, 12);
    expectPlace(point, at);
  }
});

test("the picture goes along with the pointer, but its middle stays in the disk", () => {
  const point = screen.pointAt(300, 300);
  camera.panBy(25, -40);
  expectPlace(point, [325, 260]);
  camera.panBy(5000, 5000);
  expect(Math.hypot(...session.state.pan)).toBeCloseTo(1, 12);
});

test("two fingers take their points with them", () => {
  const fingers: [Point, Point] = [
    [350, 300],
    [450, 320],
  ];
  const points = fingers.map((at) => screen.pointAt(...at));
  const moved: [Point, Point] = [
    [330, 290],
    [470, 318],
  ];
  camera.pinch(fingers[0], moved[0], fingers[1]);
  camera.pinch(fingers[1], moved[1], moved[0]);
  const far = Math.hypot(140, 28) / Math.hypot(100, 20);
  expect(session.state.zoom).toBeCloseTo(far, 12);
  const middle = toPixels(
    layer(),
    (points[0][0] + points[1][0]) / 2,
    (points[0][1] + points[1][1]) / 2,
  );
  expect(Math.hypot(middle[0] - 400, middle[1] - 304)).toBeLessThan(1);
});

test("zoom has limits", () => {
  camera.zoomBy(1e9, [0, 0]);
  expect(session.state.zoom).toBe(1e5);
  camera.zoomBy(1e-9, [0, 0]);
  expect(session.state.zoom).toBe(0.7);
  camera.zoomIn();
  expect(session.state.zoom).toBeCloseTo(0.98, 12);
  camera.zoomOut();
  expect(session.state.zoom).toBeCloseTo(0.7, 12);
});

test("fit fills the picture, also with the next tree, until the whole disk is asked for", () => {
  camera.toggleFit();
  expect(session.state.zoom).toBeCloseTo(1 / 0.56, 12);
  expect(session.state.fit).toBe(true);
  outermost = 0.25;
  session.showTree(1);
  expect(session.state.zoom).toBeCloseTo(1 / 0.28, 12);
  camera.toggleFit();
  expect([session.state.zoom, session.state.fit]).toEqual([1, false]);
  session.showTree(2);
  expect(session.state.zoom).toBe(1);
  outermost = 0.99; // never smaller than the whole disk
  camera.fit();
  expect(session.state.zoom).toBe(1);
});

test("a move ends fit", () => {
  camera.fit();
  camera.panBy(3, 0);
  expect(session.state.fit).toBe(false);
});

test("t slides to its aim, and is there to the last bit", () => {
  prefers.calm = false;
  motion = new Motion();
  camera = new Camera(session, screen, motion);
  const start = performance.now();
  session.update({ t: 0.7 }); // 0.7 + (0.1 - 0.7) is not 0.1
  camera.slideTo(0.1);
  frame(start + 130);
  expect(session.state.t).toBeGreaterThan(0.1);
  expect(session.state.t).toBeLessThan(0.7);
  frame(start + 5000);
  expect(session.state.t).toBe(0.1);
});

test("a new movement brings the last to its end", () => {
  prefers.calm = false;
  motion = new Motion();
  camera = new Camera(session, screen, motion);
  camera.zoomIn();
  frame(performance.now() + 20);
  expect(session.state.zoom).toBeLessThan(1.4);
  camera.slideTo(0.5);
  expect(session.state.zoom).toBeCloseTo(1.4, 12);
  const shares: number[] = [];
  motion.animate(100, (share) => shares.push(share));
  expect(session.state.t).toBe(0.5);
  motion.stop();
  frame(performance.now() + 5000);
  expect(shares).toEqual([]);
  motion.settle();
  expect(shares).toEqual([1]);
});
