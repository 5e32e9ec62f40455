"""``meiro completion``: what a shell offers when Tab is pressed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from meiro.cli.arguments import generate_parser
from meiro.cli.main import COMMANDS
from meiro.cli.shared.parser import command_parser
from meiro.registry import ALGORITHMS, MEASURES, SOLVERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_EXAMPLES = """\
  source <(meiro completion bash)        in ~/.bashrc
  source <(meiro completion zsh)         in ~/.zshrc
  meiro completion fish > ~/.config/fish/completions/meiro.fish
"""
_BASH = """\
_meiro() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    case $before in
        -a|--algorithm) COMPREPLY=($(compgen -W "ALGORITHMS" -- "$word")); return ;;
        --solver) COMPREPLY=($(compgen -W "SOLVERS" -- "$word")); return ;;
        --best|-m|--measures) COMPREPLY=($(compgen -W "MEASURES" -- "$word")); return ;;
    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "OPTIONS" -- "$word")) ;;
        *) if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W "COMMANDS" -- "$word")); fi
           COMPREPLY+=($(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _meiro meiro
"""
_FISH = """\
complete -c meiro -n __fish_use_subcommand -a "COMMANDS"
complete -c meiro -s a -l algorithm -x -a "ALGORITHMS"
complete -c meiro -l solver -x -a "SOLVERS"
complete -c meiro -l best -x -a "MEASURES"
complete -c meiro -s m -l measures -x -a "MEASURES"
"""


def run(command: str, words: Sequence[str]) -> int:
    """Print the script of a shell."""
    parser = command_parser(command, "Print what completes the command in a shell.", _EXAMPLES)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")
    args = parser.parse_args(words)
    texts: dict[str, Iterable[str]] = {
        "ALGORITHMS": ALGORITHMS,
        "SOLVERS": SOLVERS,
        "MEASURES": MEASURES,
        "OPTIONS": generate_parser().option_words(),
        "COMMANDS": COMMANDS,
    }
    script = _FISH if args.shell == "fish" else _BASH
    print(
        "autoload -U +X bashcompinit && bashcompinit\n" if args.shell == "zsh" else "",
        re.sub("|".join(texts), lambda found: " ".join(texts[found[0]]), script),
        sep="",
        end="",
    )
    return 0
