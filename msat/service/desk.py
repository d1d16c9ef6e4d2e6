"""Probabilities of boards, as they are sent: what is asked for most often, without detours.

A board becomes bytes of JSON by one compiled call, on slates that are used again for the next board of its
size. So this is for one thread, which the serving process is. What the fast path leaves open (a board that is
too wide, or impossible) is left to the library.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.constants import LAST_RULE, MINE
from msat.engines.counting._kernels.answer import ANSWERED, answer
from msat.engines.counting.engine import WORKSPACE
from msat.engines.counting.stack import answer_quickly
from msat.problem._kernels.workspace import new_workspace
from msat.questions import requests as q

__all__ = ["Desk", "asks_for_probabilities", "written"]

SIZES = 16
"""Sizes of boards whose slates are kept."""

_FIELDS = ["probability"]
_ENGINES = ("auto", "counting")
_MARK = MINE & 0xFF
_encode = msgspec.json.Encoder().encode  # nan becomes null


def asks_for_probabilities(question: q.Question, board: Board | None) -> bool:
    """Whether that, on a board without marks, is all that is asked."""
    return (
        isinstance(question, q.Analyze)
        and question.fields == _FIELDS
        and question.engine in _ENGINES
        and board is not None
        and _MARK not in board.values
    )


def written(probability: NDArray[np.float64]) -> bytes:
    """The answer that these are.

    >>> written(np.array([[0.5, np.nan, 0.5]]))
    b'{"probability":[[0.5,null,0.5]]}'
    """
    return b'{"probability":%b}' % _encode(probability.tolist())


class _Slate(NamedTuple):
    """What a board is read from, and its answer written on."""

    grid: NDArray[np.int8]
    values: memoryview
    probability: NDArray[np.float64]
    verdict: NDArray[np.int8]


class Desk:
    """Answers about boards that are small enough for one compiled call (`engines/counting/bands.py`)."""

    def __init__(self) -> None:
        self._workspace: NDArray[np.int64] | None = None  # which takes a kernel to make
        self._slates: dict[tuple[int, int], _Slate] = {}

    def answer(self, board: Board) -> bytes | None:
        """The answer about a board, or None if the fast path has none.

        >>> desk = Desk()
        >>> desk.answer(Board.parse("?1? 1")), desk.answer(Board.parse("?3? 1"))
        (b'{"probability":[[0.5,null,0.5]]}', None)
        """
        grid, values, probability, verdict = self._slates.get(board.shape) or self._new(board.shape)
        values[:] = board.values
        workspace = self._workspace
        if workspace is None:
            workspace = self._workspace = new_workspace(WORKSPACE)
        status, _ = answer(grid, MINE, board.mines, LAST_RULE, probability, verdict, workspace)
        return written(probability) if status == ANSWERED else None

    def _new(self, shape: tuple[int, int]) -> _Slate:
        if len(self._slates) >= SIZES:
            self._slates.clear()
        grid = np.empty(shape, np.int8)
        values = grid.data.cast("B", (grid.size,))
        slate = _Slate(grid, values, np.empty(shape, np.float64), np.empty_like(grid))
        self._slates[shape] = slate
        return slate

    @staticmethod
    def answer_all(boards: list[Board]) -> list[NDArray[np.float64] | None]:
        """The probabilities of boards of one size, all in one compiled call or a few; None as above."""
        values = bytearray().join([board.values for board in boards])
        stack = np.frombuffer(values, np.int8).reshape(-1, *boards[0].shape)
        mines = np.array([board.mines for board in boards], np.int64)
        found = answer_quickly(stack, mines, verdicts=False)
        answered = (found.status == ANSWERED).tolist()
        return [each if good else None for each, good in zip(found.probability, answered, strict=True)]
