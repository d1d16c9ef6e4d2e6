"""MBF, the binary format in which Minesweeper programs exchange layouts.

Width and height, a byte each; the number of mines in two bytes, high byte first; then column and row of each
mine, a byte each. So sides end at 255, and there is no place for a start.
"""

from __future__ import annotations

from msat.errors import LayoutError
from msat.formats.form import Form
from msat.formats.parsed import ParsedLayout

__all__ = ["FORM", "parse_layout", "print_layout"]

_HEADER = 4


def parse_layout(data: object) -> ParsedLayout:
    """Read a layout; anything that is not exactly one is refused with the offset of the byte at fault."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise LayoutError(f"MBF is read from bytes, not from {type(data).__name__}")
    data = bytes(data)
    if len(data) < _HEADER:
        raise LayoutError(f"MBF truncated at byte {len(data)}: the header alone has {_HEADER} bytes")
    width, height = data[0], data[1]
    if width == 0 or height == 0:
        raise LayoutError(f"MBF byte {0 if width == 0 else 1} is 0: width and height are 1 to 255")
    mines = int.from_bytes(data[2:_HEADER], "big")
    if mines > height * width:
        raise LayoutError(f"MBF bytes 2 and 3: {mines} mines do not fit a {height}×{width} board")
    end = _HEADER + 2 * mines
    if len(data) < end:
        raise LayoutError(f"MBF truncated at byte {len(data)}: {mines} mines need {end} bytes")
    if len(data) > end:
        raise LayoutError(f"MBF byte {end}: {len(data) - end} bytes follow the last of {mines} mines")
    mask = bytearray(height * width)
    for offset in range(_HEADER, end, 2):
        column, row = data[offset], data[offset + 1]
        if column >= width or row >= height:
            raise LayoutError(
                f"MBF byte {offset}: column {column}, row {row} is not on the {height}×{width} board"
            )
        if mask[row * width + column]:
            raise LayoutError(f"MBF byte {offset}: the mine in column {column}, row {row} is given twice")
        mask[row * width + column] = 1
    return ParsedLayout(height, width, bytes(mask), None)


def print_layout(layout: ParsedLayout) -> bytes:
    """The layout in MBF, its mines in row-major order."""
    height, width, mask, _ = layout
    if height > 255 or width > 255:
        raise LayoutError(f"a {height}×{width} layout cannot be written as MBF: its sides end at 255")
    data = bytearray([width, height])
    data += mask.count(1).to_bytes(2, "big")
    for position, mine in enumerate(mask):
        if mine:
            row, column = divmod(position, width)
            data += bytes([column, row])
    return bytes(data)


FORM = Form(
    "mbf",
    "binary, what Minesweeper programs exchange",
    print_layout=print_layout,
    keeps_start=False,
)
