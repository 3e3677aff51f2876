"""The page: one HTML file with the viewer and its data, nothing from the network, texts escaped."""

import base64
import functools
import hashlib
import re
from html import escape
from importlib.resources import files

import horotree
from horotree.trees.rules import one_line

# Texts that would end a script element, or change the state of the HTML parser.
_UNSAFE = re.compile("</script|<script|<!--", re.IGNORECASE)

# The height of the viewer in a notebook, as CSS.
HEIGHT = "720px"

STYLE = """
html, body { margin: 0; height: 100%; }
noscript p { margin: 3rem auto; max-width: 36rem; padding: 0 1rem; font: 17px/1.5 system-ui; }
"""


@functools.cache
def read_script() -> str:
    """Return the viewer's JavaScript."""
    path = files("horotree.viewer") / "static" / "viewer.js"
    try:
        script = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileNotFoundError(
            "horotree was installed without its viewer, static/viewer.js: install it from a whole "
            "copy, or build it with `npm ci && npm run build` in frontend/."
        ) from error
    return check_script(script)


def check_script(script: str) -> str:
    """Return a script, with line ends as browsers hash them; raise if it would end its element."""
    found = _UNSAFE.search(script)
    if found:
        raise ValueError(
            f"a script in a page must not hold {found[0]!r}, got it at character {found.start()}: "
            "write it with a backslash in a string."
        )
    return script.replace("\r\n", "\n").replace("\r", "\n")  # as a browser hashes it


def to_html(payload: bytes, title: str) -> str:
    """Return the page of a model: one file, which works without a server or a network.

    Its policy lets a browser run the viewer's script only, and load nothing. The payload is that of
    ``encode``; the result is to be written in UTF-8.

    Examples
    --------
    >>> from horotree.viewer.page import to_html
    >>> page = to_html(b"", "A <b>")
    >>> "<title>A &lt;b&gt;</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    script = read_script()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(STYLE)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="horotree {escape(horotree.__version__)}">
<title>{escape(one_line(title))}</title>
<style>{STYLE}</style>
</head>
<body>
<noscript><p>This page draws a tree model with JavaScript, which is switched off here. It loads
nothing from the network: switch JavaScript on for this file to see it.</p></noscript>
<div id="horotree"></div>
<script id="horotree-data" type="text/plain">{base64.b64encode(payload).decode()}</script>
<script>{script}</script>
</body>
</html>
"""


def _hash(text: str) -> str:
    """Return the name of a script or style in a policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def to_iframe(page: str, picture: bytes | None = None, *, height: str = HEIGHT) -> str:
    """Return a page in a frame for notebooks, which it can neither read nor change.

    The picture, a PNG file, is behind the frame: some notebooks remove frames as not trusted.

    Examples
    --------
    >>> from horotree.viewer.page import to_iframe
    >>> to_iframe("<p title='a'>").partition(" srcdoc=")[2]
    '"&lt;p title=&#x27;a&#x27;&gt;"></iframe>'
    """
    frame = (
        '<iframe title="Tree model" sandbox="allow-scripts allow-downloads" '
        'allow="clipboard-write" referrerpolicy="no-referrer" style="{place}border: 0" '
        f'srcdoc="{escape(page)}"></iframe>'
    )
    size = f"width: 100%; height: {escape(height)}; "
    if picture is None:
        return frame.replace("{place}", size, 1)
    source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    frame = frame.replace("{place}", "position: absolute; inset: 0; width: 100%; height: 100%; ", 1)
    return (
        f'<div style="position: relative; overflow: hidden; {size}">'
        '<img alt="The first tree, as a picture" style="max-width: 100%; max-height: 100%" '
        f'src="{source}">{frame}</div>'
    )
