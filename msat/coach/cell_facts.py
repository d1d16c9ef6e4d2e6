"""Facts about cells: how likely each hidden cell is a mine, what it may show, and whether that would tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msat.analysis import Analysis
from msat.board import Cell

__all__ = ["CellFacts", "cell_facts"]


@dataclass(frozen=True)
class CellFacts:
    """What is known about a hidden cell."""

    cell: Cell
    probability: float
    """The chance of a mine."""
    numbers: tuple[float, ...]
    """The chance that it is safe and shows 0, 1, … 8: these add up to its safety."""
    dead: bool
    """Whether it shows the same number in every layout in which it is safe."""

    @property
    def opening(self) -> float:
        """The chance of a 0, which opens all around it."""
        return self.numbers[0]

    def to_object(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "cell": list(self.cell),
            "probability": self.probability,
            "opening": self.opening,
            "numbers": list(self.numbers),
            "dead": self.dead,
        }


def cell_facts(analysis: Analysis) -> tuple[CellFacts, ...]:
    """The facts about all hidden cells, in reading order.

    >>> from msat.analysis import analyze
    >>> from msat.board import Board
    >>> first = cell_facts(analyze(Board.parse("1??/??? 1")))[0]
    >>> first.cell, round(first.probability, 4), round(first.opening, 4), first.dead
    ((0, 1), 0.3333, 0.0, True)
    """
    chances, probability = analysis.number_chances, analysis.probability
    return tuple(
        CellFacts(cell, float(probability[cell]), tuple(chances[cell].tolist()), cell in analysis.dead)
        for cell in analysis.board.hidden
    )
