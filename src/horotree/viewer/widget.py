"""The viewer as a notebook widget, by anywidget."""

import functools
import importlib
from typing import Any

from .page import read_script

# The viewer sets globalThis.horotree; each widget keeps its own, for others may set it again.
_MODULE = """
const viewer = globalThis.horotree;

function render({ model, el }) {
  const data = model.get("data");
  return viewer.mount(el, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

export default { render };
"""


def make_widget(payload: bytes) -> Any:
    """Return a widget that shows a model.

    Parameters
    ----------
    payload : bytes
        What ``encode`` returned.

    Returns
    -------
    anywidget.AnyWidget
        Its trait ``data`` is the payload: another one shows another model.
    """
    return _find_class()(data=payload)


@functools.cache
def _find_class() -> Any:
    """Return the widget's class, which is made when anywidget is there."""
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
    }
    return type("ViewerWidget", (anywidget.AnyWidget,), members)
