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
from pathlib import Path
from typing import Any, NoReturn

from msat import __version__
from msat.cli.helptext import HelpFormatter
from msat.errors import BudgetExceeded, MsatError
from msat.wording import as_option, install, naming, shorten, visible

__all__ = ["main"]

COMMANDS = (
    *("solve", "hint", "explain", "sample", "encode"),  # about a board
    *("generate", "play", "watch", "review", "convert", "tui", "serve"),  # about a game
    *("sim", "sweep", "compare", "report", "bench", "warm"),  # about many games
)
"""Each is a module of `msat/cli/`, in the order of the help."""

_LONGEST_LINE = 900
"""Characters of a complaint: what it repeats of its input may be endless."""

_LONGEST_NUMBER = 1_000_000
"""Digits of a number that may be printed: a blank 200×200 board has layouts by the 10^12,000."""

_EPILOG = """\
examples:
  msat solve '??1/3?2/??? 3'           what is safe here, and how likely is a mine elsewhere?
  msat generate --preset expert --board | msat solve -
  msat play --preset expert --seed 7   watch a game being solved
  msat sim --games 1000                many games, and every statistic

exit status: 0 done, 2 bad input, 3 budget exceeded, 130 interrupted
'msat COMMAND --help' says more about each command.
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


def _misused(command: str, message: str) -> NoReturn:
    _complain(f"{message} ('{command} --help' shows what is possible)")
    raise SystemExit(2)


def _complain(message: object) -> None:
    line = visible(" ".join(str(message).split("\n")))
    print("msat:", line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…", file=sys.stderr)


def _way_to(package: str) -> str:
    """How to get at a package that is missing, from where the user stands."""
    home = Path(__file__).parents[1]
    ready = home / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "msat"
    shown = str(ready).removeprefix(os.getcwd() + os.sep)
    if ready.exists():
        return f"{shown} is set up with all of them"
    if (home / "Makefile").exists():
        folder = "" if home == Path.cwd() else f" -C {home}"
        return f"'make{folder} play' sets up {shown}, which has all of them"
    return install(package)


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
            words = list(sys.argv[1:] if argv is None else argv)
            args, unknown = _build_parser(_needed(words)).parse_known_args(words)
            if unknown:  # said here, where it is known which command's help to point to
                _misused(f"msat {args.command}", f"unrecognized arguments: {' '.join(unknown)}")
            with naming(as_option):
                status: int = args.run(args)
        finally:
            sys.stdout.flush()  # here, where a reader that went away is noticed and dealt with
    except BudgetExceeded as error:
        _complain(error)
        return 3
    except MsatError as error:
        _complain(error)
        return 2
    except ModuleNotFoundError as missing:
        module = (missing.name or "").partition(".")[0]
        if module in ("", "msat"):
            raise
        package = _PACKAGES.get(module, module)
        _complain(f"this Python lacks the package {package}: {_way_to(package)}")
        return 2
    except BrokenPipeError:
        # Python flushes stdout once more at exit; there must be something that takes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        _complain(f"{error.filename!r}: {error.strerror}" if error.filename else error)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        sys.set_int_max_str_digits(digits)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
