"""The counting passes, driven from Python: tapes that grow, a budget, and Ctrl-C.

The compiled fast path (`_kernels/answer.py`) has a fixed amount of room. Wide frontiers, and exact numbers,
go through here instead: the same kernels are called for a slice of work at a time, so that between two
slices Python sees an interrupt, a deadline is kept, arrays grow as they fill, and a board that is too wide
for memory ends in an error that says so rather than in a killed process.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from msat.encode._kernels import Flat, build
from msat.engines._kernels import tape as t
from msat.engines._kernels.order import cheapest_order
from msat.errors import BudgetExceeded, MsatError

__all__ = [
    "LAST_RULE",
    "MEMORY_LIMIT",
    "Budget",
    "ComponentPass",
    "ImpossibleComponent",
    "Pass",
    "run_forward",
]

LAST_RULE = 9
"""The rules that run before counting: all of them (measured: they cost no more than they save)."""

MEMORY_LIMIT = 2 << 30
"""Bytes that the tape of one component may take."""

# Units of work per call of a kernel: about 20 ms.
SLICE = 10_000_000


class ImpossibleComponent(Exception):
    """The clues of a component cannot all be met."""

    def __init__(self, component: int) -> None:
        super().__init__(component)
        self.component = component


class Budget:
    """A number of seconds, or none, that begins now."""

    def __init__(self, seconds: float | None) -> None:
        if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
            raise MsatError(f"budget={seconds!r}: expected a number of seconds of at least 0, or None")
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self, width: int) -> None:
        """Raise BudgetExceeded if the time is over."""
        if self._end is not None and time.monotonic() > self._end:
            raise BudgetExceeded(
                f"a frontier with {width} clues open at once was not counted within {self.seconds:g} seconds",
                width,
            )


@dataclass(frozen=True)
class ComponentPass:
    """The forward pass of one component: its order and its tape."""

    order: NDArray[np.int64]
    tape: t.Tape
    width: int
    low: int  # fewest mines
    values: NDArray[np.float64]  # placements by mine count, from `low` on, divided by 2**exponent
    exponent: int
    peak_bits: int
    lossy: bool

    def room(self) -> int:
        """The most values that one layer holds."""
        at = self.tape.value_at[self.tape.layer_state[: self.order.size + 2]]
        return int(np.max(np.diff(at)))


@dataclass(frozen=True)
class Pass:
    """The forward passes of all components of a position."""

    flat: Flat
    rest: int
    components: tuple[ComponentPass, ...]


def run_forward(grid: NDArray[np.int8], budget: Budget, per_word: int = t.SLOTS_PER_WORD) -> Pass:
    """Count every component of a grid (as in `encode/_kernels.py`) by its number of mines.

    `per_word` is how many open clues are packed into one machine word of a state.
    """
    flat = build(grid)
    starts = flat.component_start
    placed = np.zeros(flat.clue_need.size, np.int64)
    taken = np.zeros(flat.box_size.size, np.int64)
    slot = np.empty(flat.clue_need.size, np.int64)
    components = []
    for i in range(starts.size - 1):
        walk = flat.component_boxes[starts[i] : starts[i + 1]]
        order, _ = cheapest_order(flat, walk, grid.shape[1], placed, taken)
        done = _count_component(flat, order, placed, slot, budget, per_word)
        if done is None:
            raise ImpossibleComponent(i)
        components.append(done)
    return Pass(flat, flat.unknown - int(flat.box_size.sum()), tuple(components))


def _count_component(
    flat: Flat,
    order: NDArray[np.int64],
    placed: NDArray[np.int64],
    slot: NDArray[np.int64],
    budget: Budget,
    per_word: int,
) -> ComponentPass | None:
    """The forward pass of one component, or None if it has no solution."""
    slots = t.assign_slots(flat, order, placed, slot)
    words = max(1, -(-slots // per_word))
    tape = t.new_tape(order.size + 2, 1024 * words, 2048, 4096)
    cursor = t.new_cursor(per_word)
    t.begin_component(tape, cursor, slots)
    quota = np.empty(1, np.int64)
    while True:
        quota[0] = SLICE
        status = t.forward(flat, order, placed, slot, tape, cursor, quota)
        if status == t.DONE:
            break
        if status == t.IMPOSSIBLE:
            placed[:] = 0
            return None
        budget.check(slots)
        if status == t.FULL:
            tape = _grow(tape, cursor, slots)
    final = int(cursor[t.STATES]) - 1
    at = tape.value_at
    return ComponentPass(
        order=order,
        tape=tape,
        width=slots,
        low=int(tape.low[final]),
        values=tape.value[at[final] : at[final + 1]],
        exponent=int(cursor[t.EXPONENT]),
        peak_bits=int(cursor[t.PEAK_BITS]),
        lossy=bool(cursor[t.LOSSY]),
    )


def _grow(tape: t.Tape, cursor: NDArray[np.int64], width: int) -> t.Tape:
    """The same tape with twice the room in whatever is (nearly) full."""
    layer = int(cursor[t.FIRST_LAYER] + cursor[t.AT_LAYER])
    states, edges, values = (int(cursor[i]) for i in (t.STATES, t.EDGES, t.VALUES))
    if cursor[t.PHASE] == 1:  # the polynomials of the next layer are laid out, but do not fit
        values = int(tape.value_at[states])
    packed = (states - int(tape.layer_state[layer + 1]) + 16) * int(cursor[t.WORDS])

    def larger(size: int, used: int) -> int:
        return size if 4 * (used + 16) < 3 * size else 2 * max(size, used)

    rooms = larger(tape.low.size, states)  # the kernel asks only one of the arrays with an entry per state
    sizes = {
        "low": rooms,
        "high": rooms,
        "least": rooms,
        "value_at": rooms + 1,
        "edge_at": rooms + 1,
        "edge_to": larger(tape.edge_to.size, edges),
        "value": larger(tape.value.size, values),
        "keys": larger(tape.keys.shape[1], packed),
        "table": max(tape.table.size, 2 * int(cursor[t.TABLE])),
    }
    arrays = tape._asdict()
    needed = sum(arrays[name].itemsize * size * (2 if name == "keys" else 1) for name, size in sizes.items())
    if needed > MEMORY_LIMIT:
        raise BudgetExceeded(
            f"a frontier with {width} clues open at once needs more than {MEMORY_LIMIT >> 20} MiB of memory",
            width,
        )
    for name, size in sizes.items():
        old = arrays[name]
        if old.shape[-1] != size:
            new = np.empty((*old.shape[:-1], size), old.dtype)
            new[..., : old.shape[-1]] = old
            arrays[name] = new
    return t.Tape(**arrays)
