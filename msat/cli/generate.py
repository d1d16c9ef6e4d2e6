"""`msat generate`: a layout, or the board that a player sees after the first click."""

from __future__ import annotations

import argparse
import sys

from msat.cli.options import Subparsers, add_layout_options, add_no_guess_options, make_layout, positive
from msat.errors import LayoutError
from msat.formats.form import Form
from msat.formats.parsed import ParsedLayout
from msat.formats.registry import ALL, named
from msat.formats.source import write_bytes
from msat.game import Game

__all__ = ["add", "run"]

_EXAMPLES = """\
examples:
  msat generate --preset beginner --seed 7              where the mines are
  msat generate --preset expert --seed 7 --board        what a player sees after the first click
  msat generate --size 20x20x80 --first safe --start 0,0 --format line --board
  msat generate --rng kiss --seed 1 --index 4 --start 3,3
  msat generate --seed 7 --format mbf --out seven.mbf
  msat generate --size 24x30x180 --seed 7 --no-guess    dense, and yet solved without a guess
  msat generate --preset expert --no-guess --difficulty tricky

exit status: 2 if there is no such layout, or none was found; 3 if the budget does not suffice

formats:
"""


def _holds(form: Form) -> str:
    """What can be written in a form, where it is not both boards and layouts."""
    if form.print_board and form.print_layout:
        return ""
    return " (boards only)" if form.print_board else " (layouts only)"


_FORMS = [form for form in ALL if form.print_layout or (form.print_board and form.looks_like)]
"""The forms to choose from: not those that are only read if they are named."""

_EPILOG = _EXAMPLES + "".join(f"  {form.name:<12} {form.summary}{_holds(form)}\n" for form in _FORMS)


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "generate",
        help="print a layout or a started board",
        description="Print a layout, or with --board the board after the first click.",
        epilog=_EPILOG,
    )
    add_layout_options(parser)
    add_no_guess_options(parser)
    parser.add_argument(
        "--budget", type=positive, metavar="SECONDS", help="with --no-guess: give up after this time"
    )
    parser.add_argument("--board", action="store_true", help="print the board after the first click")
    parser.add_argument(
        "--format",
        default="grid",
        metavar="F",
        help=f"{', '.join(form.name for form in _FORMS)} (default: grid)",
    )
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the layout and write it."""
    form = named(args.format, _FORMS.__contains__)
    if not (form.print_board if args.board else form.print_layout):
        fitting = [each.name for each in _FORMS if (each.print_board if args.board else each.print_layout)]
        held, way = ("layouts", "leave --board out") if args.board else ("boards", "add --board")
        others = ", ".join(fitting)
        raise LayoutError(f"--format {form.name} holds {held} only: {way}, or choose one of {others}")
    data = _encoded(args, form)
    if args.out is not None:
        write_bytes(args.out, data)
    elif isinstance(data, str):
        sys.stdout.write(data)
    elif sys.stdout.isatty():
        raise LayoutError(f"--format {form.name} is binary: add --out FILE, or send it through a pipe")
    else:
        sys.stdout.buffer.write(data)
    return 0


def _encoded(args: argparse.Namespace, form: Form) -> str | bytes:
    layout = make_layout(args)
    if layout.start is not None and not form.keeps_start and not args.board:
        start = ",".join(map(str, layout.start))
        print(f"msat: {form.name} has no place for the start: play it with --start {start}", file=sys.stderr)
    if args.board:
        game = Game(layout)
        if layout.start is not None:
            game.open(layout.start)
        return f"{game.board.to_text(form.name).rstrip()}\n"
    assert form.print_layout is not None  # checked by the caller
    written = form.print_layout(ParsedLayout(layout.height, layout.width, layout.mask, layout.start))
    return f"{written.rstrip()}\n" if isinstance(written, str) else written
