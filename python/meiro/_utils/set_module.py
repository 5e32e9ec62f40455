"""The module that public classes and functions name as theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T", bound="Callable[..., Any]")


def set_module(module: str) -> Callable[[T], T]:
    """Set ``__module__`` of a class or function, so that reprs, help and pickles name its public place."""

    def decorate(thing: T) -> T:
        thing.__module__ = module
        return thing

    return decorate
