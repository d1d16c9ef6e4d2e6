"""Rows of cells, one below the other: what a person types, and what `str(board)` and `str(layout)` print.

A board:        A layout:
    ? ? 1           ..*
    3 ? 2           .*.
    mines: 3        start: 0 0

Cells stand all together or all apart. The setting (`mines`, `start`) is a line before or after the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise

from msat.cells import neighbours
from msat.errors import BoardError, LayoutError, MsatError
from msat.formats import pasted
from msat.formats.around import bare_lines, bombs_beside, size_above, total_below
from msat.formats.cutting import by_spaces
from msat.formats.form import Form, Source
from msat.formats.labels import Edges, are_labels, looks_labelled, without_labels
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE, ParsedBoard, ParsedLayout, rows_of
from msat.formats.signs import BLANK, BOARD_CELLS, BOARD_USAGE, meanings, plain
from msat.formats.source import Line, check_rows, number_in, quote, read_row, spaced_once
from msat.limits import MAX_SIDE
from msat.wording import argument

__all__ = [
    "BOARD_CELLS",
    "BOARD_USAGE",
    "FORM",
    "LAYOUT_CELLS",
    "LAYOUT_USAGE",
    "board_rows",
    "layout_rows",
    "parse_rows",
    "print_rows",
    "setting",
]

LAYOUT_CELLS: Mapping[str, int] = {".": 0, "*": 1}

LAYOUT_USAGE = "'.' (safe) or '*' (mine)"

MOST_LINES = 10 * MAX_SIDE
"""Lines of a text that are looked at: there may be borders between the rows, and a chat around them."""

NOTHING_ASKED: Mapping[str, int] = {}

# Patterns are kept as text: `re` compiles each at its first use, so that `import msat` need not.
_PAIR = r"\(? ?([0-9]{1,4})(?: ?, ?| )([0-9]{1,4}) ?\)?"

_PRINTED = bytes.maketrans(bytes([HIDDEN_BYTE, MINE_BYTE, *range(9)]), b"?*012345678")


def board_rows(board: ParsedBoard) -> list[str]:
    """The rows of a board in its canonical characters."""
    text = board.values.translate(_PRINTED).decode("ascii")
    return rows_of(text, board.width)


_LEFT = r"(?i:left|remaining) ?[:=]? ?(-?[0-9]{1,9})"
"""What a game counts: the mines that have no flag yet."""


def layout_rows(layout: ParsedLayout) -> list[str]:
    """The rows of a layout, '.' and '*'."""
    text = layout.mask.translate(bytes.maketrans(b"\0\1", b".*")).decode("ascii")
    return rows_of(text, layout.width)


def setting(name: str, line: Line) -> str | None:
    """What a line such as `mines: 10` or `start 3 3` says, or None if it is not such a line."""
    found = re.fullmatch(rf"(?i:{name})\b ?[:=]? ?(.*)", spaced_once(line.text))
    return None if found is None else found[1]


def _split(
    lines: list[Line], name: str, error: type[MsatError], gaps: bool = False
) -> tuple[list[Line], Line | None]:
    """The rows, and the line with the setting, if there is one; `gaps` between rows are rows of blanks."""
    settings = [line for line in lines if setting(name, line) is not None]
    rows = [line for line in lines if setting(name, line) is None]
    if not rows:
        raise error("no rows: write at least one row of cells")
    if gaps:
        known = {line.number: line for line in rows}
        rows = [known.get(n, Line(n, "")) for n in range(rows[0].number, rows[-1].number + 1)]
    pairs = list(pairwise(rows))
    if len(pairs) > 1 and all(below.number == above.number + 2 for above, below in pairs):
        pairs = []  # a blank line between all rows, as web pages are copied
    for above, below in pairs:
        if below.number != above.number + 1:
            raise error(
                f"line {above.number + 1}: the rows end here but go on in {below}: leave no line between rows"
            )
    if len(settings) > 1:
        raise error(f"{settings[1]}: {quote(settings[1].text.strip())} was already said in {settings[0]}")
    return rows, settings[0] if settings else None


def parse_rows(
    lines: list[Line], asked: Mapping[str, int] = NOTHING_ASKED, edges: Edges = "ask"
) -> ParsedBoard:
    """Read rows and perhaps a line with the mine total.

    `asked` says what signs mean that are hidden to some and 0 to others; `edges` what numbers along the edges
    are: below a line with the total they are clues.
    """
    if len(lines) > MOST_LINES:
        raise BoardError(f"{lines[MOST_LINES]}: a board has at most {MAX_SIDE} rows")
    gaps = "blank" in asked
    rows, said = _split(bare_lines(lines, gaps), "mines", BoardError, gaps)
    mines = left = None
    if said is not None and (found := re.fullmatch(_LEFT, setting("mines", said) or "")):
        left = int(found[1])
    elif said is not None:
        mines = number_in(setting("mines", said) or "", str(said), "mines", BoardError)
    if said is not None:
        if edges == "ask" and said.number < rows[0].number:
            edges = "clues"
    elif total := _total_behind(rows):
        rows, mines = total
    elif "blank" not in asked and (bombs := bombs_beside(rows)):
        _check_no_row_of_bombs(rows, bombs, asked, edges)
        rows, mines, _ = bombs
    elif "blank" not in asked and (total := total_below(rows)):
        _check_no_row(rows, asked, edges)
        rows, mines = total
    if len(rows) > 1 and edges != "labels":
        rows, told = size_above(rows, ask=edges == "ask" and said is None)
        mines = told if mines is None else mines
    height, width, values = _read(rows, asked, edges)
    if left is not None:
        mines = left + values.count(MINE_BYTE)
        if mines < 0:
            raise BoardError(
                f"{said}: {left} mines left and {mines - left} marked are none at all: write 'mines: 10'"
            )
    return ParsedBoard(height, width, values, mines)


def _check_no_row(rows: list[Line], asked: Mapping[str, int], edges: Edges) -> None:
    """Refuse a number below the rows that may be a row as well, whose end is blank."""
    try:
        height, width, values = _read(rows, asked, edges)
    except BoardError:
        return
    corner = (height - 1) * width
    beside = [values[other] for other in neighbours(height, width, corner)]
    # As a clue it needs as many mines beside it.
    if values[corner] <= beside.count(HIDDEN_BYTE) + beside.count(MINE_BYTE):
        number = rows[-1].text.strip()
        raise BoardError(
            f"{rows[-1]}: '{number}' may be the mine total or a row that ends in blanks: "
            f"write 'mines: {number}', or say so by {argument('form', 'blank-zero')}"
        )


def _check_no_row_of_bombs(
    rows: list[Line], bombs: tuple[list[Line], int, Line], asked: Mapping[str, int], edges: Edges
) -> None:
    """Refuse a line such as `💣 3` that may be a row as well, the rest of which is blank."""
    others, total, line = bombs
    hidden = HIDDEN_BYTE in map(BOARD_CELLS.get, plain("".join(other.text for other in others)))
    for way in [asked] if hidden else [asked, {**asked, "blank": HIDDEN_BYTE}]:
        with suppress(BoardError):
            if not _has_zero_beside_mine(*_read(rows, way, edges)):
                break
    else:
        return
    raise BoardError(
        f"{line}: {quote(line.text.strip())} may be the mine total or a row with blanks: "
        f"write 'mines: {total}', or say so by {argument('form', 'blank-zero' if hidden else 'blank-hidden')}"
    )


def _has_zero_beside_mine(height: int, width: int, values: bytes) -> bool:
    return any(
        value == 0 and any(values[other] == MINE_BYTE for other in neighbours(height, width, at))
        for at, value in enumerate(values)
    )


def _total_behind(rows: list[Line]) -> tuple[list[Line], int] | None:
    """The rows, and the total that stands behind the last of them, as in the one-line notation.

    Only where it is nothing else: behind cells that are written all together, as in the rows above.
    """
    *above, last = rows
    found = re.fullmatch(r"(\S{2,})[ \t]+([0-9]{1,9})", last.text.strip())
    if found is None or not above or any(len(line.text.split()) != 1 for line in above):
        return None
    if any(len(line.text.strip()) != len(found[1]) for line in above):
        return None
    return [*above, Line(last.number, found[1])], int(found[2])


def _read(rows: list[Line], asked: Mapping[str, int], edges: Edges) -> tuple[int, int, bytes]:
    """The cells of rows: as people type them, else as they paste them."""
    present = set(plain("".join(line.text for line in rows))) - {BLANK}
    if edges == "ask" and not asked and {"H", "M"} <= present and _are_in_cells("HM", rows):
        raise BoardError(
            "'M' is a known mine or, beside 'H', a mine that only the game knows of: "
            f"say which by {argument('form', 'grid')} or {argument('form', 'mine')}"
        )
    if pasted.has_blank_columns(rows):
        return pasted.read(rows, asked, edges, BoardError("no rows of cells"))
    cells = meanings(present, asked)
    try:
        read = (
            (str(line), read_row(plain(line.text), str(line), cells, BOARD_USAGE, BoardError))
            for line in rows
        )
        found = check_rows(read, BoardError)
    except BoardError as error:
        return pasted.read(rows, asked, edges, error)
    if present - BOARD_CELLS.keys():
        pasted.check_zeros(
            found, [sign for line in rows for sign in "".join(plain(line.text).split())], asked
        )
    bare = without_labels(by_spaces(rows), edges)  # says so where they may be labels
    return pasted.read_margins(rows, asked, edges, found) if bare is None else pasted.read_cells(bare, asked)


def _are_in_cells(signs: str, rows: list[Line]) -> bool:
    """Whether all of these stand elsewhere than in a row of letters that name the columns."""
    cells = [row.cells for row in by_spaces(rows) if not are_labels(row.cells)]
    return set(signs) <= {sign for row in cells for cell in row for sign in cell}


def _slashed(text: str) -> Iterator[tuple[int, str]]:
    """The rows of a line with `/` between them, each with the characters that stand before it."""
    offset = 0
    for row in text.rstrip().removesuffix("/").split("/"):
        yield offset, row
        offset += len(row) + 1


def _parse_layout(source: Source) -> ParsedLayout:
    """Read rows, on one line with `/` between them as well, and perhaps a line with the start."""
    rows, said = _split(source.lines, "start", LayoutError)
    read = (
        (str(line), read_row(text, str(line), LAYOUT_CELLS, LAYOUT_USAGE, LayoutError, offset))
        for line in rows
        for offset, text in (_slashed(line.text) if len(rows) == 1 else [(0, line.text)])
    )
    grid = check_rows(read, LayoutError)
    start = None
    if said is not None:
        given = setting("start", said) or ""
        pair = re.fullmatch(_PAIR, given)
        if pair is None:
            raise LayoutError(
                f"{said}: {quote(given)} is not a cell: write row and column as in 'start: 3 3'"
            )
        start = (int(pair[1]), int(pair[2]))
    return ParsedLayout(*grid, start)


def print_rows(rows: list[str], mines: int | None) -> str:
    """Rows with spaces between the cells, and the mine total below them.

    Above them where the first row or column could be taken for numbers along the edge: below the total, all
    numbers are clues.
    """
    total = [f"mines: {mines}"]
    lines = [" ".join(row) for row in rows]
    return "\n".join([*total, *lines] if looks_labelled(rows) else [*lines, *total])


def _print_layout(layout: ParsedLayout) -> str:
    """The rows, and the start as the last line where there is one."""
    rows, start = layout_rows(layout), layout.start
    return "\n".join(rows if start is None else [*rows, f"start: {start[0]} {start[1]}"])


FORM = Form(
    "grid",
    "rows of text",
    signs="".join(BOARD_CELLS),
    looks_like=lambda source: True,
    parse_board=lambda source: parse_rows(source.lines),
    parse_asked=lambda source: parse_rows(source.lines, edges="clues"),
    print_board=lambda board: print_rows(board_rows(board), board.mines),
    parse_layout=_parse_layout,
    print_layout=_print_layout,
)
