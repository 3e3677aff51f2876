// The node's tab: its figures, its whole rule to copy, and the path to it.

import { shorten } from "../../model/names";
import { describeNode, nameOf, shortFigure } from "../../model/node_texts";
import { NoForm } from "../../model/rules/code";
import { rulePandas } from "../../model/rules/pandas";
import { pathRule } from "../../model/rules/path";
import { ruleSql } from "../../model/rules/sql";
import { ruleText, shownRule } from "../../model/rules/text";
import { cardOf } from "../card";
import { button, el, quiet } from "../dom";
import type { Session } from "../session";
import { nodeEntry } from "./node_entry";

const FORMS = { text: "Text", pandas: "pandas", sql: "SQL" } as const;
type Form = keyof typeof FORMS;

const EMPTY =
  "Click a node of the disk, or go there with the arrow keys and press Enter: here are its rule, to copy, and the path to it.";

export class NodeTab {
  readonly element = el("div");
  private form: Form = "text";

  constructor(
    private readonly session: Session,
    private readonly say: (text: string) => void,
  ) {
    session.follow(["selected", "tab", "tree", "ensemble", "center"], () => this.show());
  }

  private show(): void {
    const { session } = this;
    const { selected, ensemble } = session.state;
    if (selected < 0) {
      this.element.replaceChildren(el("h2", { text: "Node" }), quiet(EMPTY));
      return;
    }
    const texts = describeNode(session.forest, ensemble, session.tree, selected);
    const [head, ...rest] = cardOf(texts).filter((part) => !part.classList.contains("ht-rule"));
    const middle = button("Move to the middle", "middle", () => session.centerOn(selected), {
      title: "How far is it from here? (c)",
    });
    this.element.replaceChildren(
      el("h2", { class: "ht-head ht-node-head", part: "node-head" }, ...head.childNodes),
      ...rest,
      el("h3", { text: "Rule" }),
      ...this.rule(selected),
      el("div", { class: "ht-buttons" }, middle),
      el("h3", { text: "Path from the root" }),
      this.path(selected),
    );
  }

  /** The whole rule of a row in one of the forms; or why there is none. */
  private write(row: number, form: Form): [text: string, exists: boolean] {
    const { tree, forest } = this.session;
    const { columns, header } = forest;
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
    const code = el("pre", { class: "ht-code", part: "rule", tabindex: 0 });
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
        this.say(copy.textContent);
        setTimeout(() => (copy.textContent = "Copy"), 1600);
      });
    });
    choose(this.form);
    const group = { role: "group", "aria-label": "Form of the rule" };
    return [
      el("div", { class: "ht-buttons", ...group }, ...heads.map(([, head]) => head), copy),
      code,
    ];
  }

  private path(row: number): HTMLElement {
    const items = this.session.tree.rowsTo(row).map((r) => {
      const item = this.step(r);
      if (r === row) item.setAttribute("aria-current", "true");
      return el("li", {}, item);
    });
    return el("ol", { class: "ht-list", part: "path" }, ...items);
  }

  /** A row on the path: the tests from its parent to it, and what it says. */
  private step(row: number): HTMLElement {
    const { forest, tree, classes } = this.session;
    const above = tree.parentRow[row];
    const tests = above < 0 ? [] : pathRule(tree, tree.node[row], tree.node[above]);
    const text = above < 0 ? "the root: no test yet" : shownRule(tests, forest.columns);
    return nodeEntry(
      this.session,
      row,
      el("span", { class: "ht-rule", text }),
      el(
        "span",
        { class: `ht-text-${tree.kindOf(row)}` },
        el("strong", { text: shorten(nameOf(tree, row, classes), 24) }),
        ` ${shortFigure(forest, tree, row, classes[1])}`,
      ),
    );
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
