"""The notebooks run from top to bottom and are kept with what they show; so are the README's pictures."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from files.stored_notebooks import METADATA, MOST_BYTES, NOTEBOOKS, differences, executed, read, tidy
from PIL import Image, ImageSequence

import meiro

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

pytestmark = pytest.mark.browser

TOP = Path(__file__).parents[2]
if not NOTEBOOKS:
    pytest.skip("an sdist has no notebooks", allow_module_level=True)

notebooks = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def markdown(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def test_notebooks_are_numbered() -> None:
    numbers = [re.fullmatch(r"(\d\d)_[a-z0-9_]+\.ipynb", path.name) for path in NOTEBOOKS]
    assert [match and int(match[1]) for match in numbers] == list(range(1, len(NOTEBOOKS) + 1))


def test_every_measure_has_a_meaning_on_the_site() -> None:
    meanings = json.loads((TOP / "notebooks/site/meanings.json").read_text("utf-8"))
    assert {*meanings} == {*meiro.MEASURES}
    for name, text in meanings.items():
        ends = re.fullmatch(
            r"(High: .+|Near 1 .+); (low|\d|near one half).+\.", text.replace(", near 0", ";", 1)
        )
        assert ends, f"{name}: says not what a high value and what a low one means: {text}"


@notebooks
def test_notebooks_are_kept_without_traces_of_a_machine(path: Path) -> None:
    """What git keeps is text, code and what it shows; no counts, times, addresses and ids."""
    import nbformat

    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.metadata == METADATA
    for number, cell in enumerate(notebook.cells):
        assert cell.metadata == {}
        assert cell.id == str(number)
        assert cell.source.strip()
        if cell.cell_type == "code":
            assert cell.execution_count is None
            assert all(output.get("execution_count") is None for output in cell.outputs)
            words = re.sub("[A-Za-z0-9+/=]{99,}|<script.*?</script>", "", str(cell.outputs))
            assert not re.search(r"0x[0-9a-f]{6,}|/tmp/|vnd\.jupyter|127\.0\.0\.1", words), cell.source


def test_notebooks_are_small() -> None:
    assert sum(path.stat().st_size for path in NOTEBOOKS) < MOST_BYTES


@notebooks
def test_notebook_links_lead_somewhere(path: Path) -> None:
    assert markdown(path).startswith("# ")
    for target in re.findall(r"\]\(([^)]+)\)", markdown(path)):
        assert target.startswith("https://") or (path.parent / target).is_file(), target


@notebooks
def test_notebooks_run_and_show_what_is_kept(path: Path, tmp_path: Path) -> None:
    """Every cell runs, nothing warns, no figure is lost, none floods the page, and all is as it is kept."""
    notebook = executed(path, tmp_path)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            if output.output_type == "stream":
                assert len(output.text) < 5000, cell.source
        drawn = [o for o in cell.outputs if "image/png" in o.get("data", {})]
        figures = len(re.findall(r"plt\.subplots\(|meiro\.plot_(?:trace|many)\(", cell.source))
        assert len(drawn) == figures or "Image(" in cell.source, cell.source
    found = differences(read(path), notebook)
    assert not found, f"{found}; keep what is made: python tests/helpers/files/stored_notebooks.py"


def kept(*outputs: dict[str, Any]) -> Any:
    import nbformat.v4 as made

    cells = [made.new_code_cell("1", outputs=[made.new_output(**output) for output in outputs])]  # type: ignore[no-untyped-call]
    return made.new_notebook(cells=cells)  # type: ignore[no-untyped-call]


def test_what_is_kept_is_compared_in_kinds_texts_and_pictures() -> None:
    import nbformat

    def picture(shift: int, side: int = 40) -> str:
        file = io.BytesIO()
        x = np.zeros((side, side), np.uint8)
        x[:, shift : shift + 8] = 255
        Image.fromarray(x).save(file, "PNG")
        return base64.b64encode(file.getvalue()).decode()

    def text(words: str) -> dict[str, Any]:
        return {"output_type": "stream", "name": "stdout", "text": words}

    def shown(**data: str) -> dict[str, Any]:
        return {"output_type": "display_data", "data": {k.replace("_", "/"): v for k, v in data.items()}}

    one = [
        text("a 1"),
        shown(image_png=picture(3)),
        shown(text_html=f"<img src=data:image/png;base64,{picture(3)}>"),
    ]
    assert differences(kept(*one), kept(*one)) == []
    for i, other in (
        (0, text("a 2")),
        (1, shown(image_png=picture(9))),
        (1, shown(image_png=picture(3, 41))),
        (1, shown(text_html="")),
        (2, shown(text_html=f"<img src=data:image/png;base64,{picture(9)}>")),
        (2, shown(text_html=f"<IMG src=data:image/png;base64,{picture(3)}>")),
    ):
        assert len(differences(kept(*one), kept(*one[:i], other, *one[i + 1 :]))) == 1
    assert differences(kept(*one), kept(*one[:2])) == ["cell 0: outputs of other kinds"]
    run = kept(text("a "), text("took 1.5 s, 3 steps"))
    run.metadata = nbformat.from_dict({"widgets": {"x": 1}})  # type: ignore[no-untyped-call]
    tidy(run)
    assert differences(kept(text("a took ... s, 3 steps")), run) == []
    assert run.metadata == METADATA


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the notebook of players as HTML."""
    from nbconvert import HTMLExporter

    (path,) = (path for path in NOTEBOOKS if "watch" in path.stem)
    text, _ = HTMLExporter().from_notebook_node(read(path))  # type: ignore[no-untyped-call]
    file = tmp_path_factory.mktemp("exported") / "watch.html"
    file.write_text(text, "utf-8")
    return file.as_uri()


def test_exported_notebook_plays_without_a_network(page: Page, exported: str) -> None:
    asked: list[str] = []

    def refuse(route: Any, request: Request) -> None:
        asked.append(request.url)
        route.abort()

    page.route(re.compile("^https?:"), refuse)
    page.goto(exported)
    player = page.locator("[id^=meiro-of-cell-]").first
    player.locator("canvas").first.wait_for()
    assert player.locator("img").count() == 0
    slider = player.locator("input[type=range]").first
    before = slider.input_value()
    player.get_by_role("button", name="Play").first.click()
    page.wait_for_function("([e, v]) => e.value !== v", arg=[slider.element_handle(), before])
    assert not [url for url in asked if "widget" in url]


def test_exported_notebook_shows_pictures_without_scripts(browser: Browser, exported: str) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(exported)
    players = page.locator("[id^=meiro-of-cell-]")
    assert players.count() >= 3
    for player in players.all():
        assert player.locator("img").first.bounding_box()["width"] > 100  # type: ignore[index]  # it is seen
    context.close()


def run_lines(page: str, pattern: str) -> int:
    """Run the lines of a page that begin in this way, and return their number."""
    text = (TOP / "notebooks" / page).read_text("utf-8")
    lines = re.findall(rf"^>>> ((?:{pattern}).*)", text, re.MULTILINE)
    exec("\n".join(lines), {"meiro": meiro})  # noqa: S102  # our own documentation
    return len(lines)


def test_pictures_of_the_readme_are_made_by_the_lines_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_lines("quick_start.md", "square|disc|hexagons|x, y|inside|heart") == 9
    for name in ("square.svg", "round.svg", "heart.svg"):
        kept = TOP / "notebooks" / name
        assert (tmp_path / name).read_text("utf-8") == kept.read_text("utf-8"), name
        assert kept.stat().st_size < 15_000


def test_moving_picture_of_the_readme_is_made_by_the_lines_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_lines("guide/watching.md", "loops|searches|meiro.animate.searches") == 3
    kept = TOP / "notebooks" / "watch.gif"
    with Image.open(kept) as one, Image.open("watch.gif") as other:
        assert getattr(one, "n_frames", 0) == getattr(other, "n_frames", 0) > 50
        for expected, made in zip(ImageSequence.Iterator(one), ImageSequence.Iterator(other), strict=True):
            assert np.array_equal(np.asarray(expected.convert("RGB")), np.asarray(made.convert("RGB")))
    assert kept.stat().st_size < 150_000
