"""The notebook that this code runs in, if any."""

from typing import Any


def is_live(shell: Any | None) -> bool:
    """Tell whether a user watches the notebook run, so that a widget works.

    Programs that execute notebooks (``nbconvert --execute``, papermill, Jupyter Book) send with
    each cell that ``input()`` is not allowed. Their output has no kernel: a widget in it needs
    scripts from the network, and is blank without. True if unknown.
    """
    find = getattr(getattr(shell, "kernel", None), "get_parent", None)
    request = find("shell") if callable(find) else None
    content = request.get("content") if isinstance(request, dict) else None
    return not isinstance(content, dict) or content.get("allow_stdin", True) is not False
