"""Parts of error messages and reprs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def printable(text: str) -> str:
    """Return a text with its control characters, and others that are not printable, escaped as by repr."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def short_repr(value: object) -> str:
    """Return ``repr(value)``, cut to what fits an error message; the type of a value whose repr fails."""
    try:
        if isinstance(value, int):  # Python may refuse to write the digits of a long one
            bits = value.bit_length()
            return repr(value) if bits <= 400 else f"a number of {bits:,} bits"
        text = repr(value)
    except Exception:  # noqa: BLE001  # the message is about another mistake
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


_RIGHT_WORDS = {
    **dict.fromkeys(("seed", "random_state", "random_seed"), "rng"),
    **dict.fromkeys(("rng", "random-state", "random-seed"), "seed"),  # options of the command
    **dict.fromkeys(("end", "target", "stop", "finish", "exit"), "goal"),
    **dict.fromkeys(("source", "begin", "entrance"), "start"),
    **dict.fromkeys(("solver", "method", "algo"), "algorithm"),
    **dict.fromkeys(("size", "dims", "dimensions"), "shape"),
    **dict.fromkeys(("count", "num", "number", "n_mazes"), "n"),
    **dict.fromkeys(("path", "route"), "solution"),
    **dict.fromkeys(("n_jobs", "workers", "jobs"), "threads"),
    **dict.fromkeys(("width", "height", "rows", "cols", "lattice"), "shape"),
    **dict.fromkeys(("diagonal", "diagonals", "allow_diagonal", "fully_connected"), "moves"),
    **dict.fromkeys(("cost", "costs"), "weights"),
    **dict.fromkeys(("max_steps", "max_episode_steps"), "time_limit"),
    "axes": "ax",
}
_NO_ARGUMENTS = {"options", "unknown", "return"}
_FIGSIZE = ": plt.subplots(figsize=(8, 6)) makes axes of that size, which plot takes as ax="


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence: ``"a, b and c"``."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def right_word(word: str, takes: Iterable[str]) -> str:
    """Return a hint for an argument that is not taken: the word that is, or nothing."""
    import difflib

    known = [name for name in takes if name != word]
    right = _RIGHT_WORDS.get(word, "")
    near = [right] if right in known else difflib.get_close_matches(word, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def held(x: object, name: str) -> str | None:
    """Return what a result of this library holds that may be meant: the maze, or the array, of ``x``."""
    kind = type(x).__name__
    if type(x).__module__.partition(".")[0] != "meiro" or kind == "Maze":
        return None
    part = next((part for part in ("maze", "walls", "grid") if hasattr(x, part)), None)
    return part and f"{name} is {'an' if kind[0] in 'AEIO' else 'a'} {kind}: take {name}.{part}"


def refuse_unknown(function: str, given: Iterable[str], takes: Iterable[str]) -> None:
    """Raise a TypeError for the first keyword that a function does not take, with the right word or all."""
    for word in given:
        hint = _FIGSIZE if word == "figsize" and "ax" in takes else right_word(word, takes)
        hint = hint or f"; it takes {listed(one for one in takes if one not in _NO_ARGUMENTS)}"
        raise TypeError(f"{function} takes no argument {word!r}{hint}")


def refuse_change(frozen: object, name: str, _value: object = None) -> NoReturn:
    """Refuse to set or delete an attribute: the ``__setattr__`` and ``__delattr__`` of frozen classes."""
    raise AttributeError(
        f"a {type(frozen).__name__} does not change: make a new one instead of setting {name!r}"
    )


@contextmanager
def requires_extra(extra: str, package: str) -> Iterator[None]:
    """Import an optional package in this block: if it is not installed, the error names the extra."""
    try:
        yield
    except ImportError as e:
        raise ImportError(f"this needs {package}: pip install 'meiro[{extra}]'") from e


@contextmanager
def invalid_as(prefix: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise a ValueError for each of the errors inside, with a prefix to its message.

    A TimeoutError passes: it is an OSError, but that of a signal handler of the user.
    """
    try:
        yield
    except TimeoutError:
        raise
    except errors as e:
        raise ValueError(f"{prefix}: {e}") from e


def describe_size(rows: int, cols: int, wrap: tuple[bool, bool] = (False, False)) -> str:
    """Return the size and topology of a maze in words."""
    size = f"{rows} row{'s' * (rows != 1)} x {cols} col{'s' * (cols != 1)}"
    names = ("", "cylinder (cols wrap)", "cylinder (rows wrap)", "torus")
    return ", ".join(filter(None, (size, names[2 * wrap[0] + wrap[1]])))
