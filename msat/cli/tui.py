"""`msat tui`: the interactive viewer."""

from __future__ import annotations

import argparse
import os
import sys

from msat.cli.options import Subparsers, listed
from msat.cli.reading import add_board_options, is_file, read_board, read_record
from msat.errors import MissingPackage, UnknownName, WrongType
from msat.wording import install

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat tui                       play; the game of the last time is continued
  msat tui game.json             continue a saved game, or step back in it
  msat tui '??1/3?2/??? 3'       a position on the analysis board
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
    parser.add_argument("--fresh", action="store_true", help="do not continue the last session")
    parser.add_argument("--ascii", action="store_true", help="use ASCII characters only")
    strategy = parser.add_argument("--strategy", metavar="S", help="who advises: %(known)s")
    listed(strategy, _strategies)
    parser.set_defaults(run=run)


def _strategies() -> tuple[str, ...]:
    from msat.strategies import names

    return names()


def run(args: argparse.Namespace) -> int:
    """Run the viewer until it is left."""
    if args.strategy is not None and args.strategy not in _strategies():
        raise UnknownName.of("strategy", args.strategy, _strategies())
    try:
        from msat.tui.app import storage
        from msat.tui.app.session import Session
        from msat.tui.app.viewer import Viewer
    except ImportError as missing:
        if missing.name is None or not missing.name.startswith("textual"):
            raise
        raise MissingPackage(f"the viewer needs the package textual: {install('textual')}") from None
    from msat.tui.console import signs_for

    path = storage.state_file()
    session, notice = None, ""
    if args.board is not None:
        record = read_record(args.board, args.game) if is_file(args.board) else None
        if record is not None:
            session = Session.of_record(record, move=args.move)
        else:
            session = Session.of_board(read_board(args))
    elif not args.fresh:
        session, notice = storage.load(path)
    session = session or Session()
    if args.strategy is not None:
        session.choose(strategy=args.strategy)
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise WrongType("tui needs a terminal: in a pipe use 'msat play' or 'msat watch', which print frames")
    signs = signs_for(sys.stdout.encoding or "ascii", terminal=True, ascii_only=args.ascii)
    Viewer(session, path, signs, notice).run()
    return 0
