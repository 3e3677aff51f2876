import { beforeEach, expect, test } from "vitest";

import type { Session } from "../../src/ui/session";
import { golden } from "../golden";
import { makeSession } from "../dom";

let session: Session;
beforeEach(async () => {
  session = await makeSession();
});

test("beyond its ends, the first or last tree is shown", () => {
  session.showTree(99);
  expect(session.state.tree).toBe(3);
  session.showTree(-5);
  expect(session.state.tree).toBe(0);
  expect(session.tree).toBe(session.forest.tree(0, 0));
});

test("listeners are called for their parts of the state, and only if these change", () => {
  const calls: string[] = [];
  session.on(["tree", "t"], (changed) => calls.push([...changed].join(" ")));
  session.update({ query: "age" });
  session.update({ tree: 0 });
  expect(calls).toEqual([]);
  session.update({ tree: 3, query: "shoe" });
  expect(calls).toEqual(["tree query"]);
  let shown = 0;
  session.follow(["query"], () => shown++);
  session.update({ query: "" });
  expect(shown).toBe(2);
});

test("rows are unset with their tree, but for those of the same step", () => {
  session.showTree(3);
  session.update({ selected: 2, hovered: 3, centered: 1 });
  session.update({ tree: 2, selected: 1 });
  const { selected, hovered, centered } = session.state;
  expect([selected, hovered, centered]).toEqual([1, -1, -1]);
});

test.each(["half", "base"] as const)(
  "a selected node stays where the center changes from %s",
  (from) => {
    const to = from === "half" ? "base" : "half";
    session.showCenter(from);
    session.showTree(3);
    const automatic = session.forest.layoutT;
    session.update({ t: automatic });
    for (let row = 0; row < session.tree.m; row++) {
      session.showCenter(from);
      session.select(row);
      const node = session.tree.node[row];
      session.showCenter(to);
      const { tree, state } = session;
      expect(tree.center).toBe(to);
      expect(state.selected).toBe(tree.row[node]);
      expect(state.focused).toBe(tree.row[node]);
      expect(state.t).toBe(session.forest.layoutT);
    }
  },
);

test("trees are those of the center before listeners are called", () => {
  const centers: string[] = [];
  session.on(["center"], () => centers.push(session.tree.center));
  session.update({ center: "half" });
  session.update({ center: "base" });
  expect(centers).toEqual(["half", "base"]);
});

test("a t that was chosen stays where the center changes", () => {
  session.update({ t: 0.321 });
  session.showCenter(session.state.center === "half" ? "base" : "half");
  expect(session.state.t).toBe(0.321);
});

test("steps back: sheet, middle, selection, search", () => {
  session.showTree(3);
  session.update({ query: "age", features: new Set([0]) });
  session.select(2);
  session.update({ centered: 1, tapped: 3 });
  expect(session.state.tab).toBe("node");
  const rest = (): unknown[] => {
    const { tapped, centered, selected, query, tab } = session.state;
    return [tapped, centered, selected, query, tab];
  };
  session.goBack();
  expect(rest()).toEqual([-1, 1, 2, "age", "node"]);
  session.goBack();
  expect(rest()).toEqual([-1, -1, 2, "age", "node"]);
  session.goBack();
  expect(rest()).toEqual([-1, -1, -1, "age", "tree"]);
  session.goBack();
  expect(rest()).toEqual([-1, -1, -1, "", "tree"]);
  expect(session.state.features.size).toBe(0);
});

test("the marked node goes to the middle: hovered before focused before selected", () => {
  session.showTree(3);
  session.centerOnMarked();
  expect(session.state.centered).toBe(-1);
  session.update({ selected: 1, focused: 2, hovered: 3 });
  session.centerOnMarked();
  expect(session.state.centered).toBe(3);
  session.centerOnMarked();
  expect(session.state.centered).toBe(2);
});

test("isolines go round, and held-out ticks only where there are data", async () => {
  const seen = [0, 1, 2].map(() => {
    session.nextIsolines();
    return session.state.isolines;
  });
  expect(seen).toEqual(["confidence", "none", "value"]);
  session.toggleHeldOut();
  expect(session.state.heldOut).toBe(false);
  const margins = await makeSession(golden.models[2]);
  margins.nextIsolines();
  expect(margins.state.isolines).toBe("none");
});

test("an example is followed once for each ensemble and center", async () => {
  session = await makeSession(golden.models[1]);
  expect([session.walk(), session.exampleRow()]).toEqual([null, -1]);
  session.update({ example: session.forest.example(0) });
  const walk = session.walk()!;
  session.showTree(2);
  expect(session.walk()).toBe(walk);
  expect(session.exampleRow()).toBe(walk.stops[2].row);
  session.showEnsemble(1);
  expect(session.walk()).not.toBe(walk);
});
