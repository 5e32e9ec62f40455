"""The fonts of a text, that matplotlib brings along or finds installed."""

from __future__ import annotations

from functools import lru_cache

from matplotlib.font_manager import fontManager, get_font


@lru_cache(maxsize=256)
def fonts_for(text: str, usual: str = "DejaVu Sans") -> list[str]:
    """Return the fonts of a text: one of matplotlib, and an installed one for letters that it has not."""
    missing = _without(fontManager.findfont(usual), text)
    if not missing:
        return [usual]
    for entry in sorted(
        fontManager.ttflist, key=lambda one: (one.style != "normal", one.weight != 400, one.name)
    ):
        if not entry.name.startswith(("LastResort", "Last Resort")) and not _without(entry.fname, missing):
            return [usual, entry.name]
    raise ValueError(
        f"{text!r}: no font that is installed here has {missing[0]!r}: install one, as Noto Sans CJK, or "
        "write a .svg, for which the reader's fonts are taken"
    )


def _without(file: str, text: str) -> str:
    """Return the letters of a text that a font has not."""
    try:
        font = get_font(file)
    except (OSError, RuntimeError):  # a file that is gone, or no outlines
        return text
    return "".join(letter for letter in text if not font.get_char_index(ord(letter)))
