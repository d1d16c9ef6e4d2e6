"""What every box can be, from models of a formula: the backbone.

A model shows for each box whether it can have a mine and whether it can have a free cell. What no model has
shown yet is asked for by one assumption each, and the model that this gives, if any, answers for other boxes
as well.

A formula without the mine total is far smaller, and its models serve just as well, provided that they keep
the total: the rest then holds what the boxes leave. Where models miss it, the solver is steered towards it.
A mine that is touched by many clues satisfies more of them at once, so a model with mines in boxes of many
clues has few mines, and one with mines in boxes of few clues has many; how strongly to prefer the one or the
other is adjusted from model to model, by how far the last one was off.
"""

from __future__ import annotations

import numpy as np

from msat.cells import Cell
from msat.encode.cnf import Formula
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.solvers.prepared import Possible, PreparedBoard
from msat.engines.solvers.sat_session import SatSession

__all__ = ["Backbone"]

Question = tuple[int, Cell, int]
"""Where in `Possible`, a cell there, and what it may be."""

GAIN = 4.0
"""How strongly the preference reacts to a total that was missed by a share of it."""

BOXES_PER_TRY = 10
"""The more boxes, the dearer the formula with the total, and the more tries without it are worth making."""


class Backbone:
    """The questions about a position that are still undecided, and how to decide them."""

    def __init__(self, position: PreparedBoard, possible: Possible) -> None:
        self._problem = position.problem
        self._possible = possible
        cells = [(b, box.cells[0]) for b, box in enumerate(self._problem.boxes)]
        if self._problem.rest:
            cells.append((position.REST, self._problem.rest[0]))
        self.undecided: set[Question] = {
            (which, cell, what) for which, cell in cells for what in (CAN_BE_MINE, CAN_BE_SAFE)
        }
        """What is not known yet."""
        self._bias = 0.0
        self._random = np.random.default_rng(0)

    def ask(self, session: SatSession, formula: Formula[Cell, Cell]) -> None:
        """Decide what can be decided with a formula of the position, its mine total included or not."""
        model = session.solve()
        if model is None:
            self._possible[:] = [0] * len(self._possible)
            self.undecided.clear()
            return
        missed = self._learn(model, formula)
        tries = 1 + len(self._problem.boxes) // BOXES_PER_TRY
        for question in sorted(self.undecided):
            which, cell, what = question
            literal = formula.literal(cell, what == CAN_BE_MINE)
            for _ in range(tries):
                if question not in self.undecided:
                    break
                if missed:
                    self._steer(session, formula, missed)
                model = session.solve([literal])
                if model is None:
                    session.add([-literal])
                    self._possible[which] &= ~what
                    self.undecided.remove(question)
                else:
                    missed = self._learn(model, formula)

    def _learn(self, model: frozenset[int], formula: Formula[Cell, Cell]) -> float:
        """Take a model as a witness if it keeps the mine total; if not, by how many mines it missed it."""
        in_rest = self._problem.mines_left - len(model.intersection(formula.projection))
        cells = len(self._problem.rest)
        if not 0 <= in_rest <= cells:
            return cells / 2 - in_rest
        rest = (CAN_BE_MINE if in_rest else 0) | (CAN_BE_SAFE if in_rest < cells else 0)
        self.undecided = {
            (which, cell, what)
            for which, cell, what in self.undecided
            if not (rest & what if which < 0 else formula.literal(cell, what == CAN_BE_MINE) in model)
        }
        return 0.0

    def _steer(self, session: SatSession, formula: Formula[Cell, Cell], missed: float) -> None:
        """Let the next model have fewer mines, or more, if the last one had `missed` too many (few)."""
        self._bias += GAIN * missed / max(1, self._problem.mines_left)
        clues = np.repeat([len(box.clues) for box in self._problem.boxes], [*map(len, formula.count)])
        pull = np.clip(self._bias * (clues - clues.mean()), -50, 50)
        mined = self._random.random(clues.size) * (1 + np.exp(-pull)) < 1
        session.prefer((np.where(mined, 1, -1) * np.array(formula.projection)).tolist())
