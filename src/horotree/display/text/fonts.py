"""Fonts for texts in any script."""

import functools

from matplotlib import font_manager

# Fonts of operating systems with more scripts than matplotlib's own, in the order of trial.
_CANDIDATES = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Arial Unicode MS",
    "Noto Sans",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Color Emoji",
)


@functools.cache
def families() -> tuple[str, ...]:
    """Return the fonts of all texts: matplotlib's own, then installed ones with more scripts."""
    installed = set(font_manager.get_font_names())
    return ("DejaVu Sans", *(name for name in _CANDIDATES if name in installed))


@functools.cache
def _characters() -> frozenset[int]:
    """Return the characters of these fonts."""
    found: set[int] = set()
    for family in families():
        path = font_manager.findfont(family, fallback_to_default=False)
        found.update(font_manager.get_font(path).get_charmap())
    return frozenset(found)


def printable(text: str) -> str:
    """Return a text in which characters that no font has are replaced by their code points."""
    known = _characters()
    if all(ord(c) in known for c in text):
        return text
    return "".join(
        c if ord(c) in known else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in text
    )
