"""The tables of README.md that come from the facts.

python tests/helpers/readme_tables.py writes them anew, between their marks.
"""

from __future__ import annotations

from pathlib import Path

import meiro

README = Path(__file__).parents[2] / "README.md"
END = "<!-- so far -->\n"


def algorithms() -> str:
    """Return "which one should I use?" as Markdown."""
    lines = ["| algorithm | good for | law | mask | wrap | options |", "|---|---|---|:-:|:-:|---|"]
    for facts in meiro.ALGORITHMS.values():
        law = facts.law.replace("_", " ")
        marks = ("x" if facts.masks else "", "x" if facts.wraps else "")
        options = ", ".join(f"`{option}`" for option in facts.options)
        lines.append(f"| `{facts.name}` | {facts.good_for} | {law} | {marks[0]} | {marks[1]} | {options} |")
    return "\n".join(lines) + "\n"


def solvers() -> str:
    """Return what each solver finds and promises, as Markdown."""
    lines = ["| solver | good for | finds | finds a path | sees | options |", "|---|---|---|---|---|---|"]
    for facts in meiro.SOLVERS.values():
        options = ", ".join(f"`{option}`" for option in facts.options)
        known = (facts.good_for, facts.solutions, facts.promise, facts.sees, options)
        lines.append(f"| `{facts.name}` | " + " | ".join(known) + " |")
    return "\n".join(lines) + "\n"


TABLES = {"algorithms": algorithms, "solvers": solvers}


def parts(text: str, name: str) -> tuple[str, str, str]:
    """Return what stands before, between and after the marks of a table, the marks left out."""
    before, mark, rest = text.partition(f"<!-- {name}, from the facts: tests/helpers/readme_tables.py -->\n")
    if not mark:
        msg = f"README.md has no mark of the table of {name}"
        raise ValueError(msg)
    between, _, after = rest.partition(END)
    return before + mark, between, END + after


def main() -> None:
    """Write the tables."""
    text = README.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        before, _, after = parts(text, name)
        text = before + table() + after
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
