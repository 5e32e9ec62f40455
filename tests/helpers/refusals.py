"""A call that is refused, in the words of its error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Errors = type[BaseException] | tuple[type[BaseException], ...]


def refused(error: Errors, words: str, call: Callable[..., object], /, *given: Any, **named: Any) -> None:
    """Check that a call with these arguments, which are right or wrong by themselves, raises an error."""
    __tracebackhide__ = True
    with pytest.raises(error, match=words):  # noqa: PT012  # a loop over such calls says by this which it was
        call(*given, **named)
        pytest.fail(f"nothing was raised that says {words}")
