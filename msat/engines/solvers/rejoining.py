"""Parts of a component put together: exact counts by mine number, however many solutions there are.

Parts are joined one after the other, in a chain. What the clues still need after the first links is all that
the next ones must know of them, so whatever leaves the clues with the same needs is summed up in one *state*.
Forwards, a state holds in how many ways the links before it are filled; backwards, those after it.

Two things are packed into integers, which Python adds and multiplies fast:

- the needs of all clues, in a field of bits each, the highest of which guards it: where a subtraction clears
  that bit, more was taken than the clue needed;
- ways by mine count: a polynomial, as its value at a power of two above all its coefficients.

Needs are checked here against the clues themselves. So a solver that lists a wrong way to fill a part adds
nothing to the count; only one that leaves out a right way can spoil it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import comb, prod

from msat.deadline import Deadline
from msat.engines.solvers.box_count import KnownByMines
from msat.engines.solvers.cutting import ListedPart
from msat.problem.problem import Component, Problem

__all__ = ["join_parts"]

FIELD = 5
"""Bits of a field: a need of at most 8, and the guard."""

STATE_BYTES = 200
"""What a state takes besides its polynomial."""

States = dict[int, int]
"""Ways by what the clues still need, or by what is taken from them; both packed."""


def join_parts(
    problem: Problem, component: Component, parts: Sequence[ListedPart], deadline: Deadline
) -> KnownByMines:
    """Count the layouts of a component, given all its parts.

    >>> from msat.board import Board
    >>> problem = Problem.of(Board.parse("?1? 1"))
    >>> tally = join_parts(problem, problem.components[0], [ListedPart((0,), [(1,)])], Deadline(None))
    >>> tally.ways, tally.mined(0)
    ({1: 2}, {1: 1})
    """
    chain = _PartChain(problem, component, parts, deadline)
    chain.go_forwards()
    mined = chain.go_backwards()
    return KnownByMines(
        chain.unpack(chain.states[-1].get(0, 0)), [chain.unpack(mined[b]) for b in component.boxes]
    )


class _PartChain:
    """All parts in a row."""

    def __init__(
        self, problem: Problem, component: Component, parts: Sequence[ListedPart], deadline: Deadline
    ) -> None:
        self._deadline = deadline
        unit = {k: 1 << FIELD * i for i, k in enumerate(component.clues)}
        layouts = [_layouts(problem, part) for part in parts]
        # No coefficient exceeds the number of ways to fill the parts regardless of each other.
        self._bits = prod(map(sum, layouts)).bit_length()
        self._links: list[_Link] = []
        later = dict.fromkeys(component.clues, 0)  # cells of each clue in later links
        for part, ways in zip(reversed(parts), reversed(layouts), strict=True):
            link = _Link(problem, part, ways, unit, self._bits, later)
            self._links.insert(0, link)
            for b in part.boxes:
                for k in problem.boxes[b].clues:
                    later[k] += problem.boxes[b].size
        self.states: list[States] = [{sum(problem.clues[k].need * unit[k] for k in component.clues): 1}]
        """Before the first link and after each: in how many ways the links so far are filled."""

    def go_forwards(self) -> None:
        """Fill one link after the other."""
        self._deadline.held = 0
        span = 1  # of mine counts that the links so far may have: no polynomial is longer
        for link in self._links:
            span += link.span
            state_bytes = STATE_BYTES + span * self._bits // 8
            reached: States = defaultdict(int)
            for needs, ways in self.states[-1].items():
                self._check(len(reached) * state_bytes, link.width)
                for taken, after in link.steps(needs):
                    reached[after] += ways * link.ways[taken]
            self.states.append(reached)
            self._deadline.held += len(reached) * state_bytes

    def go_backwards(self) -> dict[int, int]:
        """The ways with a mine in the first cell of each box."""
        mined: dict[int, int] = {}
        worth: States = {0: 1}  # in how many ways the links after a state are filled
        for link, states in zip(reversed(self._links), self.states[-2::-1], strict=True):
            before: States = defaultdict(int)
            around: States = defaultdict(int)  # by what this link takes: the ways to fill all others
            for needs, ways in states.items():
                self._check(0, link.width)
                for taken, after in link.steps(needs):
                    if after in worth:
                        before[needs] += link.ways[taken] * worth[after]
                        around[taken] += ways * worth[after]
            for i, b in enumerate(link.boxes):
                mined[b] = sum(others * link.mined[taken][i] for taken, others in around.items())
            worth = before
        return mined

    def unpack(self, packed: int) -> dict[int, int]:
        """Ways by mine count."""
        found = {}
        mines = sum(link.low for link in self._links)
        while packed:
            ways = packed & ((1 << self._bits) - 1)
            if ways:
                found[mines] = ways
            packed >>= self._bits
            mines += 1
        return found

    def _check(self, more_bytes: int, width: int) -> None:
        """Keep the limits of time and memory."""
        self._deadline.check("not counted", width=width)
        self._deadline.check_memory(more_bytes, width)


class _Link:
    """A part as a link of the chain: its ways by what they take from the clues."""

    def __init__(
        self,
        problem: Problem,
        part: ListedPart,
        layouts: Sequence[int],
        unit: dict[int, int],
        bits: int,
        later: dict[int, int],
    ) -> None:
        boxes = [problem.boxes[b] for b in part.boxes]
        sizes = {k: sum(problem.boxes[b].size for b in problem.clues[k].boxes) for k in unit}
        takes = [sum(unit[k] for k in box.clues) for box in boxes]
        mines = [sum(counts) for counts in part.solutions]
        self.boxes = part.boxes
        self.low = min(mines, default=0)
        """The fewest mines; polynomials count those beyond …"""
        self.span = max(mines, default=0) - self.low
        """… which are so many at most."""
        self.ways: States = defaultdict(int)
        self.mined: dict[int, list[int]] = {}
        """The same as `ways`, with a mine in the first cell of each box."""
        for counts, total, multiple in zip(part.solutions, mines, layouts, strict=True):
            taken = sum(take * count for take, count in zip(takes, counts, strict=True))
            ways = multiple << bits * (total - self.low)
            self.ways[taken] += ways
            mined = self.mined.setdefault(taken, [0] * len(boxes))
            for i, (box, count) in enumerate(zip(boxes, counts, strict=True)):
                mined[i] += ways * count // box.size
        self.width = sum(0 < cells < sizes[k] for k, cells in later.items())
        """How many clues are open after this link: have cells in it or before, and later ones."""
        self._guards = sum(one << (FIELD - 1) for one in unit.values())
        self._room = self._guards + sum(cells * unit[k] for k, cells in later.items())
        self._closed = sum(((1 << FIELD) - 1) * unit[k] for k, cells in later.items() if not cells)
        self._by_closed: dict[int, list[int]] = {}
        for taken in self.ways:
            self._by_closed.setdefault(taken & self._closed, []).append(taken)

    def steps(self, needs: int) -> Iterator[tuple[int, int]]:
        """What can be taken from the needs, and what is then needed: at least 0, at most what has room."""
        guards, room = self._guards, self._room
        # Clues without later cells must get just what they need; most ways are ruled out by that at once.
        for taken in self._by_closed.get(needs & self._closed, ()):
            after = (needs | guards) - taken
            if after & guards == guards and (room - (after ^ guards)) & guards == guards:
                yield taken, after ^ guards


def _layouts(problem: Problem, part: ListedPart) -> list[int]:
    """How many layouts each solution of a part stands for."""
    sizes = [problem.boxes[b].size for b in part.boxes]
    return [prod(map(comb, sizes, counts)) for counts in part.solutions]
