"""`msat generate`: a layout, or the board that a player sees after the first click."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msat.cli.options import Subparsers, add_layout_options, make_layout
from msat.errors import LayoutError, UnknownName
from msat.game import Game

__all__ = ["add", "run"]

_FORMATS = ("grid", "line", "json", "mine", "mbf")

_EPILOG = """\
examples:
  msat generate --preset beginner --seed 7              where the mines are
  msat generate --preset expert --seed 7 --board        what a player sees after the first click
  msat generate --size 20x20x80 --first safe --start 0,0 --format line --board
  msat generate --rng kiss --seed 1 --index 4 --start 3,3
  msat generate --seed 7 --format mbf --out seven.mbf
  msat generate --size 24x30x180 --seed 7 --no-guess    dense, and yet solved without a guess

formats: grid (rows of text), line (one line, for a command line or a log), json, mine (the web analyser's
position text), mbf (binary, layouts only)
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
    parser.add_argument("--format", default="grid", metavar="F", help="see below (default: grid)")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the layout and write it."""
    if args.format not in _FORMATS:
        raise UnknownName.of("format", args.format, _FORMATS)
    if args.format == "mbf" and args.board:
        raise LayoutError("--format mbf holds layouts only: leave --board out, or choose another format")
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
