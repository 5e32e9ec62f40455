"""A reader of the PDFs that meiro writes: pages, lines and text from the file itself, in millimetres.

It knows the operators that matplotlib's backend writes for lines and no others: m, l, h, c, S, w, J, cm, q, Q
and the colours. A test that needs the picture renders the file by poppler (`rendered`).
"""

from __future__ import annotations

import io
import re
import subprocess
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from programs import needs

POINT = 25.4 / 72
_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)endobj", re.DOTALL)
_STREAM = re.compile(rb"stream\n(.*?)\nendstream", re.DOTALL)
_BOX = re.compile(rb"/MediaBox \[ ?([^\]]*)\]")


class Stroke(NamedTuple):
    """Lines of one colour and width, in millimetres from the upper left corner of the page."""

    lines: NDArray[np.float64]  # (n, 2, 2)
    width: float
    color: str
    cap: int


class PdfPage(NamedTuple):
    """A page: its size in millimetres, what is stroked on it, its texts and where they begin."""

    width: float
    height: float
    strokes: list[Stroke]
    texts: list[str]
    places: list[tuple[float, float]]


def pages_of(data: bytes) -> list[PdfPage]:
    """Return the pages of a PDF."""
    objects = {int(number): body for number, body in _OBJECT.findall(data)}
    pages = []
    for body in objects.values():
        if b"/Type /Page\n" not in body and not re.search(rb"/Type /Page\b(?!s)", body):
            continue
        left, bottom, right, top = (float(x) for x in _BOX.search(body)[1].split())  # type: ignore[index]
        assert (left, bottom) == (0, 0)
        number = int(re.search(rb"/Contents (\d+) 0 R", body)[1])  # type: ignore[index]
        content = zlib.decompress(_STREAM.search(objects[number])[1]).decode("latin-1")  # type: ignore[index]
        pages.append(PdfPage(right * POINT, top * POINT, *_read(content, top)))
    return pages


_TEXT = re.compile(r"\[((?:\((?:\\.|[^\\)])*\)|[^\]])*)\]\s*TJ|\(((?:\\.|[^\\)])*)\) Tj")
_PLACE = re.compile(r"([\d.]+) ([\d.]+) cm\s+BT")
_LETTERS = re.compile(r"\(((?:\\.|[^\\)])*)\)")
_WORDS = re.compile(r"\((?:\\.|[^\\)])*\)|/\w+")


class _Reader:
    """What is stroked by the operators of a page."""

    def __init__(self) -> None:
        self.strokes: list[tuple[list[Any], dict[str, Any]]] = []
        self._lines: list[Any] = []
        self._state: dict[str, Any] = {"width": 1.0, "cap": 0, "color": "#000000"}
        self._kept: list[dict[str, Any]] = []
        self._at = self._first = (0.0, 0.0)

    def _to(self, *numbers: float) -> None:
        self._at = numbers[-2], numbers[-1]

    def m(self, *numbers: float) -> None:
        self._to(*numbers)
        self._first = self._at

    def l(self, *numbers: float) -> None:  # noqa: E743  # the operator of a line
        before = self._at
        self._to(*numbers)
        self._lines.append((before, self._at))

    def h(self) -> None:
        self._lines.append((self._at, self._first))

    c = _to  # of a circle

    def w(self, *numbers: float) -> None:
        self._state["width"] = numbers[-1]

    def J(self, *numbers: float) -> None:  # noqa: N802
        self._state["cap"] = int(numbers[-1])

    def RG(self, *numbers: float) -> None:  # noqa: N802
        self._state["color"] = "#" + "".join(f"{round(255 * part):02x}" for part in numbers[-3:])

    def G(self, *numbers: float) -> None:  # noqa: N802
        self.RG(*numbers[-1:] * 3)

    def q(self) -> None:
        self._kept.append(dict(self._state))

    def Q(self) -> None:  # noqa: N802
        self._state = self._kept.pop()

    def S(self) -> None:  # noqa: N802
        if self._lines:
            self.strokes.append((self._lines, dict(self._state)))
        self._lines = []

    def n(self) -> None:
        self._lines = []

    f = B = n  # areas


def _read(content: str, top: float) -> tuple[list[Stroke], list[str], list[tuple[float, float]]]:
    reader, numbers = _Reader(), list[float]()
    for word in _WORDS.sub("", content).split():
        try:
            numbers.append(float(word))
        except ValueError:
            getattr(reader, word, lambda *_: None)(*numbers)
            numbers = []
    strokes = [
        Stroke(
            (np.array(lines) * (1, -1) + (0, top)) * POINT,
            state["width"] * POINT,
            state["color"],
            state["cap"],
        )
        for lines, state in reader.strokes
    ]
    texts = [
        "".join(_LETTERS.findall(found[0])) if found[1] else found[2] or ""
        for found in _TEXT.finditer(content)
    ]
    places = [(float(x) * POINT, (top - float(y)) * POINT) for x, y in _PLACE.findall(content)]
    return strokes, texts, places


def rendered(path: Path, page: int = 1, dpi: int = 100) -> NDArray[np.uint8]:
    """Return a page as pixels, by poppler; the test is skipped where it is not installed."""
    program = needs("pdftoppm", "poppler-utils")
    command = [program, "-r", str(dpi), "-f", str(page), "-l", str(page), "-png", str(path)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    with Image.open(io.BytesIO(done.stdout)) as picture:
        return np.asarray(picture.convert("RGB"))
