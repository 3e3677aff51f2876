"""A page in one file: pictures inside, nothing from the network, every text escaped."""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

import horotree

STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1a1a1a; --gray: #595959; --rule: #dcdcdc; }
@media (prefers-color-scheme: dark) {
  :root { --page: #121317; --ink: #ececec; --gray: #a8a8a8; --rule: #3a3c44; }
  a { color: #8ab8ff; }
}
body { margin: 0; background: var(--page); color: var(--ink); }
body { font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 0 0 .35rem; }
p { max-width: 44rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
section { margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid var(--rule); }
img { display: block; width: 100%; height: auto; border-radius: .4rem; }
pre { margin: 0; font: 14px/1.5 ui-monospace, monospace; overflow-x: auto; }
footer { margin-top: 3rem; color: var(--gray); font-size: .85rem; }
"""

# Marks a page of the demo, which the next run may replace.
GENERATOR = '<meta name="generator" content="horotree'


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on a page."""

    title: str  # the texts above it
    caption: str
    alternative: str  # the text for screen readers
    png: bytes  # the picture


@dataclass(frozen=True, slots=True)
class Report:
    """A text whose line breaks are kept."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class FileLink:
    """A link to a file in the same folder."""

    file: str  # the name of the file
    text: str  # the text of the link


def write_page(
    title: str, lead: str, parts: Iterable[Picture | Report], *, link: FileLink | None = None
) -> str:
    """Return a page as HTML: one file that loads nothing and runs no scripts.

    Examples
    --------
    >>> from horotree.cli.output.page import Report, write_page
    >>> page = write_page("A <b>", "...", [Report("Errors", "1 & 2")])
    >>> "<h1>A &lt;b&gt;</h1>" in page, "<pre>1 &amp; 2</pre>" in page
    (True, True)
    """
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )
    sections = "\n".join(map(_section, parts))
    if link is not None:
        sections = f'<p><a href="{_safe(quote(link.file))}">{_safe(link.text)}</a></p>\n{sections}'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
{GENERATOR} {escape(horotree.__version__)}">
<title>{_safe(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{_safe(title)}</h1>
<p>{_safe(lead)}</p>
{sections}
<footer>Made by horotree {escape(horotree.__version__)}.</footer>
</main>
</body>
</html>
"""


def _section(part: Picture | Report) -> str:
    heading = f"<h2>{_safe(part.title)}</h2>"
    if isinstance(part, Report):
        return f"<section>\n{heading}\n<pre>{_safe(part.text)}</pre>\n</section>"
    image = base64.b64encode(part.png).decode()
    return (
        f"<section>\n{heading}\n<p>{_safe(part.caption)}</p>\n"
        f'<img alt="{_safe(part.alternative)}" src="data:image/png;base64,{image}">\n</section>'
    )


def _safe(text: str) -> str:
    """Return a text escaped for HTML, also characters that cannot be encoded."""
    return escape(text.encode("utf-8", "backslashreplace").decode())
