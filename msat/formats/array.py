"""Arrays of numbers as boards: lists of lists, or numpy arrays of any integer type.

−1 is hidden, −2 a known mine, 0 to 8 revealed. A float is read if it is a whole number, since arrays that
passed through a calculation are often of floats; nothing else is converted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index as as_index
from typing import TYPE_CHECKING, Any

from msat.cells import MINE
from msat.errors import BoardError
from msat.limits import MAX_SIDE
from msat.wording import quoted

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["VALUES", "parse_array"]

VALUES = "-1 (hidden), -2 (known mine) or 0 to 8 (revealed)"


def parse_array(array: npt.ArrayLike | Iterable[Iterable[Any]]) -> tuple[int, int, bytes]:
    """Height, width and signed bytes of a two-dimensional array."""
    dimensions = getattr(array, "ndim", 2)
    if dimensions != 2:
        raise BoardError(
            f"an array of {dimensions} dimensions is not a board: give one of 2, rows and columns"
        )
    kind = getattr(getattr(array, "dtype", None), "kind", "")
    if kind in ("i", "u"):
        whole: Any = array
        if whole.size and whole.min() >= MINE and whole.max() <= 8:
            return whole.shape[0], whole.shape[1], whole.astype("int8").tobytes()
    return _parse_rows(array)


def _parse_rows(array: Any) -> tuple[int, int, bytes]:
    rows: list[bytes] = []
    try:
        if isinstance(array, Mapping):  # its keys would pass for rows
            raise TypeError
        # One more than a board has, so that neither an endless row is read to its end, nor a long one cut.
        lists = [
            row if isinstance(row, str) else list(islice(row, MAX_SIDE + 1))
            for row in islice(array, MAX_SIDE + 1)
        ]
    except (TypeError, NotImplementedError):  # the latter from memory of several dimensions
        raise BoardError(
            f"{type(array).__name__} is not a board: give a list of rows, each a list of numbers"
        ) from None
    for r, row in enumerate(lists):
        if isinstance(row, str):
            raise BoardError(f"row {r} of the array is the text {quoted(row)}: texts are read by Board.parse")
        if rows and len(row) != len(rows[0]):
            raise BoardError(f"row {r} of the array has {len(row)} cells, row 0 has {len(rows[0])}")
        rows.append(bytes(_byte(value, r, c) for c, value in enumerate(row)))
    if not rows or not rows[0]:
        raise BoardError("the array is empty: a board has at least one cell")
    return len(rows), len(rows[0]), b"".join(rows)


def _byte(value: Any, r: int, c: int) -> int:
    number = None
    if not isinstance(value, bool):  # a bool has an index, but is no number
        try:
            number = as_index(value)
        except TypeError:
            # What the floats of Python and of numpy have in common.
            if hasattr(value, "is_integer") and value.is_integer():
                number = int(value)
    if number is None or not MINE <= number <= 8:
        raise BoardError(f"array[{r}][{c}] is {quoted(value)}, not a cell: use {VALUES}")
    return number & 0xFF
