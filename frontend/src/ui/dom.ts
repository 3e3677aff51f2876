// Elements, made without ever parsing a text as HTML: names in the data may have any characters.

export type Child = Node | string | null | undefined | false;

type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

type Attributes = Record<string, string | number>;

/** The content and listeners of a new element; all other names are attributes. */
export interface ElementOptions {
  class?: string;
  text?: string;
  /** The stable name of a control, for tests: its attribute data-ht. */
  part?: string | undefined;
  title?: string;
  on?: Listeners;
  [attribute: string]: string | number | Listeners | undefined;
}

/** Attributes of elements that screen readers skip. */
export const HIDDEN = { "aria-hidden": "true" };

/** Make an HTML element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: ElementOptions = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: names, text, part, title, on, ...attributes } = options;
  if (names) element.className = names;
  if (text !== undefined) element.textContent = text;
  if (part) element.dataset["ht"] = part;
  if (title) element.title = title;
  setAttributes(element, attributes as Attributes);
  if (tag === "button") (element as HTMLButtonElement).type = "button";
  for (const [name, listener] of Object.entries(on ?? {}))
    element.addEventListener(name, listener as EventListener);
  append(element, children);
  return element;
}

/** Make an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

function append(element: Element, children: Child[]): void {
  for (const child of children) if (child) element.append(child);
}

let counter = 0;

/** An id that no other element has. */
export function uniqueId(): string {
  return `ht-${++counter}`;
}

/** A paragraph in gray. */
export function quiet(text: string, part?: string): HTMLParagraphElement {
  return el("p", { class: "ht-quiet", text, part });
}

/** A choice among few, with its label. */
export function choice<T extends string>(
  label: string,
  part: string,
  options: readonly { value: T; text: string }[],
  value: T,
  onChange: (value: T) => void,
): { element: HTMLLabelElement; select: HTMLSelectElement } {
  const select = el("select", { part }, ...options.map((of) => option(of.value, of.text)));
  select.value = value;
  select.addEventListener("change", () => onChange(select.value as T));
  const name = el("span", { class: "ht-field-name", text: label });
  return { element: el("label", { class: "ht-field" }, name, select), select };
}

export function option(value: string, text = ""): HTMLOptionElement {
  const element = el("option", { text });
  element.value = value;
  return element;
}

/** A button with a text. */
export function button(
  text: string,
  part: string,
  onClick: () => void,
  options: ElementOptions = {},
): HTMLButtonElement {
  return el("button", { text, part, ...options, on: { click: onClick } });
}

/** An entry of a list that is a button. */
export function entry(
  onClick: () => void,
  options: ElementOptions,
  ...children: Child[]
): HTMLButtonElement {
  const on = { click: onClick, ...options.on };
  return el("button", { class: "ht-entry", ...options, on }, ...children);
}

/** A colored bar of so many percent of its place; `kind` is a class, or the score. */
export function bar(percent: number, kind: number | "score", left?: number): HTMLElement {
  const element = el("span", { class: `ht-bar ht-fill-${kind}` });
  element.style.width = `${percent}%`;
  if (left !== undefined) element.style.marginLeft = `${left}%`;
  return element;
}

/** Write the first of the texts that its element has room for, or the last. */
export function fitText(element: HTMLElement, texts: string[]): void {
  for (const text of texts) {
    element.textContent = text;
    if (element.scrollHeight <= element.clientHeight + 1) return;
  }
}

/** A text of a chart. */
export function chartText(text: string, x: number, y: number, anchor: string): SVGTextElement {
  return svg("text", { x, y, "text-anchor": anchor, class: "ht-chart-text" }, text);
}

/** Whether an element has the focus, in a page or a shadow tree. */
export function hasFocus(element: HTMLElement): boolean {
  return (element.getRootNode() as Document | ShadowRoot).activeElement === element;
}

/** Where an event is in an element, in pixels. */
export function placeIn(
  element: Element,
  { clientX, clientY }: { clientX: number; clientY: number },
): [x: number, y: number] {
  const box = element.getBoundingClientRect();
  return [clientX - box.left, clientY - box.top];
}

/** Make a canvas as large as its place, in pixels of the screen, and empty; returns its context. */
export function sizeCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
