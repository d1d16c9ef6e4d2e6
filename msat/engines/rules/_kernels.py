"""Rules 1–9, compiled: what follows from one, two or three clues at a time, in a few microseconds.

Every engine runs this first, so it is built for speed. What makes it fast, and keeps it short:

- The hidden neighbours of a clue are one byte, a *ring*: bit 0 is the neighbour to the north, then
  clockwise. Turning the board by a quarter turn rotates the byte by two bits, so each rule is written once,
  for a partner that lies to the north, and its geometry is one or two byte comparisons.
- The board is framed by cells that are neither hidden nor clues: there is no edge to test for.
- Per clue two numbers are kept: how many of its hidden neighbours are mines (`left[MINES]`, the rules'
  "need") and how many are safe (`left[SAFES]`, the rules' u − need). Finding a mine lowers the one, finding
  a safe cell the other; 0 fires rule 1 or rule 2, and below 0 the clue is violated. Each reaches 0 once, so
  that a clue enters each of the two queues at most once. Rules 6 and 9 are 5 and 8 with the other number.
- For rules 3–9 each clue remembers the lowest rule that fires at it, which is looked up again only if the
  clue or one of its partners has changed; every block of 64 cells remembers the lowest of its clues, so that
  finding the next rule to apply does not take a walk over a large board.

The rule that is applied next is always the lowest-numbered one that fires anywhere on the board.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import MINE, SAFE
from msat.problem._kernels.frame import MINES, SAFES, Frame, index_of, survey, unframe
from msat.problem._kernels.workspace import new_workspace, take_bytes, take_ints, take_longs

__all__ = ["apply_rules", "deduce"]

# Rows MINES and SAFES of `queues` are the clues where that number has reached 0 and hidden cells remain, a
# further row those whose best rule is to be looked up again.
CHANGED = 2
# A further place in `ends` (the ends of the queues): the number of deductions.
FOUND = 3

FAR = 8  # rules from this one on name the clue two cells away first

NOTHING = 127  # in `best`: no rule from 3 on fires here; above every code
STALE = 126  # in `best`: to be looked up again, or no clue
BLOCK = 64  # cells per entry of `lowest`

# Sets of ring positions, for a partner in the north.
NORTH_SIDE = 0b10000011  # north-west, north, north-east
SOUTH_SIDE = 0b00111000
EAST_PAIR = 0b00000110  # east and north-east of m: the pair that m shares with n on its east side …
EAST_PAIR_OF_PARTNER = 0b00001100  # … and the same two cells in the ring of n
WEST_PAIR = 0b11000000
WEST_PAIR_OF_PARTNER = 0b01100000
CORNER_HIDDEN = 0b00111110  # rule 7: all but a in the north, b in the west and the corner between them
CORNER_OPPOSITE = 0b00001000


@leaf
def _turn(ring: int, quarters: int) -> int:
    """The ring as seen when the board is turned so that direction `quarters` (0 north … 3 west) is north."""
    shift = 2 * quarters
    return ((ring >> shift) | (ring << (8 - shift))) & 255


@leaf
def _code(rule: int, direction: int, form: int) -> int:
    """Which rule fires at a clue, and how: of two, the one with the lower code is applied.

    `direction` is that of the partner, `form` 1 for the west side (rules 3 and 4) or the safe form (rule 7).
    """
    return (rule << 3) + (direction << 1) + form


@leaf
def _rule_of(code: int) -> int:
    return code >> 3


@leaf
def _look_up(
    m: int,
    left: NDArray[np.int8],
    rings: NDArray[np.uint8],
    steps: NDArray[np.int64],
    last_rule: int,
) -> int:
    """The lowest of rules 3–9 that says something about the hidden neighbours of clue m.

    Rules 1 and 2 must be exhausted: then every clue with a hidden neighbour has a mine and a safe cell left.
    The answer is a code (see `_code`), or NOTHING.
    """
    best = NOTHING
    ring_m = int(rings[m])
    if ring_m == 0:
        return best
    mines_m = int(left[MINES, m])
    safes_m = int(left[SAFES, m])
    more_than_a_pair = mines_m + safes_m > 2
    for d in range(4):
        seen = _turn(ring_m, d)
        n = m + steps[2 * d]
        if rings[n] != 0:
            seen_n = _turn(int(rings[n]), d)
            mines_n = int(left[MINES, n])
            if mines_n == 1:
                if safes_m == 1 and more_than_a_pair:
                    if seen & EAST_PAIR == EAST_PAIR:
                        best = min(best, _code(3, d, 0))
                    elif seen & WEST_PAIR == WEST_PAIR:
                        best = min(best, _code(3, d, 1))
                if mines_m == 1 and more_than_a_pair:
                    if seen_n == EAST_PAIR_OF_PARTNER:
                        best = min(best, _code(4, d, 0))
                    elif seen_n == WEST_PAIR_OF_PARTNER:
                        best = min(best, _code(4, d, 1))
                if seen == CORNER_HIDDEN:
                    b = m + steps[(2 * d + 6) & 7]
                    if left[MINES, b] == 1:
                        if mines_m == 3:
                            best = min(best, _code(7, d, 0))
                        elif mines_m == 2 and left[SAFES, n] == 1 and left[SAFES, b] == 1:
                            best = min(best, _code(7, d, 1))
            if seen_n & NORTH_SIDE == 0 and seen & SOUTH_SIDE != 0:
                if mines_m == mines_n:
                    best = min(best, _code(5, d, 0))
                elif safes_m == left[SAFES, n]:
                    best = min(best, _code(6, d, 0))
        # Rules 8 and 9 name their clues the other way round: the one that is looked at here is their n.
        far = n + steps[2 * d]
        if rings[far] != 0 and seen & ~NORTH_SIDE != 0 and _turn(int(rings[far]), d) & ~SOUTH_SIDE == 0:
            if mines_m == left[MINES, far]:
                best = min(best, _code(8, d, 0))
            elif safes_m == left[SAFES, far]:
                best = min(best, _code(9, d, 0))
    return best if _rule_of(best) <= last_rule else NOTHING


@leaf
def _decode(code: int, clue: int, ring: int, steps: NDArray[np.int64]) -> tuple[int, int, int, int]:
    """What a code of `_look_up` says at a clue: (MINES or SAFES, targets in its ring, clue 2, clue 3)."""
    rule = _rule_of(code)
    d = (code >> 1) & 3
    variant = code & 1
    seen = _turn(ring, d)
    partner = clue + steps[2 * d]
    third = -1
    if rule <= 4:
        seen &= ~(WEST_PAIR if variant == 1 else EAST_PAIR)
    elif rule <= 6:
        seen &= SOUTH_SIDE
    elif rule == 7:
        seen = CORNER_OPPOSITE
        third = clue + steps[(2 * d + 6) & 7]
    else:
        seen &= ~NORTH_SIDE
        partner += steps[2 * d]
    kind = MINES if rule in (3, 6, 9) or (rule == 7 and variant == 0) else SAFES
    return kind, _turn(seen, (4 - d) & 3), partner, third


@leaf
def _resolve(
    clue: int,
    targets: int,
    kind: int,
    cells: NDArray[np.int8],
    left: NDArray[np.int8],
    rings: NDArray[np.uint8],
    best: NDArray[np.int8],
    steps: NDArray[np.int64],
    queues: NDArray[np.int32],
    ends: NDArray[np.int64],
) -> int:
    """Write that the `targets` in the ring of `clue` are of that kind; a clue that this violates, or −1."""
    for k in range(8):
        if (targets >> k) & 1 == 0:
            continue
        cell = clue + steps[k]
        cells[cell] = MINE if kind == MINES else SAFE
        ends[FOUND] += 1
        for j in range(8):
            other = int(cell + steps[j])
            rings[other] &= 255 - (1 << (j ^ 4))  # j ^ 4 is the way back
            left[kind, other] -= 1
            if left[kind, other] <= 0:
                if left[kind, other] < 0:
                    return other
                if rings[other] != 0:
                    queues[kind, ends[kind]] = other
                    ends[kind] += 1
            if best[other] != STALE:
                best[other] = STALE
                queues[CHANGED, ends[CHANGED]] = other
                ends[CHANGED] += 1
    return -1


@leaf
def _enlist(
    left: NDArray[np.int8],
    rings: NDArray[np.uint8],
    eights: NDArray[np.int64],
    queues: NDArray[np.int32],
    ends: NDArray[np.int64],
) -> int:
    """Queue the clues where rule 1 or 2 fires; a clue that is violated, or −1."""
    signs = np.int8(0)
    for m in range(rings.size):
        signs |= left[MINES, m] | left[SAFES, m]
    if signs < 0:
        for m in range(rings.size):
            if left[MINES, m] | left[SAFES, m] < 0:
                return m
    for eight in range(eights.size):
        if eights[eight] == 0:
            continue
        for m in range(8 * eight, 8 * eight + 8):
            for kind in range(2):
                if left[kind, m] == 0 and rings[m] != 0:
                    queues[kind, ends[kind]] = m
                    ends[kind] += 1
    return -1


@leaf
def _refresh(
    left: NDArray[np.int8],
    rings: NDArray[np.uint8],
    best: NDArray[np.int8],
    steps: NDArray[np.int64],
    queues: NDArray[np.int32],
    ends: NDArray[np.int64],
    last_rule: int,
    lowest: NDArray[np.int8],
) -> None:
    """Look up again the best rule of every clue that has changed or has a changed partner."""
    for i in range(ends[CHANGED]):
        for k in range(0, 8, 2):
            for distance in range(1, 3):
                other = queues[CHANGED, i] + distance * steps[k]
                if best[other] != STALE and rings[other] != 0:
                    best[other] = STALE
                    queues[CHANGED, ends[CHANGED]] = other
                    ends[CHANGED] += 1
    for i in range(ends[CHANGED]):
        other = int(np.int64(queues[CHANGED, i]))  # not int32: `_look_up` would be compiled once more
        code = _look_up(other, left, rings, steps, last_rule)
        best[other] = code
        # A block's lowest code only goes down here; where it may have gone up it is found out when needed.
        if code <= lowest[other // BLOCK]:
            lowest[other // BLOCK] = code
    ends[CHANGED] = 0


@leaf
def _lowest_clue(best: NDArray[np.int8], lowest: NDArray[np.int8]) -> int:
    """The first clue with the lowest code, or −1; `lowest` holds lower bounds for the blocks."""
    while True:
        first = 0
        for block in range(1, lowest.size):
            if lowest[block] < lowest[first]:
                first = block
        code = lowest[first]
        if code >= STALE:
            return -1
        for i in range(first * BLOCK, (first + 1) * BLOCK):
            if best[i] == code:
                return i
        _summarize(best, first, lowest)


@leaf
def _summarize(best: NDArray[np.int8], block: int, lowest: NDArray[np.int8]) -> None:
    """Write the lowest code of a block of cells."""
    low = np.int8(NOTHING)
    for i in range(block * BLOCK, (block + 1) * BLOCK):
        low = min(low, best[i])
    lowest[block] = low


@kernel
def deduce(
    frame: Frame, last_rule: int, log: NDArray[np.int32], width: int, workspace: NDArray[np.int64]
) -> tuple[int, int]:
    """`apply_rules` on the frame of a board of that width."""
    cells, left, rings, steps = frame
    size = cells.size
    blocks = (size + BLOCK - 1) // BLOCK
    free = workspace[0]
    best = take_bytes(workspace, blocks * BLOCK)
    best[:] = STALE
    lowest = take_bytes(workspace, blocks)
    lowest[:] = NOTHING
    queues = take_ints(workspace, 3 * size).reshape(3, size)
    ends = take_longs(workspace, 4)
    ends[:] = 0
    eights = rings.view(np.int64)  # few of them have a clue
    bad = _enlist(left, rings, eights, queues, ends)

    done_safes = 0
    done_mines = 0
    looked_up = False
    while bad < 0:
        second = -1
        third = -1
        if done_mines < ends[MINES]:  # no mine left
            rule = 1
            kind = SAFES
            clue = int(queues[MINES, done_mines])
            targets = int(rings[clue])
            done_mines += 1
        elif last_rule >= 2 and done_safes < ends[SAFES]:  # no safe cell left
            rule = 2
            kind = MINES
            clue = int(queues[SAFES, done_safes])
            targets = int(rings[clue])
            done_safes += 1
        elif last_rule >= 3:
            if not looked_up:
                for eight in range(eights.size):
                    if eights[eight] != 0:
                        for m in range(8 * eight, 8 * eight + 8):
                            if rings[m] != 0:
                                best[m] = _look_up(m, left, rings, steps, last_rule)
                for block in range(blocks):
                    _summarize(best, block, lowest)
                looked_up = True
            _refresh(left, rings, best, steps, queues, ends, last_rule, lowest)
            clue = _lowest_clue(best, lowest)
            if clue < 0:
                break
            code = int(best[clue])
            rule = _rule_of(code)
            kind, targets, second, third = _decode(code, clue, int(rings[clue]), steps)
        else:
            break
        row = ends[FOUND]
        bad = _resolve(clue, targets, kind, cells, left, rings, best, steps, queues, ends)
        if log.shape[0] > 0:
            for k in range(8):
                if (targets >> k) & 1 and row < min(ends[FOUND], log.shape[0]):
                    log[row, 0] = index_of(clue + steps[k], width)
                    log[row, 1] = kind
                    log[row, 2] = rule
                    log[row, 3] = index_of(second if rule >= FAR else clue, width)
                    log[row, 4] = index_of(clue if rule >= FAR else second, width)
                    log[row, 5] = index_of(third, width)
                    row += 1

    workspace[0] = free
    return ends[FOUND], index_of(bad, width)


@kernel
def apply_rules(grid: NDArray[np.int8], last_rule: int, log: NDArray[np.int32]) -> tuple[int, int]:
    """Apply rules 1 … `last_rule` until none fires any more; return (number of deductions, violated clue).

    `grid` holds HIDDEN, MINE, SAFE or a revealed number per cell; deductions are written into it as MINE or
    SAFE. The violated clue is the index (row · width + column) of a clue that cannot get its number of mines
    any more, at which the run stops at once; −1 if there is none.

    Deduction i fills row i of `log`, as far as it has rows (none: nothing is logged): cell index, 1 mine or 0
    safe, rule, then the indices of the one to three clues that it rests on in the order of the rule's
    definition (m; m, n; m, a, b), −1 for none.
    """
    workspace = new_workspace(0)
    frame = survey(grid, workspace)
    found, bad = deduce(frame, last_rule, log, grid.shape[1], workspace)
    if found > 0:
        unframe(frame, grid)
    return found, bad
