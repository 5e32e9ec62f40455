"""The notebooks run from top to bottom and are kept without outputs; and the pictures of the README."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

import meiro

pytestmark = pytest.mark.browser

TOP = Path(__file__).parents[2]
if not (TOP / "notebooks").is_dir():
    pytest.skip("an sdist has no notebooks", allow_module_level=True)
NOTEBOOKS = sorted((TOP / "notebooks").glob("*.ipynb"))
README = (TOP / "README.md").read_text(encoding="utf-8")

notebooks = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    import nbformat  # it takes a second, in each worker

    notebook: Any = nbformat.read(path, as_version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    return notebook


def markdown(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def test_notebooks_are_numbered() -> None:
    numbers = [re.fullmatch(r"(\d\d)_[a-z0-9_]+\.ipynb", path.name) for path in NOTEBOOKS]
    assert [match and int(match[1]) for match in numbers] == list(range(1, len(NOTEBOOKS) + 1))
    for path in NOTEBOOKS:
        assert f"(notebooks/{path.name})" in README


@notebooks
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    """What git keeps is the text and the code, nothing of the machine that ran them."""
    notebook = read(path)
    import nbformat

    nbformat.validate(notebook)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        assert cell.metadata == {}
        assert cell.source.strip()
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None), cell.source


@notebooks
def test_notebook_links_lead_somewhere(path: Path) -> None:
    assert markdown(path).startswith("# ")
    for target in re.findall(r"\]\(([^)]+)\)", markdown(path)):
        assert target.startswith("https://") or (path.parent / target).is_file(), target


@notebooks
def test_notebooks_run(path: Path, tmp_path: Path) -> None:
    """Every cell runs, nothing warns, no figure is lost and none floods the page."""
    from nbclient import NotebookClient

    notebook = read(path)
    env = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "TMPDIR": str(tmp_path)}
    here = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=100, kernel_name="python3", resources=here)
    client.execute(env=env)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            if output.output_type == "stream":
                assert len(output.text) < 5000, cell.source
                assert output.name == "stdout" or "Warning" not in output.text, output.text
        drawn = [o for o in cell.outputs if "image/png" in o.get("data", {})]
        figures = len(re.findall(r"plt\.subplots\(|meiro\.plot_(?:trace|many)\(", cell.source))
        assert len(drawn) == figures or "Image(" in cell.source, cell.source
        assert sum(len(o.data["image/png"]) for o in drawn) < 1_000_000, cell.source
        assert (
            sum(len(o.data["text/html"]) for o in cell.outputs if "text/html" in o.get("data", {}))
            < 2_000_000
        )


def test_readme_picture_is_made_by_its_command(tmp_path: Path) -> None:
    """The README says by which line its picture was made: that line makes it."""
    kept = TOP / "notebooks" / "readme.png"
    lines = re.findall(r"`meiro ([^`]*-o notebooks/readme\.png)`", README)
    assert len(lines) == 1
    made = tmp_path / "readme.png"
    words = shlex.split(lines[0].replace("notebooks/readme.png", str(made)))
    subprocess.run([sys.executable, "-m", "meiro", *words], check=True, capture_output=True)
    with Image.open(kept) as one, Image.open(made) as other:  # zlib may pack the same pixels differently
        assert one.size == other.size
        assert np.array_equal(np.asarray(one.convert("RGB")), np.asarray(other.convert("RGB")))
    assert kept.stat().st_size < 60_000


def test_readme_moving_picture_is_made_by_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = re.findall(r"^>>> ((?:maze|loops|searches) = .*|meiro\.animate.*)", README, re.MULTILINE)
    assert len(lines) == 4
    monkeypatch.chdir(tmp_path)
    exec("\n".join(lines), {"meiro": meiro})  # noqa: S102  # our own README
    kept = TOP / "notebooks" / "watch.gif"
    with Image.open(kept) as one, Image.open("watch.gif") as other:
        assert getattr(one, "n_frames", 0) == getattr(other, "n_frames", 0) > 50
        for expected, made in zip(ImageSequence.Iterator(one), ImageSequence.Iterator(other), strict=True):
            assert np.array_equal(np.asarray(expected.convert("RGB")), np.asarray(made.convert("RGB")))
    assert kept.stat().st_size < 150_000
