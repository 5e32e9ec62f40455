"""A player or a walk as HTML that needs neither a kernel nor a network."""

from __future__ import annotations

import base64
import html
import json
import secrets
from pathlib import Path
from typing import Any

import numpy as np

from meiro._utils.pixel_layout import layout_of
from meiro.colors import DARK, LIGHT
from meiro.drawing.card import RULES, card, png_of, url_of
from meiro.drawing.notebook.lattice_scene import still_svg

PLAYER_FPS = (0.5, 10_000.0)
"""The limits of frames per second of players."""

_PARTS = {
    name: Path(__file__).with_name(f"{name}.js").read_text("utf-8")
    for name in ("player", "lattice_picture", "walk")
}
SCRIPT = "".join(_PARTS.values())
"""What widgets run; a page holds only those parts that it needs."""

_STILL, _MOST_STILL = 300, 1 << 18  # pixels a side of a picture that does not move; places that are drawn
_MOST_DRAWN = 1 << 11  # places of a lattice, whose still picture is SVG


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>
body {{ margin: 0; min-height: 100vh; display: grid; align-content: center;
 font-family: system-ui, sans-serif; color: {light.ink.hex}; background: {light.road.hex}; }}
main {{ box-sizing: border-box; max-width: 100vw; padding: 12px; --beside: auto; }}
@media (prefers-color-scheme: dark) {{ body {{ color: {dark.ink.hex}; background: {dark.road.hex}; }} }}
</style>
</head>
<body>
<main>
{content}
</main>
</body>
</html>
"""


def fragment(state: dict[str, Any], *, focus: bool = False) -> str:
    """Return a widget as HTML for any page; `state` holds the values of its attributes."""
    name = f"meiro-{secrets.token_hex(8)}"
    given = state["given"]
    needed = {
        "player": True,
        "lattice_picture": any("layers" in one for one in given["scenes"]),
        "walk": "start" in given,
    }
    lines = (line.strip() for name, part in _PARTS.items() if needed[name] for line in part.splitlines())
    script = "\n".join(line for line in lines if line and not line.startswith("//"))
    values = json.dumps(state, default=_encoded, ensure_ascii=False, separators=(",", ":"))
    values = values.replace("<", "\\u003c")  # lest they end the script element
    then = ".focus({ preventScroll: true })" if focus else ""
    stills = "".join(_still(scene, given["themes"]["light"]) for scene in given["scenes"])
    return (
        f'<div id="{name}">{RULES}{stills}<noscript>This moves where JavaScript runs.</noscript></div>\n'
        '<script type="module">\n'
        f'{script}\nmount(document.getElementById("{name}"), {values}){then};\n</script>'
    )


def _still(scene: dict[str, Any], colors: list[str]) -> str:
    """Return the last frame of a trace, or a maze to walk in, for where scripts do not run."""
    places = np.frombuffer(scene["first"], np.uint8).copy()
    if len(places) > (_MOST_DRAWN if "layers" in scene else _MOST_STILL):
        return ""
    changes = np.frombuffer(scene.get("changes", b""), "<u4")
    places[changes >> 4] = changes & 15  # of several at one place the last holds
    if "layers" in scene:
        source = url_of(still_svg(scene, places, colors).encode(), "svg+xml")
    else:
        layout = layout_of(scene["grid"], cells=scene["space"] == "cells", size=_STILL)
        palette = np.array([[*bytes.fromhex(color[1:])] for color in colors[:16]], np.uint8)
        source = url_of(png_of(layout.pixels(places.reshape(scene["grid"])), palette))
    about = html.escape(scene.get("caption", scene["label"]))
    return card(f'<img alt="{about}" title="{about}" src="{source}">', "margin:4px")


def page(state: dict[str, Any], title: str) -> str:
    """Return a whole page."""
    content = fragment(state, focus=True)
    return _PAGE.format(title=html.escape(title), light=LIGHT, dark=DARK, content=content)


def _encoded(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
