"""The rules once more, as pictures: the definition that the compiled rules are compared with.

Slow and obvious on purpose. A position is reduced to what the rules look at: which cells are hidden, and how
many mines each clue still needs among them. In a picture `m`, `n`, `a`, `b` are clues, `X` is a cell that is
not hidden (off the board counts), `-` one that is hidden, `?` one that the rule decides if it is hidden, `*`
any cell. Every picture is turned and mirrored in all ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from msat.board import Board, Cell

__all__ = ["SHOWCASES", "TABLE", "Firing", "Form", "Placed", "Position", "around", "firings", "fixpoint"]

Numbers = Mapping[str, int]
"""A number for each clue of a picture, by its letter."""


def add(cell: Cell, origin: Cell) -> Cell:
    return cell[0] + origin[0], cell[1] + origin[1]


def shifted(cells: frozenset[Cell], origin: Cell) -> frozenset[Cell]:
    return frozenset(add(cell, origin) for cell in cells)


@cache
def around(cell: Cell) -> frozenset[Cell]:
    """The eight cells around `cell`, wherever the board ends."""
    r, c = cell
    return frozenset((r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)


class Position(NamedTuple):
    """What the rules look at."""

    hidden: frozenset[Cell]
    need: Mapping[Cell, int]

    @classmethod
    def of(cls, board: Board) -> Position:
        marked = frozenset(board.marked)
        return cls(
            frozenset(board.hidden),
            {clue: board[clue] - len(around(clue) & marked) for clue in board.revealed},
        )

    def after(self, cells: frozenset[Cell], mine: bool) -> Position:
        """The position once it is known that all of `cells` are mines, or that all are safe."""
        lost = {clue: len(around(clue) & cells) if mine else 0 for clue in self.need}
        return Position(self.hidden - cells, {clue: self.need[clue] - lost[clue] for clue in self.need})

    def violated(self) -> bool:
        return any(not 0 <= need <= len(around(clue) & self.hidden) for clue, need in self.need.items())


class Firing(NamedTuple):
    """One application of a rule: what it decides, and on which clues it rests."""

    rule: int
    mine: bool
    clues: tuple[Cell, ...]
    cells: frozenset[Cell]


class Placed(NamedTuple):
    """A form in one orientation: where its signs stand, relative to m."""

    form: Form
    clues: Mapping[str, Cell]
    revealed: frozenset[Cell]
    hidden: frozenset[Cell]
    decided: frozenset[Cell]

    def fits(self, hidden: frozenset[Cell], origin: Cell = (0, 0)) -> bool:
        """Whether the cells that must be hidden are, and those that must not be are not."""
        return shifted(self.hidden, origin) <= hidden and not shifted(self.revealed, origin) & hidden

    def fire(self, position: Position, origin: Cell) -> Firing | None:
        """What the form says if m stands at `origin`."""
        clues = {name: add(clue, origin) for name, clue in self.clues.items()}
        if not all(clue in position.need for clue in clues.values()):
            return None
        need = {name: position.need[clue] for name, clue in clues.items()}
        size = {name: len(around(clue) & position.hidden) for name, clue in clues.items()}
        if not self.form.condition(need, size) or not self.fits(position.hidden, origin):
            return None
        cells = shifted(self.decided, origin) & position.hidden
        return Firing(self.form.rule, self.form.mine, tuple(clues.values()), cells) if cells else None


@dataclass(frozen=True)
class Form:
    """A rule, or one of its two forms: a picture, a condition on need and hidden neighbours, a verdict."""

    rule: int
    mine: bool
    picture: str
    condition: Callable[[Numbers, Numbers], bool]

    @cached_property
    def orientations(self) -> tuple[Placed, ...]:
        """The picture in every orientation, each once."""
        rows = self.picture.split()
        signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
        ((r0, c0),) = (cell for cell, sign in signs.items() if sign == "m")
        found: list[Placed] = []
        for a, b, swap in product((1, -1), (1, -1), (False, True)):
            moved: dict[str, list[Cell]] = {sign: [] for sign in "mnabX-?*"}
            for (r, c), sign in signs.items():
                place = a * (r - r0), b * (c - c0)
                moved[sign].append((place[1], place[0]) if swap else place)
            clues = {name: moved[name][0] for name in "mnab" if moved[name]}
            placed = Placed(self, clues, *(frozenset(moved[sign]) for sign in "X-?"))
            # The sides of a picture may be alike, and so are a and b of rule 7.
            alike = (set(clues.values()), placed[2:])
            if alike not in [(set(other.clues.values()), other[2:]) for other in found]:
                found.append(placed)
        return tuple(found)


AROUND = "??? ?m? ???"
PAIR = "?-- ?mn ???"
ADJACENT = "X**? Xnm? X**?"
CORNER = "Xa- bm- --?"
APART = "XX*?? Xm*n? XX*??"

TABLE = (
    Form(1, False, AROUND, lambda need, u: need["m"] == 0),
    Form(2, True, AROUND, lambda need, u: need["m"] == u["m"]),
    Form(3, True, PAIR, lambda need, u: need["n"] == 1 and need["m"] == u["m"] - 1),
    Form(4, False, PAIR, lambda need, u: need["m"] == need["n"] == 1 and u["n"] == 2),
    Form(5, False, ADJACENT, lambda need, u: need["n"] == need["m"]),
    Form(6, True, ADJACENT, lambda need, u: need["m"] - need["n"] == u["m"] - u["n"]),
    Form(7, True, CORNER, lambda need, u: need["a"] == need["b"] == 1 and need["m"] == 3),
    Form(
        7,
        False,
        CORNER,
        lambda need, u: need["a"] == need["b"] == 1 and u["a"] == u["b"] == 2 and need["m"] == 2,
    ),
    Form(8, False, APART, lambda need, u: need["m"] == need["n"]),
    Form(9, True, APART, lambda need, u: need["n"] - need["m"] == u["n"] - u["m"]),
)


def firings(position: Position, last_rule: int = 9) -> Iterator[Firing]:
    """Every application that the rules up to `last_rule` allow, the lowest rules first."""
    for form in TABLE:
        if form.rule <= last_rule:
            for placed in form.orientations:
                for clue in position.need:
                    firing = placed.fire(position, clue)
                    if firing:
                        yield firing


def fixpoint(board: Board, last_rule: int = 9) -> tuple[dict[Cell, bool], bool]:
    """All that the rules find, as cell → mine, always by the lowest rule; and whether a clue was violated."""
    position = Position.of(board)
    known: dict[Cell, bool] = {}
    while not position.violated():
        firing = next(firings(position, last_rule), None)
        if firing is None:
            return known, False
        known.update(dict.fromkeys(firing.cells, firing.mine))
        position = position.after(firing.cells, firing.mine)
    return known, True


SHOWCASES = [
    (1, False, "?0/ 0", "r0c0"),
    (2, True, "?1/ 1", "r0c0"),
    (3, True, "???/13? 3", "r0c2 r1c2"),
    (4, False, "1?/1?/?? 1", "r2c1 r2c0"),
    (5, False, "???/?11/??? 1", "r0c0 r1c0 r2c0"),
    (6, True, "???/36?/??? 6", "r0c2 r1c2 r2c2"),
    (7, True, "???/13?/01? 3", "r0c2"),
    (7, False, "???/12?/01? 2", "r0c2"),
    (8, False, "1?/??/11 1", "r0c1"),
    (9, True, "11/??/2? 2", "r2c1"),
]
"""For each form a board on which no earlier rule says anything, and the cells that it decides there."""
