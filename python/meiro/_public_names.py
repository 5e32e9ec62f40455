"""Public names that are imported when they are first asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class _Package(ModuleType):
    """A package in which the module of a function, which has its name, does not hide it."""

    __all__: list[str]

    def __setattr__(self, name: str, value: object) -> None:
        """Take the function of a module that was imported."""
        hides = isinstance(value, ModuleType) and name in self.__all__
        super().__setattr__(name, getattr(value, name) if hides else value)


def names_within(folder: str) -> dict[str, str]:
    """Return which of the names of `meiro` come from the modules of one of its packages, by module."""
    every: dict[str, str] = import_module("meiro")._PUBLIC  # noqa: SLF001  # its table
    return {module: names for module, names in every.items() if module.startswith(f"{folder}.")}


def import_late(
    namespace: dict[str, object], modules: Mapping[str, str], folders: Sequence[str] = ()
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package.

    Parameters
    ----------
    namespace : dict
        The ``globals()`` of the package, where a name is kept once it was asked for.
    modules : mapping of str to str
        The public names, separated by spaces, by the module that has them, relative to ``meiro``.
    folders : sequence of str
        The public modules of the package.
    """
    package = str(namespace["__name__"])
    sys.modules[package].__class__ = _Package
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> object:
        if name not in module_of and name not in folders:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        import_module("meiro._core")  # before NumPy: it says what to do in a subinterpreter
        if name in module_of:
            found: object = getattr(import_module(f"meiro.{module_of[name]}"), name)
        else:
            found = import_module(f"{package}.{name}")
        namespace[name] = found
        return found

    return list(module_of), find, lambda: sorted([*module_of, *folders])
