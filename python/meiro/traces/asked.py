"""Frames per second of players and animations."""

from __future__ import annotations

from typing import Any

import numpy as np

from meiro.errors import shown

PLAYER_FPS = (0.5, 10_000.0)
"""Frames a second of players; animations have others."""


def frames_a_second(value: Any, least: float, most: float) -> float:
    """Return frames a second, or say why they are none."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"fps must be a number, not {shown(value)}"
        raise TypeError(msg)
    if not least <= value <= most:
        msg = f"fps must be from {least:g} to {most:,.0f} frames a second, not {shown(value)}"
        raise ValueError(msg)
    return float(value)
