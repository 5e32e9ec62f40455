"""The public names: one table, imported when asked for, known to type checkers and pickles as `meiro.X`."""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs import printed
from public_names import PACKAGES, stub, stub_of

import meiro

FOLDERS = (
    "dask", "datasets", "exact", "generators", "gym", "io", "lattices", "solvers", "stats", "transforms",
)  # fmt: skip
MODULES = ("colors", "seeds")


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_stub_is_written_from_the_table(package: Any) -> None:
    assert stub_of(package).read_text("utf-8") == stub(package), "run tests/helpers/public_names.py"


def test_dir_is_the_public_names_and_folders() -> None:
    assert sorted([*meiro.__all__, *FOLDERS, *MODULES]) == dir(meiro)
    assert len(set(meiro.__all__)) == len(meiro.__all__)
    with pytest.raises(AttributeError, match="module 'meiro' has no attribute 'unrunk'"):
        meiro.unrunk  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", meiro.__all__)
def test_public_classes_say_meiro(name: str) -> None:
    thing = getattr(meiro, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        if isinstance(thing, type):
            assert thing.__module__ == "meiro"
        assert thing.__qualname__ == name
        assert pickle.loads(pickle.dumps(thing)) is thing  # noqa: S301


@pytest.mark.parametrize("folder", FOLDERS)
def test_public_folders_export_public_names(folder: str) -> None:
    module = getattr(meiro, folder)
    assert module is importlib.import_module(f"meiro.{folder}")
    for name in module.__all__:
        thing = getattr(module, name)
        assert not inspect.ismodule(thing), f"meiro.{folder}.{name} is hidden by a module of that name"
        if name in meiro.__all__ and folder != "dask":  # which has the same names, for arrays of Dask
            assert thing is getattr(meiro, name)
    own = [names.split() for module, names in meiro._PUBLIC.items() if module.startswith(f"{folder}.")]
    assert {name for names in own for name in names} <= set(module.__all__)


def test_the_reference_has_a_place_for_each_public_name() -> None:
    pages = ast.parse((Path(__file__).parents[2] / "notebooks/site/generated_pages.py").read_text("utf-8"))
    tables = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in pages.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in {"TOPICS", "FOLDERS"}
    }
    names = sorted(name for names in tables["TOPICS"].values() for name in names.split())
    assert names == sorted({*meiro.__all__} - {"__version__"})
    assert {*tables["FOLDERS"]} == {*meiro._FOLDERS} - {"colors"}


def test_public_modules_are_found() -> None:
    assert meiro.colors.THEMES
    assert meiro.seeds.STREAM == 2


def test_all_names_are_found_without_docstrings() -> None:
    code = "import meiro; print(*[name for name in meiro.__all__ if getattr(meiro, name) is None])\n"
    code += "print(meiro.generate.__doc__, meiro.measure.__doc__)\n"
    code += "print(meiro.measure(meiro.Maze([[0]]), 'cells'))"
    run = subprocess.run([sys.executable, "-OO", "-c", code], check=True, capture_output=True, timeout=60)
    assert run.stdout.decode().split("\n") == ["", "None None", "{'cells': 1}", ""]


def test_import_loads_nothing_but_the_table() -> None:
    code = "import sys; before = {*sys.modules}; import meiro; print(*{*sys.modules} - before)"
    foreign = {name for name in printed(code).split() if name.split(".")[0] not in sys.stdlib_module_names}
    assert foreign == {"meiro", "meiro._public_names"}
    code = "import sys, meiro; maze = meiro.generate((2, 2), rng=1); print(*sys.modules)"
    loaded = printed(code).split()
    assert "meiro.mazes.maze" in loaded
    late = ("meiro.drawing", "meiro.exact", "meiro.io", "meiro.solvers", "meiro.stats", "PIL", "numpy.random")
    assert not [name for name in loaded if name.startswith(late)]
    assert not {"meiro.generators.endless", "meiro.generators.eller"} & {*loaded}


@pytest.mark.parametrize(
    "statement",
    [
        "from meiro.stats import measure",
        "import meiro.stats.measure; measure = meiro.stats.measure",
        "import meiro.stats.surveys.survey; measure = meiro.stats.measure",
        "import meiro; measure = meiro.measure",
    ],
)
def test_a_function_is_not_hidden_by_its_module(statement: str) -> None:
    assert printed(f"{statement}; print(type(measure).__name__)").split() == ["function"]


def some_objects() -> list[Any]:
    maze = meiro.generate((3, 4), rng=7)
    many = meiro.generate_many((3, 4), n=3, rng=7)
    return [
        maze,
        many,
        maze.seed,
        meiro.solve(maze),
        many.solve(),
        many.measure("dead_ends"),
        meiro.check(maze),
        meiro.measure(maze),
        meiro.trace((2, 2), rng=1),
        meiro.eller_rows(3, rng=1),
        meiro.State(0),
    ]


class Recorder(pickle.Unpickler):
    """Records the names that a pickle holds."""

    def __init__(self, data: bytes) -> None:
        super().__init__(BytesIO(data))
        self.found: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.found.add(f"{module}.{name}")
        return super().find_class(module, name)


@pytest.mark.parametrize(
    "thing",
    [pytest.param(thing, marks=[pytest.mark.long] * (k > 3)) for k, thing in enumerate(some_objects())],
    ids=lambda thing: type(thing).__name__,
)
def test_pickles_name_meiro_and_open_where_it_is_not_imported(thing: Any) -> None:
    data = pickle.dumps(thing)
    recorder = Recorder(data)
    assert type(recorder.load()) is type(thing)
    ours = {name for name in recorder.found if name.startswith("meiro")}
    assert ours
    assert ours <= {f"meiro.{name}" for name in meiro.__all__}
    code = "import pickle, sys; print(type(pickle.loads(bytes.fromhex(sys.argv[1]))).__name__)"
    assert printed(code, data.hex()).split() == [type(thing).__name__]


@pytest.mark.long
def test_help_shows_public_classes() -> None:
    assert "class Maze" in printed("import meiro; help(meiro.Maze)")
    assert "generate(" in printed("import meiro; help(meiro)")
    assert "rng" in inspect.signature(meiro.generate).parameters
    assert np.asarray(meiro.generate((2, 2))).shape == (5, 5)
