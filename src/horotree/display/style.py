"""The common look of all pictures, and how they are written to files.

Nothing here touches pyplot or leaves rcParams changed: figures are plain
`matplotlib.figure.Figure` objects, made without a screen, in any thread.
"""

import io
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from horotree.display.text.numbers import plain_number

INK = "#1a1a1a"
GRAY = "#595959"
RULE = "#bdbdbd"
# Okabe and Ito's blue and vermilion: distinct with every common kind of color vision.
BLUE = "#0072b2"
VERMILION = "#d55e00"

TITLE_SIZE = 12.0
TEXT_SIZE = 9.0
SMALL_SIZE = 8.0

# Inches around a figure, and from its top to its first panel.
MARGIN = 0.3
HEADER = 0.85

# An SVG names its parts by salted hashes; a fixed salt makes two runs give the same file.
_SAVING: dict[Any, Any] = {"svg.hashsalt": "horotree", "pdf.fonttype": 42}
_NO_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
# Matplotlib reads these from its global settings only, hence one writer at a time.
_lock = threading.Lock()


def new_figure(width: float, height: float, *, title: str, subtitle: str) -> Figure:
    """Return a figure (sizes in inches) with a title and a line on how to read it."""
    figure = Figure(figsize=(width, height), dpi=100, facecolor="white")
    left, top = MARGIN / width, height - MARGIN
    figure.text(left, top / height, title, size=TITLE_SIZE, color=INK, va="top")
    figure.text(left, (top - 0.27) / height, subtitle, size=TEXT_SIZE, color=GRAY, va="top")
    return figure


def add_panel(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Add axes at a position in inches from the lower left corner of the figure."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


def quiet_axes(ax: Axes) -> None:
    """Reduce the frame of axes to two thin spines, short ticks and small labels."""
    ax.set_facecolor("none")
    ax.grid(visible=False)
    for side, spine in ax.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(RULE)
        spine.set_linewidth(0.8)
    quiet_ticks(ax)


def quiet_ticks(ax: Axes) -> None:
    """Make ticks short and gray, with small labels."""
    ax.tick_params(color=RULE, labelcolor=GRAY, labelsize=SMALL_SIZE, length=3.0, width=0.8)


def note(
    ax: Axes,
    text: str,
    place: tuple[float, float],
    *,
    offset: tuple[float, float] = (0.0, 0.0),
    **options: Any,
) -> Annotation:
    """Write a text, by default in gray, at an offset in points from a point of the axes."""
    options = {"color": GRAY, "size": TEXT_SIZE, "ha": "center", "va": "center", **options}
    options["annotation_clip"] = False
    return ax.annotate(text, place, offset, textcoords="offset points", **options)


def color_bar(
    figure: Figure, ax: Axes, scale: Normalize, colors: Colormap, *, ticks: Sequence[float]
) -> Colorbar:
    """Fill axes of the figure with a color bar for t, on which t = 1 is a line in ink."""
    bar = figure.colorbar(ScalarMappable(scale, colors), cax=ax, ticks=list(ticks))
    bar.outline.set_visible(False)
    ax.set_facecolor("none")
    ax.grid(visible=False)
    ax.axhline(1.0, color=INK, linewidth=2.4)
    ax.set_title("$t$", size=TEXT_SIZE, color=GRAY)
    ax.yaxis.set_major_formatter(lambda value, _: plain_number(value))
    quiet_ticks(ax)
    return bar


def save_figure(figure: Figure, path: Path | str, *, dpi: float = 200.0) -> Path:
    """Write a figure in the format of the path's suffix, and return the path.

    Two runs write the same bytes: no file has a date or a random name.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    path : path or str
        The file; ``.png``, ``.svg`` and ``.pdf`` are tested.
    dpi : float
        Pixels per inch, for formats of pixels.

    Returns
    -------
    pathlib.Path

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from matplotlib.figure import Figure
    >>> from horotree.display import save_figure
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_figure(Figure(), Path(folder) / "empty.svg").name
    'empty.svg'
    """
    path = Path(path)
    if not path.suffix:
        raise ValueError(f"path must end in .png, .svg or .pdf: it names the format, got {path}.")
    with _lock, mpl.rc_context(_SAVING):
        figure.savefig(path, dpi=dpi, metadata=_NO_DATE.get(path.suffix.lower()))
    return path


def to_png(figure: Figure, *, dpi: float = 100.0) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    buffer = io.BytesIO()
    with _lock, mpl.rc_context(_SAVING):
        figure.savefig(buffer, format="png", dpi=dpi)
    return buffer.getvalue()
