"""Calls that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


def refused(
    error: type[BaseException], words: str, call: Callable[..., Any], *given: Any, **options: Any
) -> None:
    """Assert that a call raises this error, in whose message these words are, a regular expression."""
    with pytest.raises(error, match=words):
        call(*given, **options)
