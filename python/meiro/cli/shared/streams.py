"""Standard input and output instead of files, ``-``; notes on standard error."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from meiro._utils.messages import printable
from meiro._utils.progress import Bar

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


def is_stream(name: str | None) -> bool:
    """Return whether a name is that of a standard stream: ``-``, or ``-.svg`` for a format."""
    return name is not None and (name == "-" or name.startswith("-."))


@contextmanager
def input_file(name: str) -> Iterator[str]:
    """Give a file that can be read by its suffix; errors of a pipe name standard input."""
    if not is_stream(name):
        yield name
        return
    if sys.stdin is None:
        raise ValueError("-: there is no standard input")
    from meiro.io.files import input_path  # needs NumPy

    with input_path(sys.stdin.buffer, None, "standard input") as path:
        yield path


@contextmanager
def output_file(name: str) -> Iterator[str]:
    """Give a file to be written; for ``-`` it is copied to standard output when it is complete."""
    if not is_stream(name):
        yield name
        return
    suffix = name[1:] or ".npz"
    if sys.stdout is None:
        raise ValueError("-: there is no standard output")
    if sys.stdout.isatty() and suffix in {".npz", ".npy", ".png", ".pdf"}:
        raise ValueError(f"-: {suffix} is not for a terminal: write a file, or a pipe")
    from meiro.io.files import output_path  # needs NumPy

    with output_path(sys.stdout.buffer, suffix, "standard output") as path:
        yield path
        sys.stdout.flush()
    sys.stdout.buffer.flush()


def progress_bar(args: argparse.Namespace) -> AbstractContextManager[Bar | bool]:
    """Return a progress bar on standard error, which appears after a second and is erased at the end."""
    if args.quiet or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext(False)  # noqa: FBT003
    return closing(Bar(sys.stderr, after=1.0))


def note(line: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(printable(line), file=sys.stderr, flush=True)
