// Where it starts: at once on a page with data, in a notebook when `mount` is called.

import { fromBase64, read } from "./model/payload";
import { show, type Handle, type Options } from "./viewer";

const handles: Handle[] = [];

/** Show a model in an element: `bytes` are what Python's `encode` returned. */
async function mount(
  element: HTMLElement,
  bytes: Uint8Array,
  options: Options = {},
): Promise<Handle> {
  try {
    const handle = await show(element, await read(bytes), options);
    const { destroy } = handle;
    handle.destroy = () => {
      handles.splice(handles.indexOf(handle), 1);
      destroy();
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
