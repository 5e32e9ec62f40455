"""Every argument of everything public is replaced by values that nobody should give.

A call may return, or raise an exception that its docstring names (TypeError, ValueError, MemoryError and
ImportError need no naming) with a message that names the argument. It may raise what the value itself raises.
It takes at most `LIMIT` seconds, and the process no more than `MEMORY` bytes beside those it began with.
"""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import functools
import inspect
import io
import itertools
import math
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import valid_calls
import written_calls

import meiro
from meiro._utils import memory

if TYPE_CHECKING:
    from campaign import Campaign

LIMIT = 10.0  # seconds of an attempt
SILENT = 50.0  # seconds after which an attempt that does not hear its alarm ends the process
MEMORY = 3 << 30  # bytes that an attempt may take
FREE = 1 << 30  # bytes that meiro believes to be free

Arguments = dict[str, Any]
Factory = Callable[[], Any]


class HostileError(Exception):
    """Raised by a value: it may pass through meiro."""


class SlowError(BaseException):
    """Raised by the alarm."""


def _raise(*_: object, **__: object) -> NoReturn:
    raise HostileError


def raising(*names: str) -> Factory:
    """Return a maker of objects whose special methods of these names raise."""
    return type(f"Raises_{'_'.join(name.strip('_') for name in names)}", (), dict.fromkeys(names, _raise))


def answering(name: str, answer: object) -> Factory:
    """Return a maker of objects with one special method, which answers this."""
    return type(f"Answers_{name.strip('_')}", (), {name: lambda *_: answer})


EndlessSequence = type("EndlessSequence", (), {"__len__": lambda _: 1 << 62, "__getitem__": lambda *_: 0})
NoMapping = type("NoMapping", (Mapping,), dict.fromkeys(("__getitem__", "__iter__", "__len__"), _raise))


class Integer(int):
    """An integer of a subclass."""


class Text(str):
    """A string of a subclass."""

    __slots__ = ()


class Array(np.ndarray[Any, Any]):
    """An array of a subclass."""


def _itself() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


def _nested(depth: int) -> list[Any]:
    inside: list[Any] = [1]
    for _ in range(depth):
        inside = [inside]
    return inside


def _closed_file() -> Any:
    with Path(os.devnull).open("rb") as file:
        pass
    return file


def _memmap() -> Any:
    Path("memmap").write_bytes(bytes(9))
    return np.memmap("memmap", np.uint8, "r", shape=(3, 3))


def _object_array(value: object) -> Any:
    array = np.empty((2, 2), object)
    array[...] = value
    return array


def _read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


BIG = 10**400
LITERALS: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, 7, 255, 1000, BIG, -BIG, 10**5000, Ellipsis, NotImplemented),
    *(2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1),
    *(0.0, -0.0, 0.5, 1.0, 1.5, -1.0, 1e308, 5e-324, math.nan, math.inf, -math.inf, 1j, complex(math.nan, 0)),
    *(Fraction(1, 2), Fraction(BIG), Fraction(1, BIG), Decimal("0.5"), Decimal("sNaN"), Decimal("NaN")),
    *(Decimal("Infinity"), Decimal("1e400"), Decimal("1e999999")),
    *("", "x", "0", "wilson", "all", "random", "\ud800", "\0", "\x1b[2J\r\n", "\uff11", "\u0661", "{}", "%s"),
    *(b"", b"x", b"\xff\0", Path(), Path("missing/x"), Path(os.devnull), slice(None), slice(None, None, 0)),
    *(slice(2**70), slice("a", "b"), range(0), range(5), range(10**18), range(2**70), frozenset(), int, len),
    *(np.True_, np.int8(-1), np.uint64(2**64 - 1), np.float16(math.nan), np.longdouble(1), np.str_("x")),
    *(np.bytes_(b"x"), np.complex128(1j), np.datetime64("NaT"), np.timedelta64(5), np.int64(2), np.nan, np),
]
MADE: dict[str, Factory] = {
    "a million letters": lambda: "x" * 10**6,
    "a million bytes": lambda: bytes(10**6),
    "bytearray": lambda: bytearray(b"xy"),
    "memoryview": lambda: memoryview(b"xy"),
    "object": object,
    "closed file": _closed_file,
    "BytesIO": lambda: io.BytesIO(b"x"),
    "[]": list,
    "{}": dict,
    "set": lambda: {1, 2},
    "[[]]": lambda: [[]],
    "[None]": lambda: [None],
    "[1, 'a']": lambda: [1, "a"],
    "ragged": lambda: [[1], [2, 3]],
    "[nan, inf]": lambda: [math.nan, math.inf],
    "[BIG, 0]": lambda: [BIG, 0],
    "[2**64, -1]": lambda: [2**64, -1],
    "[sNaN, sNaN]": lambda: [Decimal("sNaN")] * 2,
    "['a', lone surrogate]": lambda: ["a", "\ud800"],
    "strings": lambda: ["#.#", "..."],
    "strings of two lengths": lambda: ["#.#", "."],
    "nested 60 deep": lambda: _nested(60),
    "nested 5000 deep": lambda: _nested(5000),
    "contains itself": _itself,
    "a million zeros": lambda: [0] * 10**6,
    "dict": lambda: {"a": 1},
    "dict of tuples": lambda: {(0, 0): math.nan},
    "mapping that raises": NoMapping,
    "generator": lambda: (i for i in range(3)),
    "generator that raises": lambda: (_raise() for _ in range(3)),
    "count": itertools.count,
    "repeat": lambda: itertools.repeat((0, 0)),
    "repeat of strings": lambda: itertools.repeat("x"),
    "repeat of mazes": lambda: itertools.repeat(written_calls.maze()),
    "endless sequence": EndlessSequence,
    "function": lambda: lambda *_, **__: None,
    "function that raises": lambda: _raise,
    **{
        f"raises in {name}": raising(name)
        for name in (
            *("__index__", "__len__", "__iter__", "__array__", "__eq__", "__repr__", "__float__", "__bool__"),
            *("__hash__", "__fspath__", "__getitem__", "__str__", "__int__", "__class_getitem__"),
        )
    },
    "raises in everything": raising(
        *("__index__", "__len__", "__iter__", "__array__", "__eq__", "__repr__", "__float__", "__bool__")
    ),
    "__index__ of 1": answering("__index__", 1),
    "__index__ of 'x'": answering("__index__", "x"),
    "__len__ of -1": answering("__len__", -1),
    "__float__ of 'x'": answering("__float__", "x"),
    "__array__ of a list": answering("__array__", [1]),
    "__fspath__ of 3": answering("__fspath__", 3),
    "integer of a subclass": lambda: Integer(2),
    "string of a subclass": lambda: Text("x"),
    **{
        f"array of {kind}": partial(np.ones, (3, 3), kind)
        for kind in (
            *("bool", "i1", "u1", "i8", "u8", "f2", "f4", "f8", "g", "c16", "S1", "U1", "S0", ">i4", ">f8"),
            *(">u2", "M8[s]", "m8[s]", "V3", "O", "i4,f8"),
        )
    },
    **{
        f"empty array {shape}": partial(np.zeros, shape)
        for shape in ((0,), (0, 0), (0, 5), (5, 0), (0, 2), (1, 0, 2))
    },
    "array of the largest": lambda: np.full((3, 3), 2**64 - 1, np.uint64),
    "array of the smallest": lambda: np.full((3, 3), -(2**63)),
    "array of NaN": lambda: np.full((3, 3), math.nan),
    "array of 2**63 as floats": lambda: np.full((4, 5), 2.0**63),
    "array of 0 dimensions": lambda: np.array(1),
    "array of an object": lambda: np.array(object()),
    "objects": lambda: _object_array(object()),
    "objects that raise": lambda: _object_array(raising("__eq__", "__index__", "__float__", "__lt__")()),
    "array of objects of BIG": lambda: _object_array(BIG),
    "array of one": lambda: np.ones(1),
    "array of shape (1, 1)": lambda: np.ones((1, 1), int),
    "array of 3 dimensions": lambda: np.ones((2, 2, 2), np.uint8),
    "array of 40 dimensions": lambda: np.ones((1,) * 40),
    "array of pairs": lambda: np.array([[0, 0], [0, 1]]),
    "array read-only": lambda: _read_only(np.ones((3, 4), np.uint8)),
    "array strided": lambda: np.ones((8, 10), np.uint8)[::2, ::-2],
    "array of 2^20 x 2^20 bytes": lambda: np.broadcast_to(np.uint8(1), (1 << 20, 1 << 20)),
    "array of 2^20 x 2^20 floats": lambda: np.broadcast_to(1.0, (1 << 20, 1 << 20)),
    "array of 2^40": lambda: np.broadcast_to(1, (1 << 40,)),
    "array of 2^40 pairs": lambda: np.broadcast_to(1, (1 << 40, 2)),
    "array of 2^40 texts": lambda: np.broadcast_to("x", (1 << 40,)),
    "masked": lambda: np.ma.masked_array(np.ones((3, 3)), [[True, False, False]] * 3),
    "masked constant": lambda: np.ma.masked,
    "masked integers": lambda: np.ma.masked_array([0, 1], [True, False]),
    "memmap": _memmap,
    "matrix": lambda: np.ones((3, 3), int).view(np.matrix),
    "array of a subclass": lambda: np.ones((3, 3), int).view(Array),
    "recarray": lambda: np.rec.array([(1, 2.0)]),
    "polynomial": lambda: np.polynomial.Polynomial([1, 2]),
    "RandomState": lambda: np.random.RandomState(1),  # the legacy one is the point
    "Generator": lambda: np.random.default_rng(1),
    "SeedSequence": lambda: np.random.SeedSequence(1),
    "Seed": lambda: meiro.Seed((2**64 - 1, 0), 2**64 - 1),
    "maze": written_calls.maze,
    "maze 1 x 1": lambda: meiro.Maze([[0]]),
    "maze with a mask": lambda: meiro.generate(mask=written_calls.MASK, shape=(3, 3), rng=1),
    "maze that wraps": lambda: meiro.generate((4, 5), "kruskal", wrap=(True, True), rng=1),
    "maze in parts": lambda: meiro.Maze([[2, 8, 0]]),
    "list of mazes": lambda: [written_calls.maze()],
    "batch": written_calls.batch,
    "batch of none": lambda: meiro.generate_many((2, 2), n=0),
    "solution": lambda: meiro.solve(written_calls.maze()),
    "solution of a larger maze": lambda: meiro.solve(meiro.generate((9, 9), rng=1)),
    "solution without a path": lambda: meiro.solve(
        written_calls.maze(), algorithm="random_mouse", max_steps=1, rng=1
    ),
    "solutions": lambda: written_calls.batch().solve(),
    "table": written_calls.table,
    "empty table": meiro.Table,
    "trace": written_calls.trace,
    "frame": lambda: written_calls.trace()[0],
    "registry": lambda: meiro.ALGORITHMS,
    "eller rows": written_calls.eller_rows,
    "law": lambda: meiro.law((2, 2), "wilson"),
}


def _name(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # too many digits
        text = "10**5000"
    return text if len(text) < 50 else f"{text[:40]}...{text[-6:]}"


def _constant(value: object) -> Factory:
    return lambda: value


VALUES: dict[str, Factory] = {**{_name(value): _constant(value) for value in LITERALS}, **MADE}
FIRST = [*map(_name, LITERALS[:60]), "raises in __index__", "integer of a subclass", "masked constant"]
NAMES = ("missing/a", "\ud800a", "\0a", "\x1b[2J\na", "x" * 300, "y" * 240, "\u8ff7" * 80)
DTYPES = ("f2", "f8", "c16", "O", "U1", "S1", ">i8", "M8[s]")


def nearly(valid: Any) -> dict[str, Callable[[Any], Any]]:
    """Return functions that make a wrong value of a valid one: another path, pair or array."""
    found: dict[str, Callable[[Any], Any]] = {}
    if isinstance(valid, Path):
        found |= {f"path {_name(name)}": partial(_renamed, name) for name in NAMES}
        found |= {"a folder": _folder, "bytes of the path": os.fsencode}
        found |= {"an empty file": partial(_written, b""), "a file of zeros": partial(_written, bytes(99))}
    elif isinstance(valid, str):
        found |= {"capitals": str.upper, "with a zero": lambda text: text + "\0", "encoded": str.encode}
    elif isinstance(valid, tuple | list) and valid:
        found |= {f"first {name}": partial(_first, name) for name in FIRST}
        found |= {"one more": lambda v: type(v)([*v, v[-1]]), "one less": lambda v: v[:-1]}
        found |= {"as an iterator": iter, "as a set": set}
    with contextlib.suppress(TypeError, ValueError):
        array = np.asarray(valid)
        if array.ndim and array.dtype.kind in "biuf":
            found |= {f"as {kind}": partial(np.asarray, dtype=kind) for kind in DTYPES}
            found |= {
                "as masked": lambda v: np.ma.masked_array(np.asarray(v), _is_first(v)),
                "as matrix": lambda v: np.asarray(v).view(np.matrix),
                "with NaN": lambda v: np.where(_is_first(v), math.nan, v),
                "with 2**63": lambda v: np.where(_is_first(v), 2**63, np.asarray(v).astype("u8")),
                "of one more dimension": lambda v: np.asarray(v)[None],
                "transposed": lambda v: np.asarray(v).T,
                "strided": lambda v: np.repeat(v, 2, 0)[::2],
                "read-only": lambda v: _read_only(np.array(v)),
                "of one row more": lambda v: np.concatenate([v, np.asarray(v)[-1:]]),
            }
    return found


def _renamed(name: str, path: Path) -> str:
    return name + path.suffix


def _folder(path: Path) -> Path:
    folder = path.with_name("folder" + path.suffix)
    folder.mkdir()
    return folder


def _written(data: bytes, path: Path) -> Path:
    other = path.with_name("written" + path.suffix)
    other.write_bytes(data)
    return other


def _first(name: str, valid: Any) -> Any:
    return type(valid)([VALUES[name](), *valid[1:]])


def _is_first(valid: Any) -> Any:
    return np.arange(np.size(valid)).reshape(np.shape(valid)) == 0


class Attempt(NamedTuple):
    """One argument of a call is replaced by one value."""

    call: valid_calls.Call
    parameter: str
    value: str


def attempts() -> list[Attempt]:
    """Return everything there is to try, in the order of the table."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for _, group in itertools.groupby(valid_calls.calls(), lambda call: call.name):
            several = list(group)
            given = [call.arguments(Path(tempfile.mkdtemp(dir=folder))) for call in several]
            for parameter in _parameters(several[0], given):
                which = next((i for i, arguments in enumerate(given) if parameter in arguments), 0)
                call, arguments = several[which], given[which]
                values = [*VALUES, *nearly(arguments.get(parameter))]
                found += [Attempt(call, parameter, value) for value in values]
    return found


def _parameters(call: valid_calls.Call, given: list[dict[str, Any]]) -> list[str]:
    found = dict.fromkeys(itertools.chain(*given))
    with contextlib.suppress(ValueError):
        for parameter in inspect.signature(call.bind()).parameters.values():
            if parameter.kind not in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
                found[parameter.name] = None
    return list(found) if "__getitem__" in call.name or "__" not in call.name else []


# Words that name an argument as well as its name does.
SYNONYMS = {
    "file": ("picture", "grid"),  # of Maze.from_image: what the picture shows
    "frames": ("frame",),
    "columns": ("column",),
    "ends": ("start", "goal"),
    "i": ("maze",),
    "maze": ("start", "goal"),  # the other arguments may not fit it
    "shapes": ("shape",),
    "solutions": ("solution",),
    "text": ("line",),
    "threshold": ("grid",),
    "x": ("grid", "start", "goal", "sources"),  # what it lacks
}
SUBSCRIPTS = ("frame", "frames", "maze", "batch", "column", "rows", "name", "slice")
RUN = {"progress", "condition", "executor", "sampler"}  # a callable here raises what it likes
WORK = {"n", "steps", "max_steps", "tries", "chunks"}  # asks for work without end, which Ctrl-C ends
UNUSED = {"argument", "name", "rng"}  # not looked at when nothing is random, or nothing is wrong
ALWAYS = (TypeError, ValueError, MemoryError, ImportError)


@functools.cache
def documented(call: valid_calls.Call) -> tuple[type[BaseException], ...]:
    """Return the exceptions that a docstring names under Raises, and those that need no naming."""
    function = call.bind()
    text = inspect.getdoc(function) or ""
    section = re.search(r"Raises\n-+\n(.*?)(\n\n[A-Z][^\n]*\n-+\n|$)", text, re.DOTALL)
    names = re.findall(r"\b[A-Z]\w*Error\b", section[1] if section else "")
    kinds = [getattr(builtins, name, None) for name in names]
    paths = {"path", "file", "picture", "pattern", "out"} & set(_parameters(call, [{}]))
    lookup = [LookupError] if "__getitem__" in call.name or "frame=" in call.name else []
    return (*ALWAYS, *(kind for kind in kinds if kind), *([OSError] if paths else []), *lookup)


def judge(attempt: Attempt, arguments: Arguments, error: BaseException) -> str:
    """Return what is wrong with an exception; empty if nothing is."""
    value = arguments[attempt.parameter]
    foreign = (attempt.parameter in RUN and callable(value)) or isinstance(value, io.IOBase)
    if foreign or any(isinstance(one, HostileError) for one in _chain(error)):
        return ""
    message = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    if isinstance(error, meiro.NoPathError):  # which names the ends
        return ""
    if not isinstance(error, documented(attempt.call)):
        return message
    return "" if _names(attempt, arguments, error) else f"its message does not name the argument: {message}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _names(attempt: Attempt, arguments: Arguments, error: BaseException) -> bool:
    """Return whether an exception names the argument, or the file or the word that it holds."""
    value, message = arguments[attempt.parameter], str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return True
    if isinstance(error, MemoryError) and re.search(r"takes? [\d,]+ bytes", message):
        return True
    if isinstance(value, str | Path) and (
        repr(str(value))[:30] in message or (len(str(value)) > 3 and str(value)[:30] in message)
    ):
        return True
    # An array that is valid in itself may not fit the other arguments: then one of those is named.
    words = {attempt.parameter, *arguments, *SYNONYMS.get(attempt.parameter, ())}
    if "__getitem__" in attempt.call.name:
        words |= {*SUBSCRIPTS}
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) for word in words)


def run(campaign: Campaign) -> None:
    """Try every value as every argument, in an order of the seed."""
    os.environ["MPLBACKEND"] = "Agg"
    everything = attempts()
    random.Random(campaign.seed).shuffle(everything)
    campaign.prepared()
    memory.available = lambda: FREE
    used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    signal.signal(signal.SIGALRM, _alarm)
    slowest = (0.0, "")
    armed = -SILENT
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "used")
        for attempt in everything:
            if campaign.time_left() <= 0:
                break
            folder.mkdir(exist_ok=True)
            os.chdir(folder)
            if time.monotonic() - armed > LIMIT:
                faulthandler.dump_traceback_later(SILENT, exit=True)
                armed = time.monotonic()
            what = f"{attempt.call.name}({attempt.parameter}={attempt.value})"
            campaign.attempt(what)
            slowest = max(slowest, (_try(campaign, attempt, what, folder), what))
            if pyplot := sys.modules.get("matplotlib.pyplot"):
                pyplot.close("all")
            os.chdir(name)
            if any(folder.iterdir()):
                shutil.rmtree(folder)
        faulthandler.cancel_dump_traceback_later()
        os.chdir("/")
    campaign.note("of all attempts", len(everything))
    campaign.note("slowest", f"{slowest[0]:.1f} s: {slowest[1]}")


def _try(campaign: Campaign, attempt: Attempt, name: str, folder: Path) -> float:
    """Make one attempt and return its seconds."""
    function, arguments = attempt.call.prepare(folder)
    valid = arguments.get(attempt.parameter)
    try:
        if attempt.value in VALUES:
            arguments[attempt.parameter] = VALUES[attempt.value]()
        else:
            with np.errstate(all="ignore"):  # casts that overflow
                arguments[attempt.parameter] = nearly(valid)[attempt.value](valid)
    except (TypeError, ValueError):  # there is no such array, set ...
        return 0.0
    began = time.perf_counter()
    try:
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.filterwarnings("error", category=RuntimeWarning, module="meiro")
            signal.setitimer(signal.ITIMER_REAL, LIMIT)
            try:
                valid_calls.use(function(**arguments))
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        if attempt.value in {"masked", "as masked"} and not _honours_masks(attempt):
            campaign.found("wrong answer", f"{name}: the mask of a numpy.ma array is passed over")
    except SlowError:
        if attempt.parameter in WORK:
            return LIMIT
        campaign.found("hang", f"{name}: more than {LIMIT:g} s")
    except BaseException as error:  # noqa: BLE001  # whatever there is
        if wrong := judge(attempt, arguments, error):
            campaign.found("undocumented exception", f"{name}: {wrong}")
    return time.perf_counter() - began


def _honours_masks(attempt: Attempt) -> bool:
    return attempt.parameter in {"x", "grid", "initial", "maze", "values", "labels", "batch", *UNUSED}


def _alarm(*_: object) -> NoReturn:
    raise SlowError
