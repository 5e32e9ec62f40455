"""What a package is missing for says so, with the extra to install; what does not need it works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from programs import printed, run_python

import meiro

CALLS = """
matplotlib plot: meiro.plot(maze)
matplotlib plot: meiro.plot_many([maze])
matplotlib plot: meiro.plot_trace(trace)
matplotlib plot: table.hist("a")
matplotlib plot: table.plot("a", "a")
matplotlib plot: maze.save("a.pdf")
Pillow image: meiro.read("x.bmp")
Pillow image: meiro.read("x.png")
Pillow image: maze.solve().save("a.png", picture=maze.grid * 255)
Pillow image: meiro.animate(trace).save("a.gif")
Pillow image: meiro.animate(trace).save("a.webp")
Pillow image: meiro.animate([trace, trace])
Pillow image: meiro.animate(trace, numbers=True)
anywidget notebook: meiro.player(trace)
anywidget notebook: meiro.play(maze)
gymnasium gym: meiro.gym
networkx graph: maze.to_networkx()
scipy graph: maze.to_sparse()
PyYAML robots: meiro.io.read_occupancy_grid("map.yaml")
shapely maps: meiro.read("x.wkt")
shapely maps: meiro.read("x.geojson")
pandas data: table.to_pandas()
pyarrow data: table.to_parquet("a.parquet")
pyarrow data: meiro.survey((4, 4), "wilson", 5, by="maze", out="a")
: maze.save("made.png")
: maze.save("made.svg", page="A4")
: meiro.animate(trace).save("film.png")
Pillow robots: sys.modules.pop("yaml") or meiro.io.read_occupancy_grid("map.yaml")
"""
SCRIPT = f"""
import sys
for name in "matplotlib PIL anywidget gymnasium networkx scipy yaml shapely pandas pyarrow".split():
    sys.modules[name] = None
import meiro
maze, trace, table = meiro.generate((3, 4), rng=1), meiro.trace((2, 2), rng=1), meiro.Table({{"a": [1]}})
for line in {CALLS!r}.strip().split("\\n"):
    names, _, call = line.partition(": ")
    try:
        eval(call)
        found = ""
    except ImportError as error:
        found = str(error)
    package, _, extra = names.partition(" ")
    if not (f"needs {{package}}: pip install 'meiro[{{extra}}]'" in found if names else found == ""):
        print(line, "|", found)
"""


@pytest.mark.parametrize("module", ["meiro.player", "meiro.plot", "meiro.read"])
def test_no_extra_is_imported_by_a_name(module: str) -> None:
    code = f"import sys, meiro; {module}; print(*{{'anywidget', 'matplotlib', 'PIL'}} & {{*sys.modules}})"
    assert printed(code) == "\n"


def test_what_is_missing_is_named_with_its_extra(tmp_path: Path) -> None:
    for name in ("x.wkt", "x.geojson"):
        meiro.generate((3, 4), rng=1).save(tmp_path / name)
    for name in ("x.bmp", "x.png"):
        Image.new("L", (3, 3)).save(tmp_path / name)
    meiro.io.save_occupancy_grid(np.array([[0, 1]]), tmp_path / "map.yaml")
    before = {path.name for path in tmp_path.iterdir()}
    run = run_python(SCRIPT, cwd=tmp_path, timeout=100)
    assert (run.stdout, run.stderr) == ("", "")
    assert {path.name for path in tmp_path.iterdir()} == before | {"made.png", "made.svg", "film.png"}
