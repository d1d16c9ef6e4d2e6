"""A search among listed layouts in slices, so that it can be interrupted, limited, and grow.

The kernel (`_kernels/search.py`) answers in one go, or stops where its budget or its memory is used up, and
goes on from what it remembers. Here it is called until it has answered.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import hurry
from msat.deadline import Deadline, Interrupts, memory_limit
from msat.engines.endgame._kernels import search as k
from msat.engines.endgame._kernels import search_memory

__all__ = ["EndgameSearch", "check_search_memory"]

SLICE = 20_000
"""Nodes between two chances for Ctrl-C."""

ROOM, ROOM_PER_CELL = 1200, 12
"""Bytes that a search begins with for every layout, and for every cell of a layout."""


LARGE = 20_000
"""Numbers in all layouts together: searches of more are worth compiled kernels."""


class EndgameSearch:
    """How many of some layouts perfect play wins; `values` are those of `list_solutions`.

    With a `width`, play is less than perfect: of the moves of a guess only so many are tried, those that look
    best at first sight. Layouts that cannot both be won are looked for within `groups`, given by where they
    begin and where the last one ends. What takes more memory than is allowed is a MemoryError, here and in
    every answer.
    """

    def __init__(
        self,
        values: NDArray[np.int8],
        groups: NDArray[np.int64] | None = None,
        width: int | None = None,
    ) -> None:
        check_search_memory(*values.shape)
        if values.size > LARGE:
            hurry()
        if groups is None:
            groups = np.array([0, values.shape[0]])
        self._memory = search_memory.new_memory(values, groups, 0)
        if width is not None:
            self._memory.state[search_memory.WIDTH] = width
        self.nodes = 0
        """The sets of layouts that were looked into so far."""

    def wins_if(
        self, column: int | None, most_nodes: int, deadline: Deadline | None = None, need: int = 0
    ) -> int | None:
        """The most layouts that are won if a column is opened first, or any if None.

        Where these are fewer than `need`, that is found out sooner, and the answer is some number below it
        that they do not exceed. None where that takes more than `most_nodes` in all, or goes on when the
        deadline is over.
        """
        with Interrupts() as interrupts:
            while True:
                state = self._memory.state
                before = int(state[search_memory.NODES])
                state[search_memory.BUDGET] = before + min(SLICE, most_nodes - self.nodes)
                wins = int(k.wins_if(self._memory, k.ANY if column is None else column, need))
                self.nodes += min(int(state[search_memory.NODES]), int(state[search_memory.BUDGET])) - before
                if state[search_memory.STATUS] == search_memory.RUNNING:
                    return wins
                if state[search_memory.STATUS] == search_memory.FULL:
                    _check_memory(2 * sum(array.nbytes for array in self._memory))
                    self._memory = search_memory.enlarged(self._memory)
                elif self.nodes >= most_nodes:
                    return None
                if deadline is not None and deadline.over():
                    return None
                interrupts.release()

    def first_move(self) -> int:
        """A column that perfect play opens first, once `wins_if` has answered for any."""
        return int(k.first_move(self._memory))


def check_search_memory(layouts: int, cells: int) -> None:
    """Raise a MemoryError where a search of so many layouts with so many cells cannot even begin."""
    _check_memory(layouts * (ROOM + ROOM_PER_CELL * cells))


def _check_memory(needed: int) -> None:
    if needed > memory_limit():
        raise MemoryError
