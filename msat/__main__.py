"""`python -m msat`, also installed as `msat`: choose the sub-command, run it, turn errors into one line.

Exit status: 0 done; 2 bad input; 3 the time or memory allowed was not enough; 130 interrupted by Ctrl-C;
141 the reader of the output went away.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a checkout is run by whatever Python there is
    raise SystemExit(
        f"msat: this is Python {sys.version.split()[0]}, and msat needs 3.11 or newer: "
        "'make play PYTHON=python3.12' sets up one that has all it needs"
    )

import argparse
import os
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from msat import __version__
from msat.cli.complaint import complain
from msat.cli.helptext import HelpFormatter
from msat.errors import BudgetExceeded, MsatError
from msat.installing import install
from msat.wording import as_option, naming, shorten

__all__ = ["main"]

COMMANDS = (
    *("solve", "hint", "explain", "sample", "encode"),  # about a board
    *("generate", "play", "watch", "review", "convert", "tui", "serve"),  # about a game
    *("sim", "sweep", "compare", "report", "bench", "warm"),  # about many games
)
"""Each is a module of `msat/cli/`, in the order of the help."""

_LONGEST_NUMBER = 1_000_000
"""Digits of a number that may be printed: a blank 200×200 board has layouts by the 10^12,000."""

_EPILOG = """\
examples:
  msat solve '??1/3?2/??? 3'           what is safe here, and how likely is a mine elsewhere?
  msat generate --preset expert --board | msat solve -
  msat play --preset expert --seed 7   watch a game being solved
  msat sim --games 1000                many games, and every statistic

exit status: 0 done, 2 bad input, 3 budget exceeded, 130 interrupted
'msat help COMMAND' and 'msat COMMAND --help' say more about each command.
"""


_PACKAGES = {"pysat": "python-sat", "PIL": "pillow"}
"""Packages that are not called like what is imported."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, like every other complaint of msat."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"formatter_class": HelpFormatter})

    def error(self, message: str) -> NoReturn:
        unknown = re.match(r"argument COMMAND: invalid choice: '(.*)' \(choose from (.*)\)$", message)
        if unknown is not None:
            message = _unknown_command(unknown[1], re.findall(r"[a-z]+", unknown[2]))
        _misused(self.prog, message)


def _unknown_command(given: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(given, known, 1, 0.6)
    meant = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(known)}"
    return f"unknown command {shorten(repr(given))}: {meant}"


def _unknown_words(parser: argparse.ArgumentParser, args: argparse.Namespace, words: list[str]) -> str:
    """What to say of words that no option takes: a misspelt option, or a board without quotes."""
    import difflib

    from msat.board import PRESETS

    wrong = [word.partition("=")[0] for word in words if re.match("--?[A-Za-z]", word)]
    options = _options(parser, args.command)
    if wrong:
        names = {option.lstrip("-"): option for option in options}  # dashes would make all of them alike
        near = difflib.get_close_matches(wrong[0].lstrip("-"), names, 1, 0.6)
        unknown = f"unknown option {shorten(repr(wrong[0]))}"
        return f"{unknown}: did you mean '{names[near[0]]}'?" if near else unknown
    board = getattr(args, "board", None)
    if isinstance(board, str) and not re.search(r"\s", board) and not os.path.exists(board):
        whole = shorten(" ".join([board, *words]))
        return f"a board is one argument: put it in quotes, as in '{whole}'"
    meant = f": did you mean '--preset {words[0]}'?" if words[0] in PRESETS and "--preset" in options else ""
    return f"unrecognized arguments: {' '.join(words)}{meant}"


def _options(parser: argparse.ArgumentParser, command: str) -> list[str]:
    """The options of a command."""
    [commands] = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return [option for each in commands.choices[command]._actions for option in each.option_strings]


def _as_argument(word: str) -> str:
    """A word as argparse takes it: a board that begins with hidden cells, written '-', is no option."""
    board = re.match("-[^A-Za-z]*[/|\n]", word)
    return f"{word} " if board and " " not in word else word  # a blank makes it an argument


def _misused(command: str, message: str) -> NoReturn:
    complain(f"{message} ('{command} --help' shows what is possible)")
    raise SystemExit(2)


def _build_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these commands: one command need not load the others."""
    parser = _Parser(
        prog="msat",
        description="Exact answers about Minesweeper positions.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"msat {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name in names:
        import_module(f"msat.cli.{name}").add(commands)
    return parser


def _needed(words: list[str]) -> Sequence[str]:
    """The commands that these arguments may be about."""
    if words == ["--version"]:
        return ()
    return (words[0],) if words and words[0] in COMMANDS else COMMANDS


def _stand_in_for_closed_streams() -> None:
    """Put the null device where standard input, output or errors are closed.

    Without them, the next files that are opened would get their numbers, and what is printed with them.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # for good


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    _stand_in_for_closed_streams()
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(_LONGEST_NUMBER)
    try:
        try:
            words = [_as_argument(word) for word in (sys.argv[1:] if argv is None else argv)]
            if words[:1] == ["help"]:
                words = [*words[1:2], "--help"]
            parser = _build_parser(_needed(words))
            args, unknown = parser.parse_known_args(words)
            if unknown:  # said here, where it is known which command's help to point to
                _misused(f"msat {args.command}", _unknown_words(parser, args, unknown))
            with naming(as_option):
                status: int = args.run(args)
        finally:
            sys.stdout.flush()  # here, where a reader that went away is noticed and dealt with
    except BudgetExceeded as error:
        complain(error)
        return 3
    except MsatError as error:
        complain(error)
        return 2
    except ModuleNotFoundError as missing:
        module = (missing.name or "").partition(".")[0]
        if module in ("", "msat"):
            raise
        package = _PACKAGES.get(module, module)
        complain(f"this Python lacks the package {package}: {install(package)}")
        return 2
    except BrokenPipeError:
        _let_stdout_go()
        return 141
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:  # it was this that failed, on a full disk
            _let_stdout_go()
        told = error.strerror or str(error)
        complain(f"{error.filename!r}: {told}" if error.filename else told)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        sys.set_int_max_str_digits(digits)
    return status


def _let_stdout_go() -> None:
    """Python flushes stdout once more at exit; there must be something that takes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    raise SystemExit(main())
