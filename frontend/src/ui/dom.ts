// Elements, made without ever parsing a text as HTML: names in the data may hold anything.

type Child = Node | string | null | undefined | false;

export interface Options {
  class?: string;
  text?: string;
  /** The stable name of a control, for tests: its attribute data-ht. */
  part?: string;
  title?: string;
  attributes?: Record<string, string | number | boolean>;
  on?: Record<string, (event: never) => void>;
}

/** Make an HTML element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, options);
  append(element, children);
  return element;
}

/** Make an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

function apply(element: HTMLElement, options: Options): void {
  if (options.class) element.className = options.class;
  if (options.text !== undefined) element.textContent = options.text;
  if (options.part) element.dataset["ht"] = options.part;
  if (options.title) element.title = options.title;
  for (const [name, value] of Object.entries(options.attributes ?? {}))
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  for (const [name, listener] of Object.entries(options.on ?? {}))
    element.addEventListener(name, listener as EventListener);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) if (child) element.append(child);
}

let counter = 0;

/** An id that no other element has. */
export function uniqueId(): string {
  return `ht-${++counter}`;
}

/** A choice among few, with its label. */
export function choice<T extends string>(
  label: string,
  part: string,
  options: readonly { value: T; text: string }[],
  value: T,
  onChange: (value: T) => void,
): { element: HTMLLabelElement; select: HTMLSelectElement } {
  const select = el("select", { part });
  for (const option of options) {
    const item = el("option", { text: option.text });
    item.value = option.value;
    select.append(item);
  }
  select.value = value;
  select.addEventListener("change", () => onChange(select.value as T));
  const element = el(
    "label",
    { class: "ht-field" },
    el("span", { class: "ht-field-name", text: label }),
    select,
  );
  return { element, select };
}

/** A button with a text. */
export function button(
  text: string,
  part: string,
  onClick: () => void,
  options: Options = {},
): HTMLButtonElement {
  const element = el("button", { text, part, ...options });
  element.type = "button";
  element.addEventListener("click", onClick);
  return element;
}

/** A canvas that is as large as its place, in pixels of the screen; returns its context. */
export function sizeCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio = window.devicePixelRatio || 1,
): CanvasRenderingContext2D {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
