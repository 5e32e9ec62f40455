"""The file of results: `run.py --json` writes it; compare.py, report.py and the tables of the guide read it.

`tables` has tables of rows; a row has times of each round, in nanoseconds a cell, by column: "meiro", and
"yardstick" where there is something to hold it to, in the same rounds; or sides; or numbers of threads.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import subprocess
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import meiro

if TYPE_CHECKING:
    from collections.abc import Mapping

Rows = dict[str, dict[str, list[float]]]
KEPT = Path(__file__).with_name("results.json")
"""The results that the documentation shows."""


def write(path: Path, repeats: int, tables: Mapping[str, Rows]) -> None:
    """Write times with four digits, a row a line."""
    about = {
        "version": meiro.__version__,
        "commit": _commit(),
        "date": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[1], 1),  # of the last 5 minutes; 1 is this run alone
        "repeats": repeats,
    }
    text = json.dumps(about, indent=1)[:-2] + ',\n "tables": {'
    for i, (title, rows) in enumerate(tables.items()):
        lines = [f"   {json.dumps(name)}: {json.dumps(_rounded(row))}" for name, row in rows.items()]
        text += f"{',' * bool(i)}\n  {json.dumps(title)}: {{\n" + ",\n".join(lines) + "\n  }"
    path.write_text(text + "\n }\n}\n", "utf-8")


def read(path: Path) -> dict[str, Any]:
    """Return what a file holds; SystemExit if it is none of ours."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict) or not isinstance(found.get("tables"), dict):
        raise SystemExit(f"{path} has no tables: it is not a file of tests/bench/run.py --json")
    return found


def medians(rows: Rows) -> dict[str, dict[str, float]]:
    """Return the median time of each row's columns: rounds have seeds of their own, and mazes differ."""
    return {name: {key: median(times) for key, times in row.items()} for name, row in rows.items()}


def about(results: Mapping[str, Any]) -> str:
    """Return in one sentence where the times come from."""
    return (
        f"meiro {results['version']} ({results['commit']}), {results['date']}, {results['processor']}, "
        f"{results['system']}, Python {results['python']}, load average {results['load']}, "
        f"the median of {results['repeats']} rounds."
    )


def shown(results: Mapping[str, Any], title: str) -> list[list[str]]:
    """Return the table "one core" or "peers" as texts, its head first."""
    rows = medians(results["tables"][title])
    if title == "peers":
        table = [["", "beside", "theirs, ns a cell", "meiro, ns a cell", "times as fast"]]
    else:
        table = [["", "textbook C++, ns a cell", "meiro, ns a cell", "times as fast"]]
    for name, row in rows.items():
        if "meiro" not in row:
            continue
        ours, theirs = row["meiro"], row.get("yardstick")
        names = name.split(", ", 1) if title == "peers" else [name]
        numbers = (
            [_digits(theirs), _digits(ours), _digits(theirs / ours)] if theirs else ["", _digits(ours), ""]
        )
        table.append(names + numbers)
    return table


def _digits(x: float) -> str:
    """Two digits behind the point below 1, one below 100, none above."""
    return f"{x:.2f}" if x < 1 else f"{x:.1f}" if x < 100 else f"{x:,.0f}"


def _rounded(row: Mapping[str, list[float]]) -> dict[str, list[float]]:
    return {key: [float(f"{x:.4g}") for x in times] for key, times in row.items()}


def _commit() -> str:
    """Return the last commit that changed what is timed, with a plus sign if it was changed since."""
    git, timed = (
        ["git", "-C", str(KEPT.parent)],
        [":/src/core", ":/src/bindings", ":/python", ":/CMakeLists.txt"],
    )
    commands = [*git, "log", "-1", "--format=%h", "--", *timed], [*git, "status", "--porcelain", "--", *timed]
    try:
        commit, changed = (
            subprocess.run(c, check=True, capture_output=True, text=True).stdout for c in commands
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return commit.strip() + "+" * bool(changed)


def _processor() -> str:
    """Return the name of the processor and how many of its cores there are."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"
