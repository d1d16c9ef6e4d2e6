"""A component in parts that a solver can enumerate: cut wherever there are too many solutions.

A solver that lists solutions one by one is quick as long as they are few. A component with more than `MOST`
is cut in two along an order of its boxes, and again, until every part has no more. Boxes of different parts
have to do with each other only through the clues they share, so all that matters of a solution of a part is
how many mines it gives to each clue: `rejoining.py` puts parts together by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msat.problem.problem import Component, Problem

__all__ = ["MOST", "ListedPart", "Solutions", "parts_of"]

MOST = 50
"""Solutions of a part; measured on dense boards: with half or twice as many, SAT or CP-SAT takes longer."""

Solutions = Callable[[tuple[int, ...], int], list[tuple[int, ...]] | None]
"""What a solver is asked: every way to fill some boxes of a component; None if there are more than so many.

A way is the number of mines in each box. Those that solutions of the component have must all be there, once
each; others do no harm."""


@dataclass(frozen=True)
class ListedPart:
    """Some boxes, and every way to fill them that there may be: so many mines in each."""

    boxes: tuple[int, ...]
    solutions: list[tuple[int, ...]]


def parts_of(
    problem: Problem, component: Component, order: Callable[[], Sequence[int]], solutions: Solutions
) -> list[ListedPart]:
    """The parts of a component, in an order of its boxes, which is asked for only if it has to be cut."""
    whole = solutions(component.boxes, MOST)
    if whole is not None:
        return [ListedPart(component.boxes, whole)]
    chain = tuple(order())
    crossing = _crossing(problem, chain)

    def halves(start: int, end: int) -> Iterator[ListedPart]:
        # Where fewest clues are open, but not so near an end that little is gained.
        margin = (end - start) // 4
        middle = (start + end) // 2
        places = range(start + max(1, margin), end - margin)
        cut = min(places, key=lambda place: (crossing[place], abs(place - middle)))
        yield from within(start, cut)
        yield from within(cut, end)

    def within(start: int, end: int) -> Iterator[ListedPart]:
        found = solutions(chain[start:end], MOST)
        # A single box has at most nine ways.
        yield from [ListedPart(chain[start:end], found)] if found is not None else halves(start, end)

    return list(halves(0, len(chain)))


def _crossing(problem: Problem, chain: Sequence[int]) -> list[int]:
    """For every place in the chain: how many clues have boxes before it and from it on."""
    begins = [0] * (len(chain) + 1)
    spans: dict[int, tuple[int, int]] = {}
    for place, b in enumerate(chain):
        for k in problem.boxes[b].clues:
            spans[k] = spans.get(k, (place, place))[0], place
    for first, last in spans.values():
        begins[first + 1] += 1
        begins[last + 1] -= 1
    crossing, opened = [], 0
    for change in begins:
        opened += change
        crossing.append(opened)
    return crossing
