"""The ground of pictures in notebooks: white, and dark on a dark page, whoever made the page dark."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING

from meiro._utils import png

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STYLE = "display:inline-block;background:#fff;padding:6px;border-radius:4px;line-height:0;max-width:100%"

# White becomes 0x1e and black 0xe1, about as in `meiro.colors.DARK`; hues stay. A page says what it is by the
# attributes and classes of JupyterLab and nbconvert, VS Code, Colab and Sphinx; else the browser says it.
_DARK = "filter:invert(.88) hue-rotate(180deg)"
_SAID = (
    "[data-jp-theme-light],[data-theme],[theme],"
    ".vscode-light,.vscode-dark,.vscode-high-contrast,.vscode-high-contrast-light"
)
_DARK_PAGES = (
    "[data-jp-theme-light=false],[data-theme=dark],[theme=dark],"
    ".vscode-dark,.vscode-high-contrast:not(.vscode-high-contrast-light)"
)
RULES = (
    f"<style>:is({_DARK_PAGES}) .meiro-card{{{_DARK}}}@media (prefers-color-scheme:dark)"
    f"{{:root:not({_SAID}) body:not({_SAID}) .meiro-card{{{_DARK}}}}}"
    "@media print{.meiro-card{filter:none!important}}</style>"
)
"""Stand once in each display that has cards. Where they are taken out, as on GitHub, cards stay white."""


def card(picture: str, style: str = "") -> str:
    """Return a picture on its ground."""
    return f'<div class="meiro-card" style="{_STYLE}{style and ";"}{style}">{picture}</div>'


def url_of(data: bytes, kind: str = "png") -> str:
    """Return an image as a URL."""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


def png_of(pixels: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    """Return a PNG of indices into a palette."""
    file = io.BytesIO()
    png.write_indexed(file, pixels, palette)
    return file.getvalue()


def note(text: str) -> str:
    """Return words below a picture, in the colour of the page."""
    return f'<div style="{NOTE}">{html.escape(text)}</div>'


NOTE = "font-size:90%;opacity:0.75;margin-top:2px"
