// The style sheet. It is adopted, not written into the page, as strict content policies allow that.

const CSS = `
.horotree {
  --ht-font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans",
    "DejaVu Sans", sans-serif;
  --ht-mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  box-sizing: border-box;
  position: relative;
  display: flex;
  flex-direction: column;
  height: var(--ht-height, 44rem);
  max-width: 100%;
  container-type: size;
  background: var(--ht-page);
  color: var(--ht-ink);
  font: 0.875rem/1.45 var(--ht-font);
  text-align: left;
}
.horotree.ht-page { height: 100vh; height: 100dvh; }
.horotree *, .horotree *::before, .horotree *::after { box-sizing: border-box; }
.horotree [hidden] { display: none !important; }
.horotree .ht-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.horotree :focus-visible { outline: 2px solid var(--ht-focus); outline-offset: 2px; border-radius: 3px; }
.horotree h1, .horotree h2, .horotree h3, .horotree p, .horotree dl, .horotree dd,
.horotree ol, .horotree ul, .horotree pre { margin: 0; padding: 0; }
.horotree h1 { font: 600 1.125rem/1.3 var(--ht-font); letter-spacing: -0.005em; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.horotree h2 { font: 400 1.25rem/1.3 var(--ht-font); overflow-wrap: anywhere; }
.horotree h3 { font: 600 0.8125rem/1.3 var(--ht-font); margin: 1.35rem 0 0.45rem; }
.horotree ol, .horotree ul { list-style: none; }
.horotree button, .horotree select, .horotree input, .horotree textarea {
  font: inherit; color: inherit; margin: 0;
}
.horotree button, .horotree select, .horotree .ht-search, .horotree textarea {
  background: var(--ht-page); border: 1px solid var(--ht-control); border-radius: 0.3rem;
}
.horotree button, .horotree select { padding: 0.2rem 0.55rem; cursor: pointer; min-height: 1.85rem; }
.horotree button:disabled { opacity: 0.45; cursor: default; }
.horotree button:hover, .horotree select:hover { background: var(--ht-soft); }
.horotree button[aria-pressed="true"] { background: var(--ht-ink); color: var(--ht-page); border-color: var(--ht-ink); }
.horotree button.ht-automatic[aria-pressed="true"] { background: none; border-color: transparent; color: var(--ht-leverage); }
.horotree button.ht-small { font-size: 0.8125rem; min-height: 1.6rem; padding: 0.1rem 0.5rem; }
.horotree button.ht-primary { background: var(--ht-ink); color: var(--ht-page); border-color: var(--ht-ink); }
.horotree .ht-quiet { color: var(--ht-gray); }
.horotree .ht-text-0 { color: var(--ht-negative-text); }
.horotree .ht-text-1 { color: var(--ht-positive-text); }
.horotree .ht-text-2 { color: var(--ht-ink); }
.horotree .ht-fill-0 { background: var(--ht-negative); }
.horotree .ht-fill-1 { background: var(--ht-positive); }
.horotree .ht-rule { overflow-wrap: anywhere; }

.horotree .ht-toolbar {
  display: flex; flex-wrap: wrap; gap: 0.4rem 1.5rem; align-items: center; justify-content: space-between;
  padding: 0.65rem 1.1rem; border-bottom: 1px solid var(--ht-rule);
}
.horotree h1 { flex: 1 1 12rem; min-width: 0; }
.horotree .ht-note { flex: 1 0 100%; color: var(--ht-gray); font-size: 0.8125rem; margin-top: -0.25rem; overflow-wrap: anywhere; }
.horotree .ht-controls { display: flex; flex-wrap: wrap; gap: 0.4rem 0.9rem; align-items: center; font-size: 0.8125rem; }
.horotree .ht-field { max-width: 100%; display: inline-flex; gap: 0.4rem; align-items: center; position: relative; }
.horotree .ht-field-name { color: var(--ht-gray); }
.horotree .ht-field input[type="checkbox"] { width: 1rem; height: 1rem; accent-color: var(--ht-ink); }
.horotree .ht-search { padding: 0.2rem 0.55rem; min-height: 1.85rem; width: 12.5rem; }
.horotree .ht-search::placeholder, .horotree textarea::placeholder { color: var(--ht-gray); opacity: 1; }
.horotree .ht-found {
  position: absolute; z-index: 4; top: calc(100% + 0.3rem); left: 0; white-space: nowrap; padding: 0.2rem 0.55rem;
  background: var(--ht-page); border: 1px solid var(--ht-lit); border-radius: 0.3rem;
}
.horotree .ht-found:empty { display: none; }
.horotree .ht-buttons { display: inline-flex; flex-wrap: wrap; gap: 0.3rem; }

.horotree .ht-main { flex: 1 1 auto; min-height: 0; display: flex; }
.horotree .ht-stage { flex: 1 1 auto; min-width: 0; display: flex; flex-direction: column; }
.horotree .ht-frame { flex: 1 1 auto; min-height: 0; position: relative; overflow: hidden; }
.horotree .ht-disk { position: absolute; inset: 0; touch-action: pan-x pan-y; cursor: grab; user-select: none; }
.horotree.ht-page:not(.ht-small) .ht-disk { touch-action: none; }
.horotree .ht-disk.ht-dragging { cursor: grabbing; }
.horotree .ht-disk:focus-visible { outline-offset: -3px; }
.horotree .ht-canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.horotree .ht-over { position: absolute; top: 0.7rem; left: 0.7rem; display: flex; gap: 0.6rem; align-items: flex-start; pointer-events: none; }
.horotree .ht-over > * { pointer-events: auto; }
.horotree .ht-zoom { display: flex; flex-direction: column; gap: 0.3rem; }
.horotree .ht-zoom button { width: 3.1rem; padding: 0.2rem 0.3rem; font-size: 0.8125rem; line-height: 1.15; }
.horotree .ht-tooltip {
  position: absolute; z-index: 3; max-width: min(23rem, 80%); padding: 0.6rem 0.75rem; pointer-events: none;
  background: var(--ht-page); border: 1px solid var(--ht-rule); border-radius: 0.45rem;
  box-shadow: 0 0.35rem 1.4rem rgb(0 0 0 / 14%), 0 0.05rem 0.2rem rgb(0 0 0 / 10%);
  font-size: 0.8125rem; line-height: 1.4;
}
.horotree .ht-tooltip .ht-rule {
  margin: 0.2rem 0 0.3rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 9; overflow: hidden;
}
.horotree .ht-card-head, .horotree .ht-node-head { overflow-wrap: anywhere; }
.horotree .ht-card-head { font-size: 0.9375rem; }
.horotree .ht-card-head strong, .horotree .ht-node-head strong { font-weight: 600; }
.horotree .ht-head .ht-quiet { font-size: 0.8125rem; margin-left: 0.6em; }
.horotree .ht-piece { white-space: nowrap; }
.horotree .ht-mark { display: inline-block; width: 0.62rem; height: 0.62rem; margin-right: 0.45em; background: var(--ht-gray); border-radius: 50%; }
.horotree .ht-kind-0 { background: var(--ht-negative); border-radius: 0; transform: rotate(45deg) scale(0.92); }
.horotree .ht-kind-1 { background: var(--ht-positive); }

.horotree .ht-temperature { display: flex; gap: 0.9rem; align-items: center; padding: 0.3rem 1.1rem 0.6rem; max-width: 44rem; width: 100%; margin: 0 auto; }
.horotree .ht-t { min-width: 4.2rem; font-variant-numeric: tabular-nums; }
.horotree .ht-range-frame { position: relative; flex: 1; display: flex; align-items: center; height: 1.9rem; }
.horotree .ht-range { appearance: none; width: 100%; height: 1.25rem; background: none; cursor: pointer; position: relative; }
.horotree .ht-range::-webkit-slider-runnable-track { height: 3px; border-radius: 2px; background: var(--ht-control); }
.horotree .ht-range::-moz-range-track { height: 3px; border-radius: 2px; background: var(--ht-control); }
.horotree .ht-range::-webkit-slider-thumb { appearance: none; width: 16px; height: 16px; margin-top: -6.5px; border-radius: 50%; background: var(--ht-ink); border: 2px solid var(--ht-page); }
.horotree .ht-range::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; background: var(--ht-ink); border: 2px solid var(--ht-page); }
.horotree .ht-t-mark {
  position: absolute; top: 0.1rem; width: 2px; height: 1.7rem; border-radius: 1px; background: var(--ht-leverage); pointer-events: none;
  left: calc(8px + (100% - 16px) * var(--share) - 1px);
}

.horotree .ht-panel { flex: 0 0 24rem; width: 24rem; border-left: 1px solid var(--ht-rule); display: flex; flex-direction: column; min-height: 0; }
.horotree .ht-tabs { display: flex; gap: 0.2rem; padding: 0.5rem 1.1rem 0; border-bottom: 1px solid var(--ht-rule); }
.horotree .ht-tabs button { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; padding: 0.3rem 0.7rem 0.4rem; color: var(--ht-gray); }
.horotree .ht-tabs button[aria-selected="true"] { color: var(--ht-ink); border-bottom-color: var(--ht-ink); }
.horotree .ht-tab { flex: 1; overflow: auto; padding: 1rem 1.1rem 1.6rem; overscroll-behavior: contain; }
.horotree .ht-tab:focus-visible { outline-offset: -3px; }
.horotree .ht-figures { display: flex; flex-wrap: wrap; gap: 0.35rem 1.3rem; margin-top: 0.6rem; }
.horotree .ht-figures dt { color: var(--ht-gray); font-size: 0.75rem; }
.horotree .ht-figures dd { font-variant-numeric: tabular-nums; }
.horotree .ht-list { counter-reset: row; margin: 0 -0.5rem; }
.horotree .ht-list li { position: relative; }
.horotree .ht-list:not(.ht-plain) li { counter-increment: row; }
.horotree .ht-list:not(.ht-plain) li::before { content: counter(row); position: absolute; left: 0.5rem; top: 0.34rem; font-weight: 600; font-size: 0.8125rem; pointer-events: none; }
.horotree .ht-entry { display: flex; flex-direction: column; gap: 0.1rem; width: 100%; text-align: left; border: 0; background: none; padding: 0.32rem 0.5rem; font-size: 0.8125rem; line-height: 1.4; border-radius: 0.3rem; min-height: 0; }
.horotree .ht-list:not(.ht-plain) .ht-entry { padding-left: 1.6rem; }
.horotree .ht-entry[aria-current="true"] { background: var(--ht-soft); box-shadow: inset 2px 0 0 var(--ht-ink); }
.horotree .ht-clamp { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.horotree .ht-entry-head { display: flex; gap: 0.6rem; align-items: center; }
.horotree .ht-entry-head > :first-child { flex: 0 0 4.6rem; font-weight: 600; }
.horotree .ht-bars { flex: 1; height: 0.5rem; }
.horotree .ht-bar { display: block; height: 100%; border-radius: 1px; min-width: 1px; }
.horotree .ht-number { font-variant-numeric: tabular-nums; min-width: 3.6rem; text-align: right; }
.horotree .ht-key li { display: flex; gap: 0.6rem; align-items: center; font-size: 0.8125rem; color: var(--ht-gray); padding: 0.13rem 0; overflow-wrap: anywhere; }
.horotree .ht-key svg { flex: none; }
.horotree .ht-key { margin-top: 0.5rem; }
.horotree .ht-feature { flex-direction: row; align-items: center; gap: 0.6rem; }
.horotree .ht-feature-name { flex: 1 1 55%; overflow-wrap: anywhere; }
.horotree .ht-feature .ht-bars { flex: 1 1 25%; }
.horotree .ht-feature[aria-pressed="true"] { background: var(--ht-soft); color: var(--ht-ink); box-shadow: inset 2px 0 0 var(--ht-lit); }
.horotree .ht-way { flex: 0 0 1em; text-align: center; }
.horotree .ht-fill-score { background: var(--ht-leverage); }
.horotree .ht-groups { width: 100%; max-width: 30rem; height: auto; display: block; margin-bottom: 0.4rem; }
.horotree .ht-grid { stroke: var(--ht-rule); stroke-width: 1; }
.horotree .ht-interval { stroke: var(--ht-gray); stroke-width: 1.6; }
.horotree .ht-says { stroke: var(--ht-leverage); stroke-width: 2.4; }
.horotree .ht-share { fill: var(--ht-ink); stroke: var(--ht-ink); stroke-width: 1.4; }
.horotree .ht-misses .ht-share { fill: var(--ht-page); }
.horotree .ht-note strong, .horotree .ht-caution { color: var(--ht-ink); }
.horotree .ht-code { font: 0.8125rem/1.5 var(--ht-mono); background: var(--ht-soft); border-radius: 0.35rem; padding: 0.6rem 0.7rem; margin: 0.5rem 0 0.7rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 18rem; overflow: auto; user-select: text; }
.horotree .ht-code.ht-words { font-family: var(--ht-font); }
.horotree [data-ht="panel-example"] h2 { margin-bottom: 0.7rem; }
.horotree textarea { width: 100%; margin: 0.6rem 0; padding: 0.45rem 0.6rem; font: 0.8125rem/1.45 var(--ht-mono); resize: vertical; }
.horotree .ht-error { color: var(--ht-negative-text); margin: 0.6rem 0; overflow-wrap: anywhere; }
.horotree .ht-error:empty { display: none; }
.horotree [data-ht="example-result"] { margin-top: 0.9rem; }
.horotree .ht-prediction { display: flex; flex-direction: column; overflow-wrap: anywhere; }
.horotree .ht-answer { font-size: 1.125rem; }
.horotree strong { font-weight: 600; }
.horotree .ht-chart { width: 100%; height: auto; display: block; cursor: pointer; }
.horotree .ht-chart-text { font: 10px var(--ht-font); fill: var(--ht-gray); }
.horotree .ht-change p { overflow-wrap: anywhere; margin-bottom: 0.4rem; }
.horotree .ht-parts { font-size: 0.8125rem; margin-top: 0.3rem; }
.horotree .ht-part { display: flex; gap: 0.6rem; align-items: center; padding: 0.1rem 0; }
.horotree .ht-part-name { flex: 0 0 60%; min-width: 0; display: flex; white-space: pre; }
.horotree .ht-part-name * { overflow: hidden; text-overflow: ellipsis; }
.horotree .ht-part-name span { flex: 0 0 auto; max-width: 60%; }
.horotree .ht-part .ht-bars { background: linear-gradient(var(--ht-rule), var(--ht-rule)) center / 1px 100% no-repeat; }
.horotree .ht-part .ht-number { white-space: nowrap; }
.horotree .ht-total { justify-content: space-between; font-weight: 600; }
.horotree .ht-total:first-child { border-bottom: 1px solid var(--ht-rule); }
.horotree .ht-total:last-child { border-top: 1px solid var(--ht-rule); }

.horotree .ht-scrubber { border-top: 1px solid var(--ht-rule); padding: 0.5rem 1.1rem 0.6rem; }
.horotree .ht-film { overflow-x: auto; overflow-y: hidden; scrollbar-width: thin; scrollbar-color: var(--ht-control) transparent; cursor: pointer; }
.horotree .ht-film-run { height: 68px; }
.horotree .ht-film canvas { position: sticky; left: 0; display: block; }
.horotree .ht-strip-row { display: flex; gap: 1rem; align-items: center; margin-top: 0.3rem; }
.horotree .ht-strip { flex: 1; height: 44px; cursor: ew-resize; touch-action: pan-y; }
.horotree .ht-strip canvas { width: 100%; height: 100%; display: block; }
.horotree .ht-strip-label { flex: 0 0 14.5rem; color: var(--ht-gray); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }

.horotree .ht-help { border: 1px solid var(--ht-control); border-radius: 0.6rem; background: var(--ht-page); color: var(--ht-ink); padding: 0 1.4rem 1.3rem; width: 100%; max-width: min(50rem, 100vw - 1.5rem); max-height: calc(100vh - 2rem); max-height: calc(100dvh - 2rem); overflow: auto; }
.horotree .ht-help::backdrop { background: rgb(0 0 0 / 35%); }
.horotree .ht-help-head { display: flex; justify-content: space-between; align-items: center; gap: 1rem; position: sticky; top: 0; padding: 0.9rem 0 0.6rem; background: var(--ht-page); }
.horotree .ht-help dl { display: grid; grid-template-columns: minmax(5rem, max-content) 1fr; gap: 0.35rem 1.2rem; margin: 0.5rem 0; }
.horotree .ht-help dt { font-weight: 600; }
.horotree .ht-reading { display: flex; flex-wrap: wrap; gap: 0.4rem 1.6rem; justify-content: center; align-items: center; }
.horotree .ht-reading canvas { flex: none; }
.horotree .ht-reading > div { flex: 1 1 18rem; }
.horotree .ht-letters { counter-reset: letter; margin-top: 0.3rem; }
.horotree .ht-letters li { counter-increment: letter; position: relative; padding: 0.2rem 0 0.2rem 1.5rem; }
.horotree .ht-letters li::before { content: counter(letter, upper-alpha); position: absolute; left: 0; font-weight: 600; }

@container (max-width: 68rem) {
  .horotree .ht-panel { flex-basis: 19rem; width: 19rem; }
  .horotree .ht-toolbar { padding: 0.45rem 0.9rem; gap: 0.3rem 1rem; }
  .horotree .ht-controls { gap: 0.3rem 0.6rem; }
  .horotree .ht-search { width: 9.25rem; }
  .horotree .ht-controls select { max-width: 8.25rem; text-overflow: ellipsis; }
  .horotree h1 { flex-basis: 6rem; }
  .horotree .ht-strip-label { flex-basis: 11rem; }
}
@container (max-height: 44rem) {
  .horotree .ht-scrubber { padding-top: 0.25rem; padding-bottom: 0.25rem; }
  .horotree .ht-temperature { padding-bottom: 0.2rem; }
  .horotree .ht-zoom button { min-height: 1.5rem; }
}

.horotree select { max-width: 100%; min-width: 0; text-overflow: ellipsis; }
.horotree.ht-small { container-type: inline-size; height: auto; }
.horotree.ht-page.ht-small { min-height: 100vh; min-height: 100dvh; }
.horotree.ht-small h1 { flex-basis: 100%; }
.horotree.ht-small .ht-main { display: contents; }
.horotree.ht-small .ht-stage { flex: none; order: 1; }
.horotree.ht-small .ht-scrubber { order: 2; }
.horotree.ht-small .ht-panel { order: 3; flex: none; width: 100%; border-left: 0; border-top: 1px solid var(--ht-rule); }
.horotree.ht-small .ht-frame { flex: none; display: flex; flex-direction: column; overflow: visible; }
.horotree.ht-small .ht-disk { position: relative; height: min(100cqw, 85vh, 36rem); height: min(100cqw, 85svh, 36rem); }
.horotree.ht-small .ht-over { position: static; flex-wrap: wrap; padding: 0.3rem 0.9rem; }
.horotree.ht-small .ht-zoom { flex-direction: row; }
.horotree.ht-small .ht-zoom button { width: auto; min-width: 2.6rem; padding: 0.2rem 0.5rem; }
.horotree.ht-small .ht-search { width: 12.5rem; }
.horotree.ht-small .ht-tab { overflow: visible; }
.horotree.ht-small .ht-note .ht-wide { display: none; }
.horotree.ht-small .ht-code { max-height: none; }
.horotree.ht-small .ht-strip-label { flex-basis: 100%; order: -1; }
.horotree.ht-small .ht-strip-row { flex-wrap: wrap; gap: 0.2rem; }

.horotree .ht-sheet {
  position: absolute; z-index: 5; left: 0; right: 0; bottom: 0; order: 9; margin: 0 auto; width: 100%; max-width: 40rem;
  max-height: 55vh; max-height: 55svh; overflow: auto; padding: 0.9rem 1.1rem; background: var(--ht-page);
  border: 1px solid var(--ht-control); border-bottom: 0; border-radius: 0.8rem 0.8rem 0 0; box-shadow: 0 -0.3rem 1.4rem rgb(0 0 0 / 18%);
}
.horotree.ht-small .ht-sheet { position: sticky; }
.horotree .ht-sheet .ht-rule { margin: 0.3rem 0; }
.horotree .ht-sheet-buttons { display: flex; gap: 0.5rem; justify-content: flex-end; position: sticky; bottom: -0.9rem; margin: 0.6rem -1.1rem -0.9rem; padding: 0.5rem 1.1rem 0.7rem; background: var(--ht-page); }
@media (pointer: coarse) {
  .horotree button, .horotree select, .horotree .ht-search { min-height: 2.25rem; }
  .horotree.ht-small .ht-zoom button { min-width: 2.75rem; }
  .horotree .ht-tabs button, .horotree .ht-sheet button { min-height: 2.75rem; min-width: 4.5rem; }
  .horotree .ht-search, .horotree textarea { font-size: 1rem; }
}
@media (forced-colors: active) {
  .horotree button[aria-pressed="true"], .horotree [aria-selected="true"] { outline: 2px solid; }
  .horotree .ht-mark, .horotree .ht-bar, .horotree .ht-t-mark, .horotree .ht-range { forced-color-adjust: none; }
}
`;

const sheets = new WeakMap<Window, CSSStyleSheet>();

/** Let the document, or shadow tree, of an element use the viewer's styles. */
export function adoptStyles(element: HTMLElement): void {
  const root = element.getRootNode() as Document | ShadowRoot;
  const view = element.ownerDocument.defaultView as (Window & typeof globalThis) | null;
  if (!view || !root.adoptedStyleSheets) return;
  let sheet = sheets.get(view);
  if (!sheet) {
    sheet = new view.CSSStyleSheet();
    sheet.replaceSync(CSS);
    sheets.set(view, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
