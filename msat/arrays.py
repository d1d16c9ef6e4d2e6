"""Arrays from outside as kernels take them: one board, or a stack of boards with their totals.

The kernels are compiled for int8, contiguous and writable, and check values themselves. Whatever else is
given is copied into that form, or refused by an error that says what is wrong; nothing is cut down to a legal
value.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from msat.board import MINE, Board
from msat.cells import check_mines, check_size
from msat.errors import BoardError, MsatError
from msat.limits import MAX_STACK_CELLS
from msat.wording import argument

__all__ = ["as_grid", "as_stack", "as_totals", "is_stack"]

_INT8 = np.dtype(np.int8)


def as_grid(array: npt.ArrayLike) -> NDArray[np.int8]:
    """The array as the kernels take it; an error that says what is wrong where it is no board."""
    # Not `dtype is`: arrays that come from a pickle or another process have a dtype object of their own.
    if type(array) is np.ndarray and array.dtype == _INT8 and array.ndim == 2 and array.size:
        # The kernel checks the values of int8 itself. It is compiled for arrays that can be written to,
        # though it leaves this one alone.
        return array if array.flags.carray else array.copy()
    try:
        found = np.asarray(array)
    except ValueError:  # ragged rows
        return Board.from_array(array, 0).to_array()
    # A wider type must not be cut down to a legal value.
    whole = found.ndim == 2 and found.size and found.dtype.kind == "i"
    if whole and found.min() >= MINE and found.max() <= 8:
        return found.astype(np.int8, order="C")
    return Board.from_array(array, 0).to_array()


def is_stack(array: object) -> bool:
    """Whether an array, or lists of lists, or a list of boards, has three dimensions.

    >>> is_stack(np.zeros((2, 3, 4))), is_stack([np.zeros((3, 4))]), is_stack([[0, 1], [1, 1]])
    (True, True, False)
    """
    depth = 0
    while isinstance(array, list | tuple) and array and depth < 3:
        array = array[0]
        depth += 1
    return depth + int(getattr(array, "ndim", 0)) == 3


def as_stack(array: npt.ArrayLike) -> NDArray[np.int8]:
    """A stack of boards, (n, h, w).

    >>> as_stack([[[0, -1]], [[1, -1]]]).dtype
    dtype('int8')
    """
    try:
        found = np.asarray(array)
        n, h, w = found.shape
    except ValueError:
        raise BoardError(
            "the boards of a stack have one size, and these differ: ask board by board"
        ) from None
    h, w = check_size(h, w, BoardError)
    if found.size > MAX_STACK_CELLS:
        raise BoardError(
            f"{n:,} boards of {h}×{w} are too many at a time: at most {MAX_STACK_CELLS // (h * w):,}"
        )
    if found.dtype == _INT8:
        return found if found.flags.carray else found.copy(order="C")
    if found.dtype.kind == "i" and (not n or (found.min() >= MINE and found.max() <= 8)):
        return found.astype(np.int8, order="C")
    stack = np.empty((n, h, w), np.int8)
    for number in range(n):
        try:
            stack[number] = Board.from_array(found[number], 0).to_array()
        except MsatError as error:
            error.args = (f"board {number} of the stack: {error}", *error.args[1:])
            raise
    return stack


def as_totals(mines: int | npt.ArrayLike, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """The totals of the boards of a stack of that shape: one for all, or one each.

    >>> as_totals(10, (3, 9, 9)), as_totals([10, 11, 12], (3, 9, 9))
    (array([10, 10, 10]), array([10, 11, 12]))
    """
    n, h, w = shape
    found = np.asarray(mines)
    if found.ndim == 0:
        return np.full(n, check_mines(found.item(), h, w, BoardError), np.int64)
    if found.shape != (n,):
        given = "×".join(map(str, found.shape))
        raise BoardError(
            f"{argument('mines')} has {given} totals for a stack of {n} boards: give one, or {n}"
        )
    if found.dtype.kind in "iu" and (not n or (found.min() >= 0 and found.max() <= h * w)):
        return np.ascontiguousarray(found, np.int64)
    for number, total in enumerate(found.tolist()):
        try:
            check_mines(total, h, w, BoardError)
        except MsatError as error:
            error.args = (f"board {number} of the stack: {error}", *error.args[1:])
            raise
    return np.array(found.tolist(), np.int64)
