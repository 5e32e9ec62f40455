"""The pages that follow from the code: the gallery, the measures and the reference of what is public.

They are written anew at each build, below `generated`, which git ignores.
"""

from __future__ import annotations

import base64
import html
import inspect
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

os.environ.setdefault("MPLBACKEND", "agg")

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import meiro
from meiro.generators.options import FACTS

BENCH = Path(__file__).parents[2] / "tests/bench"
sys.path.append(str(BENCH))

import report  # type: ignore[import-not-found]  # noqa: E402
import result_files  # type: ignore[import-not-found]  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "build" / "wasm" / "src" / "meiro.wasm"
WATCH = "[Watch mazes being made](generated/player.md)"
"""The first link of the front page."""
MAKE = "[make your own](generated/make.md)"
"""The second, where the core for browsers was built."""
SIDE = 18
LATTICES = {
    "square": "square(12, 12)",
    "hexagonal": "hexagonal(11, 11)",
    "triangular": "triangular(side=12)",
    "polar": "polar(8)",
    "upsilon": "upsilon(9, 9)",
    "zeta": "zeta(9, 9)",
    "kagome": "kagome(8, 8)",
    "cairo": "cairo(9, 9)",
    "voronoi": "voronoi(n=150, rng=1)",
    "box": "box(2, 9, 9)",
    "cube": "cube(5)",
    "moebius": "moebius(6, 14)",
    "weave": "weave(11, 11, rng=1)",
    "from_graph": "from_graph(nx.petersen_graph())",
}
PLOTS = {
    "plot": (
        "A maze, its solution and the cells that the search visited.",
        "solution = meiro.solve(maze, visit_order=True)\nmeiro.plot(maze, solution=solution)",
    ),
    "plot_many": (
        "Several mazes side by side.",
        "meiro.plot_many(meiro.generate_many((10, 10), n=6, rng=7))",
    ),
    "plot_trace": (
        "Moments of a run.",
        'meiro.plot_trace(meiro.trace((10, 10), "wilson", rng=7), frames=4)',
    ),
    "endless": (
        "A window of a maze without borders, with a path; passages lead out on all sides.",
        (
            'plane = meiro.generators.endless("kruskal", rng=7)\n'
            "path = plane.solve((0, 0), (20, 30))\n"
            "window = plane.window(slice(-25, 25), slice(-10, 45))\n"
            "meiro.plot(window, solution=path + (25, 10))"
        ),
    ),
    "position_map": (
        "The mean of many mazes at each cell: here the share of dead ends, greatest in the corners.",
        (
            'mazes = meiro.generate_many((20, 20), "kruskal", 20_000, rng=7)\n'
            'plt.imshow(meiro.position_map(mazes, "dead_ends"))\n'
            "plt.colorbar()"
        ),
    ),
}
IN_FOLDERS = {"endless": "generators.endless"}
PLAYERS = {
    "algorithms": (
        *("wilson", "backtracker", "kruskal", "prim_frontier_cell", "eller", "wall_extension"),
        *("recursive_division", "origin_shift"),
    ),
    "sizes": ("6x8", "12x16"),
    "seeds": (1, 2, 3),
}
MEANINGS = json.loads((Path(__file__).parent / "meanings.json").read_text("utf-8"))
"""What a high value of each measure means for the walker or the eye, and what a low one."""
GENERATOR_FACTS = "perfect", "masks", "wraps", "graphs", "scratch", "aliases", "reference"
FOLDERS = (
    "dask",
    "datasets",
    "exact",
    "generators",
    "gym",
    "io",
    "lattices",
    "seeds",
    "solvers",
    "stats",
    "transforms",
)
TOPICS = {
    "Making mazes": "generate generate_many eller eller_rows EllerRows cellular_automaton spanning_tree",
    "Mazes": "AnyMaze Maze MazeBatch GraphMaze GraphBatch Lattice Room",
    "Solving": (
        "solve solve_many Solution SolutionBatch distances shortest_paths ShortestPaths "
        "all_shortest_paths policy bottlenecks longest_path LongestPath NoPathError"
    ),
    "Changing mazes": (
        "add_loops braid fill_dead_ends sparsify join_regions remove_islands origin_shift perturb "
        "unicursal symmetric rotate flip transpose crop stitch with_openings with_ends with_passages "
        "locks Locks"
    ),
    "Statistics": (
        "measure Measures survey Table compare Comparison position_map check CheckReport components "
        "ALGORITHMS SOLVERS MEASURES"
    ),
    "Exact laws": (
        "law Law sampler_test SamplerTest number_of_mazes log_number_of_mazes edge_probabilities "
        "expected_counts rank unrank enumerate_mazes"
    ),
    "Data sets": "split endpoints Seed replicate",
    "Watching": (
        "trace trace_eller trace_solve Trace Frame GraphFrame EventKind State animate Animation player play"
    ),
    "Plots": "plot plot_many plot_trace",
    "Files and pictures": "save read from_image brightness mask_from_image mask_from_text",
    "Coordinates": "cells_to_grid grid_to_cells positions wall_cells wall_ids",
}


def write(folder: Path) -> None:
    """Write all pages."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("players", "generators", "solvers", "lattices", "plots", "measures", "benchmarks", "api"):
        (folder / name).mkdir(parents=True)
    _generators(folder)
    _solvers(folder)
    _lattices(folder)
    _plots(folder)
    _measures(folder)
    _benchmarks(folder / "benchmarks")
    _reference(folder)
    _players(folder / "players")
    _maker(folder)


def _page(path: Path, text: str) -> None:
    path.with_suffix(".md").write_text(text, "utf-8")


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _run(code: str, **names: Any) -> dict[str, Any]:
    """Run the code of a page: what is printed on it is what made its picture."""
    space = {"meiro": meiro, "np": np, "plt": plt, **names}
    exec(code, space)  # noqa: S102  # text of this file
    return space


def _cards(folder: Path, name: str, title: str, about: str, cards: Iterable[tuple[str, str, str]]) -> None:
    """Write a page of cards (name, picture, text); each leads to a page of its own."""
    lines = [f"# {title}\n", about, "\n::::{grid} 2 2 3 4\n:gutter: 3\n"]
    entries = []
    for card, picture, text in cards:
        entries.append(f"{name}/{card}")
        lines.append(
            f":::{{grid-item-card}} {card}\n:img-top: {name}/{picture}\n:img-alt: {card}\n"
            f":link: {name}/{card}\n"
            f":link-type: doc\n\n{text}\n:::\n"
        )
    lines.append("::::\n\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n")
    _page(folder / name, "\n".join(lines))


def _facts(facts: Any, names: Iterable[str]) -> str:
    rows = []
    for name in names:
        value = getattr(facts, name)
        if value in ("", (), None):
            continue
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, tuple | list):
            value = ", ".join(map(str, value))
        rows.append(f"| {name.replace('_', ' ')} | {html.escape(str(value))} |")
    return "| | |\n|---|---|\n" + "\n".join(rows) + "\n"


def _options(options: Any) -> str:
    if not options:
        return ""
    return "## Options\n\n" + "".join(f"- `{name}`: {text}\n" for name, text in dict(options).items()) + "\n"


def _law_of(facts: Any) -> str:
    if not facts.random:
        return "It draws nothing: there is one maze of each shape."
    if not facts.law:
        return "Its law has no closed form; tests hold it to a slow, obvious version."
    same = [name for name, other in meiro.ALGORITHMS.items() if other.law == facts.law and name != facts.name]
    alike = f", which it shares with {', '.join(f'[{name}]({name}.md)' for name in same)}" if same else ""
    return (
        f"The exact probability of every maze of a small shape is `meiro.law(shape, {facts.law!r})`{alike}; "
        f"`meiro.sampler_test({facts.name!r})` judges samples against it."
    )


def _generators(folder: Path) -> None:
    cards = []
    for name, facts in meiro.ALGORITHMS.items():
        code = f'maze = meiro.generate(({SIDE}, {SIDE}), "{name}", rng=7)'
        maze = _run(code)["maze"]
        maze.save(folder / f"generators/{name}.svg")
        many = meiro.generate_many((30, 30), name, 50, rng=7).measure(
            ["dead_end_share", "river", "solution_length"]
        )
        means = {key: float(np.nanmean(many[key])) for key in ("dead_end_share", "river", "solution_length")}
        print_code = f"{code}\nmaze.plot()\nmeiro.solve(maze).length\nmeiro.check(maze)"
        _page(
            folder / f"generators/{name}",
            f"# {name}\n\n{facts.good_for[:1].upper()}{facts.good_for[1:]}.\n\n"
            f"![A maze by {name}]({name}.svg){{.maze-picture}}\n\n"
            f"{_code(print_code)}\n## Law\n\n{_law_of(facts)}\n\n"
            "## Numbers\n\nMeans of 50 mazes of 30 x 30 cells: "
            f"{means['dead_end_share']:.1%} of the cells are "
            f"dead ends, a branch has {means['river']:.1f} steps, and the way from corner to corner has "
            f"{means['solution_length']:.0f}.\n\n{_options(facts.options)}"
            f"## Facts\n\n{_facts(facts, GENERATOR_FACTS)}\n"
            "`scratch` is memory beside the maze, in bytes a cell; `graphs` says whether it takes a "
            "[lattice](../lattices.md).\n",
        )
        cards.append((name, f"{name}.svg", facts.good_for))
    about = (
        "All by `meiro.generate(shape, name)`. Each name leads to its law, options and numbers. "
        "[Which one to take](../guide/which_algorithm.md) compares them."
    )
    _cards(folder, "generators", "Generators", about, cards)


def _solvers(folder: Path) -> None:
    maze = meiro.braid(meiro.generate((SIDE, SIDE), "backtracker", rng=3), 0.3, rng=3)
    cards = []
    for name, facts in meiro.SOLVERS.items():
        code = f'solution = meiro.solve(maze, algorithm="{name}", visit_order=True)'
        given, setup = (
            maze,
            'maze = meiro.braid(meiro.generate((18, 18), "backtracker", rng=3), 0.3, rng=3)\n',
        )
        if not facts.complete:
            given = meiro.generate((SIDE, SIDE), "backtracker", rng=3)
            setup = 'maze = meiro.generate((18, 18), "backtracker", rng=3)\n'
        if facts.random:
            code = code.replace("visit_order", "rng=1, visit_order")
        solution = _run(code, maze=given)["solution"]
        figure, axes = plt.subplots(figsize=(3.6, 3.6))
        meiro.plot(given, solution=solution, ax=axes)
        axes.set_title("")
        figure.savefig(folder / f"solvers/{name}.png", dpi=80, bbox_inches="tight")
        plt.close(figure)
        _page(
            folder / f"solvers/{name}",
            f"# {name}\n\n{facts.good_for[:1].upper()}{facts.good_for[1:]}.\n\n"
            f"![A maze solved by {name}]({name}.png){{.maze-picture}}\n\n"
            f"{_code(f'{setup}{code}{chr(10)}maze.plot(solution=solution)')}\n"
            f"Here the path has {solution.length} steps.\n\n{_options(facts.options)}"
            "## Facts\n\n"
            + _facts(
                facts,
                (
                    *("solutions", "promise", "shortest", "complete", "sees", "wraps", "graphs"),
                    *("scratch", "aliases", "reference"),
                ),
            ),
        )
        cards.append((name, f"{name}.png", facts.good_for))
    _cards(folder, "solvers", "Solvers", "All by `meiro.solve(maze, algorithm=name)`.", cards)


def _lattices(folder: Path) -> None:
    cards = []
    for name, call in LATTICES.items():
        about = (inspect.getdoc(getattr(meiro.lattices, name)) or "").partition("\n")[0]
        code = f"lattice = meiro.lattices.{call}\nmaze = meiro.generate(lattice, rng=7)"
        if name == "from_graph":
            code = f"import networkx as nx\n\n{code}"
        maze = _run(code)["maze"]
        picture = f"{name}.svg" if maze.lattice.positions is not None else f"{name}.png"
        solution = meiro.solve(maze, *maze.endpoints)
        if picture.endswith(".svg"):
            maze.save(folder / "lattices" / picture, solution=solution)
        else:
            figure, axes = plt.subplots(figsize=(3.6, 3.6))
            maze.plot(ax=axes)
            figure.savefig(folder / "lattices" / picture, dpi=80, bbox_inches="tight")
            plt.close(figure)
        _page(
            folder / f"lattices/{name}",
            f"# {name}\n\n{about}\n\n![A maze on {name}]({picture}){{.maze-picture}}\n\n"
            f"{_code(f'{code}{chr(10)}maze.plot(solution=meiro.solve(maze))')}\n"
            f"{maze.lattice.n_cells:,} cells, {maze.lattice.n_edges:,} pairs of neighbours. There are about "
            f"10^{meiro.log_number_of_mazes(maze.lattice) / np.log(10):.0f} perfect mazes on it, and the "
            f"default algorithm makes each with the same probability.\n\nAll arguments: "
            f"[meiro.lattices.{name}](../api/meiro.lattices.{name}.rst).\n",
        )
        cards.append((name, picture, about))
    about = "`meiro.generate(lattice)` takes any of them, or a graph of your own; so do solvers and measures."
    _cards(folder, "lattices", "Lattices", about, cards)


def _plots(folder: Path) -> None:
    cards = []
    for name, (about, code) in PLOTS.items():
        plt.close("all")
        _run(code, maze=meiro.generate((SIDE, SIDE), rng=7))
        public = IN_FOLDERS.get(name, name)
        plt.gcf().savefig(folder / f"plots/{name}.png", dpi=80, bbox_inches="tight")
        plt.close("all")
        _page(
            folder / f"plots/{name}",
            f"# {name}\n\n{about}\n\n![What {name} draws]({name}.png){{.maze-picture}}\n\n{_code(code)}\n"
            f"All arguments: [meiro.{public}](../api/meiro.{public}.rst).\n",
        )
        cards.append((name, f"{name}.png", about))
    _cards(folder, "plots", "Plots", "With matplotlib: each returns axes that you can draw on.", cards)


def _measures(folder: Path) -> None:
    names = [name for name, facts in meiro.ALGORITHMS.items() if facts.perfect]
    perfect = {name: meiro.generate((14, 14), name, rng=7) for name in names}
    loose = {f"percolation {p}": meiro.generate((14, 14), "percolation", p=p, rng=7) for p in (0.3, 0.5, 0.7)}
    loose |= {"braided": meiro.braid(perfect["backtracker"], rng=7)}
    rows = [
        "# Measures\n",
        "Each is an entry of `meiro.measure(maze)`, a column of `mazes.measure()` and of `meiro.survey`.",
        "Its page shows, of one maze by each algorithm, the one with the least value and the one with the",
        "greatest.\n",
        "| measure | unit | |\n|---|---|---|",
    ]
    pages = []
    for name, facts in meiro.MEASURES.items():
        values = {}
        for key, maze in {**perfect, **loose}.items():
            value = float(meiro.measure(maze)[name])
            if not np.isnan(value):
                values[key] = value, maze
        least, most = (choose(values, key=lambda key: values[key][0]) for choose in (min, max))
        for end, key in (("least", least), ("most", most)):
            values[key][1].save(folder / f"measures/{name}_{end}.svg")
        pictures = "".join(
            f":::{{grid-item}}\n![{key}]({name}_{end}.svg){{.maze-picture}}\n\n"
            f"{key}: {values[key][0]:.4g}\n:::\n"
            for end, key in (("least", least), ("most", most))
        )
        source = f"Source: {facts.source}.\n\n" if facts.source else ""
        needs = {"tree": "Of perfect mazes alone.", "path": "Of a maze whose start and goal are connected."}
        _page(
            folder / f"measures/{name}",
            f"# {name}\n\n{facts.about[:1].upper()}{facts.about[1:]}.\n\n{MEANINGS[name]}\n\n"
            f"Unit: {facts.unit}. "
            f"{needs.get(facts.needs, '')}\n\n{source}"
            f"::::{{grid}} 2\n{pictures}::::\n\n{_code(f'meiro.measure(maze)[{name!r}]')}",
        )
        breakable = name.replace("_", "_<wbr>")  # where a narrow screen may break it
        rows.append(f"| [{breakable}](measures/{name}.md) | {facts.unit} | {html.escape(facts.about)} |")
        pages.append(f"measures/{name}")
    rows.append("\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n")
    _page(folder / "measures", "\n".join(rows))


def _benchmarks(folder: Path) -> None:
    """Draw the times that tests/bench keeps; `benchmarks.md` shows them."""
    results = result_files.read(result_files.KEPT)
    for theme in report.THEMES:
        for name, picture in report.pictures(results["tables"], theme).items():
            (folder / f"{name}_{theme}.svg").write_text(picture, "utf-8")
    (folder / "about.txt").write_text(result_files.about(results) + "\n", "utf-8")  # not a page of its own


def _reference(folder: Path) -> None:
    """Write a page for each public name, and one for each topic and namespace."""
    sections = {title: [f"meiro.{name}" for name in names.split()] for title, names in TOPICS.items()}
    told = {name.split(".")[1] for names in sections.values() for name in names}
    missing = set(meiro.__all__) - told - {"__version__"}
    if missing:
        raise ValueError(f"TOPICS has no place for {sorted(missing)}")
    for module in FOLDERS:
        names = [name for name in getattr(meiro, module).__all__ if name not in told]
        if names:
            sections[f"meiro.{module}"] = [f"meiro.{module}.{name}" for name in names]
    lines = ["# Reference\n"]
    for title, names in sections.items():
        lines += [f"\n## {title}\n", "| | |\n|---|---|"]
        lines += [f"| [{name}](api/{name}.rst) | {_summary(_thing(name))} |" for name in names]
        for name in names:
            (folder / f"api/{name}.rst").write_text(_api_page(name), "utf-8")
    every = [f"api/{name}" for names in sections.values() for name in names]
    lines.append("\n```{toctree}\n:hidden:\n\n" + "\n".join(every) + "\n```\n")
    _page(folder / "api", "\n".join(lines))


def _thing(name: str) -> Any:
    thing: Any = meiro
    for part in name.split(".")[1:]:
        thing = getattr(thing, part)
    return thing


def _summary(thing: Any) -> str:
    text = inspect.getdoc(thing) or "" if callable(thing) or inspect.isclass(thing) else ""
    return html.escape(text.split("\n\n")[0].replace("\n", " ")).replace("|", "\\|").replace("`", "")


def _api_page(name: str) -> str:
    thing = _thing(name)
    title = f"{name}\n{'=' * len(name)}\n\n"
    if inspect.isclass(thing):
        kind = "autoexception" if issubclass(thing, BaseException) else "autoclass"
        outside = ", ".join(
            base.__name__ for base in thing.__mro__ if not base.__module__.startswith("meiro")
        )
        members = f"   :members:\n   :inherited-members: {outside}\n"
        members = "" if issubclass(thing, BaseException) else members
        return f"{title}.. {kind}:: {name}\n{members}"
    if inspect.isfunction(thing) or inspect.isbuiltin(thing):
        return f"{title}.. autofunction:: {name}\n"
    keys = (
        f"Names: {', '.join(f'``{key}``' for key in thing)}.\n"
        if isinstance(thing, meiro.ALGORITHMS.__class__)
        else ""
    )
    return f"{title}.. py:data:: {name}\n   :noindex:\n\n{keys}"


def _players(folder: Path) -> None:
    """Write the pages among which `player.md` chooses."""
    page = (HERE / "player.md").read_text("utf-8")
    _page(folder.parent / "player", page.replace("PLAYERS", json.dumps(PLAYERS)))
    for name in PLAYERS["algorithms"]:
        for size in PLAYERS["sizes"]:
            for seed in PLAYERS["seeds"]:
                rows, cols = map(int, str(size).split("x"))
                trace = meiro.trace((rows, cols), str(name), rng=seed)
                meiro.player(trace).save(folder / f"{name}_{size}_{seed}.html")


def _maker(folder: Path) -> None:
    """Write the page that makes mazes, if there is a core for browsers, and the links of the front page."""
    links = WATCH
    if CORE.exists():
        links += f", or {MAKE}"
        _page(folder / "make", (HERE / "make/make.md").read_text("utf-8"))
        (folder / "players/make_mazes.js").write_text(maker_script(CORE.read_bytes()), "utf-8")
    (folder / "try.txt").write_text(f"{links}, in this browser.\n", "utf-8")  # not a page of its own


def _offered(option: str) -> bool:
    """Return whether the page that makes mazes offers an option: no array of walls or posts."""
    return not FACTS[option]["kind"].startswith(("wall_", "post_"))


def _maker_option(option: str, text: str) -> dict[str, Any]:
    """Return what the page that makes mazes knows of an option, its number in the core first."""
    facts = FACTS[option]
    choices = [*facts["choices"]]
    if facts["kind"] == "generator":
        choices = [name for name, of in meiro.ALGORITHMS.items() if of.masks and of.perfect]
        choices = [choices.pop(choices.index("backtracker")), *choices]
    return {
        "number": [*FACTS].index(option),
        "name": option,
        "kind": facts["kind"],
        "choices": choices,
        "least": facts["least"],
        "about": text,
    }


def maker_script(core: bytes) -> str:
    """Return the script of the page that makes mazes, with the core in it: a page as a file reads none."""
    given = {
        "CORE": base64.b64encode(core).decode("ascii"),
        "WORKER": (HERE / "make/worker.js").read_text("utf-8"),
        "COLORS": {name: theme._asdict() for name, theme in meiro.colors.THEMES.items()},
        "GENERATORS": {
            name: {
                "about": f"{facts.good_for[:1].upper()}{facts.good_for[1:]}.",
                "page": f"generators/{name}.html",
                "masks": facts.masks,
                "options": [
                    _maker_option(option, text) for option, text in facts.options.items() if _offered(option)
                ],
            }
            for name, facts in meiro.ALGORITHMS.items()
        },
    }
    lines = [f"const {name} = {json.dumps(value)};" for name, value in given.items()]
    return "\n".join([*lines, (HERE / "make/make.js").read_text("utf-8")])
