"""What there is to see in a disk, pointed out on both sides of it."""

import numpy as np
from matplotlib.figure import Figure

from horotree._checks import Floats
from horotree.display import DiskDisplay, style
from horotree.display.disk.painter import place
from horotree.display.text.numbers import plain_number
from horotree.scene import Scene

SIZE = 6.0
SIDE = 2.75
# An arc that is long enough to point at, for the radius of the disk.
VISIBLE = 0.3


def reading_figure(scene: Scene, subtitle: str) -> Figure:
    """Return a disk in the middle, with what to see on both sides."""
    width, height = SIZE + 2 * SIDE, SIZE + 1.15
    figure = style.new_figure(width, height, title="How to read it", subtitle=subtitle)
    ax = style.add_panel(figure, SIDE, 0.15, SIZE, SIZE)
    _point_out(DiskDisplay(scene).plot(ax))
    return figure


def _point_out(display: DiskDisplay) -> None:
    scene, view = display.scene, display.lens_
    points = place(view, scene.distance, scene.angle)
    first, second = (
        next(r for r in scene.strongest(len(scene)) if scene.positive[r] == positive and r)
        for positive in (False, True)
    )
    arcs = place(view, *scene.arcs)
    length = np.hypot(*(arcs[:, -1] - arcs[:, 0]).T)
    # the row of the node that it leads to; short arcs are hidden by their ends
    widest = 1 + int(np.argmax(scene.n_tests[1:] * (length >= min(VISIBLE, length.max()))))
    arc = arcs[widest - 1]
    host = int(np.argmax(np.where(np.arange(len(scene)) > 0, scene.n_tags, -1)))
    inner, outer = (circle.radius for circle in display.leverage_)
    level, isoline = display.isolines_[-2]
    texts = [
        (points[0], "The root: what it says\nbefore any test"),
        (points[first], f"Near the border a node is sure.\n{_say(display, first)}"),
        (points[second], f"Colors and shapes are classes.\n{_say(display, second)}"),
        (arc[len(arc) // 2], f"A wide arc stands for many\ntests, here {scene.n_tests[widest]}"),
        (
            points[host],
            f"A ring: it also speaks for {scene.n_tags[host]} less\nsure leaves below it",
        ),
        (_on(inner, 165.0), "Leverage: the most that this\ntree adds to the score"),
        (_on(outer, -60.0), "Its largest confidence"),
        (
            _on(isoline.radius, -25.0),
            f"An isoline: the posterior is\n{level.texts[0]} or {level.texts[1]} on it",
        ),
        (np.zeros(2), "The center: no better\nthan guessing"),
    ]
    _spread(display, texts)


def _say(display: DiskDisplay, row: int) -> str:
    scene = display.scene
    confidence = plain_number(abs(float(scene.value[row])), digits=1)
    return f"This one: {scene.classes[int(scene.positive[row])]},\nconfidence {confidence}"


def _on(radius: float, degrees: float) -> Floats:
    return radius * np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])


def _spread(display: DiskDisplay, texts: list[tuple[Floats, str]]) -> None:
    """Write texts left and right of the disk, from top to bottom as what they point at."""
    by_x = sorted(texts, key=lambda entry: entry[0][0])
    half = len(by_x) // 2
    for side, part in ((-1.0, by_x[:half]), (1.0, by_x[half:])):
        ordered = sorted(part, key=lambda entry: -entry[0][1])
        heights = _apart(np.array([target[1] for target, _ in ordered]))
        for (target, text), height in zip(ordered, heights, strict=True):
            display.ax_.annotate(
                text,
                (float(target[0]), float(target[1])),
                (side * 1.1, height),
                ha="left" if side > 0.0 else "right",
                va="center",
                size=style.TEXT_SIZE,
                color=style.INK,
                annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": "#9a9a9a", "linewidth": 0.8},
                zorder=9.0,
            )


def _apart(heights: Floats, gap: float = 0.27) -> Floats:
    """Return falling heights as near to these as a gap between them allows."""
    moved = heights.copy()
    for _ in range(200):
        short = np.maximum(gap - (moved[:-1] - moved[1:]), 0.0)
        if not short.any():
            break
        moved[:-1] += 0.5 * short
        moved[1:] -= 0.5 * short
    return np.clip(moved, -0.95, 0.95)
