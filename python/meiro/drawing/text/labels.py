"""Labels for the cells of a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell


def words(
    labels: ArrayLike, grid: NDArray[np.uint8], fill: str, least: int, marks: set[Cell]
) -> NDArray[np.uint32]:
    """Code points of the labels, (rows, cols, width of a cell), numbers to the right, others centred.

    0 stands where there is no label. `marks` are the sites that take none, `least` is the least width.
    """
    try:
        given = np.asarray(labels)
    except ValueError:  # rows of different lengths
        given = np.empty(0)
    exists = grid[1::2, 1::2] == 0
    for row, col in marks:  # a mark that was asked for stands above the label
        exists[row // 2, col // 2] = False
    if given.shape != exists.shape:
        found = given.shape if given.size else "rows of different lengths or nothing"
        msg = f"labels must have one entry a cell, shape {exists.shape}, got {found}"
        raise ValueError(msg)
    texts = []
    for place, (label, there) in enumerate(zip(given.ravel().tolist(), exists.ravel().tolist(), strict=True)):
        text = f"{label:g}" if isinstance(label, float) else str(label).strip()
        text = text if there and label is not None else ""
        if not (text.isascii() and text.isalnum()) and not _readable(text, fill):
            msg = (
                f"labels[{place // given.shape[1]}, {place % given.shape[1]}]={label!r} cannot be told from "
                "the maze: "
                "give characters one column wide, no spaces, no lines or blocks"
            )
            raise ValueError(msg)
        texts.append(text)
    width = max(least, *map(len, texts))
    pad = str.rjust if given.dtype.kind in "iuf" else str.center
    padded = "".join(pad(text, width) if text else "\0" * width for text in texts)
    return np.frombuffer(padded.encode("utf-32-le"), "<u4").reshape(*given.shape, width).astype(np.uint32)


def _readable(text: str, fill: str) -> bool:
    """Whether a label can stand in a cell and be passed over by the reader."""
    if text and set(text) == {fill}:
        return False
    return all(
        char.isprintable()
        and char not in " •·"
        and not "\u2500" <= char <= "\u259f"
        and category(char)[0] != "M"
        and east_asian_width(char) not in "WF"
        for char in text
    )
