"""Small valid calls of everything public, found by inspection: what the campaigns break.

    for call in calls():
        function, arguments = call.prepare(folder)  # fresh objects, ready to be called
        use(function(**arguments))

Most are calls that the examples of docstrings make: an example runs as far as the call, whose arguments are
taken; those of a method are given to an object of `OBJECTS`. `written_calls` has those that no example makes.
Properties and methods without parameters need neither.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import functools
import inspect
import itertools
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import written_calls
from written_calls import KINDS, MORE, OBJECTS, UNFIT, USUAL, Arguments

import meiro

if TYPE_CHECKING:
    from types import CodeType

# The package that a call needs besides NumPy, by the start of its name.
PACKAGES = {
    "matplotlib": (
        "plot", "Maze.plot", "GraphMaze.plot", "Animation.to_m", "Table.hist", "Table.plot",
        "io.puzzle_book",
    ),
    "anywidget": ("play", "Play"),
    "gymnasium": ("MazeEnv", "MazeVectorEnv"),
    "networkx": (
        *("Maze.to_networkx", "Maze.from_networkx", "spanning_tree"),
        *("GraphMaze.to_networkx", "GraphMaze.from_networkx", "positions"),
    ),
    "scipy": ("Maze.to_sparse", "Maze.from_sparse", "GraphMaze.to_sparse", "GraphMaze.from_sparse"),
    "pandas": ("Table.to_pandas",),
    "pyarrow": ("Table.to_parquet",),
    "xarray": tuple(f"{kind}.{way}_xarray" for kind in ("MazeBatch", "GraphBatch") for way in ("to", "from")),
    "PIL": ("Animation.save",),
    "dask": ("dask.", "Counts"),
}  # fmt: skip
WRITING = ("save", "open_memmap", "pyramid", "write_shards", "to_csv", "to_parquet", "survey", "puzzle_book")
MODULE = re.compile(r"meiro\.(\w+\.)*\w+")  # a function, not a method of an object
FILES = ("path", "folder", "pattern", "out", "file", "picture")  # arguments that may name one
SPECIAL = (
    *("__eq__", "__ne__", "__hash__", "__repr__", "__str__", "_repr_html_", "__array__"),
    *("__getitem__", "__len__", "__iter__", "__next__", "__add__"),
)


class Call(NamedTuple):
    """A valid call of something public.

    Attributes
    ----------
    name : str
        ``"generate"``, ``"Maze.to_svg"``, ``"Maze.grid"`` (a property), ``"Player.fps="`` (set) or
        ``"pickle Maze"`` (dumped and loaded).
    given : callable
        Returns the keywords of the call, made anew; the working directory is a folder for its files.
    writes : bool
        Whether it may write files, into the folder.
    package : str
        What must be installed for it besides NumPy; empty for nothing.
    """

    name: str
    given: Callable[[], Arguments]
    writes: bool
    package: str

    def arguments(self, folder: Path) -> Arguments:
        """Return the keywords of the call, made anew; files are in that folder."""
        with contextlib.chdir(folder):
            given = self.given()
        paths = {name: given[name] for name in FILES if isinstance(given.get(name), str | Path)}
        return given | {name: folder / path for name, path in paths.items()}

    def bind(self) -> Callable[..., object]:
        """Return the callable, of an object of its own if it is a method or a property."""
        return _bound(self.name)

    def prepare(self, folder: Path) -> tuple[Callable[..., object], Arguments]:
        """Return the callable and its keywords."""
        return self.bind(), self.arguments(folder)


class Reached(BaseException):  # no error: an example ends at the call that it is run for
    """Raised in place of the call, with its arguments."""


def _reach(function: Callable[..., object], *given: Any, **options: Any) -> NoReturn:
    raise Reached(_named(function, given, options))


def _named(function: Callable[..., object], given: Iterable[Any], options: Arguments) -> Arguments:
    """Return the arguments of a call by name."""
    bound = inspect.signature(function).bind(*given, **options)
    found: Arguments = {}
    for name, value in bound.arguments.items():
        more = bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
        found |= value if more else {name: value}
    return found


class Example:
    """The example of a docstring, which runs as far as one of its calls."""

    def __init__(self, docstring: str) -> None:
        examples = doctest.DocTestParser().get_examples(docstring)
        self.tree = ast.parse("".join(one.source for one in examples if one.exc_msg is None))
        self.calls = [*_calls_in(self.tree)]
        self.called = [ast.unparse(call.func) for call in self.calls]

    @functools.cache  # noqa: B019  # there are some hundreds
    def _code(self, k: int) -> CodeType:
        call = self.calls[k]
        function, given = call.func, call.args
        call.func, call.args = ast.copy_location(ast.Name("_reach", ast.Load()), function), [function, *given]
        code = compile(self.tree, "<example>", "exec")
        call.func, call.args = function, given
        return code

    def arguments(self, k: int) -> Arguments:
        """Return the arguments of a call, by name."""
        names = {"meiro": meiro, "np": np, "print": lambda *_: None, "_reach": _reach}
        try:
            exec(self._code(k), names)  # noqa: S102  # our own
        except Reached as reached:
            found: Arguments = reached.args[0]
            return found
        raise AssertionError(self.called[k])


def _calls_in(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in the order of the text, but those in functions."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.Lambda | ast.FunctionDef):
            yield from _calls_in(node)
    if isinstance(tree, ast.Call):
        yield tree


@functools.cache
def _examples() -> dict[str, Example]:
    """Return the examples of the public names that have some."""
    names = {*public_names(), *classes()}
    docstrings = {name: _docstring(name) for name in names}
    return {name: Example(text) for name, text in sorted(docstrings.items()) if ">>>" in text}


def _docstring(name: str) -> str:
    """Return the docstring of a public name; none for a pickle and for an attribute that is set."""
    if name.startswith("pickle ") or name.endswith("="):
        return ""
    owner, _, member = name.rpartition(".")
    home = classes().get(owner) or _module(owner)
    thing = classes().get(name) or inspect.getattr_static(home, member, None) or getattr(home, member)
    return getattr(thing, "__doc__", None) or ""


def _from_examples(name: str) -> list[Callable[[], Arguments]]:
    """Return the calls of a name in its example, then those elsewhere that give something new."""
    owner, _, member = name.rpartition(".")
    examples = _examples()
    found: list[Callable[[], Arguments]] = []
    seen: set[str | None] = set()
    own = [name] if name in examples else []
    for home in [*own, *(other for other in examples if other != name)]:
        example = examples[home]
        for k, called in enumerate(example.called):
            of_an_object = home == name and owner in OBJECTS and called.endswith(f".{member}")
            if called != f"meiro.{name}" and not (of_an_object and not MODULE.fullmatch(called)):
                continue
            new = {keyword.arg for keyword in example.calls[k].keywords} - seen
            if home == name or new:
                found.append(partial(example.arguments, k))
                seen |= new
    return found


def _written(name: str, text: str) -> Arguments:
    """Return the arguments of a call of `MORE`."""
    given, options = eval(text, vars(written_calls), {"_given": lambda *a, **o: (a, o)})  # noqa: S307  # our own
    return _named(_bound(name), given, options)


def _of_a_kind(name: str, make: Callable[[], Any], others: Arguments) -> Arguments:
    """Return the arguments of a call that gets another thing first."""
    first, *rest = inspect.signature(_bound(name)).parameters
    return {first: make()} | {each: value for each, value in (USUAL | others).items() if each in rest}


@functools.cache
def written() -> dict[str, list[Callable[[], Arguments]]]:
    """Return the calls of `MORE` and `KINDS`."""
    found: dict[str, list[Callable[[], Arguments]]] = {}
    for line in MORE.strip().split("\n"):
        name, _, rest = line.partition("(")
        found.setdefault(name, []).append(partial(_written, name, f"_given({rest}"))
    for names, (make, others) in KINDS.items():
        for name in names.split():
            found.setdefault(name, []).append(partial(_of_a_kind, name, make, others))
    return found


def calls() -> list[Call]:
    """Return the calls of everything public, several of some."""
    found = []
    for name in public_names():
        if name == "EndlessMaze.__array__":
            continue  # refuses
        known = name.replace("JoinedTrace", "Trace")
        given = [*([] if known in UNFIT else _from_examples(known)), *written().get(known, [])]
        owner, _, member = name.partition(".")
        if member in {"__eq__", "__ne__"}:
            given = [lambda owner=owner: {"other": OBJECTS[owner]()}]  # type: ignore[misc]
        elif member.endswith("="):  # what it is
            given = [lambda o=owner, m=member[:-1]: {m: getattr(OBJECTS[o](), m)}]  # type: ignore[misc]
        writes = name.split(".")[-1].startswith(WRITING)
        found += [Call(name, arguments, writes, _package(name)) for arguments in given or [dict]]
    return found


def use(result: Any) -> Any:
    """Take the first items of an iterator, which does its work only then; return anything else.

    An array of Dask is computed.
    """
    if hasattr(result, "dask"):
        return result.compute(scheduler="sync")
    return list(itertools.islice(result, 3)) if isinstance(result, Iterator) else result


def public_names() -> list[str]:
    """Return the names of all public functions, constructors, methods, properties and settable attributes."""
    found = []
    for prefix, module in [("", meiro), *((f"{name}.", getattr(meiro, name)) for name in meiro._FOLDERS)]:
        for name in getattr(module, "__all__", vars(module)):
            thing = getattr(module, name)
            home = str(getattr(thing, "__module__", ""))
            ours = home == "meiro" or f"{home}.".startswith(f"{module.__name__}.") or prefix == ""
            if prefix and getattr(meiro, name, None) is thing:
                continue
            if ours and inspect.isfunction(thing) and not name.startswith("_"):
                found.append(prefix + name)
    for name, thing in classes().items():
        if "\nParameters\n" in inspect.cleandoc(thing.__doc__ or "") or name == "EllerRows":
            found.append(name)
        found += [f"{name}.{member}" for member in _members(thing)]
        found += [f"{name}.{member}=" for member in getattr(thing, "_values", ())]
        if name not in {"Animation", "Frames", "MazeEnv", "MazeVectorEnv", "Play", "Player", "Registry"}:
            found.append(f"pickle {name}")
    return found


@functools.cache
def classes() -> dict[str, type]:
    """Return the public classes, and those of the objects that they and the public functions return."""
    return {name: type(make()) for name, make in OBJECTS.items()}


def has_methods(kind: type) -> bool:
    """Return whether a class has public methods or properties of its own."""
    return any(not name.startswith("_") for name in _members(kind))


def _members(kind: type) -> list[str]:
    """Return the public methods and properties that meiro defines, and the special methods of `SPECIAL`."""
    found: dict[str, None] = {}
    refused: set[str] = set()
    seen: set[str] = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("meiro"):
            continue
        for name, raw in vars(base).items():
            if name in seen:  # a property that is held in a slot is no call
                continue
            seen.add(name)
            member = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
            function = member.fget if isinstance(member, property) else member
            if getattr(function, "__annotations__", {}).get("return") in {"NoReturn", "Never"}:
                refused.add(name)
            if isinstance(member, property) and not name.startswith("_"):
                found[name] = None
            elif inspect.isfunction(member) and member.__name__ == name:
                if member.__code__.co_filename == "<string>":  # made by dataclasses
                    continue
                if not name.startswith("_") or name in SPECIAL:
                    found[name] = None
    return [name for name in found if name not in refused]


def _bound(name: str) -> Callable[..., object]:
    if name.startswith("pickle "):
        thing = OBJECTS[name.removeprefix("pickle ")]()
        return lambda: pickle.loads(pickle.dumps(thing))  # noqa: S301  # our own
    if name.endswith("="):
        return partial(_assign, OBJECTS[name.partition(".")[0]]())
    if name in OBJECTS:
        return classes()[name]
    owner, _, member = name.rpartition(".")
    if owner in OBJECTS:
        thing = OBJECTS[owner]()
        if isinstance(inspect.getattr_static(type(thing), member, None), property):
            return partial(getattr, thing, member)
        bound: Callable[..., object] = getattr(thing, member)
        return bound
    function: Callable[..., object] = getattr(_module(owner), member)
    return function


def _module(name: str) -> Any:
    return getattr(meiro, name) if name else meiro


def _assign(thing: object, **values: object) -> None:
    for name, value in values.items():
        setattr(thing, name, value)


def _package(name: str) -> str:
    return next((package for package, starts in PACKAGES.items() if name.startswith(starts)), "")
