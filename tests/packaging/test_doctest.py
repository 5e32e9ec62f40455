"""Every example of the documentation and the README runs as it is printed, and their links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from thinning import long_but

import meiro

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
GUIDES = sorted(  # not those that the site generates
    path
    for path in (ROOT / "notebooks").glob("**/*.md")
    if "generated" not in path.parts and ">>>" in path.read_text("utf-8")
)
MODULES = [
    m.name.removeprefix("meiro.")
    for m in pkgutil.walk_packages(meiro.__path__, "meiro.")
    if m.name not in {"meiro.__main__", "meiro._core"}
]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Finder(doctest.DocTestFinder):
    """Finds the classes of a module as well that say they are of `meiro`."""

    def _from_module(self, module: ModuleType, thing: object) -> bool:
        if isinstance(thing, type) and thing.__module__ == "meiro":
            names = meiro._PUBLIC.get(module.__name__.removeprefix("meiro."), "").split()
            return thing.__name__ in names
        return bool(super()._from_module(module, thing))  # type: ignore[misc]


def run(tests: list[doctest.DocTest]) -> int:
    """Run them and say how many examples there were; what went wrong is the assertion's message."""
    wrong: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in tests:
        runner.run(test, out=wrong.append)
    assert not runner.summarize(verbose=False).failed, "".join(wrong)
    return sum(len(test.examples) for test in tests)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(f"meiro.{name}")
    run(Finder().find(module, extraglobs={"meiro": meiro, "np": np}))


def test_code_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102  # our own README
    assert capsys.readouterr().out.count("\n") == 41
    assert (tmp_path / "maze.pdf").read_bytes().startswith(b"%PDF")
    assert len(names["mazes"]) == 100_000  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path",
    long_but(GUIDES, *(path for path in GUIDES if path.stem not in {"batches", "clusters"})),
    ids=lambda path: path.stem,
)
def test_examples_of_documents_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join("" if line.startswith("```") else line for line in path.read_text("utf-8").splitlines())
    test = doctest.DocTestParser().get_doctest(text, {"np": np}, path.name, str(path), 0)
    assert run([test]) >= 2


PAGES = [README, ROOT / "src/README.md", *sorted((ROOT / "notebooks/guide").glob("*.md"))]


def test_files_that_the_documentation_names_exist() -> None:
    name = re.compile(r"`(?:python )?(tests/[\w./]+|src/[\w./]+|\.ci/\w+)[` ]")
    named = [(page.name, found) for page in PAGES for found in name.findall(page.read_text("utf-8"))]
    assert len(named) > 20
    assert [each for each in named if not (ROOT / each[1]).exists()] == []


def test_links_and_pictures_of_the_readme_exist() -> None:
    """They are relative to the repository; what stands behind # is a heading of the page."""
    text = README.read_text("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    links = [link for link in links if not link.startswith("https://")]
    if not GUIDES:  # an sdist has no documentation
        links = [link for link in links if not link.startswith(("notebooks/", ".github/"))]
    assert len(links) > 1
    for link in links:
        path, _, heading = link.partition("#")
        assert (ROOT / path).exists(), link
        if heading:
            heads = re.findall(r"^#+ (.*)", (ROOT / path).read_text("utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, link


def test_first_screen_is_short() -> None:
    """The README fits where a stranger looks; the rest is documentation."""
    assert README.stat().st_size < 8000
