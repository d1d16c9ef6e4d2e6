"""The board: what a player sees, and how many mines there are in all.

A `Board` is a value: it never changes, equal boards hash equal, it prints itself and reads what it printed.
It holds any numbers, even ones that contradict each other, because someone who tries out a position passes
through such states; whether a layout agrees with it is for `msat.analyze` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from msat import cells as geometry
from msat import formats
from msat.cells import HIDDEN, MINE, Cell
from msat.errors import BoardError, UnknownName, WrongType
from msat.formats.array import VALUES, parse_array
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard
from msat.kinds import given, octets
from msat.value import SizedValue
from msat.wording import argument, quoted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["HIDDEN", "MINE", "PRESETS", "Board", "Cell", "Preset", "check_board", "preset"]

_LEGAL_BYTES = bytes([HIDDEN_BYTE, MINE_BYTE, *range(9)])


class Preset(NamedTuple):
    """The size and the mines of a well-known kind of game."""

    height: int
    width: int
    mines: int


PRESETS: dict[str, Preset] = {
    "beginner": Preset(9, 9, 10),
    "intermediate": Preset(16, 16, 40),
    "expert": Preset(16, 30, 99),
}


def preset(name: str) -> Preset:
    """The preset with this name.

    >>> preset("expert")
    Preset(height=16, width=30, mines=99)
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise UnknownName.of("preset", name, PRESETS) from None


class Board(SizedValue):
    """What a player sees: hidden cells, marked mines, revealed numbers, and the total of mines.

    Made by `Board.parse`, `Board.from_array` and `Board.blank`; the constructor itself takes the cells as
    signed bytes, row by row (`board.values`).

    >>> board = Board.parse("??1/3?2/??? 3")
    >>> board.height, board.width, board.mines, board[1, 0]
    (3, 3, 3, 3)
    >>> print(board.replace({(0, 0): MINE}))
    * ? 1
    3 ? 2
    ? ? ?
    mines: 3
    """

    __slots__ = ("_mines", "_values")

    def __init__(self, height: int, width: int, mines: int, values: bytes) -> None:
        self._height, self._width = geometry.check_size(height, width, BoardError)
        self._mines = geometry.check_mines(mines, self._height, self._width, BoardError)
        if type(values) is not bytes:
            values = octets(values, "values")
        if len(values) != self._height * self._width:
            raise BoardError(
                f"{len(values)} values are not a {height}×{width} board of {height * width} cells"
            )
        illegal = values.translate(None, _LEGAL_BYTES)
        if illegal:
            value = illegal[0] - 256 if illegal[0] > 127 else illegal[0]
            cell = divmod(values.index(illegal[0]), self._width)
            raise BoardError(f"the value {value} at {cell} is not a cell: use {VALUES}")
        self._values = values

    @classmethod
    def parse(cls, text: str, mines: int | None = None, form: str | None = None) -> Board:
        """Read a board from text in any form of `msat.formats`, which is recognised unless `form` names it.

        `mines` is the total, marked mines included; it may stand in the text instead.

        >>> Board.parse("? ? 1", mines=1) == Board.parse("?#1/ 1") == Board.parse("..1", 1, form="dot-hidden")
        True
        """
        return cls._of(formats.parse_board(text, form), mines, text)

    @classmethod
    def _of(cls, parsed: ParsedBoard, mines: int | None, text: str | None = None) -> Board:
        """The board with the total that was given, or else with that of the text."""
        if mines is None:
            mines = parsed.mines
        elif parsed.mines is not None and geometry.whole_number(mines, "mines", BoardError) != parsed.mines:
            raise BoardError(
                f"the text says mines: {parsed.mines}, and {argument('mines', mines)} is given: leave one out"
            )
        if mines is None:
            raise BoardError(f"the number of mines is missing: {formats.total_hint(text, parsed)}")
        return cls(parsed.height, parsed.width, mines, parsed.values)

    @classmethod
    def from_object(cls, found: Mapping[str, Any], mines: int | None = None) -> Board:
        """Read a board from the object that its JSON text stands for.

        >>> Board.from_object({"height": 1, "width": 2, "rows": ["?1"]}, mines=1)
        Board.parse('?1/ 1')
        """
        return cls._of(formats.parse_board_object(found), mines)

    @classmethod
    def from_array(cls, array: npt.ArrayLike | Iterable[Iterable[Any]], mines: int) -> Board:
        """Read a board from rows of numbers: −1 hidden, −2 known mine, 0 to 8 revealed.

        >>> Board.from_array([[-1, -1, 1], [3, -2, 2]], mines=3)
        Board.parse('??1/3*2 3')
        """
        height, width, values = parse_array(array)
        return cls(height, width, mines, values)

    @classmethod
    def blank(cls, height: int, width: int, mines: int) -> Board:
        """The board before the first move: every cell hidden.

        >>> Board.blank(2, 3, mines=1)
        Board.parse('???/??? 1')
        """
        height, width = geometry.check_size(height, width, BoardError)
        return cls(height, width, mines, bytes([HIDDEN_BYTE]) * (height * width))

    @property
    def mines(self) -> int:
        """The total of mines on the board, marked ones included."""
        return self._mines

    @property
    def values(self) -> bytes:
        """The cells row by row, a signed byte each, which `numpy.frombuffer` reads without copying."""
        return self._values

    def __getitem__(self, cell: Cell) -> int:
        """The value of a cell: HIDDEN (−1), MINE (−2) or its number."""
        if not isinstance(cell, tuple) or len(cell) != 2:
            # Not an IndexError: Python would take that for the end of a sequence and find the board empty.
            raise WrongType(f"board[{quoted(cell)}] is not a cell: give board[row, column]")
        byte = self._values[geometry.check_cell(cell, self._height, self._width)]
        return byte - 256 if byte > 8 else byte

    def _cells_with(self, wanted: bytes) -> tuple[Cell, ...]:
        if len(self._values.translate(None, wanted)) == len(self._values):  # seen sooner than cell by cell
            return ()
        if len(wanted) > 1:
            return tuple(divmod(i, self._width) for i, byte in enumerate(self._values) if byte in wanted)
        found = []
        at = self._values.find(wanted)
        while at >= 0:
            found.append(divmod(at, self._width))
            at = self._values.find(wanted, at + 1)
        return tuple(found)

    @property
    def hidden(self) -> tuple[Cell, ...]:
        """The cells that are neither revealed nor marked, in row-major order."""
        return self._cells_with(bytes([HIDDEN_BYTE]))

    @property
    def marked(self) -> tuple[Cell, ...]:
        """The known mines, in row-major order."""
        return self._cells_with(bytes([MINE_BYTE]))

    @property
    def revealed(self) -> tuple[Cell, ...]:
        """The cells that show a number, in row-major order."""
        return self._cells_with(bytes(range(9)))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The up to eight cells around a cell, in row-major order.

        >>> Board.blank(2, 2, mines=1).neighbours((0, 0))
        ((0, 1), (1, 0), (1, 1))
        """
        position = geometry.check_cell(cell, self._height, self._width)
        return tuple(divmod(i, self._width) for i in geometry.neighbours(self._height, self._width, position))

    def replace(self, cells: Mapping[Cell, int], mines: int | None = None) -> Board:
        """This board with other values in some cells, and perhaps another total: what if?"""
        values = bytearray(self._values)
        for cell, value in given(
            cells, Mapping, "cells", "values by their cells, such as {(0, 1): 2}"
        ).items():
            position = geometry.check_cell(cell, self._height, self._width)
            number = geometry.whole_number(value, f"the value at {cell}", BoardError)
            if not MINE <= number <= 8:
                raise BoardError(f"the value {number} at {cell} is not a cell: use {VALUES}")
            values[position] = number & 0xFF
        return Board(self._height, self._width, self._mines if mines is None else mines, bytes(values))

    def without_marks(self) -> Board:
        """The board with its marks hidden: what the numbers say, whatever somebody takes for a mine.

        >>> Board.parse("*1?/2*? 3").without_marks()
        Board.parse('?1?/2?? 3')
        """
        if MINE_BYTE not in self._values:
            return self
        hidden = self._values.replace(bytes([MINE_BYTE]), bytes([HIDDEN_BYTE]))
        return Board(self._height, self._width, self._mines, hidden)

    def flip_horizontal(self) -> Board:
        """The mirror image with left and right exchanged."""
        return Board(
            self._height, self._width, self._mines, geometry.flip_horizontal(self._values, self._width)
        )

    def flip_vertical(self) -> Board:
        """The mirror image with top and bottom exchanged."""
        return Board(
            self._height, self._width, self._mines, geometry.flip_vertical(self._values, self._width)
        )

    def rotate(self, turns: int = 1) -> Board:
        """The board after so many quarter turns clockwise; negative turns go the other way.

        >>> Board.parse("12/?? 1").rotate()
        Board.parse('?1/?2 1')
        """
        board = self
        for _ in range(geometry.whole_number(turns, "turns", BoardError) % 4):
            turned = geometry.rotate_clockwise(board._values, board._width)
            board = Board(board._width, board._height, board._mines, turned)
        return board

    def to_array(self) -> npt.NDArray[np.int8]:
        """A new int8 array of the cells' values, free to be changed."""
        import numpy as np

        return np.frombuffer(self._values, np.int8).reshape(self.shape).copy()

    def to_text(self, form: str = "grid") -> str:
        """The board in one of `msat.formats.FORMS`.

        >>> Board.parse("??1/3?2 3").to_text("mine").splitlines()
        ['3x2x3', 'HH1', '3H2']
        """
        return formats.print_board(self._height, self._width, self._values, self._mines, form)

    def to_object(self) -> dict[str, Any]:
        """The object that the board's JSON text stands for, which `from_object` reads.

        >>> Board.parse("?1 1").to_object()
        {'height': 1, 'width': 2, 'mines': 1, 'rows': ['?1']}
        """
        return formats.board_object(self._height, self._width, self._values, self._mines)

    def _repr_svg_(self) -> str | None:
        from msat import svg

        return svg.drawn(svg.board, self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Board.parse({self.to_text('line')!r})"

    def _made_of(self) -> tuple[int, int, int, bytes]:
        return self._height, self._width, self._mines, self._values


def check_board(board: object, function: str) -> None:
    """Refuse what is no board, such as its text, in the name of the function that was given it."""
    if not isinstance(board, Board):
        raise WrongType(
            f"{function} takes a Board, not {quoted(board)}: Board.parse and Board.from_array make one"
        )
