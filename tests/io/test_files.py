from __future__ import annotations

import gzip
import io
import json
import os
import re
import xml.etree.ElementTree as ET
import zipfile
import zlib
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import power
import pytest
from arbitrary_mazes import few_mazes
from files.changed_archives import rewrite_npz
from periodic_mazes import WRAPS, periodic_maze
from PIL import Image
from programs import printed
from refusals import refused

import meiro
from meiro._utils import memory
from meiro.cli.arguments import generate_parser, solve_parser
from meiro.cli.main import main
from meiro.io.formats import FORMATS, suffixes
from meiro.io.png import write_png
from meiro.mazes.maze import maze_from_core


@pytest.mark.parametrize("maze", few_mazes(), ids=repr)
@pytest.mark.parametrize("suffix", [*sorted({*suffixes("read")} & {*suffixes("write")} - {".txt"}), ".PNG"])
def test_files_of_every_format_round_trip(maze: meiro.Maze, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"maze{suffix}"
    maze.save(path)
    found = meiro.read(path)
    if suffix == ".wkt" and maze.mask is not None:  # lines alone do not say which cells exist
        assert isinstance(found, meiro.Maze)
        found = meiro.Maze(np.where(maze.mask, found.passages, 0), mask=maze.mask)
    assert found == maze
    beside = {f"maze{FORMATS[suffix.lower()].beside}"} - {"maze"}
    assert {p.name for p in tmp_path.iterdir()} == {path.name} | beside


@pytest.mark.parametrize("suffix", [suffix for suffix, form in FORMATS.items() if form.read and form.write])
def test_open_files_hold_what_files_do_and_are_known_by_their_content(suffix: str, tmp_path: Path) -> None:
    maze, buffer = meiro.generate((4, 5), rng=1), io.BytesIO()
    if beside := FORMATS[suffix].beside:
        with pytest.raises(ValueError, match=f"the open file: {suffix} comes with a {beside} file"):
            maze.save(buffer, format=suffix)
        return
    maze.save(buffer, format=suffix[1:])
    maze.save(tmp_path / f"maze{suffix}")
    assert buffer.getvalue() == (tmp_path / f"maze{suffix}").read_bytes()
    buffer.seek(0)
    assert meiro.read(buffer) == maze
    (tmp_path / f"maze{suffix}").rename(tmp_path / "maze.of")
    assert meiro.read(tmp_path / "maze.of", format=suffix) == maze


def test_open_files_of_names_of_text_and_of_batches(tmp_path: Path) -> None:
    maze = meiro.generate((4, 5), rng=1)
    everything, text = io.BytesIO(), io.StringIO()
    maze.save(everything)
    maze.save(text)
    assert text.getvalue() == maze.to_text() + "\n"
    for buffer in (everything, text):
        buffer.seek(0)
        assert meiro.read(buffer) == maze
    with gzip.open(tmp_path / "maze.csv.gz", "wb") as file:
        maze.save(file, format="csv")
    with gzip.open(tmp_path / "maze.csv.gz") as file:
        assert meiro.read(file) == maze
    with (tmp_path / "maze.svg").open("w") as file:
        maze.save(file, title="A")
    assert (tmp_path / "maze.svg").read_text() == maze.to_svg(title="A").rstrip("\n") + "\n"
    batch, buffer = meiro.generate_many((3, 3), n=3, rng=1), io.BytesIO()
    meiro.save(batch, buffer)
    buffer.seek(0)
    assert meiro.read(buffer) == batch
    maze.save(tmp_path / "maze.dat", format="png", scale=3)
    assert (tmp_path / "maze.dat").read_bytes()[:4] == b"\x89PNG"


def test_what_open_files_do_not_hold() -> None:
    maze = meiro.generate((3, 3), rng=1)
    refused(TypeError, r"takes text, and .png is not", maze.save, io.StringIO(), format="png")
    refused(ValueError, r"^the open file: suffix '.foo' is not", maze.save, io.BytesIO(), format="foo")
    refused(TypeError, "format must be a suffix", maze.save, io.BytesIO(), format=3)
    refused(ValueError, "format must be a suffix", maze.save, io.BytesIO(), format=".")
    refused(ValueError, "not for the open file$", maze.save, io.BytesIO(), format="npz", mm=3)
    refused(ValueError, "is a folder", meiro.save, meiro.MazeBatch([maze]), io.BytesIO(), format="zarr")
    refused(ValueError, "the open file is empty", meiro.read, io.BytesIO(b" \n"))
    refused(ValueError, "is two files", meiro.read, io.BytesIO(b"image: a.pgm"))
    refused(ValueError, 'with mode "rb"', meiro.read, io.TextIOWrapper(io.BytesIO(b"\x89PNG")))
    refused(ValueError, "^the open file: line 1", meiro.read, io.BytesIO(b"a,b,c"))
    refused(ValueError, "^the open file: line 1", meiro.read, io.BytesIO(b"a,b"))


def test_archives_of_one_array_are_walls_and_roads(tmp_path: Path) -> None:
    walls = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    np.savez(tmp_path / "a.npz", walls)
    assert np.array_equal(cast("Any", meiro.read(tmp_path / "a.npz")).to_grid(), walls)
    np.savez_compressed(tmp_path / "a.npz", maze=np.eye(4) * 255)
    assert np.array_equal(cast("Any", meiro.read(tmp_path / "a.npz", road=255)), 1 - np.eye(4))
    np.savez(tmp_path / "a.npz", walls, walls)
    with pytest.raises(ValueError, match=r"\['arr_0', 'arr_1'\]; meiro.solve takes one of them"):
        meiro.read(tmp_path / "a.npz")


@pytest.mark.parametrize("suffix", [suffix for suffix, form in FORMATS.items() if form.beside])
def test_no_second_file_replaces_one_that_save_wrote(suffix: str, tmp_path: Path) -> None:
    maze = meiro.generate((4, 5), rng=1)
    for other in {*suffixes("write")} - {".pdf", suffix}:
        path = tmp_path / f"maze{other}"
        maze.save(path)
        data = path.read_bytes()
        maze.save(tmp_path / f"maze{suffix}")
        assert path.read_bytes() == data


@pytest.mark.parametrize("suffix", [suffix for suffix, form in FORMATS.items() if form.beside])
def test_two_files_are_written_or_none(suffix: str, tmp_path: Path) -> None:
    maze, path = meiro.generate((4, 5), rng=1), tmp_path / f"maze{suffix}"
    second = path.with_suffix(FORMATS[suffix].beside)
    second.mkdir()
    with pytest.raises(IsADirectoryError):
        maze.save(path)
    assert list(tmp_path.iterdir()) == [second]
    second.rmdir()
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        maze.save(path)
    assert list(tmp_path.iterdir()) == [path]
    path.rmdir()
    refused(ValueError, r"scale= is for \.png files, not for", meiro.save, maze, path, scale=2)
    with pytest.raises(TypeError, match="cannot hold a GraphMaze"):
        meiro.generate(meiro.lattices.hexagonal(3, 3), rng=1).save(path)
    with pytest.raises(TypeError, match=r"x is a stream, .* cannot hold: it is written to \.png"):
        meiro.save(meiro.generators.stream("eller", 5, rng=1), path, rows=3)
    assert list(tmp_path.iterdir()) == []


def test_a_text_without_a_path_is_not_told_of_as_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "walls.txt"
    path.write_text("#######\n#S....#\n#######\n#....G#\n#######\n#####.#\n#######\n#######\n")
    found: Any = meiro.read(path)
    refused(meiro.NoPathError, r"from \(1, 1\) to \(3, 5\): 5 sites can be reached$", meiro.solve, found)


def test_text_file_that_is_wrong_is_named_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "maze.txt"
    path.write_bytes("+-+\n|é|\n+-+".encode("latin-1"))
    refused(ValueError, r"maze\.txt' is not UTF-8 text: byte 5 is 0xe9$", meiro.read, path)
    path.write_text("+-+-+\n|   |\n+-+", encoding="utf-8")
    refused(ValueError, r"maze\.txt': line 3, column 5: expected a post", meiro.read, path)


@pytest.mark.parametrize("wrap", WRAPS)
def test_files_of_periodic_mazes(wrap: tuple[bool, bool], tmp_path: Path) -> None:
    for kind in (0, 3):
        maze = periodic_maze((5, 6), wrap, 1, kind)
        path = tmp_path / "maze.npz"
        maze.save(path)
        found = meiro.read(path)
        assert found == maze
        assert found.wrap == wrap  # type: ignore[union-attr]
        for suffix in (".png", ".csv", ".npy", ".txt"):  # drawn with an open border
            path = tmp_path / f"maze{suffix}"
            maze.save(path)
            flat = meiro.read(path)
            assert isinstance(flat, meiro.Maze)
            assert flat.wrap == (False, False)
            assert len(flat.openings) > 0
            assert (flat.grid == maze.grid).all()
            assert meiro.Maze.from_grid(flat.grid, wrap=wrap) == maze


@pytest.mark.parametrize("maze", few_mazes(), ids=repr)
def test_npz_keeps_all(maze: meiro.Maze, tmp_path: Path) -> None:
    path = tmp_path / "maze.npz"
    meiro.save(maze, path)
    found = meiro.read(path)
    assert isinstance(found, meiro.Maze)
    assert (found.start, found.goal, found.seed) == (maze.start, maze.goal, maze.seed)
    assert not found.passages.flags.writeable
    if maze.recipe is None:
        assert found.recipe is None
    else:
        assert found.recipe is not None
        assert list(found.recipe) == list(maze.recipe)
        for name, value in maze.recipe.items():
            np.testing.assert_equal(found.recipe[name], value)
            assert type(found.recipe[name]) is type(value)
        assert meiro.generate(**found.recipe) == maze
    with np.load(path, allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["passages"], maze.passages)
        assert arrays["meiro"] == meiro.__version__


def test_npz_keeps_arrays_of_a_recipe(tmp_path: Path) -> None:
    recipe: dict[str, Any] = {"shape": (1, 2), "algorithm": "x", "order": np.array([3, 1])}
    recipe["deep"] = [(1, np.float64(0.5)), None]
    maze = maze_from_core(np.array([[2, 8]], np.uint8), seed=meiro.replicate(7, 2), recipe=recipe)
    maze.save(tmp_path / "m.npz")
    found = cast("meiro.Maze", meiro.read(tmp_path / "m.npz")).recipe
    assert found is not None
    assert found["order"] == [3, 1]
    assert found["rng"] == {"entropy": 7, "replicate": 2}
    assert found["deep"] == [(1, 0.5), None]


def test_files_of_other_arrays_stay_arrays(tmp_path: Path) -> None:
    x = np.array([[0, 0, 1, 0], [0, 0, 0, 0]], np.uint8)
    (tmp_path / "x.csv").write_text("0,0,1,0\n0,0,0,0\n")
    np.save(tmp_path / "x.npy", x)
    with (tmp_path / "x.png").open("wb") as file:
        write_png(file, x)
    for suffix in (".csv", ".npy", ".png"):
        found = meiro.read(tmp_path / f"x{suffix}")
        assert isinstance(found, np.ndarray)
        assert found.dtype == np.uint8
        assert found.tolist() == x.tolist()


W1 = [[1, 1, 1], [1, 0, 1], [0, 0, 1], [1, 1, 1]]
PLAIN = "1,1,1\n1,0,1\n0,0,1\n1,1,1\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        "\ufeff" + PLAIN.replace("\n", "\r\n").rstrip("\r\n"),
        PLAIN.replace(",", ", "),
        PLAIN.replace(",", " ,\t"),
        PLAIN.replace("\n", "  \n"),
        PLAIN.replace("\n", ",\n"),
        PLAIN.replace("\n", ", \r\n"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", " "),
        PLAIN.replace(",", "  "),
        PLAIN + "\n\n  \n",
        PLAIN.replace("0", "0.000e+00").replace("1", "1.0"),
        PLAIN.replace("1", '"1"'),
        PLAIN.replace("1", "1.000000000000000000e+00").replace(",", " "),
        PLAIN.replace(",", ";").replace("0", "0,00").replace("1", "1,0"),
        PLAIN.replace(",", "\t").replace("1", '"1,0"'),
        PLAIN.replace(",", "; ").replace("0", "0,000e+00"),
        "1,1,1\n1,0,1\n0, 0,1\n1,1,1",
    ],
)
def test_csv_in_every_form(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(text.encode())
    for band in (1 << 24, 7, 1):
        monkeypatch.setattr("meiro.io.text._BAND", band)
        found = meiro.read(path)
        assert isinstance(found, np.ndarray)
        assert found.tolist() == W1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found nothing"),
        ("\n \n", "found nothing"),
        ("1,1\n1\n", "line 2: 1 fields, the lines before have 2"),
        ("1,1\n1,1,1\n", "line 2: 3 fields, the lines before have 2"),
        ("1,1\n1,2\n", "line 2, column 2: '2' is neither 0 .road. nor 1"),
        ("1,0\n1,\n", "line 2, column 2: '' is neither"),
        ("1,0\n,1\n", "line 2, column 1: '' is neither"),
        ("1,1\n\n1,1\n", "line 2: empty, with more after it"),
        ("1,1 0\n", "line 1, column 2: '1 0' is neither"),
        ("1,0;0,0;1,0\n", "line 1, column 1: '1,0' is neither"),  # or three rows, as of MATLAB
        ("1,0;0,5\n0,0;1,0\n", "line 1, column 2: '0.5' is neither"),
        ("1,1,1\n1,1,1\n1,0;1\n", "line 3: 2 fields, the lines before have 3"),
        ("1,/\n", "line 1, column 2: expected a wall .1. or a road, found '/'"),
        ("1,nan\n", "line 1, column 2: 'nan' is neither"),
        ("\x00\xff", "is not UTF-8 text: byte 1 is 0xff"),
        ("1,0\n" * 50 + "1,x\n", "line 51, column 2: expected a wall .1. or a road, found 'x'"),
    ],
)
def test_csv_errors_say_where(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(text.encode("latin-1"))
    for band in (1 << 24, 8):
        monkeypatch.setattr("meiro.io.text._BAND", band)
        refused(ValueError, rf"x\.csv'.*{message}", meiro.read, path)


def test_csv_with_other_values(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("255,0\n0, 255\n")
    assert cast("Any", meiro.read(path, road=255)).tolist() == [[0, 1], [1, 0]]
    path.write_text("#,.\n.,#\n")
    assert cast("Any", meiro.read(path, road=".")).tolist() == [[1, 0], [0, 1]]
    path.write_text("#,.\n.,\n")
    refused(ValueError, "line 2, column 2: '' is not a value", meiro.read, path, road=".")
    assert cast("Any", meiro.read(path, road=". ")).tolist() == [[1, 0], [0, 0]]
    refused(ValueError, "road= is for", meiro.read, tmp_path / "x.png", road=255)
    path.write_text("1,2\n2,1\n")
    refused(ValueError, r"x\.csv': there is no road: no field is road=5", meiro.read, path, road=5)


def test_npy_of_other_values(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.asfortranarray([[0, 255, 255], [255, 0, 0]]))
    refused(ValueError, r"x\.npy.*say road=255", meiro.read, path)
    assert cast("Any", meiro.read(path, road=255)).tolist() == [[1, 0, 0], [0, 1, 1]]


def test_npy_that_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.zeros((9, 9), np.uint8))
    good = path.read_bytes()
    for length in range(len(good)):
        path.write_bytes(good[:length])
        refused(ValueError, r"x\.npy", meiro.read, path)
    for wrong in (b"(99999999, 9999999999)", b"(-9, -9)", b"(9, 8)", b"(True, 9)"):
        longer = len(wrong) - len(b"(9, 9)")
        head = b"(9, 9), }" + b" " * max(longer, 0)
        path.write_bytes(good.replace(head, wrong + b", }" + b" " * max(-longer, 0)))
        refused(ValueError, r"x\.npy' is damaged", meiro.read, path)
    np.save(path, np.array([[None]]), allow_pickle=True)
    refused(ValueError, "Python objects, which are not read", meiro.read, path)


def test_npy_of_a_nested_head_is_refused_each_time(tmp_path: Path) -> None:
    """CPython 3.11 counts brackets wrongly after it had too many of them."""
    path = tmp_path / "x.npy"
    for depth in (150, 1000, 60, 150, 98, 300):
        head = b"{'descr': " + b"(" * depth + b")" * depth + b", 'fortran_order': False, 'shape': (9, 9), }\n"
        path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + bytes(81))
        refused(ValueError, r"x\.npy", meiro.read, path)


def test_npz_whose_directory_is_damaged_loses_no_array_silently(tmp_path: Path) -> None:
    maze = meiro.generate((3, 4), "backtracker", rng=1, openings="top_bottom")
    path = tmp_path / "x.npz"
    maze.save(path)
    good = path.read_bytes()
    for at in range(len(good) - 1, good.index(b"PK\1\2"), -1 if power.full else -11):
        for byte in (0, 57, 255):
            path.write_bytes(good[:at] + bytes([byte]) + good[at + 1 :])
            try:
                found = meiro.read(path)
            except ValueError as e:
                assert "x.npz" in str(e)  # noqa: PT017
            else:
                assert isinstance(found, meiro.Maze)
                assert found == maze, (at, byte)
                assert found.recipe == maze.recipe, (at, byte)


def test_npz_with_foreign_content(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    for changes, message in (
        ({"passages": None}, "there is no array 'passages'"),
        ({"passages": np.array([[1, 2]], np.uint8)}, "holds no maze"),
        ({"passages": np.zeros(3, np.uint8)}, "holds no maze"),
        ({"mask": np.zeros((9, 9))}, "holds no maze"),
        ({"openings": np.array([[1, 1]])}, "holds no maze"),
        ({"start": np.array([99, 0])}, "holds no maze"),
        ({"start": np.array(3)}, "holds no maze"),
        ({"seed": np.array([1])}, "holds no maze"),
        ({"recipe": np.array("{")}, "holds no maze"),
        ({"recipe": np.array("[1]")}, "holds no maze"),
        ({"wrap": np.array([1, 0])}, "holds no maze: wrap must be two bools"),
        ({"wrap": np.array([True])}, "holds no maze: wrap must be two bools"),
        ({"wrap": np.array(True)}, "holds no maze"),  # noqa: FBT003
        ({"recipe": np.array(json.dumps({"order": {"array": "none"}}))}, "holds no maze"),
        ({"entropy": np.array("8")}, "holds no maze: entropy 8 makes the key"),
        ({"entropy": np.array('"x"')}, "holds no maze"),
        ({"recipe": np.array('{"shape": [1, 1]}')}, "holds no maze: its recipe names no algorithm"),
        ({"recipe": np.array('{"algorithm": 3}')}, "holds no maze: its recipe names no algorithm"),
    ):
        meiro.generate((3, 4), "backtracker", rng=1).save(path)
        rewrite_npz(path, **changes)
        refused(ValueError, rf"x\.npz' .*{message}", meiro.read, path)


def test_npz_never_unpickles(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, passages=np.array([[print]], object))
    refused(ValueError, "Python objects", meiro.read, path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("passages.txt", "hello")
    refused(ValueError, r"passages\.txt is not an array", meiro.read, path)


def test_npz_too_large_for_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.npz"
    np.savez_compressed(path, passages=np.zeros((10_000, 10_000), np.uint8))
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    refused(MemoryError, r"x\.npz' takes 200,000,256 bytes", meiro.read, path)


def test_npz_of_features_that_zipfile_lacks(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    for at, bits, message in (
        (8, 1, r"passages\.npy is encrypted"),
        (8, 1 << 6, "is damaged or not an .npz file: .*encryption"),
        (6, 255, "is damaged or not an .npz file: .*version"),
    ):
        meiro.generate((3, 4), rng=1).save(path)
        data = bytearray(path.read_bytes())
        data[data.index(b"PK\1\2") + at] |= bits  # of the first member in the list at the end
        path.write_bytes(data)
        refused(ValueError, message, meiro.read, path)


@pytest.mark.parametrize("name", ["maze.unknown", "maze", "maze.dot", "maze.svg"])
def test_files_of_unknown_suffixes_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf" is not one of {re.escape(', '.join(suffixes('read')))}"):
        meiro.read(tmp_path / name)
    if name not in {"maze.dot", "maze.svg"}:
        refused(ValueError, r"""format= says what it is, as format="txt"$""", meiro.read, tmp_path / name)
        with pytest.raises(ValueError, match=rf" is not one of {re.escape(', '.join(suffixes('write')))}"):
            meiro.Maze([[0]]).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_files_refuse_what_a_format_does_not_take(tmp_path: Path) -> None:
    maze = meiro.Maze([[2, 8]])
    path = tmp_path / "x.csv"
    with pytest.raises(ValueError, match=r"solution= is for \.png, .* files, not for"):
        maze.save(path, solution=meiro.solve(maze))
    refused(ValueError, r"scale= is for \.png files, not for '.*x\.csv'", meiro.save, maze, path, scale=2)
    refused(ValueError, r"style= is for \.txt files", meiro.save, maze, path, style="ascii")
    refused(TypeError, r"road= is for arrays, and x is a Maze", meiro.save, maze, path, road=0)
    with pytest.raises(TypeError, match=r"x\.txt': only a Maze .* go into \.png, .* files"):
        meiro.save([[0, 1]], tmp_path / "x.txt")
    words = r"layer= is for \.tmx, \.tmj, \.geojson and \.dxf files, not for '.*x\.csv'"
    refused(ValueError, words, meiro.read, path, layer="WALLS")
    with pytest.raises(TypeError, match="layer must be the name of a layer, or several, not 3"):
        meiro.read(tmp_path / "x.dxf", layer=3)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", suffixes("array"))
def test_arrays_are_saved(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    meiro.save([[0, 1, 0, 1], [1, 1, 0, 0]], path)
    assert np.asarray(meiro.read(path)).tolist() == [[0, 1, 0, 1], [1, 1, 0, 0]]
    meiro.save(["#.#.", "##.."], path, road=".")
    assert np.asarray(meiro.read(path)).tolist() == [[1, 0, 1, 0], [1, 1, 0, 0]]


def test_a_text_is_saved_in_its_style(tmp_path: Path) -> None:
    maze = meiro.generate((3, 4), rng=1)
    for style in ("unicode", "ascii", "block", "posts"):
        meiro.save(maze, tmp_path / "x.txt", style=style)
        assert (tmp_path / "x.txt").read_text("utf-8") == maze.to_text(style) + "\n"


@pytest.mark.parametrize("suffix", [".dot", ".gv"])
def test_a_graph_is_saved_with_the_ends_of_the_solution(suffix: str, tmp_path: Path) -> None:
    maze, path = meiro.generate((4, 5), rng=1), tmp_path / f"x{suffix}"
    maze.save(path)
    assert path.read_text("utf-8") == maze.to_dot() + "\n"
    for x in (maze, maze.grid):
        solution = meiro.solve(x, *(((3, 0), (1, 2)) if x is maze else ((7, 1), (3, 5))))
        maze.save(path, solution=solution)
        assert path.read_text("utf-8") == maze.to_dot(start=(3, 0), goal=(1, 2)) + "\n"


def test_functions_of_formats_exist_and_are_imported_on_use(tmp_path: Path) -> None:
    for form in FORMATS.values():
        uses: tuple[Literal["read", "write"], ...] = ("read", "write")
        assert all(callable(form.function(use)) for use in uses if getattr(form, use))
    code = "import sys, meiro; meiro.save([[0]], sys.argv[1]); print(*sys.modules)"
    loaded = printed(code, tmp_path / "x.png").split()
    assert "meiro.io.png" in loaded
    assert not {"meiro.io.text", "meiro.io.image", "meiro.io.shapes", "meiro.solvers"} & {*loaded}


@pytest.mark.parametrize("suffix", suffixes("write"))
def test_the_command_writes_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    maze = meiro.generate((4, 5), rng=3)
    form = FORMATS[suffix]
    ours, theirs = tmp_path / "ours" / f"maze{suffix}", tmp_path / "theirs" / f"maze{suffix}"
    ours.parent.mkdir()
    theirs.parent.mkdir()
    maze.save(ours, **({"solution": meiro.solve(maze)} if "solution" in form.takes else {}))  # type: ignore[arg-type]
    assert main(["5", "4", "--seed", "3", "--solve", "-q", "-o", str(theirs)]) == 0
    if suffix == ".npz":  # an archive keeps the time
        assert meiro.read(ours) == meiro.read(theirs)
    else:
        for path in ours.parent.iterdir():
            assert path.read_bytes() == (theirs.parent / path.name).read_bytes()


def test_docstrings_and_help_list_every_format() -> None:
    for function, use in ((meiro.save, "write"), (meiro.read, "read")):
        assert function.__doc__ is not None
        assert "[" not in function.__doc__.partition("Parameters")[0]
        for suffix in suffixes(use):
            assert f"``{suffix}``" in function.__doc__
            assert suffix in generate_parser().format_help() + solve_parser().format_help()


@pytest.mark.parametrize("suffix", ["png", "txt"])
def test_files_refuse_what_is_not_a_solution(suffix: str, tmp_path: Path) -> None:
    maze = meiro.Maze([[2, 8]])
    for bad in ([(0, 0), (0, 1)], maze, "solution"):
        with pytest.raises(TypeError, match=r"solution must be a Solution \(see meiro\.solve\), not "):
            maze.save(tmp_path / f"maze.{suffix}", solution=bad)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("shape", "descr", "body"),
    [("(" * 5000, "|u1", b""), ("(True, True)", "|u1", b"0"), ("(100000, 100000)", "|U0", b"")],
)
def test_npy_heads_that_lie_are_refused(shape: str, descr: str, body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    path.write_bytes(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head + body)
    refused(ValueError, r"x\.npy", meiro.read, path)


def test_control_characters_of_a_recipe_are_escaped(tmp_path: Path) -> None:
    strange = {"shape": [3, 4], "algorithm": "evil\x1b[2J\0<&\ufffe"}
    many = meiro.generate_many((3, 4), n=2, rng=1)
    many[0].save(tmp_path / "one.npz")
    rewrite_npz(tmp_path / "one.npz", recipe=json.dumps(strange))
    many.save(tmp_path / "many.npz")
    rewrite_npz(tmp_path / "many.npz", "batch", recipe=strange)
    maze = meiro.read(tmp_path / "one.npz")
    assert isinstance(maze, meiro.Maze)
    for text in (repr(maze), repr(meiro.MazeBatch.open(tmp_path / "many.npz"))):
        assert text.isprintable()
        assert r"evil\x1b[2J\x00<&\ufffe" in text
    label = ET.fromstring(maze.to_svg()).attrib["aria-label"]  # noqa: S314
    assert label == r"maze, 3 rows x 4 cols, evil\x1b[2J\x00<&\ufffe"


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".npy"])
def test_files_too_large_for_memory_are_refused_before_they_are_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    if suffix == ".npy":
        with path.open("wb") as file:
            head = {"descr": "|u1", "fortran_order": False, "shape": (1 << 20, 1 << 20)}
            np.lib.format.write_array_header_1_0(file, head)
            file.truncate(file.tell() + (1 << 40))
    else:
        path.touch()
        os.truncate(path, 1 << 40)  # a file of holes
    refused(MemoryError, rf"x\{suffix}' takes [\d,]{{17,}} bytes, and .* are free", meiro.read, path)


def test_npz_whose_arrays_lie_on_one_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez_compressed(path, passages=np.zeros((1000, 1000), np.uint8))
    data = path.read_bytes()
    first, last = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    n = 500
    places = (n.to_bytes(2, "little") * 2, (n * (last - first)).to_bytes(4, "little"))
    end = data[last : last + 8] + places[0] + places[1] + data[last + 16 :]
    path.write_bytes(data[:first] + data[first:last] * n + end)
    with zipfile.ZipFile(path) as archive_:
        assert len(archive_.infolist()) == n
    for read in (meiro.read, meiro.MazeBatch.open):
        refused(ValueError, r"x\.npz' says that its arrays have 500,064,000 bytes, which", read, path)


def failing(error: BaseException) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


HEAD = "ast.parse"  # of the head of an array
LOST = zlib.error("Error -3 while decompressing data: invalid stored block lengths")
NO_LOCK = RuntimeError("can't allocate lock")  # what CPython says without memory for one
TIMEOUT = TimeoutError(110, "of the user")  # by a signal handler


class HandlerError(Exception):
    """What a signal handler of the user raises."""


INTERRUPTIONS = TIMEOUT, MemoryError("none"), KeyboardInterrupt("Ctrl-C"), HandlerError("of the user")


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        *((name, {HEAD: MemoryError("none")}) for name in ("one.npz", "one.npy", "many.npz")),
        ("one.npz", {HEAD: MemoryError("none"), "zipfile.ZipExtFile.seek": LOST}),  # it is read again
        *((name, {"zipfile.ZipFile.open": NO_LOCK}) for name in ("one.npz", "many.npz")),
        ("one.npz", {"zipfile.ZipFile.open": TIMEOUT}),
        ("one.npy", {"numpy.lib.format.read_magic": TIMEOUT}),
        ("one.png", {"PIL.PngImagePlugin.PngImageFile.load": TIMEOUT}),
        ("one.gif", {"PIL.Image.open": TIMEOUT}),
        *(("many.zarr", {"zarr.open_group": error}) for error in INTERRUPTIONS),
    ],
    ids=str,
)
def test_no_fault_of_the_system_and_no_interruption_is_called_damage(
    name: str, faults: dict[str, BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, many = tmp_path / name, meiro.generate_many((3, 4), n=4, rng=1)
    if path.suffix == ".gif":
        Image.fromarray(255 * (1 - many[0].grid)).save(path)
    else:
        meiro.save(many if "many" in name else many[0], path)
    expected = next(iter(faults.values()))
    for read in (meiro.read, meiro.MazeBatch.open) if "many" in name else (meiro.read,):
        with monkeypatch.context() as patch:
            for place, error in faults.items():
                patch.setattr(place, failing(error))
            refused(type(expected), str(expected.args[-1]), read, path)
        assert read(path) is not None
