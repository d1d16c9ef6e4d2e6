"""Pictures of positions: `--svg FILE` of the commands that answer, and `msat convert BOARD board.svg`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from msat.board import Board
from msat.errors import BoardError
from msat.game import Game
from msat.layout import Layout
from msat.limits import MAX_PICTURED_CELLS
from msat.record import Record

__all__ = ["add_svg_option", "picture", "save_svg"]


def add_svg_option(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--svg`, which saves a picture of the board with `what` on it."""
    parser.add_argument("--svg", metavar="FILE", help=f"save a picture of the board with {what}")


def save_svg(file: str | None, board: Board, **shown: Any) -> None:
    """Save a picture of a board, if a file is given; `shown` is what `msat.svg.board` takes."""
    if file is not None:
        from msat import svg
        from msat.tui.svg import write

        _check_size(board)
        write(Path(file), f"{svg.board(board, **shown)}\n")


def picture(value: Board | Layout | Record, move: int | None = None) -> str:
    """A picture of a board, a layout, or of a game at its end or after so many moves."""
    shown: Board | Layout | Game = value.game(upto=move) if isinstance(value, Record) else value
    _check_size(shown.layout if isinstance(shown, Game) else shown)
    return f"{shown._repr_svg_()}"


def _check_size(board: Board | Layout) -> None:
    cells = board.height * board.width
    if cells > MAX_PICTURED_CELLS:
        raise BoardError(f"a picture has at most {MAX_PICTURED_CELLS:,} cells: this board has {cells:,}")
