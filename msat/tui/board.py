"""The board as a renderable: the one way in which every command and the viewer draw boards.

A cell takes three, two or one columns (its `pitch`), as many as there is room for. In three and two, rings
such as `[2]` surround the clues of an explanation and the move that is advised, `(2)` the last move and `>2<`
the cursor, so that all of it is seen without colour; in two columns neighbours with the same ring share one,
and a ring never covers a sign. A board that does not fit even with one column a cell is cut into blocks of
columns, so that no line ever wraps.

Rows are made one by one on demand: a viewer that scrolls over a large board asks for those in sight only.
What is drawn here is read back by `msat.formats.drawing`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

from msat.board import HIDDEN, MINE, Board, Cell
from msat.layout import Layout
from msat.tui.theme import CLUES, HEAT, HEAT_BETWEEN, STYLES, UNICODE, Signs, heat_index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from msat.analysis import Analysis
    from msat.coach.marks import Mark

__all__ = ["BoardView", "Overlay"]

LETTERS = "abcdefghij"
"""Mine probabilities by tens of percent, where there is no room for two digits and a space."""

WIDEST = 3
"""The most columns of a cell."""

NOTHING = Style()

Look = tuple[str, Style]


@dataclass(frozen=True, eq=False)
class Overlay:
    """What is known about hidden cells; without `probability` only what is proven."""

    safe: frozenset[Cell] = frozenset()
    mined: frozenset[Cell] = frozenset()
    probability: NDArray[np.float64] | None = None
    rest: float | None = None
    """The mine probability of every cell that no clue touches, where there is such a cell."""
    marks: Mapping[Cell, Mark] = field(default_factory=dict)
    """What marks are worth."""

    @classmethod
    def of(cls, analysis: Analysis, marks: Mapping[Cell, Mark] | None = None) -> Overlay:
        """All that an analysis found, of a board whose marks were judged before."""
        rest = analysis.to_object(["rest_probability"])["rest_probability"]
        return cls(analysis.safe, analysis.mined, analysis.known_probability, rest, marks or {})

    @classmethod
    def judged(cls, board: Board, budget: float | None = None) -> Overlay:
        """All that is known about a board, by its numbers and the marks that they prove."""
        from msat.analysis import analyze
        from msat.coach.marks import judge_marks, trusted

        marks = judge_marks(board, budget)
        return cls.of(analyze(trusted(board, marks), budget=budget), marks)

    def verdict(self, cell: Cell) -> str:
        """How the mark at a cell is judged; "" where there is none."""
        return self.marks[cell].verdict if cell in self.marks else ""


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board, ready to be printed by rich.

    >>> from rich.console import Console
    >>> view = BoardView(Board.parse("?1?/121 2"), clues={(1, 1)}, last={(0, 1)})
    >>> Console(color_system=None).print(view)
        0  1  2
    0   ■ (1) ■
    1   1 [2] 1
    """

    board: Board
    signs: Signs = UNICODE
    layout: Layout | None = None
    """Where the mines are, if they are to be shown: at the end of a game, or to a cheat."""
    bare: bool = False
    """Whether hidden cells in which the layout has no mine are left blank."""
    exploded: Cell | None = None
    last: Collection[Cell] = ()
    """The cells that were opened last."""
    overlay: Overlay | None = None
    clues: Collection[Cell] = ()
    """The clues that an explanation rests on."""
    moves: Mapping[Cell, Literal["safe", "mine", "open"]] = field(default_factory=dict)
    """The cells that are advised, or explained, and what is known of each; "open" may have a mine or not."""
    wrong: Collection[Cell] = ()
    """Marks that are proven to be wrong."""
    doubtful: Collection[Cell] = ()
    """Marks that may be right or wrong."""
    cursor: Cell | None = None
    styled: bool = True
    """Whether styles are seen: in two columns a cell, percents can be told from each other only by these."""
    _values: list[list[int]] = field(init=False, repr=False)
    _usual: dict[int, Look] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        width = self.board.width
        signed = [byte - 256 if byte > 8 else byte for byte in self.board.values]
        rows = [signed[i : i + width] for i in range(0, len(signed), width)]
        object.__setattr__(self, "_values", rows)
        usual = {value: (self.signs.number(value), CLUES[value]) for value in range(9)}
        usual[HIDDEN] = (self.signs.hidden, STYLES["hidden"])
        usual[MINE] = (self.signs.mark, STYLES["mark"])
        object.__setattr__(self, "_usual", usual)

    @property
    def margin(self) -> int:
        """The columns of the row numbers."""
        return len(str(self.board.height - 1)) + 1

    def pitch(self, room: int | None) -> int:
        """The columns of a cell, where a line has `room` columns (None: any number)."""
        if room is None:
            return WIDEST
        return next((p for p in range(WIDEST, 1, -1) if self.columns(p) <= room), 1)

    def columns(self, pitch: int) -> int:
        """The columns of the whole drawing; one more than the cells take, for a ring around the last."""
        return self.margin + pitch * self.board.width + (pitch > 1)

    def look(self, cell: Cell, pitch: int) -> Look:
        """The sign of a cell, and its style without highlights."""
        value = self._values[cell[0]][cell[1]]
        if cell == self.exploded:
            return self.signs.exploded, STYLES["exploded"]
        if value == MINE:
            return self._marked(cell)
        if value >= 0:
            return self._usual[value]
        if self.layout is not None and self.layout.is_mine(cell):
            return self.signs.mine, STYLES["mine"]
        known = self.moves.get(cell)
        if known == "safe":
            return self.signs.safe, STYLES["safe"]
        if known == "mine":
            return self.signs.mine, STYLES["proven mine"]
        if known == "open":
            return (self.signs.undecided if pitch > 1 else self.signs.move), STYLES["move"]
        if self.layout is not None and self.bare:
            return " ", NOTHING
        return self._overlaid(cell, pitch)

    def _marked(self, cell: Cell) -> Look:
        """A mark, right or wrong."""
        if self.layout is not None:
            right = self.layout.is_mine(cell)
            return self._usual[MINE] if right else (self.signs.wrong, STYLES["wrong"])
        verdict = self.overlay.verdict(cell) if self.overlay is not None else ""
        if cell in self.wrong or verdict == "wrong":
            return self.signs.wrong, STYLES["wrong"]
        if cell in self.doubtful or verdict == "unproven":
            return self.signs.doubtful, STYLES["doubtful"]
        return self._usual[MINE]

    def _overlaid(self, cell: Cell, pitch: int) -> Look:
        """A hidden cell, with what is known about it."""
        overlay = self.overlay
        if overlay is None:
            return self._usual[HIDDEN]
        if cell in overlay.safe:
            return self.signs.safe, STYLES["safe"]
        if cell in overlay.mined:
            return self.signs.mine, STYLES["proven mine"]
        risk = float("nan") if overlay.probability is None else float(overlay.probability[cell])
        if risk != risk:  # nothing is known
            return self._usual[HIDDEN]
        heat = heat_index(risk)
        if pitch == 2 and self._is_rest(cell):
            return self._usual[HIDDEN]  # all alike, as the legend says: what differs is seen better so
        if pitch == 1 or (pitch == 2 and not self.styled):
            return LETTERS[heat], HEAT[heat]
        return percent(risk), (HEAT_BETWEEN if pitch == 2 and cell[1] % 2 else HEAT)[heat]

    def _is_rest(self, cell: Cell) -> bool:
        """Whether no clue touches a cell."""
        r, c = cell
        columns = slice(max(c - 1, 0), c + 2)
        return all(value < 0 for row in self._values[max(r - 1, 0) : r + 2] for value in row[columns])

    def _ring(self, cell: Cell) -> str:
        """The two brackets around a cell, or nothing."""
        if cell == self.cursor:
            return self.signs.cursor
        if cell in self.clues or cell in self.moves:
            return self.signs.clue
        # The mine that went off has a sign that nothing else has.
        return self.signs.last if cell in self.last and cell != self.exploded else ""

    def _highlighted(self, cell: Cell, style: Style) -> Style:
        if cell == self.cursor:
            return style + STYLES["cursor"]
        if cell in self.moves and self.board[cell] == MINE:
            return style + STYLES["move"]
        if cell in self.clues:
            return style + STYLES["clue"]
        return style + STYLES["last"] if cell in self.last and cell != self.exploded else style

    def row(self, row: int, pitch: int, columns: range | None = None) -> list[Segment]:
        """One line of the drawing, with its row number; of some columns, if they are given."""
        columns = range(self.board.width) if columns is None else columns
        label = Segment(f"{row:>{self.margin - 1}} ", STYLES["label"])
        looks = self._looks(row, columns, pitch)
        after = " " * _after(pitch)
        rings = []
        if self.clues or self.moves or self.last or (self.cursor is not None and self.cursor[0] == row):
            rings = [(at, ring) for at, c in enumerate(columns) if (ring := self._ring((row, c)))]
        if not rings:
            cells = [(f"{sign}{after}".rjust(pitch), style) for sign, style in looks]
            return [label, *_joined(cells)]
        ringed = {at for at, _ in rings} if pitch > 2 else set()
        signs: list[str] = []
        styles: list[Style | None] = []
        for at, (sign, style) in enumerate(looks):
            for text, shown in _padded(sign, style, pitch, at in ringed):
                signs += text
                styles += [shown] * len(text)
        signs.append(" ")
        styles.append(None)
        if pitch > 1:
            sizes = [len(sign) for sign, _ in looks]
            for at, place, bracket in _brackets(rings, pitch, sizes, self.signs.cursor):
                if signs[place] == " ":  # a ring never covers a sign
                    signs[place], styles[place] = bracket, _ring_style(looks[at][1])
        return [label, *_joined(list(zip(signs, styles, strict=True)))]

    def _looks(self, row: int, columns: range, pitch: int) -> list[Look]:
        """The signs and styles of some cells of a row; most boards have rows in which nothing is special."""
        values = self._values[row][columns.start : columns.stop]
        plain = (
            self.overlay is None
            and self.layout is None
            and not (self.clues or self.moves or self.last or self.wrong or self.doubtful)
        )
        if plain and (self.cursor is None or self.cursor[0] != row) and self.exploded is None:
            usual = self._usual
            return [usual[value] for value in values]
        found = []
        for column, value in zip(columns, values, strict=True):
            cell = (row, column)
            sign, style = (
                self._usual[value] if value >= 0 and cell != self.exploded else self.look(cell, pitch)
            )
            found.append((sign, self._highlighted(cell, style)))
        return found

    def header(self, pitch: int, columns: range | None = None) -> list[list[Segment]]:
        """The lines above the board: the columns' numbers, tens above units where both do not fit."""
        columns = range(self.board.width) if columns is None else columns
        if pitch > 2:
            after = " " * _after(pitch)
            lines = ["".join(f"{column % 100}{after}".rjust(pitch) for column in columns)]
        else:
            lines = ["".join(f"{column % 10:>{pitch}}" for column in columns)]
            if columns[-1] >= 10:
                lines.insert(0, _tens(columns, pitch))
        return [[Segment(" " * self.margin + line.rstrip(), STYLES["label"])] for line in lines]

    def blocks(self, room: int | None) -> tuple[int, list[range]]:
        """The pitch, and the columns of each block, for lines of at most `room` columns."""
        pitch = self.pitch(room)
        width = self.board.width
        fit = width if room is None else max(1, (room - self.margin - (pitch > 1)) // pitch)
        return pitch, [range(first, min(first + fit, width)) for first in range(0, width, fit)]

    def lines(self, room: int | None = None) -> Iterator[list[Segment]]:
        """All lines of the drawing, none longer than `room`."""
        pitch, blocks = self.blocks(room)
        for number, columns in enumerate(blocks):
            if number:
                yield []
            yield from self.window(range(self.board.height), columns, pitch)

    def window(self, rows: range, columns: range, pitch: int) -> Iterator[list[Segment]]:
        """The lines of a part of the board."""
        yield from self.header(pitch, columns)
        for row in rows:
            yield self.row(row, pitch, columns)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(options.max_width):
            yield from line
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = min(self.columns(self.pitch(options.max_width)), options.max_width)
        return Measurement(width, width)


def percent(risk: float) -> str:
    """A mine probability in two digits; what is not proven is never shown as 0 or 100.

    >>> percent(0.071), percent(0.0001), percent(0.9999)
    ('07', '01', '99')
    """
    return f"{min(max(round(risk * 100), 1), 99):02d}"


def _tens(columns: range, pitch: int) -> str:
    """A line with the tens of the columns that begin one."""
    first = columns[0]
    return "".join(
        f"{str(column // 10 % 10) if (column % 10 == 0 and column) or column == first >= 10 else '':>{pitch}}"
        for column in columns
    )


def _padded(sign: str, style: Style, pitch: int, ringed: bool) -> list[tuple[str, Style | None]]:
    """A cell with the spaces before its sign, which take its style where that makes an even surface.

    Cells that are wider than a ring are surfaces in any case: a ring would cut a piece out of them.
    """
    after = " " * _after(pitch)
    before = " " * (pitch - len(sign) - len(after))
    if before and not after and (style.reverse or ringed):
        return [(before, None), (sign, style)]
    return [(before + sign + after, style)]


def _after(pitch: int) -> int:
    """The columns of a cell after its sign: a wide cell has it in the middle."""
    return (pitch - 1) // 2 if pitch > WIDEST else 0


def _ring_style(style: Style) -> Style:
    """The style of a bracket: on the ground of its cell, if that has one."""
    return STYLES["ring"] if style.bgcolor is None else style


def _brackets(
    rings: list[tuple[int, str]], pitch: int, sizes: list[int], cursor: str
) -> Iterator[tuple[int, int, str]]:
    """The cells of the brackets of a row, and where they stand: in two columns neighbours may share one.

    Those of the cursor come first, and have both.
    """
    for number, (at, ring) in sorted(enumerate(rings), key=lambda ringed: ringed[1][1] != cursor):
        joined = pitch == 2 and ring != cursor
        before, after = (
            rings[number - 1] if number else None,
            rings[number + 1] if rings[number + 1 :] else None,
        )
        end = pitch * (at + 1) - _after(pitch)
        if not (joined and before == (at - 1, ring)):
            yield at, end - sizes[at] - 1, ring[0]
        # The opening bracket of a neighbour comes first for the column that two share.
        if not (joined and after is not None and after[0] == at + 1):
            yield at, end, ring[1]


def _joined(parts: Sequence[tuple[str, Style | None]]) -> list[Segment]:
    """The parts joined where their styles agree; spaces at the end of the line are left out."""
    size = len(parts)
    while size and parts[size - 1][1] in (None, NOTHING) and not parts[size - 1][0].strip():
        size -= 1
    # Styles by identity: to compare them takes most of the time of a large board.
    runs = (list(run) for _, run in groupby(parts[:size], key=lambda part: id(part[1])))
    return [Segment("".join([text for text, _ in run]), run[0][1]) for run in runs]
