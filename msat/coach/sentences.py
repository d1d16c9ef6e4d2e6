"""Why a move is advised, in one sentence: only of what is known for certain about the board."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msat.board import Cell
from msat.engines.rules.deductions import Deduction
from msat.winning import WinProbability
from msat.wording import cell_name, cell_names, clue_name, many

__all__ = [
    "WON",
    "by_count",
    "by_evaluation",
    "by_perfect_play",
    "by_pocket",
    "by_rule",
    "by_safety",
    "by_symmetry",
    "chance",
    "move_first",
    "percent",
]

WON = "nothing is left to open: the board is won"


def percent(chance: float | Fraction) -> str:
    """A chance in percent; what is not certain is never shown as if it were.

    >>> percent(0.915), percent(Fraction(1, 10_000)), percent(0.99999), percent(1)
    ('91.5%', 'below 0.1%', 'above 99.9%', '100%')
    """
    if chance in (0, 1):
        return f"{float(chance):.0%}"
    if chance < 0.001:
        return "below 0.1%"
    return "above 99.9%" if chance > 0.999 else f"{float(chance):.1%}"


def chance(win: float | Fraction | None, safety: float, games: int) -> str:
    """The chance to win: as it is, or as far as `games` tell where all of them ended alike.

    Of n games with the same end, the other end has a chance below 3/n (with 95% confidence).

    >>> chance(0.0, 0.9, 200), chance(0.9, 0.9, 200), chance(0.45, 0.9, 200), chance(None, 0.9, 0)
    ('below 1.4%', 'above 88.7%', '45.0%', 'not known')
    """
    if win is None:
        return "not known"
    doubt = safety * min(1.0, 3 / games) if games else 0.0
    if games and win == 0:
        return f"below {max(doubt, 0.001):.1%}"
    if games and win == safety:
        return f"above {min(safety - doubt, 0.999):.1%}"
    return percent(win)


def by_rule(deduction: Deduction, cells: Sequence[Cell], mines: Sequence[Deduction] = ()) -> str:
    """For cells of which one is found by a rule; `mines` are those that it counts and nobody has marked."""
    where = ""
    if mines:
        where = f": {cell_names([mine.cell for mine in mines])}"
        clues = {
            (number, clue) for mine in mines for number, clue in zip(mine.numbers, mine.clues, strict=True)
        }
        if len(clues) == 1:
            where += f", by {clue_name(*clues.pop())}"
    return f"{deduction}{where}{_also_safe(deduction.cell, cells)}"


def by_count(cell: Cell, cells: Sequence[Cell], numbers: str) -> str:
    """For cells that no rule finds; `numbers` are those that prove it, "" where they are not known."""
    why = f" by {numbers}" if numbers else ": no layout that agrees with the board has a mine there"
    return f"{cell_name(cell)} is safe{why}{_also_safe(cell, cells)}"


def by_perfect_play(
    cell: Cell, safety: float, found: WinProbability, safer: Cell | None, as_good: Sequence[Cell]
) -> str:
    """For a position that is searched to its end; with a safer cell, if there is one, and those as good."""
    wins = f"{found.wins} of {many(found.solutions, 'layout')}"
    less = f"; {cell_name(safer)} is safer, but wins less often" if safer else ""
    equal = f"; {cell_names(as_good)} {'wins' if len(as_good) == 1 else 'win'} as often" if as_good else ""
    return f"{_likely(cell, safety)} and begins perfect play, which wins {wins}{equal}{less}"


def by_pocket(cell: Cell, safety: float) -> str:
    """For a guess by perfect play in a closed pocket."""
    return (
        f"{_likely(cell, safety)} and begins perfect play in a closed pocket, which "
        "nothing opened elsewhere will ever tell more about"
    )


def by_evaluation(
    cell: Cell, safety: float, candidates: int, tells: float | None, safer: Cell | None, sampled: bool
) -> str:
    """For a guess that was compared with others: by the boards it leads to and, if `sampled`, by a search.

    `tells` is how likely its number is to prove another cell safe, if that is known.
    """
    of = f"of {candidates} candidates" if candidates > 1 else "as the only candidate"
    ahead = f"{of} leads to the best boards"
    if sampled:
        ahead = f"comes out best {of}, by evaluation and by a search of some of the layouts"
    passed_over = f"; {cell_name(safer)} is safer, but promises less" if safer else ""
    proves = (
        "" if tells is None else f": its number then proves other cells safe in {percent(tells)} of all cases"
    )
    return f"{_likely(cell, safety)} and {ahead}{proves}{passed_over}"


def by_symmetry(cell: Cell, safety: float) -> str:
    """For a risk that has to be taken sooner or later."""
    return (
        f"{_likely(cell, safety)}, and nothing opened elsewhere will ever tell more: "
        "waiting only hides what its number may show"
    )


def by_safety(cell: Cell, safety: float, wide: bool) -> str:
    """For the safest cell: on a board that is too wide for more, or where no cell teaches anything."""
    rest = "; the board is too wide to look further" if wide else ", and no other teaches more"
    return f"{cell_name(cell)} is the safest cell, with a chance of {percent(safety)}{rest}"


def _likely(cell: Cell, safety: float) -> str:
    return f"{cell_name(cell)} is safe with a chance of {percent(safety)}"


def _also_safe(cell: Cell, cells: Sequence[Cell]) -> str:
    """That other cells are proven safe as well, if there are some."""
    others = [other for other in cells if other != cell]
    if not others:
        return ""
    told = cell_names(others).replace("cells", "other cells")  # where they are too many to be named
    return f" ({told} {'is' if len(others) == 1 else 'are'} proven safe too)"


def move_first(cell: Cell | None, reason: str) -> str:
    """The reason for a move, beginning with what to do.

    >>> move_first((0, 1), "r0c1 is safe by rule 1: the 1 at r0c0 has all its mines")
    'open r0c1, safe by rule 1: the 1 at r0c0 has all its mines'
    >>> move_first((0, 1), "no cell is proven safe; r0c1 is a mine with 5.0%, and none is safer")
    'open r0c1: no cell is proven safe; r0c1 is a mine with 5.0%, and none is safer'
    """
    if cell is None:
        return reason
    name = cell_name(cell)
    safe = reason.removeprefix(f"{name} is ")
    return f"open {name}: {reason}" if safe == reason else f"open {name}, {safe}"
