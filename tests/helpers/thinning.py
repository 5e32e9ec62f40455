"""Which values of a parameter run only with `--all`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def long_but(values: Iterable[Any], *usual: Any) -> list[Any]:
    """Return the values as parameters, marked `long` but for the usual ones, which must be among them."""
    every = list(values)
    assert all(value in every for value in usual), usual
    return [pytest.param(value, marks=() if value in usual else pytest.mark.long) for value in every]
