"""The language of the help: ``meiro --lang ja``.

What the commands print stays the same in every language, so that programs can read it.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from meiro._utils.messages import short_repr

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGUAGES = ("en", "ja")
_chosen = "en"


def choose(words: Sequence[str]) -> list[str]:
    """Choose the language that the arguments ask for; return the other arguments.

    Where the encoding of the output has no characters for it, the language is English.
    """
    global _chosen  # noqa: PLW0603  # of this process, whose command this is
    _chosen = "en"
    kept = list(words)
    end = kept.index("--") if "--" in kept else len(kept)
    for i, word in enumerate(kept[:end]):
        if word == "--lang" or word.startswith("--lang="):
            two = word == "--lang"
            name = kept[i + 1] if two and i + 1 < end else word.partition("=")[2]
            if name not in LANGUAGES:
                msg = f"--lang must be {' or '.join(LANGUAGES)}, not {short_repr(name)}"
                raise ValueError(msg)
            _chosen = name if name == "en" or _has_japanese(sys.stdout) else "en"
            del kept[i : i + 1 + two]
            break
    return kept


def _has_japanese(out: TextIO | None) -> bool:
    encoding = getattr(out, "encoding", None)  # None: text in memory
    try:
        "使い方、カナ".encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def translated(text: str) -> str:
    """Return a text of the help in the chosen language; itself if it has no translation."""
    if _chosen == "en":
        return text
    exact, patterns = _table()
    if text in exact:
        return exact[text]
    for pattern, other in patterns:
        if found := pattern.fullmatch(text):
            return other.format(*(part.replace(" or ", ", ") for part in found.groups()))
    return text


def translated_lines(text: str) -> str:
    """Return lines, each in the chosen language: a whole one, or what is behind two spaces."""
    if _chosen == "en":
        return text
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    whole = translated(line.strip())
    if whole != line.strip():
        return line[: len(line) - len(line.lstrip())] + whole
    found = re.fullmatch(r"(\s*\S.*?\s{2,})(\S.*)", line)
    return found[1] + translated(found[2]) if found else line


def wrapped(text: str, width: int) -> list[str] | None:
    """Break a text where its characters are as wide as two; None for a text that has spaces to break at."""
    if text.isascii():
        return None
    lines, used = [""], 0
    for part in re.findall(r"[!-~]+| |.", text):
        size = sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in part)
        if used + size > width and part not in "。、)":
            lines, used = [*lines, ""], 0
            if part == " ":
                continue
        lines[-1] += part
        used += size
    return [line.rstrip() for line in lines]


@cache
def _table() -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    exact = json.loads(Path(__file__).with_name("japanese.json").read_text("utf-8"))
    patterns = [
        (re.compile(re.escape(key).replace(r"\{\}", "(.*)")), other)
        for key, other in exact.items()
        if "{}" in key
    ]
    return exact, patterns
