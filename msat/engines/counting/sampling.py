"""Random layouts that agree with a board, each exactly as likely as any other: `sample`.

Counting is sampling read backwards. A random number below the number of all layouts falls to a mine count of
the components together; another splits that between the two halves of the components, and so on down to each
component; then every component's tape is walked from its end to its beginning (`_kernels/retrace.py`), and
the mines of a box go to its cells. Every draw is one of a whole number below an exact count: nothing is
rounded, however large the numbers, and layouts are as even as the random bits are (Philox, 64 bits of seed).

Costs: what counting the board exactly costs, once; then some 25 µs a layout on an expert board in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from msat.board import Board, check_board
from msat.cells import whole_number
from msat.deadline import NO_MEMORY, Budget, Deadline
from msat.engines.counting._kernels.incoming import incoming_steps
from msat.engines.counting._kernels.philox import MASK, STREAM, WORD_BITS, fill, seek
from msat.engines.counting._kernels.placing import group_cells, place
from msat.engines.counting._kernels.replay import DIGIT_BITS
from msat.engines.counting._kernels.retrace import replay_layers, retrace_layers
from msat.engines.counting.exact import ExactCount
from msat.engines.counting.polynomial import Poly, product_tree
from msat.engines.counting.resumable import ComponentPass
from msat.errors import BudgetExceeded, ParameterError
from msat.interrupting import interruptible
from msat.layout import Layout
from msat.limits import MAX_SAMPLED_CELLS
from msat.wording import argument

__all__ = ["sample"]

Ints = NDArray[np.int64]
Streams = NDArray[np.uint64]

MANY_CELLS = 100_000
"""Cells of all layouts beyond which it is worth to compile."""

# Cells of all layouts that are drawn side by side: a bound on memory, and on the time without Ctrl-C.
BATCH_CELLS = 1 << 23
# Bytes of exact values of a component that are kept at once without a second thought.
WHOLE = 1 << 26

NOT_DRAWN = "not all layouts were drawn"


def sample(board: Board, n: int = 1, seed: int = 0, budget: Budget = None) -> list[Layout]:
    """Draw `n` layouts that agree with a board: independent, and each exactly as likely as any other.

    The same seed gives the same layouts, on every machine; the first of many are those of fewer. `budget`
    limits the time in seconds; what needs more raises `BudgetExceeded`. A board that no layout agrees with
    raises `InconsistentBoard`.

    >>> import msat
    >>> board = msat.Board.parse("??1/3?2/??? 3")
    >>> for layout in msat.sample(board, n=2, seed=7):
    ...     print(layout)
    **.
    ...
    .*.
    *..
    .*.
    .*.
    """
    check_board(board, "sample")
    n = whole_number(n, "n", ParameterError)
    if n < 0:
        raise ParameterError(f"{argument('n', n)} is negative: give 0 or more")
    most = MAX_SAMPLED_CELLS // (board.height * board.width)
    if n > most:
        raise ParameterError(
            f"{argument('n', n)} is too many: at most {most:,} layouts of this size are drawn"
        )
    seed = whole_number(seed, "seed", ParameterError)
    if not 0 <= seed < 1 << 64:
        raise ParameterError(f"{argument('seed', seed)} is not a 64-bit seed: give 0 to 2^64 − 1")
    deadline = Deadline.of(budget)
    try:
        sampler = _Sampler.of(board, deadline)

        def draw() -> list[Layout]:
            with deadline:
                return [Layout(board.height, board.width, mask) for mask in sampler.draw(n, seed, deadline)]

        return interruptible(draw, deadline, NOT_DRAWN)
    except MemoryError:
        raise BudgetExceeded(NO_MEMORY) from None


class _Sampler(ExactCount):
    """A position that is counted exactly, to draw layouts from."""

    def draw(self, n: int, seed: int, deadline: Deadline) -> Iterator[bytes]:
        """n layouts, as masks: a byte a cell, 1 for a mine."""
        deadline.held = sum(array.nbytes for component in self._pass.components for array in component.tape)
        batch = max(1, BATCH_CELLS // self._grid.size)
        for first in range(0, n, batch):
            yield from self._draw_batch(range(first, min(first + batch, n)), seed, deadline)

    def _draw_batch(self, numbers: range, seed: int, deadline: Deadline) -> list[bytes]:
        streams = np.empty((len(numbers), STREAM), np.uint64)
        components = self._pass.components
        extras = np.zeros((len(numbers), len(components)), np.int64)
        for i, number in enumerate(numbers):
            self._check(deadline)
            seek(streams[i], seed & MASK, seed >> WORD_BITS, number)
            extras[i] = self._draw_extras(streams[i])[: len(components)]  # if there are none, one that is 0
        amounts = np.empty((len(numbers), self._pass.flat.box_size.size + 1), np.int64)
        amounts[:, -1] = self._left - self._least - extras.sum(axis=1)
        for component, extra in zip(components, extras.T, strict=True):
            self._fill_boxes(component, extra + component.low, streams, amounts, deadline)
        cells, start = group_cells(self._pass.flat)
        masks = []
        grid = self._grid.ravel()
        layout = np.empty_like(grid)
        for i in range(len(numbers)):
            self._check(deadline)
            place(grid, cells, start, amounts[i], streams[i], layout)
            masks.append(layout.tobytes())
        return masks

    def _check(self, deadline: Deadline) -> None:
        """Let an interrupt through, and raise BudgetExceeded if the time is over."""
        deadline.check(NOT_DRAWN, ": ask for fewer, or allow more", self._width)

    @cached_property
    def _width(self) -> int:
        """Clues open at once on the widest frontier."""
        return max((component.width for component in self._pass.components), default=0)

    @cached_property
    def _levels(self) -> list[list[Poly]]:
        """The components, pairs of them, pairs of pairs, … up to all of them."""
        return product_tree(self._polys)

    @cached_property
    def _all(self) -> Poly:
        """All components together."""
        return self._levels[-1][0]

    @cached_property
    def _totals(self) -> Poly:
        """Layouts by the mines of all components beyond their least."""
        return [ways * rest for ways, rest in zip(self._all, self._rest, strict=True)]

    def _draw_extras(self, stream: Streams) -> list[int]:
        """Draw the mines of every component beyond its least."""
        extras = [_choose(self._totals, _number_below(stream, self.solutions))]
        for above, level in zip(self._levels[:0:-1], self._levels[-2::-1], strict=True):
            split = []
            for j, extra in enumerate(extras):
                pair = level[2 * j : 2 * j + 2]
                if len(pair) == 1:
                    split.append(extra)
                    continue
                a, b = pair
                least = max(0, extra - len(b) + 1)
                ways = (a[i] * b[extra - i] for i in range(least, min(extra + 1, len(a))))
                chosen = least + _choose(ways, _number_below(stream, above[j][extra]))
                split += [chosen, extra - chosen]
            extras = split
        return extras

    def _fill_boxes(
        self, component: ComponentPass, mines: Ints, streams: Streams, amounts: Ints, deadline: Deadline
    ) -> None:
        """Draw the mines of every box of a component that holds so many in all."""
        flat, tape, order = self._pass.flat, component.tape, component.order
        incoming = incoming_steps(tape, 0, order.size)
        states = np.full(mines.size, tape.layer_state[order.size], np.int64)
        for first, last, values in self._blocks(component, deadline):
            retrace_layers(
                flat.box_size, order, tape, incoming, first, last, values, streams, states, mines, amounts
            )

    def _blocks(self, component: ComponentPass, deadline: Deadline) -> Iterator[tuple[int, int, Ints]]:
        """The exact values of a component, in blocks of layers, the last first: (first, last, values).

        The first layer of every block is kept, and the others are made again when their turn comes. So the
        square root of the number of layers is enough in memory, for twice the time.
        """
        flat, tape, order = self._pass.flat, component.tape, component.order
        digits = component.peak_bits // DIGIT_BITS + 1
        at = tape.value_at[tape.layer_state[: order.size + 2]].tolist()
        whole = at[-1] * digits * 8 <= WHOLE
        length = order.size if whole else isqrt(order.size)
        stride = order.size if whole else 1  # layers between two looks at the clock
        firsts = range(0, order.size, length)
        lasts = [*firsts[1:], order.size]
        room = max(at[last + 1] - at[first] for first, last in zip(firsts, lasts, strict=True))
        kept = sum(at[first + 1] - at[first] for first in firsts)
        deadline.check_memory((room + kept) * digits * 8, component.width)
        values = np.empty((room, digits), np.int64)
        begun = {0: np.eye(1, digits, dtype=np.int64)}

        def replay(first: int, last: int) -> None:
            values[: at[first + 1] - at[first]] = begun[first]
            for layer in range(first, last, stride):
                self._check(deadline)
                replay_layers(flat, order, tape, first, layer, min(layer + stride, last), values)

        for first, last in zip(firsts[:-1], lasts[:-1], strict=True):
            replay(first, last)
            begun[last] = values[at[last] - at[first] : at[last + 1] - at[first]].copy()
        for first, last in zip(reversed(firsts), reversed(lasts), strict=True):
            replay(first, last)
            yield first, last, values


def _number_below(stream: Streams, bound: int) -> int:
    """A random number below `bound`, of any size: so many random bits, until they are below."""
    bits = (bound - 1).bit_length()
    words = np.empty(-(-bits // WORD_BITS), np.int64)
    number = bound
    while number >= bound:
        fill(stream, words)
        number = int.from_bytes(words.astype("<u4").tobytes(), "little") >> (words.size * WORD_BITS - bits)
    return number


def _choose(weights: Iterable[int], number: int) -> int:
    """Which of the weights, laid end to end, a number falls to.

    >>> [_choose([1, 0, 2], number) for number in range(3)]
    [0, 2, 2]
    """
    for i, weight in enumerate(weights):
        if number < weight:
            return i
        number -= weight
    raise AssertionError("the number lies beyond the weights")
