"""`msat play`: a game solved step by step in front of the reader."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msat.board import MINE
from msat.cli.options import Subparsers, add_layout_options, make_layout, positive
from msat.errors import LayoutError
from msat.formats import read_text
from msat.layout import Layout

if TYPE_CHECKING:
    from msat.board import Cell
    from msat.cli.terminal import Terminal
    from msat.game import Game
    from msat.record import Record
    from msat.strategies import Choice

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat play --preset expert --seed 7 --speed 4     four decisions a second
  msat play --size 30x30x180 --strategy logic      without a single guess, as far as that goes
  msat play --layout seven.mbf --save seven.json   a given layout, and keep the game

fields of a JSON result (cells are [row, column], numbered from 0):
  state                  won, lost, or playing if the strategy gave up
  guesses                {"cell", "safety"} of every cell opened that was not proven safe
  success_probability    the product of their safeties
  strategy, moves, seconds, height, width, mines
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "play",
        help="solve a game step by step",
        description="Solve a game in front of you: every decision, why it was made, and how it ended.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_layout_options(parser)
    parser.add_argument("--layout", metavar="FILE", help="play this layout (text or .mbf), not a random one")
    parser.add_argument("--strategy", default="safest", metavar="S", help="who plays (default: safest)")
    parser.add_argument(
        "--speed", type=positive, metavar="N", help="decisions a second (default: no waiting)"
    )
    parser.add_argument("--save", metavar="FILE", help="save the record of the game")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object, no frames")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; losing it is no failure of the command."""
    from msat.strategies import get

    strategy = get(args.strategy)
    layout = _load(args) if args.layout else make_layout(args)

    from msat.player import play

    if args.json:
        record = play(layout, strategy)
        print(json.dumps(_summary(record)))
    else:
        from msat.cli.terminal import Terminal

        terminal = Terminal()
        record = play(layout, strategy, on_move=_Frames(terminal, args.speed))
        _conclude(record, terminal)
    if args.save:
        record.save(args.save)
    return 0


def _load(args: argparse.Namespace) -> Layout:
    """The layout in a file, started where --start says or else where the file does."""
    for name in ("preset", "size", "seed", "index", "first"):
        if getattr(args, name) is not None:
            raise LayoutError(
                f"--layout {args.layout!r} and --{name} exclude each other: leave one of them out"
            )
    path = Path(args.layout)
    if path.suffix.lower() == ".mbf":
        layout = Layout.from_mbf(path.read_bytes())
    else:
        layout = Layout.parse(read_text(path, LayoutError))
    if args.start is None:
        return layout
    return Layout(layout.height, layout.width, layout.mask, args.start)


class _Frames:
    """Prints the board after each decision."""

    def __init__(self, terminal: Terminal, speed: float | None) -> None:
        self._terminal = terminal
        self._pause = 1 / speed if speed else 0.0
        self._count = 0
        self._seen: frozenset[Cell] = frozenset()

    def __call__(self, game: Game, choice: Choice) -> None:
        from msat.cli.drawing import draw

        self._count += 1
        board = game.board
        revealed = frozenset(board.revealed)
        fresh = revealed - self._seen
        self._terminal.line(f"{self._count}. {_decision(choice)}")
        if game.exploded is not None:
            board = board.replace({game.exploded: MINE})
            fresh |= {game.exploded}
        for line in draw(board, self._terminal.width, fresh=fresh):
            self._terminal.line(line)
        self._terminal.line()
        self._seen = revealed
        time.sleep(self._pause)


def _decision(choice: Choice) -> str:
    """What was decided, in words."""
    first, *others = choice.cells
    what = f"open {first}" + (f" and {len(others)} more" if others else "")
    if choice.safety < 1:
        what = f"guess {first}, safe with {choice.safety:.2%}"
    marks = f"; mark {_count(len(choice.mines), 'mine', 'mines')}" if choice.mines else ""
    return f"{what}: {choice.reason}{marks}"


_ENDS = {"won": "Won", "lost": "Lost", "playing": "Given up"}


def _conclude(record: Record, terminal: Terminal) -> None:
    """Print how the game ended."""
    moves = _count(len(record.moves), "move", "moves")
    guesses = _count(len(record.guesses), "guess", "guesses")
    chance = f" that together go well with {record.success_probability:.1%}" if record.guesses else ""
    terminal.line(f"{_ENDS[record.state]} after {moves}, with {guesses}{chance}")


def _count(number: int, one: str, many: str) -> str:
    return f"{number or 'no'} {one if number == 1 else many}"


def _summary(record: Record) -> dict[str, Any]:
    """The result of a game as a plain JSON value."""
    layout = record.layout
    return {
        "state": record.state,
        "guesses": [{"cell": list(cell), "safety": safety} for cell, safety in record.guesses],
        "success_probability": record.success_probability,
        "strategy": record.strategy,
        "moves": len(record.moves),
        "seconds": record.seconds,
        "height": layout.height,
        "width": layout.width,
        "mines": layout.mines,
    }
