"""Compiled: layouts of which only one can be won, found before the endgame search begins.

Two layouts are *rivals* if no cell is safe in both and shows different numbers. A strategy that has opened
only cells that are safe in both has seen the same in both, so it goes on alike, until it opens a cell that is
a mine in one of them. It has to: they have equally many mines, so not all cells that are safe in one are safe
in the other. So no strategy wins both, and of a *clique*, layouts that are all rivals of each other, it wins
one at the most. Rivals stay rivals in every set, so a set is worth no more than the cliques that it has
layouts of.

A 50/50 makes pairs of all layouts, so that this is half of them. As a bound it is seldom far from the truth
(in endgames of expert games with 500 layouts, 15 % above it), and it is known without a search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf

__all__ = ["cover", "sort_by_clique"]

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Bytes = NDArray[np.int8]

KINDS = 10  # what a cell can be: a mine, or a number from 0 to 8
BITS = 62  # layouts in a word


@leaf
def _fill_in(values: Bytes, begin: int, end: int, fitting: Ints) -> None:
    """Note per word, column and kind: the layouts of a group that show this there or have a mine, as bits."""
    n = values.shape[1]
    for word in range((end - begin + BITS - 1) // BITS):
        for j in range(n):
            for kind in range(KINDS):
                fitting[word, j, kind] = 0
    for i in range(end - begin):
        word = i // BITS
        bit = 1 << (i % BITS)
        for j in range(n):
            if values[begin + i, j] >= 0:
                fitting[word, j, values[begin + i, j] + 1] |= bit
            else:
                for kind in range(KINDS):
                    fitting[word, j, kind] |= bit


@leaf
def _rivals(values: Bytes, fitting: Ints, layout: int, word: int, among: int) -> int:
    """The rivals of a layout among some layouts of a word, as bits."""
    for j in range(values.shape[1]):
        if among == 0:
            break
        if values[layout, j] >= 0:
            among &= fitting[word, j, values[layout, j] + 1]
    return among


@leaf
def _cover_group(
    values: Bytes, begin: int, end: int, fitting: Ints, left: Ints, common: Ints, clique: Shorts, found: int
) -> int:
    """Put the layouts of a group into cliques, numbered from `found` on; returns the next number.

    `left` are those without a clique, and `common` those of them that are rivals of all members so far.
    """
    words = (end - begin + BITS - 1) // BITS
    for word in range(words):
        left[word] = 0
    for i in range(end - begin):
        left[i // BITS] |= 1 << (i % BITS)
        clique[begin + i] = -1
    for first in range(end - begin):
        if clique[begin + first] >= 0:
            continue
        member = first
        for word in range(first // BITS, words):
            common[word] = left[word]
        while True:
            clique[begin + member] = found
            at = member // BITS
            left[at] &= ~(1 << (member % BITS))
            common[at] &= ~(1 << (member % BITS))
            next_word = words
            for word in range(words - 1, at - 1, -1):
                common[word] = _rivals(values, fitting, begin + member, word, common[word])
                if common[word] != 0:
                    next_word = word
            if next_word == words:
                break
            member = BITS * next_word
            while not common[next_word] >> (member % BITS) & 1:
                member += 1
        found += 1
    return found


@kernel
def cover(values: Bytes, groups: Ints) -> tuple[int, Shorts]:
    """(how many cliques, which one each layout belongs to); `values` are those of `list_solutions`.

    Layouts are compared within groups, whose beginnings and the end of the last one are given. Each that is
    left joins the first clique of whose members it is a rival. That is not always the fewest cliques, but
    about one in a hundred more.
    """
    count, n = values.shape
    largest = 0
    for g in range(groups.size - 1):
        largest = max(largest, groups[g + 1] - groups[g])
    words = (largest + BITS - 1) // BITS
    fitting = np.empty((words, n, KINDS), np.int64)
    left = np.empty(words, np.int64)
    common = np.empty(words, np.int64)
    clique = np.empty(count, np.int32)
    found = 0
    for g in range(groups.size - 1):
        if groups[g + 1] - groups[g] == 1:
            clique[groups[g]] = found
            found += 1
        else:
            _fill_in(values, groups[g], groups[g + 1], fitting)
            found = _cover_group(values, groups[g], groups[g + 1], fitting, left, common, clique, found)
    return found, clique


@kernel
def sort_by_clique(values: Bytes, groups: Ints) -> tuple[Bytes, Shorts]:
    """The layouts, those of a clique side by side, and the clique of each; see `cover`."""
    count, n = values.shape
    found, clique = cover(values, groups)
    at = np.zeros(found + 1, np.int64)  # where the next layout of a clique goes
    for i in range(count):
        at[clique[i] + 1] += 1
    for t in range(found):
        at[t + 1] += at[t]
    together = np.empty((count, n), np.int8)
    sorted_cliques = np.empty(count, np.int32)
    for i in range(count):
        to = at[clique[i]]
        at[clique[i]] += 1
        sorted_cliques[to] = clique[i]
        for j in range(n):
            together[to, j] = values[i, j]
    return together, sorted_cliques
