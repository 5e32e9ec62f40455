"""The file of results: `run.py --json` writes it; compare.py, report.py and the tables of README.md read it.

`tables` has tables of rows; a row has times of each round, in nanoseconds a cell, by column: "meiro", and
"yardstick" where there is something to hold it to, in the same rounds; or sides; or numbers of threads.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import statistics
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import meiro

if TYPE_CHECKING:
    from collections.abc import Mapping

Rows = dict[str, dict[str, list[float]]]
KEPT = Path(__file__).with_name("results.json")
"""The results that README.md and the documentation show."""


def write(path: Path, repeats: int, tables: Mapping[str, Rows]) -> None:
    """Write times with four digits, a row a line."""
    git = ["git", "-C", str(KEPT.parent), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, check=False, capture_output=True, text=True).stdout.strip()
    about = {
        "version": meiro.__version__,
        "commit": commit,
        "date": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
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
        msg = f"{path} cannot be read: {error}"
        raise SystemExit(msg) from error
    if not isinstance(found, dict) or not isinstance(found.get("tables"), dict):
        msg = f"{path} has no tables: it is not a file of tests/bench/run.py --json"
        raise SystemExit(msg)
    return found


def medians(rows: Rows) -> dict[str, dict[str, float]]:
    """Return the median of each row's columns."""
    return {name: {key: statistics.median(x) for key, x in row.items()} for name, row in rows.items()}


def _rounded(row: Mapping[str, list[float]]) -> dict[str, list[float]]:
    return {key: [float(f"{x:.4g}") for x in times] for key, times in row.items()}


def _processor() -> str:
    """Return the name of the processor and how many of its cores there are."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"
