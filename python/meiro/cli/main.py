"""The command ``meiro``."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING

from meiro._utils.messages import right_word, short_repr
from meiro.cli.shared.streams import note
from meiro.errors import NoPathError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

COMMANDS = {
    "generate": "arguments",
    "solve": "arguments",
    "watch": "arguments",
    "play": "play",
    "measure": "measure",
    "survey": "survey",
    "convert": "convert",
    "sampler-test": "sampler_test",
    "list": "listing",
    "completion": "completion",
}
"""The module of each command, in the order of the help. It imports what needs NumPy after its arguments."""

NO_PATH, ERROR, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141

# The keyword arguments that messages name, which are options of the command, and their values.
_ALIKE = "start goal road layer scale style openings centre deskew threshold speckles"
_OPTIONS = {name: f"--{name}" for name in _ALIKE.split()} | {"posts": "--no-posts"}
_KEYWORD = re.compile(
    rf"(meiro\.\w+\(\.\.\., )?\b({'|'.join(_OPTIONS)})=(True|False|'[^']*'|\"[^\"]*\"|(?=[\w(-]))?(?(1)\))"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the name of the command; by default those of the process.

    Returns
    -------
    int
        The exit status: 0; 1 if there is no path, or a sampler does not follow its law; 2 on an error; 130
        after Ctrl-C; 141 if the reader of the output has gone.

    Examples
    --------
    >>> from meiro.cli.main import main
    >>> main(["1", "2", "--seed", "7", "--solve"])
    ┌─┐
    │S│
    │•│
    │G│
    └─┘
    steps 1
    cells 2
    0
    """
    words = list(sys.argv[1:] if argv is None else argv)
    first = words[0] if words else ""
    name = words.pop(0) if first in COMMANDS else "generate"
    try:
        if name != first and len(first) > 1 and first[0].isalpha():  # no size, and no option
            raise ValueError(  # noqa: TRY301  # printed as every error
                f"there is no command {short_repr(first)}{_other_word(first)}; meiro --help lists them"
            )
        with _interrupts_in_imports():
            status: int = import_module(f"meiro.cli.{COMMANDS[name]}").run(name, words)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _drop_output()
        return INTERRUPTED
    except (ValueError, TypeError, OverflowError, OSError, ImportError, MemoryError) as error:
        note(f"meiro: {_in_a_line(error)}")
        if isinstance(error, OSError) and error.filename is None:
            _drop_output()  # its disk is full, or its reader has gone
        return NO_PATH if isinstance(error, NoPathError) else ERROR
    return status


def _other_word(word: str) -> str:
    """Return a hint for a word that is no command."""
    from meiro.cli.on_lattice import NAMES
    from meiro.registry import ALGORITHMS

    if word in NAMES:
        return f" (a lattice is --lattice {word})"
    if word in ALGORITHMS:
        return f" (an algorithm is -a {word})"
    return right_word(word, COMMANDS)


@contextmanager
def _interrupts_in_imports() -> Iterator[None]:
    """Keep Ctrl-C what it is where an extension module that is being loaded makes an ImportError of it."""
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    handler = signal.getsignal(signal.SIGINT)
    ours = handler is signal.default_int_handler and threading.current_thread() is threading.main_thread()
    if ours:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except ImportError as error:
        if interrupted:
            raise KeyboardInterrupt from error
        raise
    finally:
        if ours:
            signal.signal(signal.SIGINT, handler)


def _in_a_line(error: Exception) -> str:
    """Return the message of an error in one line, with options instead of keyword arguments."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError) and not str(error):
        return "not enough memory"
    text = " ".join(str(error).split()).removeprefix("grid_shape: ")
    return _KEYWORD.sub(_as_option, text)


def _as_option(found: re.Match[str]) -> str:
    """Return an option of the command for a keyword argument in a message."""
    option, value = _OPTIONS[found[2]], found[3]
    if value is None or value == "True":
        return option
    if value == "False":
        return option if option.startswith("--no-") else f"no {option}"
    return f"{option} {shlex.quote(value[1:-1]) if value else ''}"


def _drop_output() -> None:
    """Discard output that is not written yet, so that the end of the process does not try again."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
