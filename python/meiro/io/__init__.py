"""Files and other libraries' graphs, both ways."""

from __future__ import annotations

from meiro.io.books import puzzle_book
from meiro.io.files import read, save
from meiro.io.image import from_image
from meiro.io.masks import brightness, mask_from_image, mask_from_text
from meiro.results.picture_array import PictureArray

__all__ = [
    "PictureArray",
    "brightness",
    "from_image",
    "mask_from_image",
    "mask_from_text",
    "puzzle_book",
    "read",
    "save",
]
