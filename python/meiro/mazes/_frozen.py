"""Objects that do not change once they are made."""

from __future__ import annotations

from typing import NoReturn

put = object.__setattr__


def refuse_change(frozen: object, name: str, _value: object = None) -> NoReturn:
    """Refuse to set or delete an attribute: the ``__setattr__`` and ``__delattr__`` of frozen classes."""
    msg = f"a {type(frozen).__name__} does not change: make a new one instead of setting {name!r}"
    raise AttributeError(msg)
