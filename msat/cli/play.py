"""`msat play`: a game solved step by step in front of the reader."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msat.board import HIDDEN, MINE
from msat.cli.options import Subparsers, add_layout_options, counted, listed, make_layout, positive
from msat.errors import LayoutError
from msat.formats import read_text
from msat.layout import Layout
from msat.record import Record, is_record

if TYPE_CHECKING:
    from msat.board import Board, Cell
    from msat.cli.terminal import Terminal
    from msat.game import Game
    from msat.strategies import Choice

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat play --preset expert --seed 7 --speed 4     four decisions a second
  msat play --size 30x30x180 --strategy logic      without a single guess, as far as that goes
  msat play --layout seven.mbf --save seven.json   a given layout, and keep the game
  msat play --layout seven.json                    the layout of a saved game, played anew

fields of a JSON result (cells are [row, column], numbered from 0):
  state                  won, lost, or playing if the strategy gave up
  guesses                {"cell", "safety"} of every cell opened that was not proven safe
  success_probability    the product of their safeties
  decisions, moves       how often the strategy was asked (the start counts), and the clicks and marks it made
  opened, marked         cells in the end
  strategy, seconds, height, width, mines
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
    parser.add_argument(
        "--layout",
        metavar="FILE",
        help="play this layout (text, .mbf or a saved game), not a random one",
    )
    strategy = parser.add_argument(
        "--strategy", default="safest", metavar="S", help="who plays: %(known)s (default: safest)"
    )
    listed(strategy, _strategies)
    parser.add_argument(
        "--speed", type=positive, metavar="N", help="decisions a second (default: no waiting)"
    )
    parser.add_argument("--save", metavar="FILE", help="save the record of the game")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object, no frames")
    parser.set_defaults(run=run)


def _strategies() -> tuple[str, ...]:
    from msat.strategies import names

    return names()


def run(args: argparse.Namespace) -> int:
    """Play one game; losing it is no failure of the command."""
    from msat.strategies import get

    strategy = get(args.strategy)
    layout = _load(args) if args.layout else make_layout(args)

    from msat.player import play

    if args.json:
        decisions: list[Choice] = []
        record = play(layout, strategy, on_move=lambda _, choice: decisions.append(choice))
        print(json.dumps(_summary(record, len(decisions))))
    else:
        from msat.cli.terminal import Terminal

        terminal = Terminal()
        frames = _Frames(terminal, args.speed)
        record = play(layout, strategy, on_move=frames)
        terminal.line(_conclusion(record, frames.count))
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
    layout = _read(Path(args.layout))
    if args.start is not None:
        return Layout(layout.height, layout.width, layout.mask, args.start)
    if layout.start is None:
        print(
            f"msat: {args.layout!r} has no start: the strategy chooses the first cell; --start R,C gives one",
            file=sys.stderr,
        )
    return layout


def _read(path: Path) -> Layout:
    """The layout in a file: text, MBF, or a saved game, which is played anew."""
    if path.suffix.lower() == ".mbf":
        return Layout.from_mbf(path.read_bytes())
    text = read_text(path, LayoutError, limit=None)  # a record may be long; a layout is checked when parsed
    return Record.from_json(text).layout if is_record(text) else Layout.parse(text)


class _Frames:
    """Prints the board after each decision, and counts them."""

    def __init__(self, terminal: Terminal, speed: float | None) -> None:
        self.count = 0
        self._terminal = terminal
        self._pause = 1 / speed if speed else 0.0
        self._seen: frozenset[Cell] = frozenset()

    def __call__(self, game: Game, choice: Choice) -> None:
        from msat.cli.drawing import draw

        self.count += 1
        terminal = self._terminal
        revealed = frozenset(game.board.revealed)
        terminal.line(f"{self.count}. {_decision(choice)}")
        board = game.board if game.exploded is None else _uncovered(game)
        drawing = draw(
            board,
            terminal.width,
            fresh=revealed - self._seen,
            exploded=game.exploded,
            styled=terminal.styled,
        )
        for line in drawing:
            terminal.line(line)
        if game.exploded is not None:
            terminal.line("X the mine that went off   * mine")
        terminal.line()
        self._seen = revealed
        time.sleep(self._pause)


def _uncovered(game: Game) -> Board:
    """The board at the end of a lost game: every mine is shown, and a mark that was wrong is gone."""
    marks = dict.fromkeys(game.board.marked, HIDDEN)
    return game.board.replace(marks | dict.fromkeys(game.layout.cells, MINE))


def _decision(choice: Choice) -> str:
    """What was decided, in words."""
    first, *others = choice.cells
    what = f"open {first}" + (f" and {len(others)} more" if others else "")
    if choice.safety < 1:
        what = f"guess {first}, safe with {choice.safety:.2%}"
    marks = f"; mark {counted(len(choice.mines), 'mine')}" if choice.mines else ""
    return f"{what}: {choice.reason}{marks}"


def _conclusion(record: Record, decisions: int) -> str:
    """How the game ended, in words."""
    game = record.game()
    end = {"won": "Won", "lost": "Lost", "playing": "Given up"}[game.state]
    if game.exploded is not None:
        claimed = game.moves[-1].probability
        end += f" at {game.exploded}" + ("" if claimed is None else f", which was safe with {claimed:.2%},")
    opened, marked = counted(len(game.board.revealed), "cell"), len(game.board.marked)
    guesses = counted(len(record.guesses), "guess", "guesses")
    if record.guesses:
        guesses += f"{', all' if record.guesses[1:] else ','} safe with {record.success_probability:.1%}"
    return f"{end} after {counted(decisions, 'decision')}: {opened} opened, {marked} marked, {guesses}"


def _summary(record: Record, decisions: int) -> dict[str, Any]:
    """The result of a game as a plain JSON value."""
    layout, board = record.layout, record.game().board
    return {
        "state": record.state,
        "guesses": [{"cell": list(cell), "safety": safety} for cell, safety in record.guesses],
        "success_probability": record.success_probability,
        "strategy": record.strategy,
        "decisions": decisions,
        "moves": len(record.moves),
        "opened": len(board.revealed),
        "marked": len(board.marked),
        "seconds": record.seconds,
        "height": layout.height,
        "width": layout.width,
        "mines": layout.mines,
    }
