"""`solve`: a whole game by logic alone, text in and text out.

The form is that of a well-known programming exercise, the kata "Mine Sweeper": a text of `?` and digits, the
number of mines, and a function that opens a cell. Every cell that is forced is found, the mine total
included, so the answer is "?" only where the position really does not determine the layout.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import SupportsIndex

from msat.analysis import analyze
from msat.board import Board, Cell
from msat.errors import BoardError, InconsistentBoard
from msat.kinds import given

__all__ = ["solve"]


def solve(text: str, mines: int, open_cell: Callable[[int, int], int]) -> str:
    """Solve the board in `text` by logic alone; the solved text has the same spacing, with `x` for mines.

    This plays a game to its end, opening cell after cell. The command `msat solve` does not: it says what is
    known about a position as it stands, which in Python is `msat.analyze`.

    `open_cell(row, column)` is called for cells that are proven safe, never for others, and once per cell; it
    returns the number shown there. Where logic alone cannot finish the answer is "?".

    >>> solution = ["1 x 1", "1 1 1"]
    >>> print(solve("? ? ?\\n1 1 1", 1, lambda r, c: int(solution[r].split()[c])))
    1 x 1
    1 1 1
    >>> solve("? ?\\n1 1", 1, lambda r, c: 0)
    '?'
    """
    board = Board.parse(text, mines=mines, form="grid")
    if len("".join(text.split())) != board.height * board.width:
        raise BoardError(f"{text!r} holds more than cells: expected rows of '?' and 0 to 8 only")
    given(open_cell, Callable, "open_cell", "a function of a row and a column")
    opened: dict[Cell, int] = {}
    while True:
        try:
            analysis = analyze(board)
        except InconsistentBoard as error:
            if not opened:
                raise
            raise InconsistentBoard(
                f"the numbers that open_cell returned contradict the board: {error}",
                error.clues,
                error.uses_mine_count,
                error.possible_mines,
            ) from error
        if not analysis.safe:
            break
        opened = {cell: _number(open_cell(*cell), cell) for cell in sorted(analysis.safe)}
        board = board.replace(opened)
    if set(board.hidden) != analysis.mined:
        return "?"
    return _written_into(text, board)


def _number(value: object, cell: Cell) -> int:
    """What `open_cell` returned, if it is a number that a cell can show."""
    # Any integer type will do, such as numpy's; True and False are no numbers on a board.
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        number = operator.index(value)
        if 0 <= number <= 8:
            return number
    raise BoardError(f"open_cell{cell} returned {value!r}: expected the number shown there, 0 to 8")


def _written_into(text: str, board: Board) -> str:
    """`text` with its cell characters replaced by the solved board's, its spacing kept."""
    values = (board[r, c] for r in range(board.height) for c in range(board.width))
    symbols = (str(value) if value >= 0 else "x" for value in values)
    return "".join(char if char.isspace() else next(symbols) for char in text)
