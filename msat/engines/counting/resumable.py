"""The counting passes, driven from Python: tapes that grow, a budget, and Ctrl-C.

The compiled fast path (`_kernels/answer.py`) has a fixed amount of room. Wide frontiers, and exact numbers,
go through here instead: the same kernels are called for a slice of work at a time, so that between two
slices Python sees an interrupt, a deadline is kept, arrays grow as they fill, and a board that is too wide
for memory ends in an error that says so rather than in a killed process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msat._jit import hurry
from msat.deadline import Deadline
from msat.engines.counting._kernels import tape as t
from msat.engines.counting._kernels.forward import forward, prepare
from msat.engines.counting._kernels.order import order_components
from msat.problem._kernels.boxes import Flat, build
from msat.problem._kernels.workspace import new_workspace

__all__ = [
    "ComponentPass",
    "ImpossibleComponent",
    "Pass",
    "check_time",
    "run_forward",
]

MANY_STATES = 5000
"""With more of these than that, estimated, a pass is better made by compiled kernels: it takes a second."""

# Units of work per call of a kernel: about 20 ms.
SLICE = 10_000_000

GROWING = 1e-9
"""Seconds for each byte of larger arrays, to fill and to free them: with less time they are not made."""


class ImpossibleComponent(Exception):
    """The clues of a component cannot all be met."""

    def __init__(self, component: int) -> None:
        super().__init__(component)
        self.component = component


def check_time(deadline: Deadline, width: int) -> None:
    """Let an interrupt through, and raise BudgetExceeded if the time is over."""
    deadline.check("not counted", _widest(width), width)


def _widest(width: int) -> str:
    return f": the widest frontier so far has {width} clues open at once"


@dataclass(frozen=True)
class ComponentPass:
    """The forward pass of one component: its order and its tape."""

    order: NDArray[np.int64]
    tape: t.Tape
    width: int
    low: int  # fewest mines
    values: NDArray[np.float64]  # placements by mine count, from `low` on, scaled and tilted
    peak_bits: int  # if not tilted: placements, also of parts, are below 2**peak_bits
    lossy: bool  # some values had to be lifted

    def room(self) -> int:
        """The most values that one layer holds."""
        at = self.tape.value_at[self.tape.layer_state[: self.order.size + 2]]
        return int(np.max(np.diff(at)))

    def without_values(self) -> ComponentPass:
        """The same with the values of the last state only: the steps are enough to count in other numbers."""
        tape = self.tape._replace(value=np.empty(0, np.float64))
        return replace(self, tape=tape, values=self.values.copy())


@dataclass(frozen=True)
class Pass:
    """The forward passes of all components of a position."""

    flat: Flat
    rest: int
    tilt: float
    components: tuple[ComponentPass, ...]


def run_forward(
    grid: NDArray[np.int8], deadline: Deadline, tilt: float = 0.0, per_word: int = t.SLOTS_PER_WORD
) -> Pass:
    """Count every component of a grid (as in `problem/_kernels/boxes.py`) by its number of mines.

    Every mine is weighted by exp(`tilt`); `per_word` is how many open clues are packed into one machine word.
    """
    flat = build(grid)
    starts = flat.component_start
    deadline.held = 0
    components = []
    boxes, cost = order_components(flat, grid.shape[1], new_workspace(0))
    if cost > MANY_STATES:
        hurry()
    for i in range(starts.size - 1):
        order = boxes[starts[i] : starts[i + 1]].copy()
        done = _count_component(flat, order, tilt, deadline, per_word)
        if done is None:
            raise ImpossibleComponent(i)
        components.append(done)
    return Pass(flat, int(flat.unknown) - int(flat.box_size.sum()), tilt, tuple(components))


def _count_component(
    flat: Flat,
    order: NDArray[np.int64],
    tilt: float,
    deadline: Deadline,
    per_word: int,
) -> ComponentPass | None:
    """The forward pass of one component, or None if it has no solution."""
    workspace = new_workspace(0)
    runner = t.new_runner(flat.clue_need.size, tilt, per_word, workspace)
    cursor = runner.cursor
    slots = prepare(flat, order, runner)
    deadline.width = max(deadline.width, int(slots))
    words = max(1, -(-slots // per_word))
    tape = t.new_tape(order.size + 2, 1024 * words, 2048, 4096, workspace)
    t.begin_component(tape, cursor)
    while True:
        runner.quota[0] = SLICE
        status = forward(flat, order, tape, runner)
        if status == t.DONE:
            break
        if status == t.IMPOSSIBLE:
            return None
        check_time(deadline, slots)
        if status == t.FULL:
            arrays = tape._asdict()
            del tape  # so that each of its arrays is given back as soon as there is a larger one
            tape = _grow(arrays, cursor, deadline)
    check_time(deadline, slots)
    arrays = tape._asdict()
    del tape
    tape = _trim(arrays, cursor)
    deadline.held += sum(array.nbytes for array in tape)
    final = int(cursor[t.STATES]) - 1
    return ComponentPass(
        order=order,
        tape=tape,
        width=slots,
        low=int(tape.low[final]),
        values=tape.value[tape.value_at[final] : tape.value_at[final + 1]],
        peak_bits=int(cursor[t.PEAK_BITS]),
        lossy=bool(cursor[t.LOSSY]),
    )


def _grow(arrays: dict[str, NDArray[Any]], cursor: NDArray[np.int64], deadline: Deadline) -> t.Tape:
    """The tape of these arrays, with twice the room in whatever is (nearly) full; they are given up."""
    layer = int(cursor[t.FIRST_LAYER] + cursor[t.AT_LAYER])
    states, edges, values = (int(cursor[i]) for i in (t.STATES, t.EDGES, t.VALUES))
    if cursor[t.PHASE] == 1:  # the polynomials of the next layer are laid out, but do not fit
        values = int(arrays["value_at"][states])
    packed = (states - int(arrays["layer_state"][layer + 1]) + 16) * int(cursor[t.WORDS])

    def larger(size: int, used: int) -> int:
        return size if 4 * (used + 16) < 3 * size else 2 * max(size, used)

    # The kernel asks only one of the arrays with an entry per state.
    rooms = larger(arrays["low"].size, states)
    sizes = {
        "low": rooms,
        "high": rooms,
        "least": rooms,
        "value_at": rooms + 1,
        "edge_at": rooms + 1,
        "edge_to": larger(arrays["edge_to"].size, edges),
        "value": larger(arrays["value"].size, values),
        "keys": larger(arrays["keys"].shape[1], packed),
        "table": max(arrays["table"].size, 2 * int(cursor[t.TABLE])),
    }
    bytes_of = {n: arrays[n].itemsize * size * (2 if n == "keys" else 1) for n, size in sizes.items()}
    # While one array is copied its old form is there as well.
    width = int(cursor[t.WIDTH])
    deadline.check_memory(sum(bytes_of.values()) + max(bytes_of.values()) // 2, width)
    deadline.require(GROWING * sum(bytes_of.values()), "not counted", _widest(width), width)
    for name, size in sizes.items():
        shape = arrays[name].shape
        if shape[-1] != size:
            new = np.empty((*shape[:-1], size), arrays[name].dtype)
            new[..., : shape[-1]] = arrays[name]
            arrays[name] = new
    return t.Tape(**arrays)


def _trim(arrays: dict[str, NDArray[Any]], cursor: NDArray[np.int64]) -> t.Tape:
    """The finished tape of these arrays, without what only its making needed; they are given up."""
    for name in ("keys", "table", "change"):
        arrays[name] = arrays[name][..., :0].copy()
    states, edges, values = (int(cursor[i]) for i in (t.STATES, t.EDGES, t.VALUES))
    sizes = {"low": states, "high": states, "least": states, "value_at": states + 1, "edge_at": states + 1}
    for name, size in {**sizes, "edge_to": edges, "value": values}.items():
        if arrays[name].flags.owndata:  # it has grown: where it lies, as a copy would take as much again
            arrays[name].resize(size, refcheck=False)
        else:
            arrays[name] = arrays[name][:size].copy()
    return t.Tape(**arrays)
