"""The viewer as a notebook widget (anywidget)."""

import functools
import importlib
from typing import Any

from .page import HEIGHT, read_script

# The viewer sets globalThis.horotree; each module keeps its own, since others may set it again. A
# shadow tree keeps the notebook's styles out, and keys pressed in it from the notebook: in
# JupyterLab, x would cut the cell.
_MODULE = """
const viewer = globalThis.horotree;

async function render({ model, el }) {
  const host = el.appendChild(document.createElement("div"));
  host.dataset.lmSuppressShortcuts = "true";
  const root = host.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
  let shown = Promise.resolve();
  const show = () => {
    const data = model.get("data");
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    shown = shown.then((handle) => {
      handle?.destroy();
      return viewer.mount(root, bytes, { height: model.get("height") });
    });
    return shown;
  };
  model.on("change:data", show);
  await show();
  return () => {
    model.off("change:data", show);
    void shown.then((handle) => handle.destroy());
    host.remove();
  };
}

export default { render };
"""


def make_widget(payload: bytes) -> Any:
    """Return a widget that shows the model of a payload.

    Setting its trait ``data`` to another payload shows that one; ``height`` is CSS.
    """
    return _find_class()(data=payload)


@functools.cache
def _find_class() -> Any:
    """Return the widget's class, which is made when anywidget is installed."""
    try:
        anywidget, traitlets = map(importlib.import_module, ("anywidget", "traitlets"))
    except ImportError as error:
        raise ImportError(
            "the notebook widget needs anywidget, which is not installed: pip install "
            "'horotree[widget]'. Without it, a View shows itself in a frame."
        ) from error
    members = {
        "__module__": __name__,
        "__doc__": "The viewer of a model.",
        "_esm": read_script() + _MODULE,
        "data": traitlets.Bytes().tag(sync=True),
        "height": traitlets.Unicode(HEIGHT).tag(sync=True),
    }
    return type("ViewerWidget", (anywidget.AnyWidget,), members)
