"""The table of README.md that comes from the facts.

python tests/tables.py writes it anew, between its two marks.
"""

from __future__ import annotations

from pathlib import Path

import meiro

README = Path(__file__).parents[1] / "README.md"
MARKS = ("<!-- from the facts: tests/tables.py -->\n", "<!-- so far -->\n")


def which_one() -> str:
    """Return "which one should I use?" as Markdown."""
    lines = ["| algorithm | good for | law | mask | wrap | options |", "|---|---|---|:-:|:-:|---|"]
    for facts in meiro.ALGORITHMS.values():
        law = facts.law.replace("_", " ")
        marks = ("x" if facts.masks else "", "x" if facts.wraps else "")
        options = ", ".join(f"`{option}`" for option in facts.options)
        lines.append(f"| `{facts.name}` | {facts.good_for} | {law} | {marks[0]} | {marks[1]} | {options} |")
    return "\n".join(lines) + "\n"


def parts(text: str) -> tuple[str, str, str]:
    """Return what stands before, between and after the marks."""
    before, _, rest = text.partition(MARKS[0])
    between, _, after = rest.partition(MARKS[1])
    return before, between, after


def main() -> None:
    """Write the table."""
    before, _, after = parts(README.read_text(encoding="utf-8"))
    README.write_text(before + MARKS[0] + which_one() + MARKS[1] + after, encoding="utf-8")


if __name__ == "__main__":
    main()
