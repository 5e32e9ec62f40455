"""A player or a walk as HTML that needs neither a kernel nor a network."""

from __future__ import annotations

import base64
import html
import json
import secrets
from pathlib import Path
from typing import Any

from meiro.colors import DARK, LIGHT

PLAYER_FPS = (0.5, 10_000.0)
"""The limits of frames per second of players."""

SCRIPT = Path(__file__).with_name("player.js")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
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
    script = SCRIPT.read_text("utf-8")
    values = json.dumps(state, default=_encoded, ensure_ascii=False, separators=(",", ":"))
    values = values.replace("<", "\\u003c")  # lest they end the script element
    then = ".focus({ preventScroll: true })" if focus else ""
    return (
        f'<div id="{name}"><noscript>This needs JavaScript.</noscript></div>\n<script type="module">\n'
        f'{script}\nmount(document.getElementById("{name}"), {values}){then};\n</script>'
    )


def page(state: dict[str, Any], title: str) -> str:
    """Return a whole page."""
    content = fragment(state, focus=True)
    return _PAGE.format(title=html.escape(title), light=LIGHT, dark=DARK, content=content)


def _encoded(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    msg = f"{type(value).__name__} cannot be written as JSON"
    raise TypeError(msg)
