"""What a notebook is given to choose from: a widget, the page in a frame, a picture."""

import sys
from typing import Any


def find_shell() -> Any | None:
    """Return IPython's shell, if there is one: that of a notebook has a kernel."""
    package = sys.modules.get("IPython")
    return None if package is None else package.get_ipython()


def is_live(shell: Any | None) -> bool:
    """Tell whether somebody sees the notebook as it runs, for whom a widget can be made.

    What runs notebooks to be read later (``nbconvert --execute``, papermill, Jupyter Book) tells
    the kernel with each cell that nobody can answer ``input()``. What it writes has no kernel: a
    widget there needs scripts from the network, and is blank without one.

    Parameters
    ----------
    shell : object or None
        IPython's shell.

    Returns
    -------
    bool
        Whether ``input()`` is allowed; true if that is not known.

    Examples
    --------
    >>> from horotree.viewer.notebook import is_live
    >>> is_live(None)
    True
    """
    find = getattr(getattr(shell, "kernel", None), "get_parent", None)
    request = find("shell") if callable(find) else None
    content = request.get("content") if isinstance(request, dict) else None
    return not isinstance(content, dict) or content.get("allow_stdin", True) is not False
