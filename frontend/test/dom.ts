// As much of a browser's document as the page's parts touch, to test them without a browser. Installed on import.

import { Session } from "../src/ui/session";
import { golden, readForest, type GoldenModel } from "./golden";

type Listener = (event: unknown) => void;

/** An element: its tree, attributes, listeners; it has no layout but the size that a test gives it. */
export class FakeElement {
  readonly children: (FakeElement | string)[] = [];
  readonly attributes = new Map<string, string>();
  readonly dataset: Record<string, string> = {};
  readonly listeners = new Map<string, Listener[]>();
  readonly style: Record<string, unknown> = {
    setProperty: (name: string, value: string) => void (this.style[name] = value),
  };
  readonly classes = new Set<string>();
  readonly classList = {
    add: (name: string) => void this.classes.add(name),
    remove: (name: string) => void this.classes.delete(name),
    contains: (name: string) => this.classes.has(name),
    toggle: (name: string, on: boolean) => void this.classes[on ? "add" : "delete"](name),
  };
  hidden = false;
  disabled = false;
  checked = false;
  open = false;
  value = "";
  title = "";
  tabIndex = 0;
  scrollLeft = 0;
  clientWidth = 0;
  clientHeight = 0;
  scrollHeight = 0;
  width = 300;
  height = 150;
  captured: number | null = null;
  isContentEditable = false;
  private context: unknown = null;
  /** Names of the calls of a canvas's context. */
  readonly calls: string[] = [];

  constructor(readonly tagName: string) {}

  get type(): string {
    return this.getAttribute("type") ?? "";
  }
  set type(value: string) {
    this.setAttribute("type", value);
  }
  get id(): string {
    return this.getAttribute("id") ?? "";
  }
  get className(): string {
    return [...this.classes].join(" ");
  }
  set className(names: string) {
    this.classes.clear();
    for (const name of names.split(" ")) this.classes.add(name);
  }
  get textContent(): string {
    return this.children.map((c) => (typeof c === "string" ? c : c.textContent)).join("");
  }
  set textContent(text: string) {
    this.children.splice(0, Infinity, text);
  }
  get childNodes(): (FakeElement | string)[] {
    return this.children;
  }
  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: (FakeElement | string)[]): void {
    this.children.splice(0, Infinity, ...children);
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
    if (name === "data-ht") this.dataset["ht"] = value;
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  addEventListener(name: string, listener: Listener): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }
  setPointerCapture(id: number): void {
    this.captured = id;
  }
  hasPointerCapture(id: number): boolean {
    return this.captured === id;
  }
  getRootNode(): unknown {
    return document;
  }
  getBoundingClientRect(): { left: number; top: number; width: number; height: number } {
    return { left: 0, top: 0, width: this.clientWidth, height: this.clientHeight };
  }
  matches(selector: string): boolean {
    return selector === ":focus" && active === this;
  }
  focus(): void {
    active = this;
    send(this, "focus");
  }
  blur(): void {
    if (active === this) active = null;
    send(this, "blur");
  }
  select(): void {}
  scrollIntoView(): void {}
  querySelector(selector: string): FakeElement | null {
    return all(this).find((one) => one.classes.has(selector.slice(1))) ?? null;
  }
  getContext(): unknown {
    const { calls } = this;
    this.context ??= new Proxy(
      {
        createImageData: (width: number, height: number) => {
          return { width, height, data: new Uint8ClampedArray(4 * width * height) };
        },
        measureText: (text: string) => ({ width: 6 * text.length }),
        getImageData: () => null,
      } as Record<string, unknown>,
      {
        get: (target, name: string) => target[name] ?? (() => void calls.push(name)),
        set: (target, name: string, value) => ((target[name] = value), true),
      },
    );
    return this.context;
  }
}

/** All elements below one, and it. */
export function all(root: FakeElement): FakeElement[] {
  return [root, ...root.children.flatMap((child) => (typeof child === "string" ? [] : all(child)))];
}

/** The element of this name (data-ht) below another. */
export function part(root: unknown, name: string): FakeElement {
  const found = parts(root, (one) => one.dataset["ht"] === name)[0];
  if (!found) throw new Error(`there is no ${name}.`);
  return found;
}

export function parts(root: unknown, fits: (one: FakeElement) => boolean): FakeElement[] {
  return all(fake(root)).filter(fits);
}

/** An element of the page as what it is here. */
export function fake(element: unknown): FakeElement {
  return element as FakeElement;
}

/** Send an event to an element; returns whether its default was prevented. */
export function send(element: unknown, type: string, properties: object = {}): boolean {
  let prevented = false;
  const event = {
    type,
    target: element,
    button: 0,
    pointerId: 1,
    pointerType: "mouse",
    cancelable: true,
    defaultPrevented: false,
    preventDefault: () => (prevented = true),
    ...properties,
  };
  for (const listener of fake(element).listeners.get(type) ?? []) listener(event);
  return prevented;
}

let active: FakeElement | null = null;
const frames: (FrameRequestCallback | null)[] = [];

/** Run the callbacks that wait for the next frame. */
export function frame(now = performance.now()): void {
  for (const callback of frames.splice(0)) callback?.(now);
}

/** What the system prefers: no motion, a dark theme. */
export const prefers = { calm: true, dark: false };

const body = new FakeElement("BODY");
const documentElement = new FakeElement("HTML");

Object.assign(globalThis, {
  HTMLElement: FakeElement,
  HTMLInputElement: class {
    static [Symbol.hasInstance](one: FakeElement): boolean {
      return one.tagName === "INPUT";
    }
  },
  document: {
    body,
    documentElement,
    listeners: new Map(),
    addEventListener: FakeElement.prototype.addEventListener,
    createElement: (tag: string) => new FakeElement(tag.toUpperCase()),
    createElementNS: (_: string, tag: string) => new FakeElement(tag),
    get activeElement() {
      return active;
    },
  },
  window: {
    devicePixelRatio: 1,
    matchMedia: (query: string) => ({
      get matches() {
        return query.includes("reduced-motion") ? prefers.calm : prefers.dark;
      },
      addEventListener: () => {},
    }),
    setTimeout: () => 0,
    scrollBy: () => {},
  },
  getComputedStyle: () => ({ fontSize: "16px" }),
  requestAnimationFrame: (callback: FrameRequestCallback) => frames.push(callback),
  cancelAnimationFrame: (id: number) => void (frames[id - 1] = null),
  ResizeObserver: class {
    observe(): void {}
    disconnect(): void {}
  },
});

/** A session with the trees that Python wrote for the tests. */
export async function makeSession(model: GoldenModel = golden.models[0]): Promise<Session> {
  return new Session(await readForest(model));
}
