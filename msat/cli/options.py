"""Options that several sub-commands share: which layout to make."""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from collections.abc import Callable, Iterable
from typing import TypeAlias

from msat.board import PRESETS, Cell, preset
from msat.cells import default_start, read_cell
from msat.constants import DAY
from msat.errors import LayoutError
from msat.layout import Layout
from msat.questions.judging import WAYS

__all__ = [
    "STRATEGY_HELP",
    "Subparsers",
    "add_layout_options",
    "add_marks_option",
    "add_no_guess_options",
    "add_parameters",
    "add_size_options",
    "add_start_options",
    "cell",
    "duration",
    "listed",
    "make_layout",
    "pace",
    "parameters_of",
    "positive",
    "size",
    "strategy_names",
    "whole",
]

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # it has no public name


def add_layout_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which layout to make; `make_layout` reads them."""
    group = parser.add_argument_group("the layout")
    add_size_options(group)
    group.add_argument("--seed", type=whole, metavar="N", help="same seed, same layout (default: random)")
    group.add_argument(
        "--rng", choices=["pcg", "kiss"], default="pcg", help="numpy's PCG64 (default), or 64-bit KISS"
    )
    group.add_argument("--index", type=whole, metavar="K", help="kiss only: which layout of the seed, from 0")
    add_start_options(group)


def add_size_options(group: argparse._ArgumentGroup) -> None:
    """Add `--preset` and `--size`, of which one may be given."""
    shape = group.add_mutually_exclusive_group()
    shape.add_argument("--preset", metavar="P", help=f"{', '.join(PRESETS)} (default: expert)")
    shape.add_argument("--size", type=size, metavar="HxWxM", help="height, width and mines, such as 16x30x99")


def add_start_options(group: argparse._ArgumentGroup) -> None:
    """Add `--start` and `--first`: the first click, and what it is sure to find."""
    group.add_argument("--start", type=cell, metavar="R,C", help="the first click (default: near a corner)")
    group.add_argument(
        "--first",
        choices=["open", "safe", "any"],
        help="what is free of mines: the 3×3 around the start ('open', default), it alone ('safe'), neither",
    )


def add_no_guess_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for layouts that need no guess; `make_layout` reads them."""
    parser.add_argument("--no-guess", action="store_true", help="only a layout that logic alone solves")
    parser.add_argument(
        "--difficulty",
        metavar="NAME",
        help="with --no-guess: as hard as gentle (one number at a time), normal (two), tricky (sums of "
        "three to five), hard (case by case) or fiendish (the mine count)",
    )


class Listing:
    """Names for a help text, `%(known)s`, looked up when it is printed: only then may it cost an import."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def __str__(self) -> str:
        return ", ".join(self._names())


def listed(action: argparse.Action, names: Callable[[], Iterable[str]]) -> None:
    """Let the help of an option name what it accepts, where it says `%(known)s`."""
    vars(action)["known"] = Listing(names)  # argparse fills a help text with the attributes of its action


def strategy_names() -> tuple[str, ...]:
    """The players that msat brings along."""
    from msat.strategies import names

    return names()


STRATEGY_HELP = "who plays: NAME, NAME:key=value,… or module:Class of your own"


def add_parameters(parser: argparse._ActionsContainer) -> None:
    """Add `--param`, which `parameters_of` reads."""
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the strategy (may be repeated)",
    )


def parameters_of(args: argparse.Namespace) -> dict[str, str]:
    """The parameters that `--param NAME=VALUE` give."""
    from msat.strategies.naming import settings_of

    return settings_of(args.param, "--param")


def add_marks_option(parser: argparse.ArgumentParser) -> None:
    """Add `--marks`, which `msat.questions.judging.judge` reads."""
    parser.add_argument(
        "--marks",
        choices=WAYS,
        default=WAYS[0],
        help="marks on the board: judge them by the numbers (default), or take all of them for mines",
    )


def positive(text: str) -> float:
    """A number above 0, such as a time or a speed."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0, such as 4 or 0.5")
    return number


def duration(text: str) -> float:
    """A time to think in: seconds, up to a day."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= DAY:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time to think: expected seconds above 0, such as 5, up to {DAY:,}"
        )
    return seconds


def whole(text: str) -> int:
    """A whole number."""
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, such as 10")
    return int(text)


def pace(text: str) -> float:
    """A speed: 0, which is as fast as it goes, or more."""
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0 <= speed < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no speed: give moves a second, or 0 for no waiting")
    return speed


def make_layout(args: argparse.Namespace) -> Layout:
    """The layout that the options describe; a seed drawn for it is told on stderr."""
    height, width, mines = args.size or preset(args.preset or "expert")
    start = args.start or default_start(height, width)
    if args.rng == "kiss" and args.first not in (None, "open"):
        raise LayoutError(
            f"--first {args.first} needs --rng pcg: kiss always keeps the 3×3 at the start free"
        )
    if args.rng != "kiss" and args.index is not None:
        raise LayoutError(f"--index {args.index} needs --rng kiss: other generators have one layout per seed")
    difficulty = getattr(args, "difficulty", None)
    no_guess = getattr(args, "no_guess", False) or difficulty is not None
    if no_guess and args.rng == "kiss":
        raise LayoutError(
            "--no-guess needs --rng pcg: kiss only makes its 300,000 published puzzles (docs/sources.md)"
        )
    drawn = args.seed is None
    if drawn:
        args.seed = secrets.randbits(32)  # for all that is random: told below, it repeats the whole game
    seed = args.seed
    if no_guess:
        first = args.first or "open"
        budget = getattr(args, "budget", None)
        from msat.arena.no_guess import no_guess_layout
        from msat.cli.progress import StepsProgress

        with StepsProgress("layouts", patience=1.0) as progress:
            layout = no_guess_layout(
                height, width, mines, seed, start, first, difficulty, budget, progress=progress
            )
    elif args.rng == "kiss":
        layout = Layout.kiss(height, width, mines, seed=seed, index=args.index or 0, start=start)
    else:
        layout = Layout.random(height, width, mines, seed=seed, start=start, first=args.first or "open")
    if drawn:
        print(f"msat: a random layout; --seed {seed} repeats it", file=sys.stderr)
    return layout


def size(text: str) -> tuple[int, int, int]:
    """Height, width and mines, written 16x30x99."""
    if not re.fullmatch(r"\d{1,6}[x×]\d{1,6}[x×]\d{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: expected HEIGHTxWIDTHxMINES such as 16x30x99")
    height, width, mines = map(int, re.split("[x×]", text))
    return height, width, mines


def cell(text: str) -> Cell:
    """A cell, written as row and column in any way in which msat prints it."""
    found = read_cell(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no cell: expected ROW,COLUMN such as 3,3")
    return found
