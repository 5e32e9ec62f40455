"""The parsers of all commands: errors in one line, help 80 characters wide."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn

from meiro._utils.messages import right_word


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError, for an error takes one line, without the usage."""

    def __init__(self, prog: str, description: str, epilog: str, usage: str | None = None) -> None:
        super().__init__(
            prog, usage, description, epilog, formatter_class=Help, add_help=False, allow_abbrev=False
        )

    def error(self, message: str) -> NoReturn:
        """Raise ValueError with the message, and the option that an unknown one may stand for."""
        found = re.match(r"unrecognized arguments: --([\w-]+)", message)
        hint = right_word(found[1], [word[2:] for word in self.option_words()]) if found else ""
        raise ValueError(message.removeprefix("argument ") + hint.replace("'", "'--", 1))

    def option_words(self) -> list[str]:
        """Return the long names of the options, such as ``--solve``."""
        words = {word for action in self._actions for word in action.option_strings}
        return sorted(word for word in words if word.startswith("--"))


class Help(argparse.RawDescriptionHelpFormatter):
    """Pages of help 80 characters wide."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=80)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Write ``-a, --algorithm NAME``, as Python 3.13 does."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        return f"{', '.join(action.option_strings)} {self._format_args(action, '')}"


def command_parser(command: str, description: str, examples: str) -> Parser:
    """Return the parser of a command, which has nothing but ``--help`` yet."""
    parser = Parser(f"meiro {command}", description, f"examples:\n{examples}")
    parser.add_argument("-h", "--help", action="help", help="print this help")
    return parser


def road_of(args: argparse.Namespace) -> Any:
    """Return the value of a road that ``--road`` gives, the values if these are several, or None."""
    return args.road[0] if args.road and len(args.road) == 1 else args.road
