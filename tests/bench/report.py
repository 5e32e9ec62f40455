"""A page of results with pictures, from a file of `python tests/bench/run.py --all --json FILE`.

    python tests/bench/report.py [FILE] [--out report.html]

One file that needs no network, light or dark as the reader's system is. The documentation has the same
pictures.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import itertools
import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import result_files  # type: ignore[import-not-found]  # beside this file, where python looks
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes

THEMES = {
    "light": {"ink": "#24292f", "grid": "#d8dce1", "other": "#9aa2ab", "ours": "#d7191c"},
    "dark": {"ink": "#d5dae0", "grid": "#3b424b", "other": "#7d8691", "ours": "#ff6b5e"},
}
LINES = ("#0090d8", "#e69f00", "#00a878", "#d45fa4", "#d55e00", "#8c7ae6")
GROUPS = 4  # pictures of the times by size: a quarter of the algorithms each, the fastest first
TITLES = {
    "one_core": "Nanoseconds a cell, beside textbook versions in plain C++",
    **{f"sizes_{i + 1}": "Nanoseconds a cell by the side of the maze" for i in range(GROUPS)},
    "threads": "Times as fast on two threads",
    "peers": "Times as fast as other libraries",
}
STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
:root { color-scheme: light dark; }
picture img { max-width: 100%; height: auto; }
.sizes { display: flex; flex-wrap: wrap; gap: 1rem; }
table { border-collapse: collapse; font-size: .9rem; }
td, th { padding: .15rem .7rem; text-align: left; border-bottom: 1px solid #8886; }
td + td, th + th { text-align: right; }
.wide { overflow-x: auto; }
"""


def pictures(tables: Mapping[str, result_files.Rows], theme: str) -> dict[str, str]:
    """Return the pictures as SVG, by name; those whose table is not there are left out."""
    colors = THEMES[theme]
    rows = {title: result_files.medians(table) for title, table in tables.items()}
    drawn: dict[str, Callable[[Any], Figure]] = {}
    if one_core := {name: row for name, row in rows.get("one core", {}).items() if len(row) == 2}:
        drawn["one_core"] = lambda c: _pairs(one_core, c)
    if sizes := rows.get("sizes"):
        names = sorted(sizes, key=lambda name: sizes[name]["1000"])
        share = math.ceil(len(names) / GROUPS)
        for i in range(GROUPS):
            part = {name: sizes[name] for name in names[i * share : (i + 1) * share]}
            drawn[f"sizes_{i + 1}"] = partial(_lines, part)
    if threads := rows.get("threads"):
        ratios = {name: row["1"] / row["2"] for name, row in threads.items()}
        drawn["threads"] = lambda c: _bars(ratios, c, (1, 2))
    if peers := rows.get("peers"):
        times = {name: row["yardstick"] / row["meiro"] for name, row in peers.items()}
        drawn["peers"] = lambda c: _bars(times, c, (1, 10, 100, 1000), log=True)
    settings: Any = {
        "svg.hashsalt": "meiro",
        "font.size": 9.5,
        "text.color": colors["ink"],
        "axes.labelcolor": colors["ink"],
        "xtick.color": colors["ink"],
        "ytick.color": colors["ink"],
        "axes.edgecolor": colors["grid"],
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": colors["grid"],
    }
    found = {}
    with mpl.rc_context(settings):
        for name, draw in drawn.items():
            file = io.StringIO()
            draw(colors).savefig(
                file, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None}
            )
            found[name] = file.getvalue()
    return found


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure((width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(axis="both", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _plain(axes: Any, ticks: tuple[float, ...]) -> None:
    """Label an axis with plain numbers."""
    axes.set_ticks(ticks, labels=[f"{x:g}" for x in ticks])
    axes.set_ticks([], minor=True)


def _pairs(rows: dict[str, dict[str, float]], colors: dict[str, str]) -> Figure:
    """Draw two dots a row, theirs and ours, with a line between them."""
    names = sorted(rows, key=lambda name: rows[name]["meiro"], reverse=True)
    figure, axes = _axes(4.8, 0.24 * len(names) + 0.7)
    ours, theirs = ([rows[name][key] for name in names] for key in ("meiro", "yardstick"))
    axes.hlines(names, ours, theirs, color=colors["grid"], linewidth=3)
    axes.scatter(theirs, names, color=colors["other"], label="textbook C++", zorder=3)
    axes.scatter(ours, names, color=colors["ours"], label="meiro", zorder=3)
    axes.set_xscale("log")
    _plain(axes.xaxis, (0.1, 1, 10, 100))
    axes.set_xlabel("nanoseconds a cell")
    axes.legend(frameon=False, loc="lower left")
    return figure


def _lines(rows: dict[str, dict[str, float]], _: object) -> Figure:
    """Draw a line a row over the sides, its name at its end."""
    figure, axes = _axes(4.6, 3.2)
    ends = []
    for (name, row), color in zip(rows.items(), itertools.cycle(LINES), strict=False):
        sides = [int(side) for side in row]
        axes.plot(sides, list(row.values()), color=color, marker="o", markersize=3.5, label=name)
        ends.append((list(row.values())[-1], name, color))
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    low, high = low / 1.2, high * 1.2
    axes.set_ylim(low, high)
    steps = [m * 10.0**e for e in range(-3, 4) for m in (1, 2, 5)]
    _plain(axes.yaxis, tuple(x for x in steps if low <= x <= high))
    _plain(axes.xaxis, (16, 128, 1000, 4000, 16000))
    axes.set_xlabel("cells a side")
    axes.set_ylabel("ns a cell")
    place, gap = -math.inf, 0.062  # of the height, from name to name
    for value, name, color in sorted(ends):
        place = max(place + gap, math.log(value / low) / math.log(high / low))
        axes.text(1.02, place, name, color=color, transform=axes.transAxes, va="center")
    return figure


def _bars(
    values: dict[str, float], colors: dict[str, str], ticks: tuple[float, ...], *, log: bool = False
) -> Figure:
    """Draw a bar a row from 1, with its number."""
    names = sorted(values, key=lambda name: values[name])
    figure, axes = _axes(4.8, 0.24 * len(names) + 0.7)
    axes.barh(names, [values[name] - 1 for name in names], left=1, color=colors["ours"], height=0.62)
    if log:
        axes.set_xscale("log")
    for name in names:
        axes.annotate(
            f"{values[name]:.2g}" if values[name] < 10 else f"{values[name]:.0f}",
            (max(values[name], 1), name),
            (4, 0),
            textcoords="offset points",
            va="center",
        )
    _plain(axes.xaxis, ticks)
    axes.set_xlim(min(0.9, *values.values()), max(values.values()) * (1.6 if log else 1.08))
    axes.axvline(1, color=colors["ink"], linewidth=0.8)
    axes.set_xlabel("times as fast")
    return figure


def page(results: Mapping[str, Any]) -> str:
    """Return the whole page."""
    tables = results["tables"]
    sides = {theme: pictures(tables, theme) for theme in THEMES}

    def picture(name: str) -> str:
        light, dark = (
            f"data:image/svg+xml;base64,{base64.b64encode(sides[theme][name].encode()).decode()}"
            for theme in THEMES
        )
        return (
            f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
            f'<img alt="{TITLES[name]}" src="{light}"></picture>'
        )

    parts = [f"<h1>Benchmarks of meiro</h1><p>{html.escape(result_files.about(results))}</p>"]
    names = list(sides["light"])
    for name in names:
        if name.startswith("sizes"):
            if name == "sizes_1":
                every = "".join(picture(other) for other in names if other.startswith("sizes"))
                parts.append(f'<h2>{TITLES[name]}</h2><div class="sizes">{every}</div>')
            continue
        parts.append(f"<h2>{TITLES[name]}</h2>{picture(name)}")
    for title in ("one core", "peers"):
        if title in tables:
            head, *rows = result_files.shown(results, title)
            cells = "".join(f"<th>{x}</th>" for x in head)
            body = "".join(f"<tr>{''.join(f'<td>{html.escape(x)}</td>' for x in row)}</tr>" for row in rows)
            parts.append(f'<h2>{title}</h2><div class="wide"><table><tr>{cells}</tr>{body}</table></div>')
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f"<title>meiro: benchmarks</title><style>{STYLE}</style>"
    return f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="?", default=result_files.KEPT)
    parser.add_argument("--out", type=Path, default=Path("build/bench/report.html"))
    asked = parser.parse_args()
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(page(result_files.read(asked.file)), "utf-8")
    print(asked.out)


if __name__ == "__main__":
    main()
