"""How cells, clues and numbers are called in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msat.cells import Cell

__all__ = ["are", "enumerate_words", "many", "name", "names"]

SHOWN = 8
"""Cells that one sentence lists; of more only the number is told."""


def name(cell: Cell) -> str:
    """A cell, as everywhere in msat: row and column from 0.

    >>> name((3, 4))
    'r3c4'
    """
    return f"r{cell[0]}c{cell[1]}"


def enumerate_words(words: Sequence[str]) -> str:
    """Words in a row.

    >>> enumerate_words(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def names(cells: Iterable[Cell]) -> str:
    """Cells in reading order; just their number if they are too many to read.

    >>> names([(1, 2), (0, 0)])
    'r0c0 and r1c2'
    """
    listed = sorted(cells)
    if not listed:
        return "no cell"
    if len(listed) > SHOWN:
        return f"{len(listed)} cells"
    return enumerate_words([name(cell) for cell in listed])


def many(number: int, noun: str) -> str:
    """A number with its noun.

    >>> many(1, "mine"), many(0, "mine"), many(3, "clue")
    ('1 mine', 'no mines', '3 clues')
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def are(cells: Iterable[Cell], mine: bool) -> str:
    """What cells are.

    >>> are([(0, 0)], mine=True), are([(0, 0), (0, 1)], mine=False)
    ('r0c0 is a mine', 'r0c0 and r0c1 are safe')
    """
    listed = list(cells)
    one = len(listed) == 1
    kind = ("a mine" if one else "mines") if mine else "safe"
    return f"{names(listed)} {'is' if one else 'are'} {kind}"
