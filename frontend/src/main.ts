// Where it starts: on a page with data at once, in a notebook when it is told to.

import { findChange, type Found } from "./model/change/smallest";
import { fromBase64, read } from "./model/payload";
import { attribute, type Attribution } from "./model/example/shapley";
import { isPartial } from "./model/shown";
import { Viewer, type Options } from "./viewer";

interface Handle {
  /** What is looked at, as plain values. */
  readonly state: Record<string, unknown>;
  readonly stats: Viewer["stage"]["stats"];
  /** Where a row (a kept node, the root is 0) is in the disk's element, in pixels. */
  placeOf(row: number): [x: number, y: number];
  benchmark(frames?: number): number[];
  /** What each feature did to a row's scores, an entry an ensemble; null where it is not known. */
  attributions(row: (number | null)[]): (Attribution | null)[];
  /** The smallest change of a row that turns the model's answer, and how far it was searched for. */
  change(row: (number | null)[]): Found | null;
  destroy(): void;
}

const handles: Handle[] = [];

function toRow(values: (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

/** Show a model in an element: `bytes` are what Python's `encode` returned. */
async function mount(
  element: HTMLElement,
  bytes: Uint8Array,
  options: Options = {},
): Promise<Handle> {
  try {
    const viewer = new Viewer(element, await read(bytes), options);
    await viewer.ready;
    const handle: Handle = {
      get state() {
        const { features, example, ...rest } = viewer.state;
        return { ...rest, features: [...features], example: example && [...example] };
      },
      get stats() {
        return viewer.stage.stats;
      },
      placeOf: (row) => viewer.stage.placeOf(row),
      benchmark: (frames) => viewer.stage.benchmark(frames),
      attributions: (row) => {
        const { forest } = viewer;
        return forest.ensembles.map((_, k) => attribute(forest, k, toRow(row)));
      },
      change: (row) => (isPartial(viewer.forest) ? null : findChange(viewer.forest, toRow(row))),
      destroy: () => {
        handles.splice(handles.indexOf(handle), 1);
        viewer.destroy();
      },
    };
    handles.push(handle);
    return handle;
  } catch (error) {
    const message = document.createElement("p");
    message.setAttribute("role", "alert");
    message.textContent = `The model cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    element.replaceChildren(message);
    throw error;
  }
}

const api = {
  mount,
  viewers: handles as readonly Handle[],
  get stats() {
    return handles[0]?.stats;
  },
};

(globalThis as unknown as { horotree: typeof api }).horotree = api;

const data = document.getElementById("horotree-data");
const place = document.getElementById("horotree");
if (data && place) void mount(place, fromBase64(data.textContent ?? ""), { page: true });
