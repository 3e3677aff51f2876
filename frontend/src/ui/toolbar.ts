// The bar above the disk: title, search, and how things are shown.

import { isolineChoices } from "../draw/isolines";
import { SCHEMES } from "../draw/theme";
import { count } from "../model/numbers";
import type { Origin } from "../model/payload";
import { countUses, findFeatures } from "../model/search";
import { isPartial } from "../model/shown";
import { button, choice, el, option, uniqueId } from "./dom";
import type { Session } from "./session";
import { qualityNotes } from "./tabs/quality";
import { CENTER_MEANS, CENTER_NAMES } from "./words";

// Features in the list of the search field; nobody looks through more.
const MAX_LISTED = 200;

/** What the toolbar can do beside changing the session. */
export interface ToolbarActions {
  showCenter: (center: Origin) => void;
  exportSvg: () => void;
  exportPng: () => void;
  showHelp: () => void;
}

export function makeToolbar(
  session: Session,
  actions: ToolbarActions,
): { toolbar: HTMLElement; search: HTMLInputElement } {
  const { header } = session.forest;
  const { field, search } = makeSearch(session);
  const buttons = el(
    "span",
    { class: "ht-buttons", role: "group", "aria-label": "Export and help" },
    button("SVG", "export-svg", actions.exportSvg, { title: "Save the picture as SVG" }),
    button("PNG", "export-png", actions.exportPng, { title: "Save the picture as PNG" }),
    button("?", "help-open", actions.showHelp, {
      title: "How to read it, and keys (?)",
      "aria-label": "Help",
    }),
  );
  const toolbar = el(
    "header",
    { class: "ht-toolbar" },
    el("h1", { text: header.title, part: "title" }),
    el(
      "div",
      { class: "ht-controls", role: "group", "aria-label": "Display" },
      field,
      header.ensembles.length > 1 && makeClasses(session),
      makeCenter(session, actions.showCenter),
      makeIsolines(session),
      makeHeldOut(session),
      ...makeLooks(session),
      buttons,
    ),
    ...qualityNotes(session),
    ...header.notes.map((note) => el("p", { class: "ht-note", text: note, part: "note" })),
    heldOutNote(session),
  );
  return { toolbar, search };
}

function makeCenter(session: Session, showCenter: (center: Origin) => void): HTMLElement {
  const options = (["base", "half"] as const).map((value) => ({
    value,
    text: CENTER_NAMES[value],
  }));
  const { center } = session.state;
  const { element, select } = choice("Center", "center", options, center, showCenter);
  session.follow(["center"], () => {
    select.value = session.state.center;
    element.title = CENTER_MEANS[session.state.center];
  });
  return element;
}

function makeIsolines(session: Session): HTMLElement {
  const options = isolineChoices(session.forest.header.valueKind);
  const { element, select } = choice("Isolines", "isolines", options, "value", (isolines) =>
    session.update({ isolines }),
  );
  session.on(["isolines"], () => (select.value = session.state.isolines));
  return element;
}

/** The choices of colors. */
function makeLooks(session: Session): HTMLElement[] {
  const { scheme, theme } = session.state;
  const named = <T extends string>(values: readonly T[]): { value: T; text: T }[] =>
    values.map((value) => ({ value, text: value }));
  const themes = named(["auto", "light", "dark"] as const);
  return [
    choice("Colors", "scheme", named(SCHEMES), scheme, (value) => session.update({ scheme: value }))
      .element,
    choice("Theme", "theme", themes, theme, (value) => session.update({ theme: value })).element,
  ];
}

/** The result of held-out data, for the center that is shown. */
function heldOutNote(session: Session): HTMLElement | false {
  const { heldOut } = session.forest.header;
  if (!heldOut) return false;
  const note = el("p", { class: "ht-note", part: "note" });
  session.follow(["center"], () => (note.textContent = heldOut[session.state.center]));
  return note;
}

function makeHeldOut(session: Session): HTMLElement | false {
  if (!session.forest.header.heldOut) return false;
  const input = el("input", { part: "held-out", type: "checkbox" });
  input.addEventListener("change", () => session.update({ heldOut: input.checked }));
  session.follow(["heldOut"], () => (input.checked = session.state.heldOut));
  return el(
    "label",
    { class: "ht-field", title: "Where data that were not trained on would put the nodes (h)" },
    input,
    el("span", { text: "Held-out" }),
  );
}

/** The choice of a class, where there is an ensemble a class. */
function makeClasses(session: Session): HTMLElement {
  const { header } = session.forest;
  const options = header.ensembles
    .map(({ positive, trees }, k) => ({
      value: String(k),
      text: header.classes[positive],
      n: trees[1] - trees[0],
    }))
    .filter(({ n }) => n > 0);
  const first = String(session.state.ensemble);
  const { element, select } = choice("Class", "class", options, first, (value) =>
    session.showEnsemble(Number(value)),
  );
  session.on(["ensemble"], () => (select.value = String(session.state.ensemble)));
  return element;
}

function makeSearch(session: Session): { field: HTMLElement; search: HTMLInputElement } {
  const names = session.forest.header.features;
  const list = el("datalist", { id: uniqueId() });
  const search = el("input", {
    part: "search",
    class: "ht-search",
    type: "search",
    placeholder: "Search a feature",
    "aria-label": "Search a feature: nodes that use it light up",
    list: list.id,
    autocomplete: "off",
    spellcheck: "false",
  });
  const found = el("span", { class: "ht-found", part: "search-result", role: "status" });
  const fillList = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const some = names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MAX_LISTED);
    list.replaceChildren(...some.map((name) => option(name)));
  };
  search.addEventListener("focus", fillList);
  search.addEventListener("input", () => {
    fillList();
    session.update({ query: search.value, features: findFeatures(names, search.value) });
  });
  session.on(["query", "ensemble", "tree"], () => {
    if (search.value !== session.state.query) search.value = session.state.query;
    found.textContent = foundText(session);
  });
  return { field: el("span", { class: "ht-field" }, search, list, found), search };
}

function foundText({ forest, state }: Session): string {
  const { query, features, ensemble, tree } = state;
  if (!query.trim()) return "";
  if (!features.size) return "no such feature";
  const uses = countUses(forest, ensemble, features);
  const trees = uses.reduce((n, use) => n + Number(use > 0), 0);
  const what = features.size === 1 ? "" : `${count(features.size)} features, `;
  const here = isPartial(forest) ? " here" : "";
  return `${what}in ${count(trees)} of ${count(uses.length)} trees${here}, ${count(uses[tree])} tests here`;
}
