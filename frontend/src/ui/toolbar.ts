// The bar above the disk: title, search, and how things are shown.

import { button, choice, el, uniqueId } from "./dom";
import { isolineChoices } from "../draw/isolines";
import { CENTER_MEANS, CENTER_NAMES } from "./tabs/key";
import { count } from "../model/numbers";
import { qualityNotes } from "./tabs/quality";
import { countUses, findFeatures } from "../model/search";
import { isPartial } from "../model/shown";
import { SCHEMES } from "../draw/theme";
import type { Viewer } from "../viewer";

// More would not be looked through.
const MAX_LISTED = 200;

export function makeToolbar(viewer: Viewer): { toolbar: HTMLElement; search: HTMLInputElement } {
  const { header } = viewer.forest;
  const { store } = viewer;
  const { field, search } = makeSearch(viewer);
  const isolines = choice(
    "Isolines",
    "isolines",
    isolineChoices(header.valueKind),
    store.state.isolines,
    (value) => store.update({ isolines: value }),
  );
  const center = choice(
    "Center",
    "center",
    [
      { value: "base", text: CENTER_NAMES.base },
      { value: "half", text: CENTER_NAMES.half },
    ],
    store.state.center,
    (value) => viewer.showCenter(value),
  );
  center.element.title = CENTER_MEANS[store.state.center];
  const colors = choice(
    "Colors",
    "scheme",
    SCHEMES.map((scheme) => ({ value: scheme, text: scheme })),
    store.state.scheme,
    (scheme) => store.update({ scheme }),
  );
  const theme = choice(
    "Theme",
    "theme",
    [
      { value: "auto", text: "auto" },
      { value: "light", text: "light" },
      { value: "dark", text: "dark" },
    ],
    store.state.theme,
    (value) => store.update({ theme: value }),
  );
  const heldOut = makeHeldOut(viewer);
  store.listen((changed) => {
    if (changed.has("isolines")) isolines.select.value = store.state.isolines;
    if (!changed.has("center")) return;
    center.select.value = store.state.center;
    center.element.title = CENTER_MEANS[store.state.center];
  });
  const toolbar = el(
    "header",
    { class: "ht-toolbar" },
    el("h1", { text: header.title, part: "title" }),
    el(
      "div",
      { class: "ht-controls", attributes: { role: "group", "aria-label": "Display" } },
      field,
      header.ensembles.length > 1 && makeClasses(viewer),
      center.element,
      isolines.element,
      heldOut,
      colors.element,
      theme.element,
      el(
        "span",
        { class: "ht-buttons", attributes: { role: "group", "aria-label": "Export and help" } },
        button("SVG", "export-svg", () => viewer.exportSvg(), { title: "Save the picture as SVG" }),
        button("PNG", "export-png", () => viewer.exportPng(), { title: "Save the picture as PNG" }),
        button("?", "help-open", () => viewer.help.show(), {
          title: "How to read it, and keys (?)",
          attributes: { "aria-label": "Help" },
        }),
      ),
    ),
    ...qualityNotes(viewer),
    ...header.notes.map((note) => el("p", { class: "ht-note", text: note, part: "note" })),
    heldOutNote(viewer),
  );
  return { toolbar, search };
}

/** What came of held-out data, from the center that is shown. */
function heldOutNote(viewer: Viewer): HTMLElement | false {
  const { heldOut } = viewer.forest.header;
  if (!heldOut) return false;
  const note = el("p", { class: "ht-note", text: heldOut[viewer.state.center], part: "note" });
  viewer.store.listen((changed) => {
    if (changed.has("center")) note.textContent = heldOut[viewer.state.center];
  });
  return note;
}

function makeHeldOut(viewer: Viewer): HTMLElement | false {
  if (!viewer.forest.header.heldOut) return false;
  const input = el("input", { part: "held-out", attributes: { type: "checkbox" } });
  input.checked = viewer.state.heldOut;
  input.addEventListener("change", () => viewer.store.update({ heldOut: input.checked }));
  viewer.store.listen((changed) => {
    if (changed.has("heldOut")) input.checked = viewer.state.heldOut;
  });
  return el(
    "label",
    { class: "ht-field", title: "Where data that were not trained on would put the nodes (h)" },
    input,
    el("span", { text: "Held-out" }),
  );
}

/** For which class the trees are, where there is an ensemble a class. */
function makeClasses(viewer: Viewer): HTMLElement {
  const { header } = viewer.forest;
  const options = header.ensembles
    .map(({ positive, trees }, k) => ({
      value: String(k),
      text: header.classes[positive],
      n: trees[1] - trees[0],
    }))
    .filter(({ n }) => n > 0);
  const { element, select } = choice(
    "Class",
    "class",
    options,
    String(viewer.state.ensemble),
    (value) => viewer.showEnsemble(Number(value)),
  );
  viewer.store.listen((changed) => {
    if (changed.has("ensemble")) select.value = String(viewer.state.ensemble);
  });
  return element;
}

function makeSearch(viewer: Viewer): { field: HTMLElement; search: HTMLInputElement } {
  const { store, forest } = viewer;
  const names = forest.header.features;
  const list = el("datalist", { attributes: { id: uniqueId() } });
  const search = el("input", {
    part: "search",
    class: "ht-search",
    attributes: {
      type: "search",
      placeholder: "Search a feature",
      "aria-label": "Search a feature: nodes that use it light up",
      list: list.id,
      autocomplete: "off",
      spellcheck: "false",
    },
  });
  const found = el("span", {
    class: "ht-found",
    part: "search-result",
    attributes: { role: "status" },
  });
  const fillList = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const some = names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MAX_LISTED);
    list.replaceChildren(
      ...some.map((name) => {
        const option = el("option");
        option.value = name;
        return option;
      }),
    );
  };
  search.addEventListener("focus", fillList);
  search.addEventListener("input", () => {
    fillList();
    store.update({ query: search.value, features: findFeatures(names, search.value) });
  });
  store.listen((changed) => {
    if (changed.has("query") && search.value !== store.state.query)
      search.value = store.state.query;
    if (!["query", "ensemble", "tree"].some((key) => changed.has(key as "query"))) return;
    found.textContent = tellFound(viewer);
  });
  return { field: el("span", { class: "ht-field" }, search, list, found), search };
}

function tellFound(viewer: Viewer): string {
  const { query, features, ensemble, tree } = viewer.state;
  if (!query.trim()) return "";
  if (!features.size) return "no such feature";
  const uses = countUses(viewer.forest, ensemble, features);
  const trees = uses.reduce((n, use) => n + Number(use > 0), 0);
  const what = features.size === 1 ? "" : `${count(features.size)} features, `;
  const here = isPartial(viewer.forest) ? " here" : "";
  return `${what}in ${count(trees)} of ${count(uses.length)} trees${here}, ${count(uses[tree])} tests here`;
}
