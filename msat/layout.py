"""The layout: where the mines are, and where the game starts.

A value like `Board`: immutable, hashable, printed and read back. It is what a game is played on, and what two
programs must share to talk about the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from msat import cells as geometry
from msat import formats
from msat.cells import MINE, Cell
from msat.deadline import Budget
from msat.errors import LayoutError, UnknownName, WrongType
from msat.formats import mbf
from msat.formats.parsed import MINE_BYTE, ParsedLayout
from msat.kinds import is_name, octets, several
from msat.kiss import kiss_masks
from msat.limits import MAX_INDEX, MAX_SEED
from msat.pcg import random_mask
from msat.value import SizedValue
from msat.wording import argument, quoted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["FIRST_RULES", "Layout", "kiss_layouts"]

FIRST_RULES = ("open", "safe", "any")
"""What the first click may find: no mine in the 3×3 around it, no mine under it, anything."""


class Layout(SizedValue):
    """Where the mines are.

    Made by `Layout.random`, `Layout.no_guess`, `Layout.kiss`, `Layout.from_mines`, `Layout.parse` and
    `Layout.from_mbf`; the constructor itself takes a byte a cell, row by row, 1 for a mine (`layout.mask`).

    >>> layout = Layout.parse("..*\\n.*.")
    >>> layout.mines, layout.is_mine((0, 2)), layout.number((0, 1))
    (2, True, 2)
    """

    __slots__ = ("_mask", "_numbers", "_start")

    def __init__(self, height: int, width: int, mask: bytes, start: Cell | None = None) -> None:
        self._height, self._width = geometry.check_size(height, width, LayoutError)
        if type(mask) is not bytes:
            mask = octets(mask, "mask")
        if len(mask) != self._height * self._width or mask.translate(None, b"\0\1"):
            raise LayoutError(f"the mask of a {height}×{width} layout is {height * width} bytes of 0 and 1")
        self._mask = mask
        self._start = None if start is None else self._cell(start)
        self._numbers: bytes | None = None

    def _cell(self, cell: Cell) -> Cell:
        return divmod(geometry.check_cell(cell, self._height, self._width), self._width)

    @classmethod
    def from_array(cls, array: npt.ArrayLike, start: Cell | None = None) -> Layout:
        """Read a layout from an array that is true, or 1, where the mines are: what `to_array` gives.

        >>> Layout.from_array([[0, 1], [0, 0]]) == Layout.from_mines(2, 2, [(0, 1)])
        True
        """
        import numpy as np

        try:
            grid = np.asarray(array)
        except ValueError:
            raise LayoutError(f"{quoted(array)} is no layout: its rows are not equally long") from None
        if grid.ndim != 2 or grid.dtype.kind not in "biuf" or not np.isin(grid, (0, 1)).all():
            raise LayoutError(
                f"{quoted(array)} is no layout: give rows of 1 where there is a mine and 0 elsewhere"
            )
        height, width = geometry.check_size(grid.shape[0], grid.shape[1], LayoutError)
        return cls(height, width, grid.astype(np.bool_).tobytes(), start)

    @classmethod
    def random(
        cls,
        height: int,
        width: int,
        mines: int,
        seed: int | None = None,
        start: Cell | None = None,
        first: str = "open",
    ) -> Layout:
        """A layout drawn evenly from all that the first click allows; `msat.pcg` tells how, bit for bit.

        `first` is "open" (the 3×3 around `start` has no mine), "safe" (`start` has none) or "any". Without a
        start there is nothing to protect. A seed must be given: one drawn here could not be told, and the
        layout never be made again.

        >>> sorted(Layout.random(3, 5, 4, seed=7, start=(1, 1)).cells)
        [(0, 3), (0, 4), (1, 4), (2, 3)]
        """
        if seed is None:
            raise WrongType(
                f"Layout.random needs a seed, such as {argument('seed', 7)}: "
                "the same seed gives the same layout, everywhere and always"
            )
        if not is_name(first, FIRST_RULES):
            raise UnknownName.of("first-click rule", first, FIRST_RULES)
        height, width, mines = _check_request(height, width, mines)
        seed = geometry.whole_number(seed, "seed", LayoutError)
        if seed < 0:
            raise LayoutError(f"{argument('seed', seed)} is negative: give 0 or more")
        if seed > MAX_SEED:
            raise LayoutError(f"a seed of {seed.bit_length():,} bits is too large: give 0 to 2^128 − 1")
        protected = _protected(height, width, start, first)
        _check_room(height, width, mines, start, protected)
        return cls(height, width, random_mask(height * width, mines, seed, protected), start)

    @classmethod
    def kiss(
        cls, height: int, width: int, mines: int, seed: int = 1, index: int = 0, *, start: Cell
    ) -> Layout:
        """A puzzle of document 000 (docs/sources.md): the one after `index` others in the stream of `seed`.

        `start` is (row, column), where that document writes x,y. The puzzles before are drawn to get there;
        to use many in turn take `kiss_layouts`.
        """
        index = geometry.whole_number(index, "index", LayoutError)
        if index < 0:
            raise LayoutError(f"{argument('index', index)} is negative: give 0 or more")
        if index > MAX_INDEX:
            raise LayoutError(f"{argument('index', index)} is too large: give 0 to {MAX_INDEX}")
        masks = _kiss_stream(height, width, mines, seed, start)
        return cls(height, width, next(islice(masks, index, None)), start)

    @classmethod
    def no_guess(
        cls,
        height: int,
        width: int,
        mines: int,
        seed: int,
        start: Cell,
        first: str = "open",
        difficulty: str | None = None,
        budget: Budget = None,
    ) -> Layout:
        """A layout that logic alone solves from `start`; `LayoutError` if none is found.

        `first` is as for `random`, except that the start itself never has a mine; `difficulty` is "gentle",
        "normal", "tricky", "hard" or "fiendish", see `msat.difficulty`. `budget` limits the time in seconds:
        what takes longer raises `BudgetExceeded`. `msat.arena.no_guess` tells how they are found.

        >>> Layout.no_guess(16, 30, 99, seed=7, start=(3, 3)).mines
        99
        """
        # The one import from above in all of msat: the search needs the solver, but belongs to these
        # constructors for whoever uses them.
        from msat.arena.no_guess import no_guess_layout

        return no_guess_layout(height, width, mines, seed, start, first, difficulty, budget)

    @classmethod
    def from_mines(cls, height: int, width: int, cells: Iterable[Cell], start: Cell | None = None) -> Layout:
        """The layout with mines in the given cells.

        >>> print(Layout.from_mines(2, 3, [(0, 2), (1, 1)]))
        ..*
        .*.
        """
        height, width = geometry.check_size(height, width, LayoutError)
        mask = bytearray(height * width)
        for cell in several(cells, "cells", "the cells of the mines, such as [(0, 1), (2, 2)]"):
            position = geometry.check_cell(cell, height, width)
            if mask[position]:
                raise LayoutError(f"the mine at {divmod(position, width)} is given twice")
            mask[position] = 1
        return cls(height, width, bytes(mask), start)

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Read a layout from rows of '.' and '*', from `.mine` or `.board` text, a link or JSON.

        >>> Layout.parse("..*/*..") == Layout.parse("..*\\n*..") == Layout.from_mines(2, 3, [(0, 2), (1, 0)])
        True
        """
        return cls._of(formats.parse_layout(text))

    @classmethod
    def from_mbf(cls, data: bytes) -> Layout:
        """Read a layout from MBF, the binary format of other programs."""
        return cls._of(mbf.parse_layout(data))

    @classmethod
    def from_object(cls, found: dict[str, Any]) -> Layout:
        """Read a layout from the object that its JSON text stands for."""
        return cls._of(formats.parse_layout_object(found))

    @classmethod
    def _of(cls, parsed: ParsedLayout) -> Layout:
        return cls(parsed.height, parsed.width, parsed.mask, parsed.start)

    @property
    def mines(self) -> int:
        """The number of mines."""
        return self._mask.count(1)

    @property
    def start(self) -> Cell | None:
        """Where the game starts, if that is laid down."""
        return self._start

    @property
    def mask(self) -> bytes:
        """The cells row by row, a byte each, 1 for a mine."""
        return self._mask

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells that have a mine."""
        return frozenset(divmod(i, self._width) for i, mine in enumerate(self._mask) if mine)

    def is_mine(self, cell: Cell) -> bool:
        """Whether a cell has a mine."""
        return self._mask[geometry.check_cell(cell, self._height, self._width)] == 1

    def number(self, cell: Cell) -> int:
        """What opening a cell shows: the mines around it, or MINE (−2) if it has one itself."""
        byte = self.values[geometry.check_cell(cell, self._height, self._width)]
        return MINE if byte == MINE_BYTE else byte

    @property
    def values(self) -> bytes:
        """The board with everything open, as `Board.values`: numbers, and MINE (−2) as a signed byte."""
        if self._numbers is None:
            self._numbers = _count_mines(self._mask, self._width)
        return self._numbers

    def numbers(self) -> npt.NDArray[np.int8]:
        """A new int8 array of all numbers, MINE (−2) where the mines are."""
        import numpy as np

        return np.frombuffer(self.values, np.int8).reshape(self.shape).copy()

    def to_array(self) -> npt.NDArray[np.bool_]:
        """A new array that is true where the mines are."""
        import numpy as np

        return np.frombuffer(self._mask, np.bool_).reshape(self.shape).copy()

    def flip_horizontal(self) -> Layout:
        """The mirror image with left and right exchanged."""
        start = self._start and (self._start[0], self._width - 1 - self._start[1])
        return Layout(self._height, self._width, geometry.flip_horizontal(self._mask, self._width), start)

    def flip_vertical(self) -> Layout:
        """The mirror image with top and bottom exchanged."""
        start = self._start and (self._height - 1 - self._start[0], self._start[1])
        return Layout(self._height, self._width, geometry.flip_vertical(self._mask, self._width), start)

    def rotate(self, turns: int = 1) -> Layout:
        """The layout after so many quarter turns clockwise; negative turns go the other way."""
        layout = self
        for _ in range(geometry.whole_number(turns, "turns", LayoutError) % 4):
            mask = geometry.rotate_clockwise(layout._mask, layout._width)
            start = layout._start and (layout._start[1], layout._height - 1 - layout._start[0])
            layout = Layout(layout._width, layout._height, mask, start)
        return layout

    def to_text(self, form: str = "grid") -> str:
        """The layout in one of `msat.formats.LAYOUT_FORMS`; `mine` has no place for the start."""
        return formats.print_layout(self._height, self._width, self._mask, self._start, form)

    def to_object(self) -> dict[str, Any]:
        """The object that the layout's JSON text stands for."""
        return formats.layout_object(self._height, self._width, self._mask, self._start)

    def to_mbf(self) -> bytes:
        """The layout in MBF, the binary format of other programs, which has no place for the start.

        >>> Layout.from_mines(2, 3, [(1, 0)]).to_mbf().hex(" ")
        '03 02 00 01 00 01'
        """
        return mbf.print_layout(ParsedLayout(*self._made_of()))

    def _repr_svg_(self) -> str | None:
        from msat import svg

        return svg.drawn(svg.layout, self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        start = "" if self._start is None else f", start={self._start}"
        return f"Layout.from_mines({self._height}, {self._width}, {sorted(self.cells)}{start})"

    def _made_of(self) -> tuple[int, int, bytes, Cell | None]:
        return self._height, self._width, self._mask, self._start


def _count_mines(mask: bytes, width: int) -> bytes:
    """The number of every cell, and MINE as a signed byte at the mines.

    All cells are one long number with a byte each, and a column and rows of zeros around them: eight shifts
    and additions count the neighbours of all of them, and no byte carries.

    >>> _count_mines(bytes([1, 0, 0, 0, 0, 1]), 3).hex(" ")
    'fe 02 01 01 02 fe'
    """
    rows = [mask[start : start + width] for start in range(0, len(mask), width)]
    stride = width + 1
    mines = int.from_bytes(b"\0".join(rows), "big")
    three = mines + (mines << 8) + (mines >> 8)
    counts = three + (three << 8 * stride) + (three >> 8 * stride)
    found = counts & ~(mines * 0xFF) | mines * MINE_BYTE
    cells = (found & (1 << 8 * (stride * len(rows) - 1)) - 1).to_bytes(stride * len(rows) - 1, "big")
    return b"".join([cells[start : start + width] for start in range(0, len(cells), stride)])


def kiss_layouts(height: int, width: int, mines: int, seed: int, start: Cell, count: int) -> Iterator[Layout]:
    """The first `count` puzzles of a seed: `Layout.kiss` with index 0, 1, …, each drawn only once.

    >>> [layout.mines for layout in kiss_layouts(9, 9, 10, seed=1, start=(2, 2), count=3)]
    [10, 10, 10]
    """
    masks = _kiss_stream(height, width, mines, seed, start)
    return (Layout(height, width, mask, start) for mask in islice(masks, count))


def _kiss_stream(height: int, width: int, mines: int, seed: int, start: Cell) -> Iterator[bytes]:
    height, width, mines = _check_request(height, width, mines)
    seed = geometry.whole_number(seed, "seed", LayoutError)
    if not 0 <= seed < 1 << 64:
        raise LayoutError(f"{argument('seed', seed)} is not a 64-bit seed: give 0 to 2^64 − 1")
    protected = _protected(height, width, start, "open")
    _check_room(height, width, mines, start, protected)
    return kiss_masks(height, width, mines, seed, protected)


def _check_request(height: int, width: int, mines: int) -> tuple[int, int, int]:
    height, width = geometry.check_size(height, width, LayoutError)
    return height, width, geometry.check_mines(mines, height, width, LayoutError)


def _protected(height: int, width: int, start: Cell | None, first: str) -> frozenset[int]:
    """The positions that must stay without a mine."""
    if start is None:
        return frozenset()
    position = geometry.check_cell(start, height, width)
    if first == "any":
        return frozenset()
    if first == "safe":
        return frozenset([position])
    return frozenset([position, *geometry.neighbours(height, width, position)])


def _check_room(height: int, width: int, mines: int, start: Cell | None, protected: frozenset[int]) -> None:
    room = height * width - len(protected)
    if mines > room:
        raise LayoutError(
            f"{mines} mines do not fit a {height}×{width} board that keeps {len(protected)} cells free "
            f"at the start {start}: at most {room} do"
        )
