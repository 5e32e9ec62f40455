"""DXF that ezdxf wrote is read, as other programs write it: blocks, layers, binary files."""

from __future__ import annotations

import codecs
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from ezdxf.filemanagement import new
from refusals import refused

import meiro

FRAME = [(0, 0), (3, 0), (3, 2), (0, 2)]


def drawing(version: str = "R2010", layer: str = "0") -> Any:
    """Return a drawing, with a block that has one wall: from (1, 1) to (1, 2)."""
    document: Any = new(version)
    document.blocks.new("wall", base_point=(1, 1)).add_line((1, 1), (1, 2), {"layer": layer})
    return document


@pytest.mark.parametrize("version", ["R12", "R2000", "R2018"])
@pytest.mark.parametrize("form", ["asc", "bin"])
def test_blocks_and_binary_files_are_read(version: str, form: str, tmp_path: Path) -> None:
    document = drawing(version)
    document.blocks.new("nested").add_blockref("wall", (0, 0))
    model = document.modelspace()
    model.add_polyline2d(FRAME, close=True)
    model.add_text("a room")
    model.add_blockref("nested", (10, 10), {"xscale": 0.5})
    model.add_blockref("wall", (10, 12), {"yscale": -1})
    for one in model.query("POLYLINE"):
        one.translate(9, 10, 0)
    document.saveas(tmp_path / "a.dxf", fmt=form)
    assert str(meiro.read(tmp_path / "a.dxf")) == "┌─┬───┐\n│ │   │\n│ │ · │\n│ │   │\n└─┴───┘"


def test_rows_of_a_block_are_turned_and_on_its_layer(tmp_path: Path) -> None:
    """Three walls side by side, across; what is not on the layer WALLS may be round."""
    document = drawing()
    model = document.modelspace()
    model.add_lwpolyline([(x, y) for x, y in FRAME], close=True, dxfattribs={"layer": "WALLS"})
    row = {"layer": "WALLS", "rotation": 90, "row_count": 3, "row_spacing": -1, "column_count": 1}
    model.add_blockref("wall", (1, 1), row)
    model.add_arc((1, 1), 1, 0, 90, {"layer": "DOORS"})
    model.add_lwpolyline([(0, 0, 0.5), (1, 0, 0)], format="xyb", dxfattribs={"layer": "DOORS"})
    model.add_line((0, 0), (1, 1), {"layer": "NOTES"})
    document.saveas(tmp_path / "a.dxf")
    assert str(meiro.read(tmp_path / "a.dxf")) == "┌─────┐\n│     │\n├─────┤\n│     │\n└─────┘"


@pytest.mark.parametrize("version", ["R12", "R2018"])
@pytest.mark.parametrize("hide", ["off", "freeze"])
def test_layers_that_are_not_seen_hold_no_walls(hide: str, version: str, tmp_path: Path) -> None:
    document = drawing(version)
    getattr(document.layers.add("Notes"), hide)()
    model = document.modelspace()
    model.add_polyline2d(FRAME, close=True)
    model.add_line((0, 1), (3, 1), {"layer": "NOTES"})
    document.saveas(tmp_path / "a.dxf")
    assert str(meiro.read(tmp_path / "a.dxf")) == "┌─────┐\n│     │\n│ · · │\n│     │\n└─────┘"
    for one in model.query("POLYLINE"):
        one.dxf.layer = "Notes"
    document.saveas(tmp_path / "a.dxf")
    words = r"all its lines are on layers that are off or frozen: \['NOTES', 'Notes'\]"
    refused(ValueError, words, meiro.read, tmp_path / "a.dxf")
    assert meiro.read(tmp_path / "a.dxf", layer="NOTES").shape == (2, 3)  # type: ignore[union-attr]


ROOM = "┌─────┐\n│     │\n│ ╷ · │\n│ │   │\n└─┴───┘"


@pytest.mark.parametrize("version", ["R12", "R2000", "R2018"])
@pytest.mark.parametrize("layer", ["Wände", "WÄNDE", ["Wände"], ("wände", "Notes"), None])
def test_layers_with_walls_are_named(layer: Any, version: str, tmp_path: Path) -> None:
    document = drawing(version)
    model = document.modelspace()
    model.add_polyline2d(FRAME, close=True, dxfattribs={"layer": "Wände"})
    model.add_line((1, 0), (1, 1), {"layer": "Wände"})
    model.add_circle((1, 1), 1, {"layer": "Furniture"})
    model.add_line((0, 0), (0, 1), {"layer": "Notes"})
    document.saveas(tmp_path / "a.dxf")
    if layer is not None:
        assert str(meiro.read(tmp_path / "a.dxf", layer=layer)) == ROOM
        return
    names = r"\['Furniture', 'Notes', 'Wände'\]"
    for given, words in (
        (None, f"CIRCLE is no straight line.*; say which layers have walls, by layer=: there are {names}"),
        ("Walls", f"no line is on a layer 'Walls', layer=: there are {names}"),
        ("Furniture", r"CIRCLE is no straight line, as walls are$"),
    ):
        refused(ValueError, words, meiro.read, tmp_path / "a.dxf", layer=given)


def mirrored(model: Any) -> None:
    for one in model:
        one.destroy()
    flipped = {"extrusion": (0, 0, -1)}
    model.add_lwpolyline([(-x, y) for x, y in FRAME], close=True, dxfattribs=flipped)
    model.add_polyline2d([(-1, 0), (-1, 1)], dxfattribs=flipped)
    model.add_circle((-8, 1), 2, flipped)
    model.add_polyline3d([(0, 0, 1), (3, 0, 2)], dxfattribs=flipped)


def frozen(model: Any) -> None:
    model.doc.layers.add("Old").freeze()
    model.add_blockref("wall", (2, 1), {"layer": "OLD"})


def on_paper(model: Any) -> None:
    paper = model.doc.layout("Layout1")
    paper.add_line((0, 0), (9, 7))
    paper.add_blockref("wall", (2, 1))


def in_lower_case(model: Any) -> None:
    for one in model:
        one.dxf.set("layer", "walls")
    model.add_line((0, 0), (1, 1))


FOREIGN: dict[str, Any] = {
    "mirrored": mirrored,
    "on a frozen layer": frozen,
    "on paper": on_paper,
    "invisible": lambda model: model.add_line((0, 0), (9, 7), {"invisible": 1}),
    "an invisible block": lambda model: model.add_blockref("wall", (2, 1), {"invisible": 1}),
    "in space": lambda model: model.add_line((1, 0, 4), (1, 1, -7)),
    "upright": lambda model: model.add_line((1, 1, 0), (1, 1, 3)),
    "walls in lower case": in_lower_case,
    "circles beside the walls": lambda model: [model.add_circle((8, 1), 2), model.add_arc((1, -3), 2, 0, 90)],
    "notes": lambda model: [model.add_text("A"), model.add_mtext("B"), model.add_point((9, 9))],
    "scaled blocks": lambda model: model.add_blockref("wall", (1, 1), {"yscale": -1, "zscale": 3}),
}


@pytest.mark.parametrize("version", ["R2000", "R2018"])
@pytest.mark.parametrize("form", ["asc", "bin"])
@pytest.mark.parametrize("name", FOREIGN)
def test_what_cad_draws_beside_or_otherwise(name: str, form: str, version: str, tmp_path: Path) -> None:
    document = drawing(version)
    model = document.modelspace()
    model.add_lwpolyline(FRAME, close=True)
    model.add_line((1, 0), (1, 1))
    FOREIGN[name](model)
    document.saveas(tmp_path / "a.dxf", fmt=form)
    assert str(meiro.read(tmp_path / "a.dxf")) == ROOM


@pytest.mark.parametrize("version", ["R12", "R2018"])
def test_a_mark_of_utf_8_before_the_first_code_is_taken_off(version: str, tmp_path: Path) -> None:
    document = drawing(version)
    document.modelspace().add_polyline2d(FRAME, close=True)
    document.saveas(tmp_path / "a.dxf")
    data = (tmp_path / "a.dxf").read_bytes()
    (tmp_path / "marked.dxf").write_bytes(codecs.BOM_UTF8 + data)
    assert str(meiro.read(tmp_path / "marked.dxf")) == str(meiro.read(tmp_path / "a.dxf"))


def test_blocks_without_end_are_refused(tmp_path: Path) -> None:
    document = drawing()
    document.modelspace().add_lwpolyline(FRAME, close=True)
    document.blocks.get("wall").add_blockref("wall", (0, 0))
    document.modelspace().add_blockref("wall", (0, 0))
    document.saveas(tmp_path / "a.dxf")
    words = r"a.dxf', its blocks drawn by ezdxf, line \d+: INSERT is no straight line"
    refused(ValueError, words, meiro.read, tmp_path / "a.dxf")


def test_too_many_blocks_are_refused(tmp_path: Path) -> None:
    document = drawing()
    many = {"row_count": 5000, "column_count": 5000, "row_spacing": 1, "column_spacing": 1}
    document.modelspace().add_blockref("wall", (0, 0), many)
    document.saveas(tmp_path / "a.dxf")
    with pytest.raises(ValueError, match=r"a.dxf': its blocks draw more than 10,000,000 entities"):
        meiro.read(tmp_path / "a.dxf")


BULGE: list[Any] = [(0, 0, 0.5), (1, 0, 0)]
ROUND: dict[str, Any] = {
    "LWPOLYLINE": lambda model: model.add_lwpolyline(BULGE, format="xyb"),
    "POLYLINE": lambda model: model.add_polyline2d(BULGE, format="xyb"),
    "CIRCLE": lambda model: model.add_circle((1, -1), 2),
    "SPLINE": lambda model: model.add_spline([(0, 0), (1, 1), (2, 0)]),
    "MLINE": lambda model: model.add_mline([(0, 0), (1, 0)]),
    "mesh": lambda model: model.add_polymesh((3, 3)),
    "tilted": lambda model: model.add_lwpolyline([(0, 0), (1, 0)], dxfattribs={"extrusion": (0, 1, 1)}),
}


@pytest.mark.parametrize("kind", ROUND)
def test_what_is_round_is_no_wall(kind: str, tmp_path: Path) -> None:
    document = drawing()
    model = document.modelspace()
    model.add_lwpolyline(FRAME, close=True)
    ROUND[kind](model)
    document.saveas(tmp_path / "a.dxf")
    refused(ValueError, rf"line \d+: .*{kind}.* is no straight line", meiro.read, tmp_path / "a.dxf")


def test_without_ezdxf_only_blocks_and_binary_files_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = drawing()
    document.modelspace().add_blockref("wall", (0, 0))
    document.saveas(tmp_path / "blocks.dxf")
    document.saveas(tmp_path / "binary.dxf", fmt="bin")
    maze = meiro.generate((3, 4), rng=1)
    maze.save(tmp_path / "ours.dxf")
    monkeypatch.setitem(sys.modules, "ezdxf.filemanagement", None)
    assert meiro.read(tmp_path / "ours.dxf") == maze
    for name in ("blocks", "binary"):
        with pytest.raises(ImportError, match=re.escape("this needs ezdxf: pip install 'meiro[cad]'")):
            meiro.read(tmp_path / f"{name}.dxf")


def test_a_damaged_binary_file_is_refused(tmp_path: Path) -> None:
    document = drawing()
    document.modelspace().add_blockref("wall", (0, 0))
    document.saveas(tmp_path / "a.dxf", fmt="bin")
    data = (tmp_path / "a.dxf").read_bytes()
    for size in (22, len(data) // 2, len(data) - 9):
        (tmp_path / "a.dxf").write_bytes(data[:size])
        refused(ValueError, r"a.dxf'", meiro.read, tmp_path / "a.dxf")
