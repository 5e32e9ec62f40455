"""Every command line of the pages of help and of the documents runs as it stands there."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import meiro
from meiro.cli import arguments, completion, convert, listing, measure, play, sampler_test, survey

ROOT = Path(__file__).parents[2]
PAGES = [arguments._EXAMPLES, arguments._WATCH_EXAMPLES, arguments.SOLVE_EXAMPLES]
PAGES += [module._EXAMPLES for module in (completion, convert, listing, measure, play, sampler_test, survey)]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "notebooks").glob("**/*.md"))]
IN_DOCUMENTS = re.compile(r"`(meiro (?!\w+`)[^`]+)`")
IN_A_PAGE = re.compile(r"^  (meiro(?: [^\n]*)?(?:\n {8}-[^\n]*)?)", re.MULTILINE)


def commands() -> list[str]:
    """Return them, without what the pages say of them; those that only ask for help stay out."""
    found = [match for page in PAGES for match in IN_A_PAGE.findall(page.partition("\ncommands:")[0])]
    found = [re.sub(r"(?<=\S) {2,}(?!-)\S.*", "", line) for line in found]
    for document in DOCUMENTS:
        found += IN_DOCUMENTS.findall(document.read_text("utf-8"))
    return sorted({" ".join(line.split()) for line in found})


def program(path: Path, code: str) -> None:
    path.write_text(f"#!{sys.executable}\n{code}", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(name="folder")
def folder_fixture(tmp_path: Path) -> Path:
    """A folder with the files that the examples name."""
    maze = meiro.generate((8, 12), rng=7)
    for name in ("maze.png", "maze.npz", "a.npz", "b.npz", "a.map"):
        maze.save(tmp_path / name)
    photo = np.repeat(np.where(np.repeat(np.repeat(maze.grid, 16, 0), 16, 1)[..., None], 20, 235), 3, axis=2)
    for shade in (235, 20):  # paper on a dark table
        photo = np.pad(photo.astype(np.uint8), ((20, 20), (20, 20), (0, 0)), constant_values=shade)
    photo[56:72, 56:72], photo[-72:-56, -72:-56] = (255, 0, 0), (0, 255, 0)
    Image.fromarray(photo).save(tmp_path / "photo.jpg", quality=98, subsampling=0)
    (tmp_path / ".config/fish/completions").mkdir(parents=True)
    (tmp_path / "notebooks").mkdir()
    sampler = "import sys, meiro\nfor maze in meiro.generate_many({}, '{}', 2000, rng=int(sys.argv[-1])):\n"
    sampler += "    print(maze, end='\\n\\n')\n"
    program(tmp_path / "my_program", sampler.format((3, 3), "wilson"))
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin/node", sampler.format((2, 3), "kruskal"))
    program(tmp_path / "bin/meiro", "import sys\nfrom meiro.cli.main import main\nsys.exit(main())\n")
    return tmp_path


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="the examples are for a shell")
@pytest.mark.parametrize("command", commands())
def test_an_example_of_the_command_runs(command: str, folder: Path) -> None:
    command = command.replace("-n 100 -- meiro", "-n 22 -- meiro")  # a process each
    env = {**os.environ, "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    for name in re.findall(r"(?:-o|>|convert \S+) (?!-)(?:~/)?(\S+\.\w+)", command):
        assert (folder / name).stat().st_size > 0, name


def test_the_examples_are_found() -> None:
    found = commands()
    assert {"meiro list", "meiro convert a.map b.png"} <= {*found}
    assert len(found) > 35
    assert "meiro solve maze.png" in found  # without what the page says of it
