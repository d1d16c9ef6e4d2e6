"""`msat generate`: a layout, or the board that a player sees after the first click."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msat.cli.options import Subparsers, add_layout_options, make_layout
from msat.errors import LayoutError, UnknownName
from msat.formats import LAYOUT_FORMS
from msat.game import Game

__all__ = ["add", "run"]

_BOARD_FORMATS = ("grid", "line", "json", "mine")
_LAYOUT_FORMATS = (*LAYOUT_FORMS, "mbf")
_FORMATS = (*_BOARD_FORMATS, "mbf")
_STARTLESS = ("mine", "mbf")
"""Formats in which a layout does not tell where the game starts."""

_EPILOG = """\
examples:
  msat generate --preset beginner --seed 7              where the mines are
  msat generate --preset expert --seed 7 --board        what a player sees after the first click
  msat generate --size 20x20x80 --first safe --start 0,0 --format line --board
  msat generate --rng kiss --seed 1 --index 4 --start 3,3
  msat generate --seed 7 --format mbf --out seven.mbf
  msat generate --size 24x30x180 --seed 7 --no-guess    dense, and yet solved without a guess

formats: grid (rows of text), line (one line, for a command line or a log; boards only), json, mine (the web
analyser's position text), mbf (binary, what Minesweeper programs exchange; layouts only)
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "generate",
        help="print a layout or a started board",
        description="Print a layout, or with --board the board after the first click.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_layout_options(parser)
    parser.add_argument("--no-guess", action="store_true", help="only a layout that logic alone solves")
    parser.add_argument("--board", action="store_true", help="print the board after the first click")
    parser.add_argument(
        "--format",
        default="grid",
        metavar="F",
        help=f"{', '.join(_FORMATS)} (default: grid); line holds boards only, mbf layouts only",
    )
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the layout and write it."""
    if args.format not in _FORMATS:
        raise UnknownName.of("format", args.format, _FORMATS)
    fitting = _BOARD_FORMATS if args.board else _LAYOUT_FORMATS
    if args.format not in fitting:
        held, way = ("layouts", "leave --board out") if args.board else ("boards", "add --board")
        others = ", ".join(fitting)
        raise LayoutError(f"--format {args.format} holds {held} only: {way}, or choose one of {others}")
    if args.format == "mbf" and args.out is None and sys.stdout.isatty():
        raise LayoutError("--format mbf is binary: add --out FILE, or send it through a pipe")
    data = _encoded(args)
    if args.out is not None:
        Path(args.out).write_bytes(data)
    else:
        sys.stdout.buffer.write(data)
    return 0


def _encoded(args: argparse.Namespace) -> bytes:
    layout = make_layout(args)
    if layout.start is not None and args.format in _STARTLESS and not args.board:
        start = ",".join(map(str, layout.start))
        print(
            f"msat: {args.format} has no place for the start: play it with --start {start}", file=sys.stderr
        )
    if args.format == "mbf":
        return layout.to_mbf()
    if args.board:
        game = Game(layout)
        if layout.start is not None:
            game.open(layout.start)
        text = game.board.to_text(args.format)
    else:
        text = layout.to_text(args.format)
    return f"{text.rstrip()}\n".encode()
