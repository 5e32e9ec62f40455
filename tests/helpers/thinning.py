"""Which values of a parameter run only with `--all`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def long_but(values: Iterable[Any], *usual: Any) -> list[Any]:
    """Return the values as parameters, marked `long` but for the usual ones, which must be among them."""
    every = list(values)
    assert all(value in every for value in usual), usual
    return [pytest.param(value, marks=() if value in usual else pytest.mark.long) for value in every]
