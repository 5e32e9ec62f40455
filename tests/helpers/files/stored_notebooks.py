"""The notebooks and what they show, which is kept with them for where they are only read.

python tests/helpers/files/stored_notebooks.py [PART OF A NAME] runs them, or one, and keeps what they show,
in two minutes for all. `differences` says how what is kept differs from what the code makes.
"""

from __future__ import annotations

import base64
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

TOP = Path(__file__).parents[3]
NOTEBOOKS = sorted((TOP / "notebooks").glob("*.ipynb"))
MOST_BYTES = 2_200_000
"""Of all notebooks together; no package holds them."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

_STEP = 17  # of the colours of a picture that is kept: two thirds of the bytes, and no difference to be seen
_KINDS = ("text/html", "image/png", "text/plain")  # a widget needs a kernel: its HTML is kept
_TIME = re.compile(r"\b\d+(?:\.\d+)? (?:s|ms)\b")  # of the machine that ran it
_PLAYER = re.compile(r"\bmeiro-[0-9a-f]{16}\b")
_INLINE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
_FAR, _MOST_FAR = 48, 0.02  # of 255: pixels that differ by more, and the largest share of them


def read(path: Path) -> Any:
    """Return a notebook as it is kept."""
    import nbformat  # it takes seconds, in each worker of pytest

    notebook: Any = nbformat.read(path, as_version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    return notebook


def executed(path: Path, folder: Path) -> Any:
    """Run a notebook in a folder, and return it as it would be kept."""
    from nbclient import NotebookClient

    notebook = read(path)
    env = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "TMPDIR": str(folder)}
    client = NotebookClient(
        notebook,
        timeout=100,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=env)
    tidy(notebook)
    return notebook


def tidy(notebook: Any) -> None:
    """Keep of the outputs what the code makes, and nothing of the machine and the moment."""
    import nbformat

    notebook.metadata = nbformat.from_dict(METADATA)  # type: ignore[no-untyped-call]
    for number, cell in enumerate(notebook.cells):
        cell.id = str(number)
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [_tidied(output, number) for output in _merged(cell.outputs)]


def _merged(outputs: list[Any]) -> list[Any]:
    """Return the outputs, text that was printed in several pieces as one, without progress bars."""
    merged: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and output.name == "stderr":
            assert "Warning" not in output.text, output.text
        elif merged and output.output_type == merged[-1].output_type == "stream":
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def _tidied(output: Any, number: int) -> Any:
    import nbformat

    if output.output_type == "stream":
        output.text = _TIME.sub("... s", output.text)
        return output
    assert output.output_type != "error", output
    if "execution_count" in output:
        output.execution_count = None
    data = {kind: output.data[kind] for kind in _KINDS if kind in output.data}
    if "text/html" in data:
        data["text/html"] = _PLAYER.sub(f"meiro-of-cell-{number}", data["text/html"])
    if "image/png" in data:
        data["image/png"] = _fewer_colors(data["image/png"])
    output.data = nbformat.from_dict(data)  # type: ignore[no-untyped-call]
    return output


def _fewer_colors(text: str) -> str:
    """Return a PNG in base64 with 16 shades of red, green and blue."""
    with Image.open(io.BytesIO(base64.b64decode(text))) as image:
        near = np.round(np.asarray(image.convert("RGB")) / _STEP).astype(np.uint8) * np.uint8(_STEP)
    codes = np.dot(near // _STEP, np.array((256, 16, 1), np.uint16))  # of one number a colour
    used = np.bincount(codes.ravel(), minlength=4096) > 0
    few = Image.fromarray(near)
    if used.sum() <= 256:
        few = Image.fromarray((used.cumsum() - 1).astype(np.uint8)[codes], "P")
        colors = np.flatnonzero(used)[:, None] // (256, 16, 1) % 16 * _STEP
        few.putpalette(colors.astype(np.uint8).tobytes())
    few.save(file := io.BytesIO(), "PNG", optimize=True)
    made = base64.b64encode(file.getvalue()).decode("ascii")
    return min(made, text.replace("\n", ""), key=len)


def differences(kept: Any, made: Any) -> list[str]:
    """Return how two runs of a notebook differ: in cells, in kinds and texts of outputs, in pictures."""
    found = []
    if [(cell.cell_type, cell.source) for cell in kept.cells] != [
        (cell.cell_type, cell.source) for cell in made.cells
    ]:
        return ["the cells differ"]
    for number, (one, other) in enumerate(zip(kept.cells, made.cells, strict=True)):
        if one.cell_type == "code":
            shown, wanted = (list(map(_parts, cell.outputs)) for cell in (one, other))
            if [part.keys() for part in shown] != [part.keys() for part in wanted]:
                found.append(f"cell {number}: outputs of other kinds")
            else:
                pairs = zip(shown, wanted, strict=True)
                found += [f"cell {number}: {text}" for a, b in pairs for text in _differ(a, b)]
    return found


def _parts(output: Any) -> dict[str, str]:
    return {"stream": output.text} if output.output_type == "stream" else dict(output.data)


def _differ(one: dict[str, str], other: dict[str, str]) -> list[str]:
    found = []
    for kind, text in one.items():
        texts = [text, other[kind]]
        pictures = [[each] if kind == "image/png" else _INLINE.findall(each) for each in texts]
        words = ["" if kind == "image/png" else _INLINE.sub("(picture)", each) for each in texts]
        if words[0] != words[1]:
            at = next((i for i, pair in enumerate(zip(*words, strict=False)) if pair[0] != pair[1]), 0)
            found.append(f"{kind}: {words[0][at : at + 60]!r} is kept, {words[1][at : at + 60]!r} made")
        elif not all(map(alike, *pictures)):
            found.append(f"{kind}: another picture")
    return found


def alike(one: str, other: str) -> bool:
    """Return whether two PNGs in base64 have one size, and nearly the same pixels in every frame."""
    with (
        Image.open(io.BytesIO(base64.b64decode(one))) as a,
        Image.open(io.BytesIO(base64.b64decode(other))) as b,
    ):
        frames = getattr(a, "n_frames", 1)
        if a.size != b.size or frames != getattr(b, "n_frames", 1):
            return False
        for k in {0, frames // 2, frames - 1}:
            a.seek(k)
            b.seek(k)
            far = abs(np.asarray(a.convert("RGB"), np.int16) - np.asarray(b.convert("RGB"), np.int16))
            if (far.max(axis=2) > _FAR).mean() > _MOST_FAR:
                return False
    return True


def main(part: str) -> str:
    """Run notebooks and keep what they show; return how large they are."""
    import nbformat

    for path in NOTEBOOKS:
        if part in path.stem:
            with tempfile.TemporaryDirectory() as folder:
                notebook = executed(path, Path(folder))
            nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
    sizes = {path.name: path.stat().st_size for path in NOTEBOOKS}
    sizes |= {f"in all, of {MOST_BYTES:,}": sum(sizes.values())}
    return "".join(f"{size:9,} bytes  {name}\n" for name, size in sizes.items())


if __name__ == "__main__":
    sys.stdout.write(main("".join(sys.argv[1:2])))
