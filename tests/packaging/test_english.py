"""Plain technical English: the summary of pytest names phrases that mislead a reader, and fails for none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder, pattern in (
        ("src", "*.[ch]pp"),
        ("src", "*.md"),
        ("python", "*.py"),
        ("python", "*.js"),
        ("python", "*.json"),
        ("tests", "*.[ch]pp"),
        ("tests", "*.py"),
        ("notebooks", "*.ipynb"),
        ("notebooks/guide", "*.md"),
        (".", "*.md"),
    )
    for path in ((ROOT / folder).glob(pattern) if folder == "." else (ROOT / folder).rglob(pattern))
    if path != Path(__file__) and "data" not in path.parts
)
# What it looks like -> what to write.
MISLEADING = {
    r"(?<!there )\b(is|are) none\b(?! of)": '"is not a ..."',
    r"\bhangs? together\b|\bhang on (one|a) (place|another)": '"connected", "component"',
    r"\bwhat is told\b|\bwho is told\b": "the noun: progress, the event, the label",
    r"\bgo(es)? on at the other side\b": '"periodic"',
    r"\bthose who\b|\bwho walks\b|\bone who\b|\bwho(ever)? asks\b": "the noun: the solver, the caller",
    r"\bif there (is|are) none\b": 'the noun: "if no path exists"',
    r"\b(return|take|tell|about|of|with|are|how) so many\b(?! [a-z]+ that)": "the name of the number: n",
}
COMMENT_MARKS = re.compile(r"^\s*(//|#|\*)?\s*", re.MULTILINE)


def prose(text: str) -> str:
    """The text as one line, so that a phrase is found across a line break."""
    return re.sub(r"\s+", " ", COMMENT_MARKS.sub(" ", text))


@pytest.mark.long
def test_english_has_no_misleading_phrase(advise: Callable[[str], None]) -> None:
    assert len(FILES) > 500
    for path in FILES:
        text = prose(path.read_text("utf-8"))
        for phrase, instead in MISLEADING.items():
            for m in re.finditer(phrase, text):
                around = text[max(0, m.start() - 40) : m.end() + 20]
                advise(f"{path.relative_to(ROOT)}: {around!r}: write {instead}")


def test_english_sees_the_phrases_of_old() -> None:
    for wrong in (
        "If `ax` is none.",
        "Label what hangs together.",
        "// cells that hang\n// together",
        "Whether rows and columns go on at the other side",
        "those who walk",
        "The length; -1 if there is none.",
        "Close dead ends, so many times: return so many",
    ):
        assert any(re.search(phrase, prose(wrong)) for phrase in MISLEADING), wrong
    for right in ("until there is none", "none of these", "if mask is None", "as many as there are"):
        assert not any(re.search(phrase, prose(right)) for phrase in MISLEADING), right
