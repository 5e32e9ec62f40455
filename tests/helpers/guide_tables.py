"""The tables of the guide that come from the facts: the registry, and the times that tests/bench keeps.

python tests/helpers/guide_tables.py writes them anew, between their marks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import meiro

TOP = Path(__file__).parents[2]
GUIDE = TOP / "notebooks/guide"
sys.path.append(str(TOP / "tests/bench"))

import result_files  # type: ignore[import-not-found]  # noqa: E402

MARK = "<!-- {}, from the facts: tests/helpers/guide_tables.py -->\n"
END = "<!-- so far -->\n"


def algorithms() -> str:
    """Return what each algorithm is good for and takes, as Markdown."""
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


def times(title: str) -> str:
    """Return a table of the times that are kept, and where they come from, as Markdown."""
    results = result_files.read(result_files.KEPT)
    head, *rows = result_files.shown(results, title)
    lines = [f"| {' | '.join(head)} |", "|---" * (len(head) - 3) + "|--:" * 3 + "|"]
    for name, *cells in rows:
        of, comma, what = name.partition(",")
        lines.append(f"| {' | '.join([f'`{of}`{comma}{what}', *cells])} |")
    return "\n".join([*lines, "", result_files.about(results)]) + "\n"


def of_cluster(table: str) -> str:
    """Return what mazes of a cluster cost, as Markdown."""
    import cluster  # type: ignore[import-not-found]  # takes dask

    text: str = getattr(cluster, table)()
    return text


TABLES: dict[str, tuple[str, Callable[[], str]]] = {
    "algorithms": ("which_algorithm.md", algorithms),
    "solvers": ("solving.md", solvers),
    "times": ("speed.md", lambda: times("one core")),
    "times of others": ("speed.md", lambda: times("peers")),
    "costs": ("clusters.md", lambda: of_cluster("costs")),
    "plan": ("clusters.md", lambda: of_cluster("plan")),
}


def parts(text: str, name: str) -> tuple[str, str, str]:
    """Return what stands before, between and after the marks of a table, the marks left out."""
    before, mark, rest = text.partition(MARK.format(name))
    if not mark:
        raise ValueError(f"{TABLES[name][0]} has no mark of the table of {name}")
    between, _, after = rest.partition(END)
    return before + mark, between, END + after


def main() -> None:
    """Write the tables."""
    for name, (page, table) in TABLES.items():
        before, _, after = parts((GUIDE / page).read_text("utf-8"), name)
        (GUIDE / page).write_text(before + table() + after, "utf-8")


if __name__ == "__main__":
    main()
