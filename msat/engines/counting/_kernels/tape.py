"""Compiled: the tape that a counting pass writes, and where the pass stands.

Boxes of a component are placed one after the other. A *state* holds what every open clue still needs. Each
carries a polynomial: how many ways lead here, by the number of mines placed. A *step* puts x mines into the
next box. Everything is kept, layer by layer: states, steps and polynomials, so that the backward pass, and
passes over other kinds of numbers, walk along without looking up a state again.

Values are doubles. They are whole numbers, hence exact, below 2^53. Where they would overflow, a layer is
divided by a power of two; a positive value stays positive then, so that `value > 0` always means "reachable".

In components of hundreds of boxes the values of one layer lie further apart than doubles reach. Then every
mine is weighted by the same factor, the *tilt* (see `combine.py`, which makes it cancel), chosen such that
the values that matter are the large ones.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.constants import NO_LIMIT
from msat.problem._kernels.workspace import take_bytes, take_floats, take_ints, take_longs

__all__ = [
    "ADD",
    "AFTER",
    "AT_LAYER",
    "BINOMIAL",
    "DONE",
    "EDGES",
    "EXPONENT",
    "FIRST_LAYER",
    "FULL",
    "HUGE",
    "IMPOSSIBLE",
    "KNOWN",
    "LOSSY",
    "NEED",
    "PAUSED",
    "PEAK_BITS",
    "PER_WORD",
    "PHASE",
    "POSITION",
    "SHIFT",
    "SLOTS_PER_WORD",
    "SLOT_BITS",
    "SMALLEST_TABLE",
    "STATES",
    "TABLE",
    "TINY",
    "UNIT",
    "VALUES",
    "WIDTH",
    "WORD",
    "WORDS",
    "Runner",
    "Tape",
    "begin_component",
    "new_runner",
    "new_tape",
    "rescale",
    "ways_table",
    "widest_layer",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SLOT_BITS = 4  # what an open clue still needs: 8 at most
SLOTS_PER_WORD = 15  # and the sign bit stays clear
NEED = (1 << SLOT_BITS) - 1

SMALLEST_TABLE = 64  # entries of the hash table that a layer begins with
LEAST_WORDS, STATES_PER_WORD = 8, 16  # a tape has room for states of this many words, or one a so many states

# Products of two values, each between these, neither overflow nor vanish against a third of middling size.
HUGE = 1e100
TINY = 1e-280

BINOMIAL = np.array([[float(comb(size, x)) for x in range(9)] for size in range(9)])

# What `forward` answers.
DONE = 0
PAUSED = 1  # the quota is used up: call again
FULL = 2  # an array is full: call again with a larger tape
IMPOSSIBLE = 3  # no placement meets the clues of this component

# Where the pass stands: the fields of `cursor`.
AT_LAYER = 0  # step of the current component
PHASE = 1  # 0: making states, 1: adding values
POSITION = 2  # next state to leave from
STATES = 3  # entries used so far
EDGES = 4
VALUES = 5
TABLE = 6  # current size of the hash table, a power of two
FIRST_LAYER = 7  # layer index of the current component's first layer
EXPONENT = 8  # the current component's values are divided by 2**EXPONENT
LOSSY = 9  # 1 if a positive value of the current component had to be lifted to TINY
WORDS = 10  # words per state of the current component
WIDTH = 11  # clues open at once, at most, in the current component
PEAK_BITS = 12  # every value of the current component so far is below 2**PEAK_BITS
PER_WORD = 13  # clues packed into one word: SLOTS_PER_WORD, or fewer to test states of many words
FIELDS = 14

# Rows of `Tape.change`: what the box that is being placed does to a state. Per clue of the box …
KNOWN = 0  # the need of a clue that opens here, −1 if it is read from the state
WORD = 1  # the word of the state that the clue is in …
SHIFT = 2  # … and where in that word
AFTER = 3  # cells of the clue that are still to come
# … and per word of a state.
ADD = 4  # what clues add that open here
UNIT = 5  # what one mine in the box takes away
CHANGES = 6


class Tape(NamedTuple):
    """The arrays that a forward pass fills; see the module's text."""

    layer_state: Ints  # first state of each layer; a component of n boxes has n + 1 layers
    low: NDArray[np.int32]  # per state: fewest mines placed …
    high: NDArray[np.int32]  # … and most
    least: NDArray[np.int8]  # per state: fewest mines for the next box (its steps are contiguous)
    value_at: Ints  # per state: where its polynomial begins (coefficients low … high)
    edge_at: Ints  # per state: where its steps begin
    edge_to: NDArray[np.int32]  # per step: the state it leads to
    value: Floats
    keys: NDArray[np.int64]  # (2, …): the packed states of this layer and of the next
    table: NDArray[np.int32]  # hash table of the next layer: state + 1, or 0
    change: Ints  # (CHANGES, …): what the box that is being placed does to a state


class Runner(NamedTuple):
    """Where a forward pass stands, and what it needs beside the tape."""

    cursor: Ints
    quota: Ints  # (1,): units of work that are left before it pauses
    placed: Ints  # per clue: its cells placed so far; zero between components
    slot: Ints  # per clue: where a state has it while it is open, −1 if it never is
    free: Ints  # room: slots that no clue has
    ways: Floats  # a `ways_table` …
    tilted: bool  # … and whether its tilt is other than zero


@kernel(apart=True)
def new_tape(layers: int, states: int, edges: int, values: int, workspace: Ints) -> Tape:
    """An empty tape with room for so many entries."""
    table = SMALLEST_TABLE
    while table < 2 * states:
        table *= 2
    words = max(LEAST_WORDS, states // STATES_PER_WORD)
    # Few large arrays, cut into pieces: every array that is made costs more than a step of the pass.
    longs = take_longs(workspace, layers + 2 * (states + 1) + 2 * states + CHANGES * words)
    ints = take_ints(workspace, 2 * states + edges + table)
    value_at = layers
    edge_at = value_at + states + 1
    keys = edge_at + states + 1
    change = keys + 2 * states
    edge_to = 2 * states
    return Tape(
        layer_state=longs[:value_at],
        low=ints[:states],
        high=ints[states:edge_to],
        least=take_bytes(workspace, states),
        value_at=longs[value_at:edge_at],
        edge_at=longs[edge_at:keys],
        edge_to=ints[edge_to : edge_to + edges],
        value=take_floats(workspace, values),
        keys=longs[keys:change].reshape(2, states),
        table=ints[edge_to + edges :],
        change=longs[change:].reshape(CHANGES, words),
    )


@kernel(apart=True)
def new_runner(clues: int, tilt: float, per_word: int, workspace: Ints) -> Runner:
    """A runner before the first component of a position with so many clues."""
    cursor = take_longs(workspace, FIELDS)
    for field in range(FIELDS):
        cursor[field] = 0
    cursor[AT_LAYER] = -1
    cursor[PER_WORD] = per_word
    quota = take_longs(workspace, 1)
    quota[0] = NO_LIMIT
    placed = take_longs(workspace, clues)
    for k in range(clues):
        placed[k] = 0
    return Runner(
        cursor=cursor,
        quota=quota,
        placed=placed,
        slot=take_longs(workspace, clues),
        free=take_longs(workspace, clues),
        ways=ways_table(tilt, workspace),
        tilted=tilt != 0.0,
    )


@leaf
def begin_component(tape: Tape, cursor: Ints) -> bool:
    """Write the first state of the next component, as wide as the cursor says: nothing placed.

    False if the tape is full.
    """
    words = max(1, (cursor[WIDTH] + cursor[PER_WORD] - 1) // cursor[PER_WORD])
    first = cursor[FIRST_LAYER]
    if cursor[AT_LAYER] >= 0:
        first += cursor[AT_LAYER] + 1
    s = cursor[STATES]
    if s + 1 > tape.low.size or cursor[VALUES] + 1 > tape.value.size or words > tape.change.shape[1]:
        return False
    cursor[FIRST_LAYER] = first
    cursor[AT_LAYER] = 0
    cursor[PHASE] = 0
    cursor[POSITION] = s
    cursor[WORDS] = words
    cursor[EXPONENT] = 0
    cursor[LOSSY] = 0
    cursor[PEAK_BITS] = 1
    tape.layer_state[first] = s
    tape.layer_state[first + 1] = s + 1
    tape.low[s] = 0
    tape.high[s] = 0
    tape.value_at[s] = cursor[VALUES]
    tape.value_at[s + 1] = cursor[VALUES] + 1
    tape.value[cursor[VALUES]] = 1.0
    tape.edge_at[s] = cursor[EDGES]
    for i in range(words):
        tape.keys[0, i] = 0
    cursor[STATES] = s + 1
    cursor[VALUES] += 1
    return True


@kernel
def ways_table(tilt: float, workspace: Ints) -> Floats:
    """ways[s, x]: in how many ways x mines fit into a box of s cells, each mine weighted by exp(tilt)."""
    ways = take_floats(workspace, BINOMIAL.size).reshape(BINOMIAL.shape)
    for x in range(9):
        weight = np.exp(tilt * x)
        for size in range(9):
            ways[size, x] = BINOMIAL[size, x] * weight
    return ways


@leaf
def rescale(values: Floats, tilted: bool) -> tuple[int, bool, float]:
    """Divide a layer by a power of two where it grows too large; a positive value stays positive.

    Values that are tilted can also become ever smaller: these are kept between TINY and about 1. Returns the
    exponent, whether a value had to be lifted to TINY, and the largest value there was.
    """
    largest = 0.0
    for i in range(values.size):
        largest = max(largest, values[i])
    exponent = 0
    lifted = False
    if largest > HUGE or (tilted and largest > 0.0):
        exponent = int(np.log2(largest))
        scale = 2.0**-exponent
        for i in range(values.size):
            if values[i] > 0.0:
                values[i] *= scale
                if values[i] < TINY:
                    values[i] = TINY
                    lifted = True
    return exponent, lifted, largest


@leaf(inlined=True)
def widest_layer(tape: Tape, first: int, last: int) -> int:
    """The most values that one of the layers from `first` to `last` holds."""
    widest = 1
    for layer in range(first, last + 1):
        values = tape.value_at[tape.layer_state[layer + 1]] - tape.value_at[tape.layer_state[layer]]
        widest = max(widest, values)
    return widest
