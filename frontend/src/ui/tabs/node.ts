// What is told of a node: its figures, its whole rule to copy, and the path to it.

import { button, el } from "../dom";
import { shorten } from "../../model/names";
import type { TabContent } from "./panel";
import { NoForm, pathRule, rulePandas, ruleSql, ruleText } from "../../model/rules";
import { describeNode, nameOf, shortFigure } from "../../model/node_texts";
import { cardOf } from "../disk/tooltip";
import type { Viewer } from "../../viewer";

const FORMS = { text: "Text", pandas: "pandas", sql: "SQL" } as const;
type Form = keyof typeof FORMS;

export class NodeTab implements TabContent {
  readonly element = el("div");
  private form: Form = "text";

  constructor(private readonly viewer: Viewer) {
    viewer.store.listen((changed) => {
      const keys = ["selected", "tab", "tree", "ensemble", "center"] as const;
      if (keys.some((key) => changed.has(key))) this.show();
    });
    this.show();
  }

  private show(): void {
    const { viewer } = this;
    const { selected, ensemble } = viewer.state;
    if (selected < 0) {
      this.element.replaceChildren(
        el("h2", { text: "Node" }),
        el("p", {
          class: "ht-quiet",
          text: "Click a node of the disk, or go there with the arrow keys and press Enter: here are its rule, to copy, and the path to it.",
        }),
      );
      return;
    }
    const tree = viewer.stage.plan.tree;
    const texts = describeNode(viewer.forest, ensemble, tree, selected);
    const [head, ...rest] = cardOf(texts).filter((part) => !part.classList.contains("ht-rule"));
    this.element.replaceChildren(
      el("h2", { class: "ht-head ht-node-head", part: "node-head" }, ...head.childNodes),
      ...rest,
      el("h3", { text: "Rule" }),
      ...this.rule(selected),
      el(
        "div",
        {
          class: "ht-buttons",
        },
        button(
          "Move to the middle",
          "middle",
          () => viewer.store.update({ centered: selected, hovered: -1 }),
          {
            title: "How far is it from here? (c)",
          },
        ),
      ),
      el("h3", { text: "Path from the root" }),
      this.path(selected),
    );
  }

  /** The whole rule of a row in one of the forms; or why there is none. */
  private write(row: number, form: Form): [text: string, exists: boolean] {
    const { forest, stage } = this.viewer;
    const { columns, header } = forest;
    const tree = stage.plan.tree;
    const rule = pathRule(tree, tree.node[row]);
    try {
      if (form === "pandas") return [rulePandas(rule, columns, header.inputDtype), true];
      if (form === "sql") return [ruleSql(rule, columns, header.inputDtype), true];
    } catch (error) {
      if (error instanceof NoForm) return [error.message, false];
      throw error;
    }
    return [ruleText(rule, columns, { maxLabels: null }), true];
  }

  private rule(row: number): HTMLElement[] {
    const code = el("pre", { class: "ht-code", part: "rule", attributes: { tabindex: 0 } });
    const heads = (Object.keys(FORMS) as Form[]).map((form) => {
      const head = button(FORMS[form], `rule-${form}`, () => choose(form));
      return [form, head] as const;
    });
    const choose = (form: Form): void => {
      this.form = form;
      const [text, exists] = this.write(row, form);
      code.textContent = text;
      copy.disabled = !exists;
      code.classList.toggle("ht-words", form === "text");
      for (const [other, head] of heads) head.setAttribute("aria-pressed", String(other === form));
    };
    const copy = button("Copy", "copy", () => {
      void copyText(code.textContent ?? "").then((done) => {
        copy.textContent = done ? "Copied" : "Select the text to copy it";
        this.viewer.say(copy.textContent);
        setTimeout(() => (copy.textContent = "Copy"), 1600);
      });
    });
    choose(this.form);
    const group = { role: "group", "aria-label": "Form of the rule" };
    return [
      el("div", { class: "ht-buttons", attributes: group }, ...heads.map(([, head]) => head), copy),
      code,
    ];
  }

  private path(row: number): HTMLElement {
    const { viewer } = this;
    const { forest } = viewer;
    const tree = viewer.stage.plan.tree;
    const classes = forest.classesOf(viewer.state.ensemble);
    const items = tree.rowsTo(row).map((r) => {
      const node = tree.node[r];
      const above = tree.parentRow[r];
      const rule =
        above < 0
          ? "the root: no test yet"
          : ruleText(pathRule(tree, node, tree.node[above]), forest.columns, {
              showMissing: forest.columns.gaps,
            });
      const item = el(
        "button",
        { class: "ht-told" },
        el("span", { class: "ht-rule", text: rule }),
        el(
          "span",
          { class: `ht-text-${tree.kindOf(r)}` },
          el("strong", { text: shorten(nameOf(tree, r, classes), 24) }),
          ` ${shortFigure(forest, tree, r, classes[1])}`,
        ),
      );
      item.type = "button";
      if (r === row) item.setAttribute("aria-current", "true");
      item.addEventListener("click", () => viewer.select(r));
      item.addEventListener("pointerenter", () => viewer.store.update({ hovered: r }));
      item.addEventListener("pointerleave", () => viewer.store.update({ hovered: -1 }));
      return el("li", {}, item);
    });
    return el("ol", { class: "ht-list", part: "path" }, ...items);
  }
}

/** Copy a text; returns whether that went well. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where pages may not write to the clipboard, the old way may still do.
    const area = el("textarea", { class: "ht-hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
