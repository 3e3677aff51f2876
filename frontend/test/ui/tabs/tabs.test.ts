import { beforeEach, describe, expect, test } from "vitest";

import { Colors } from "../../../src/ui/colors";
import type { Session } from "../../../src/ui/session";
import { ExampleTab } from "../../../src/ui/tabs/example";
import { makeFeatures } from "../../../src/ui/tabs/features";
import { NodeTab } from "../../../src/ui/tabs/node";
import { makePanel } from "../../../src/ui/tabs/panel";
import { TreeTab } from "../../../src/ui/tabs/tree";
import { makeToolbar } from "../../../src/ui/toolbar";
import { allScores } from "../../../src/model/example/follow";
import { exampleText } from "../../../src/model/example/row_text";
import { attribute } from "../../../src/model/example/shapley";
import { strongestOf } from "../../../src/model/strongest";
import { golden } from "../../golden";
import { fake, FakeElement, makeSession, part, parts, send } from "../../dom";

let session: Session;
let colors: Colors;

async function start(model = golden.models[0]): Promise<void> {
  session = await makeSession(model);
  session.showTree(3);
  const root = new FakeElement("DIV") as unknown as HTMLElement;
  colors = new Colors(root, session, new AbortController().signal);
}
beforeEach(() => start());

const entries = (root: unknown): FakeElement[] =>
  parts(root, ({ classes }) => classes.has("ht-entry"));
const textOf = (root: unknown, name: string): string => part(root, name).textContent;

test("one tab is shown at a time; arrow keys go around", () => {
  const [tree, node, example] = ["A", "B", "C"].map((text) => {
    const element = new FakeElement("DIV");
    element.textContent = text;
    return element as unknown as HTMLElement;
  });
  const { element } = makePanel(session, { tree, node, example });
  const shown = (): string =>
    ["tree", "node", "example"]
      .filter((tab) => !part(element, `panel-${tab}`).hidden)
      .map((tab) => textOf(element, `panel-${tab}`))
      .join();
  expect(shown()).toBe("A");
  send(part(element, "tab-node"), "click");
  expect([shown(), session.state.tab]).toEqual(["B", "node"]);
  const [list] = parts(element, ({ classes }) => classes.has("ht-tabs"));
  send(list, "keydown", { key: "ArrowRight" });
  expect(shown()).toBe("C");
  send(list, "keydown", { key: "ArrowRight" });
  expect(shown()).toBe("A");
  send(list, "keydown", { key: "ArrowLeft" });
  expect(shown()).toBe("C");
  expect(part(element, "tab-example").getAttribute("aria-selected")).toBe("true");
  expect(part(element, "tab-tree").tabIndex).toBe(-1);
});

describe("the tree's tab", () => {
  test("lists the nodes that decide most; they are marked and selected from there", () => {
    const { element } = new TreeTab(session, colors);
    colors.notify();
    expect(textOf(element, "tree-name")).toBe("Tree 3 of 0–3");
    const items = entries(part(element, "strongest"));
    const rows = strongestOf(session.tree);
    expect(items.length).toBe(rows.length);
    send(items[1], "pointerenter");
    expect(session.state.hovered).toBe(rows[1]);
    send(items[1], "pointerleave");
    expect(session.state.hovered).toBe(-1);
    send(items[1], "click");
    expect([session.state.selected, session.state.tab]).toEqual([rows[1], "node"]);
  });

  test("shows figures that are known, and follows the tree", () => {
    const { element } = new TreeTab(session, colors);
    const figures = (): string[] =>
      parts(element, ({ tagName }) => tagName === "DT").map(({ textContent }) => textContent);
    session.showTree(2);
    expect(textOf(element, "tree-name")).toBe("Tree 2 of 0–3");
    expect(figures()).toContain("edge");
    session.showTree(1); // whose edge is not known
    expect(figures()).not.toContain("edge");
  });
});

test("features are searched for by a click, and no more by another", () => {
  const element = makeFeatures(session);
  const [first, second] = session.forest.header.importance.ranking;
  const items = entries(element);
  send(items[0], "click");
  expect([...session.state.features]).toEqual([first[0]]);
  expect(session.state.query).toBe(session.forest.columns.names[first[0]]);
  expect(items[0].getAttribute("aria-pressed")).toBe("true");
  send(items[1], "click");
  expect([...session.state.features]).toEqual([second[0]]);
  expect(items[0].getAttribute("aria-pressed")).toBe("false");
  send(items[1], "click");
  expect(session.state.features.size).toBe(0);
});

describe("the node's tab", () => {
  test("says how to select a node", () => {
    expect(fake(new NodeTab(session, () => {}).element).textContent).toContain("Click a node");
  });

  test("has the whole rule in each form, or says why there is none", () => {
    const { element } = new NodeTab(session, () => {});
    let [nTexts, nMissing] = [0, 0];
    golden.models[0].rules.forEach((rules, j) => {
      session.showTree(j);
      const { tree } = session;
      const kept = rules.filter(({ node }) => tree.node[tree.row[node]] === node);
      for (const { node, copied, pandas, sql } of kept) {
        session.select(tree.row[node]);
        for (const [form, expected] of Object.entries({ text: copied, pandas, sql })) {
          send(part(element, `rule-${form}`), "click");
          const text = textOf(element, "rule");
          if (expected) expect(text).toBe(expected);
          else expect(text).toContain("that SQL cannot hold");
          expect(part(element, "copy").disabled).toBe(!expected);
          expect(part(element, `rule-${form}`).getAttribute("aria-pressed")).toBe("true");
          if (expected) nTexts++;
          else nMissing++;
        }
      }
    });
    expect(nTexts).toBeGreaterThan(10);
    expect(nMissing).toBeGreaterThan(0);
  });

  test("has the path, which leads to its nodes", () => {
    const { element } = new NodeTab(session, () => {});
    const row = session.tree.m - 1;
    session.select(row);
    const steps = entries(part(element, "path"));
    const rows = session.tree.rowsTo(row);
    expect(steps.length).toBe(rows.length);
    expect(steps.at(-1)!.getAttribute("aria-current")).toBe("true");
    expect(steps[0].textContent).toContain("the root: no test yet");
    send(part(element, "middle"), "click");
    expect(session.state.centered).toBe(row);
    send(steps[1], "click");
    expect(session.state.selected).toBe(rows[1]);
  });
});

describe("the example's tab", () => {
  const open = (): FakeElement => {
    const { element } = new ExampleTab(session, colors);
    session.update({ tab: "example" });
    return fake(element);
  };
  const follow = (element: FakeElement, text: string): void => {
    part(element, "example-input").value = text;
    send(part(element, "example-follow"), "click");
  };

  test("an embedded row is followed", () => {
    const element = open();
    const choice = part(element, "example-choice");
    choice.value = "2";
    send(choice, "change");
    expect(session.state.example).toEqual(session.forest.example(2));
    expect(textOf(element, "prediction")).toMatch(/ %.* from all 4 trees: score /);
    expect(part(element, "score-chart").tagName).toBe("svg");
  });

  test("parts of the score sum to it, as they are written", () => {
    const element = open();
    follow(element, "age = 0.3, city = Oslo");
    const numbers = parts(part(element, "contributions"), ({ classes }) =>
      classes.has("ht-number"),
    );
    const values = numbers.map(({ textContent }) => Number(textContent.replace("−", "-")));
    const score = values.at(-1)!;
    const sum = values.slice(0, -1).reduce((a, b) => a + b, 0);
    expect(Math.abs(sum - score)).toBeLessThan(1e-3 * values.length);
    const x = session.state.example!;
    expect(score).toBeCloseTo(allScores(session.forest, x)[0], 3);
    expect(values[0]).toBeCloseTo(attribute(session.forest, 0, x)!.base, 3);
  });

  test("a text that is no row is explained, and nothing is shown for it", () => {
    const element = open();
    follow(element, "age = 0.3");
    expect(textOf(element, "example-result")).toContain("Probabilities");
    follow(element, "agee = 0.3");
    expect(textOf(element, "example-error")).toContain("no feature agee");
    expect(session.state.example).toBeNull();
    expect(textOf(element, "example-result")).not.toContain("Probabilities");
    follow(element, "age = 0.3");
    expect(textOf(element, "example-error")).toBe("");
    send(part(element, "example-clear"), "click");
    expect(session.state.example).toBeNull();
    expect(part(element, "example-input").value).toBe("");
  });

  test("the changed row has another answer", () => {
    const element = open();
    const answer = (): string => textOf(element, "prediction").split(" ")[0];
    let turned = 0;
    for (let i = 0; i < 6; i++) {
      follow(element, exampleText(session.forest.example(i), session.forest.columns));
      const before = answer();
      const [turn] = parts(element, ({ dataset }) => dataset["ht"] === "example-turn");
      if (!turn) continue;
      send(turn, "click");
      expect(answer()).not.toBe(before);
      turned++;
    }
    expect(turned).toBeGreaterThan(0);
  });

  test("a click on the score's chart goes to the tree that adds up to there", () => {
    const element = open();
    follow(element, "age = 0.3, city = Oslo");
    const chart = part(element, "score-chart");
    chart.clientWidth = 640; // twice its units: the scores are from 68 to 624
    send(chart, "click", { clientX: 68 + (624 - 68) / 2, clientY: 9 });
    expect(session.state.tree).toBe(1);
    const [line] = parts(element, ({ tagName }) => tagName === "polyline");
    expect(line.getAttribute("points")!.split(" ").length).toBe(5);
    const last = session.walk()!.scores.at(-1)!;
    expect(chart.getAttribute("aria-label")).toContain(last > 0 ? "+" : "−");
  });

  test("the strongest trees lead to their pictures", () => {
    const element = open();
    follow(element, "age = 0.3, city = Oslo");
    const items = entries(part(element, "example-trees"));
    expect(items.length).toBe(4);
    const pushes = session.walk()!.stops.map(({ push }) => Math.abs(push));
    send(items[0], "click");
    expect(pushes[session.state.tree]).toBe(Math.max(...pushes));
  });
});

describe("the toolbar", () => {
  const nothing = (): void => {};
  const make = (showCenter: (center: "half" | "base") => void = nothing): FakeElement =>
    fake(
      makeToolbar(session, {
        showCenter,
        exportSvg: nothing,
        exportPng: nothing,
        showHelp: nothing,
      }).toolbar,
    );

  test("says how many trees and tests use what is searched for", () => {
    const bar = make();
    const search = part(bar, "search");
    const type = (text: string): string => {
      search.value = text;
      send(search, "input");
      return textOf(bar, "search-result");
    };
    expect(type("city")).toMatch(/^in \d of 4 trees, \d+ tests here$/);
    expect([...session.state.features]).toEqual([2]);
    expect(type("e")).toMatch(/^5 features, in \d of 4 trees/);
    expect(type("nothing")).toBe("no such feature");
    expect(type("")).toBe("");
    session.update({ query: "age", features: new Set([0]) });
    expect(search.value).toBe("age");
  });

  test("follows the state, and changes it", () => {
    let wanted = "";
    const bar = make((center) => (wanted = center));
    const center = part(bar, "center");
    center.value = "base";
    send(center, "change");
    expect(wanted).toBe("base");
    const title = (): string => parts(bar, (one) => one.children.includes(center))[0].title;
    session.showCenter("base");
    expect(title()).toContain("evidence");
    session.showCenter("half");
    expect(title()).toContain("confidence");
    session.nextIsolines();
    expect(part(bar, "isolines").value).toBe(session.state.isolines);
    const box = part(bar, "held-out");
    box.checked = false;
    send(box, "change");
    expect(session.state.heldOut).toBe(false);
  });

  test("of several ensembles one is chosen", async () => {
    await start(golden.models[1]);
    const choice = part(make(), "class");
    choice.value = "2";
    send(choice, "change");
    expect(session.state.ensemble).toBe(2);
  });
});
