"""`msat tui`: the interactive viewer."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from msat.cli.options import (
    Subparsers,
    add_layout_options,
    add_marks_option,
    add_no_guess_options,
    listed,
    make_layout,
    strategy_names,
)
from msat.cli.reading import add_board_options, is_file, is_layout, read_board, read_record
from msat.errors import LayoutError, MissingPackage, UnknownName, WrongType
from msat.formats import read_text
from msat.installing import install
from msat.layout import Layout
from msat.questions.judging import WAYS

if TYPE_CHECKING:
    from msat.tui.app.session import Session

__all__ = ["add", "on_terminal", "run"]

_EPILOG = """\
examples:
  msat tui                       play; the game of the last time is continued
  msat tui --preset beginner     a new game of this size; --seed 7 repeats one
  msat tui --no-guess --difficulty tricky       a game that needs no guess
  msat tui layout.txt            play a layout that 'msat generate' has written
  msat tui game.json             continue a saved game, or step back in it
  msat tui '??1/3?2/??? 3'       a position on the analysis board
  msat tui --train hard          find safe cells against the clock; 'guess': guess well
  msat tui --fresh               a new game, whatever was played last

'?' shows every key. The session is saved on exit and loaded by the next start without an argument.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "tui",
        help="play, analyse and watch in an interactive viewer",
        description="Play with keys and mouse, ask why, let the solver play, try out positions.",
        epilog=_EPILOG,
    )
    add_board_options(parser)
    add_layout_options(parser)
    add_no_guess_options(parser)
    add_marks_option(parser)
    parser.add_argument(
        "--train",
        nargs="?",
        const="normal",
        metavar="KIND",
        help="practise: find safe cells that are gentle, normal (default), tricky, hard or fiendish to find; "
        "or guess",
    )
    parser.add_argument("--fresh", action="store_true", help="do not continue the last session")
    parser.add_argument(
        "--look",
        choices=("dark", "light"),
        help="dark or light (default: as chosen before, or as the terminal is)",
    )
    parser.add_argument("--ascii", action="store_true", help="use ASCII characters only")
    strategy = parser.add_argument("--strategy", metavar="S", help="who advises: %(known)s")
    listed(strategy, strategy_names)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the viewer until it is left."""
    if args.strategy is not None and args.strategy not in strategy_names():
        raise UnknownName.of("strategy", args.strategy, strategy_names())
    try:
        from msat.tui.app import storage
        from msat.tui.app.ending import drop_unwritten
        from msat.tui.app.session import Session
        from msat.tui.app.viewer import Viewer
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "textual":
            raise
        raise MissingPackage(f"the viewer needs the package textual: {install('textual')}") from None
    from msat.tui.app.training import KINDS
    from msat.tui.background import is_light
    from msat.tui.console import signs_for

    if args.train is not None and args.train not in KINDS:
        raise UnknownName.of("training", args.train, KINDS)
    path = storage.state_file()
    session, notice = None, ""
    if _asked_for_layout(args):
        session = _session_of(make_layout(args), args.seed)
    elif args.board is not None:
        record = read_record(args.board, args.game) if is_file(args.board) else None
        if record is not None:
            session = Session.of_record(record, move=args.move)
        elif is_file(args.board) and is_layout(text := read_text(args.board)):
            session = _session_of(Layout.parse(text))
        else:
            session = Session.of_board(read_board(args))
    elif path is None:
        notice = "there is no home folder: this session will not be kept"
    elif not args.fresh:
        session, notice = storage.load(path)
    session = session or Session()
    look = args.look or storage.kept_look(path)
    if look:
        session.choose(look=look)
    if args.marks != WAYS[0]:
        session.choose(trust=True)
    if args.strategy is not None:
        session.choose(strategy=args.strategy)
    if not on_terminal():
        raise WrongType("tui needs a terminal: in a pipe use 'msat play' or 'msat watch', which print frames")
    signs = signs_for(sys.stdout.encoding or "ascii", terminal=True, ascii_only=args.ascii)
    light = not look and is_light()
    Viewer(session, path, signs, notice, args.train, light).run()
    drop_unwritten()
    return 0


def on_terminal() -> bool:
    """Whether there is a screen to draw on, and a keyboard."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


_LAYOUT = ("preset", "size", "seed", "index", "start", "first", "difficulty")


def _asked_for_layout(args: argparse.Namespace) -> bool:
    """Whether an option says which game to begin; a board that is given beside it is an error."""
    given = [name for name in _LAYOUT if getattr(args, name) is not None]
    given += ["no-guess"] * args.no_guess + ["rng"] * (args.rng != "pcg")
    if given and args.board is not None:
        raise LayoutError(f"{args.board!r} and --{given[0]} exclude each other: leave one of them out")
    return bool(given)


def _session_of(layout: Layout, seed: int | None = None) -> Session:
    """A new game on a layout; the games after it have the same shape."""
    from msat.game import Game
    from msat.tui.app.session import Session, ViewerSettings

    game = Game(layout)
    if layout.start is not None:
        game.open(layout.start, reason="the start")
    session = Session(ViewerSettings(layout.height, layout.width, layout.mines), game)
    session.seed = seed
    return session
