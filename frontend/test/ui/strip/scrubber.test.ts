import { beforeEach, expect, test } from "vitest";

import { Colors } from "../../../src/ui/colors";
import type { Session } from "../../../src/ui/session";
import { Scrubber } from "../../../src/ui/strip/scrubber";
import { fake, FakeElement, frame, makeSession, part, send } from "../../dom";

let session: Session;
let scrubber: FakeElement;
let strip: FakeElement;
let film: FakeElement;

beforeEach(async () => {
  session = await makeSession();
  const root = new FakeElement("DIV") as unknown as HTMLElement;
  const colors = new Colors(root, session, new AbortController().signal);
  const made = new Scrubber(session, colors);
  scrubber = fake(made.element);
  [strip, film] = ["scrubber", "film"].map((name) => part(scrubber, name));
  scrubber.clientWidth = strip.clientWidth = 400;
  film.clientWidth = 150;
  made.resize();
  frame();
});

test("a click on the strip or a small picture shows its tree", () => {
  send(strip, "pointerdown", { clientX: 250 });
  expect(session.state.tree).toBe(2);
  film.scrollLeft = 68;
  send(film, "click", { clientX: 5, clientY: 5 });
  expect(session.state.tree).toBe(1);
});

test("a finger slides along the strip, or scrolls the page", () => {
  const finger = { pointerType: "touch", pointerId: 7 };
  send(strip, "pointerdown", { ...finger, clientX: 50, clientY: 10 });
  send(strip, "pointermove", { ...finger, clientX: 110, clientY: 90 });
  expect(session.state.tree).toBe(0);
  send(strip, "pointermove", { ...finger, clientX: 350, clientY: 20 });
  expect(session.state.tree).toBe(3);
  send(strip, "pointermove", { ...finger, clientX: 150, clientY: 300 });
  expect(session.state.tree).toBe(1);
});

test("arrow keys step, up goes on", () => {
  const press = (key: string): number => {
    expect(send(strip, "keydown", { key })).toBe(true);
    return session.state.tree;
  };
  expect(["ArrowRight", "ArrowUp", "ArrowLeft", "End", "ArrowDown", "Home"].map(press)).toEqual([
    1, 2, 1, 3, 2, 0,
  ]);
  expect(send(strip, "keydown", { key: "a" })).toBe(false);
});

test("it says which tree is shown, what that adds, and how many tests are searched for", () => {
  const text = (): string => strip.getAttribute("aria-valuetext")!;
  expect(text()).toBe("Tree 0 of 0–3, moves at most 0"); // a tree of one node, seen from its root
  session.showCenter("half");
  session.showTree(3);
  session.update({ query: "city", features: new Set([2]) });
  frame();
  expect(text()).toMatch(/^Tree 3 of 0–3, adds at most [\d.]+, \d+ tests of what is searched$/);
  expect(part(scrubber, "tree-label").textContent).toMatch(/^Tree 3 of 0–3, adds at most [\d.]+$/);
  session.update({ example: session.forest.example(0) });
  frame();
  const { adds } = session.walk()!.stops[3];
  expect(text()).toMatch(adds > 0 ? /, adds \+/ : /, adds −/);
  session.showCenter("base");
  frame();
  expect(text()).toContain(", moves by ");
});

test("the film scrolls to the tree that is shown", () => {
  session.showTree(3);
  expect(film.scrollLeft).toBe(3 * 68 + 34 - 75);
});
