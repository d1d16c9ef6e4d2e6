"""Boards as people paste them: cut into cells, without labels, and every sign given its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msat.cells import neighbours
from msat.errors import BoardError
from msat.formats.cutting import Row, by_shape, by_signs_between, by_spaces, headed, margins, unframed
from msat.formats.labels import Edges, are_labels, without_labels
from msat.formats.parsed import HIDDEN_BYTE, MINE_BYTE
from msat.formats.signs import BLANK, EITHER, HIDDEN_SIGNS, ZERO_SIGNS, meanings, no_cell, plain
from msat.formats.source import Line, check_rows, quote
from msat.wording import argument

__all__ = ["check_zeros", "has_blank_columns", "read", "read_cells", "read_margins"]

BOTH_WAYS = "".join(either.signs for either in EITHER if either.name != "blank")
"""Signs that may be zeros: a board that has them does not write zeros as blanks."""

_NUMBERS = {"-1": HIDDEN_BYTE, "-2": MINE_BYTE}
"""Cells as they are written in arrays."""


def read(
    rows: Sequence[Line], asked: Mapping[str, int], edges: Edges, error: BoardError
) -> tuple[int, int, bytes]:
    """The cells of rows that are not simply written all together or all apart.

    `error` says what is wrong with them if they were; it is raised where they make no other sense either.
    """
    head, below = headed(rows)
    if head is not None and are_labels(head.cells):
        return _read_below(head, below, asked, error)
    inside = unframed(rows)
    cut = by_signs_between(rows) if inside is None else None
    if cut is not None:
        return read_cells(without_labels(cut, edges) or cut, asked)
    rows = inside or rows
    apart = by_spaces(rows)
    bare = without_labels(apart, edges)
    if bare is not None:
        return read_cells(bare, asked)
    sizes = {len(row.cells) for row in apart}
    simple = (
        inside is not None and len(sizes) == 1 and all(len(cell) == 1 for row in apart for cell in row.cells)
    )
    if simple or any(cell in _NUMBERS for row in apart for cell in row.cells):
        return read_cells(apart, asked)
    framed = inside is not None or ("blank" in asked and any(margins(rows)))
    try:
        shaped = by_shape(rows, framed=framed)
    except BoardError:
        raise error from None
    if not _has_blanks(shaped, rows) and "blank" not in asked:
        raise error
    try:
        found = read_cells(shaped, asked, doubtful=inside is None and not _even(rows))
    except BoardError:
        raise error from None
    if not framed and edges == "ask":
        _check_margins(rows, found)
    return found


def _read_below(
    head: Row, rows: Sequence[Line], asked: Mapping[str, int], error: BoardError
) -> tuple[int, int, bytes]:
    """The cells of rows with bars below a line that has none, and so is sure to count the columns."""
    columns = len(head.cells)
    cut = by_signs_between(rows) if unframed(rows) is None else None
    if cut is not None and columns > 1 and all(len(row.cells) == 2 for row in cut):  # a frame behind labels
        inner = by_spaces([Line(row.line.number, row.cells[1]) for row in cut])
        cut = [Row(row.line, [row.cells[0], *each.cells]) for row, each in zip(cut, inner, strict=True)]
    if cut is not None and all(len(row.cells) > columns for row in cut):
        bare = without_labels([head, *cut], "labels")
        cut = None if bare is None or len(bare[0].cells) != columns else bare
    else:
        cut = None
    found = read(rows, asked, "clues", error) if cut is None else read_cells(cut, asked)
    if found[1] != columns:
        raise BoardError(f"{head.line}: {columns} columns are named, and the rows have {found[1]} cells")
    return found


def has_blank_columns(rows: Sequence[Line]) -> bool:
    """Whether rows are cells with tabs between them, some of them blank, as a spreadsheet gives them."""
    cells = [[plain(cell).strip() for cell in line.text.split("\t")] for line in rows]
    single = all(len(cell) <= 1 or cell in _NUMBERS for row in cells for cell in row)
    return single and all(len(row) > 1 for row in cells) and any("" in row for row in cells)


def _has_blanks(shaped: Sequence[Row], rows: Sequence[Line]) -> bool:
    """Whether blanks are cells: one stands before a sign, or some stand at the ends of rows.

    A single row that is one cell short has no blank: there a cell is missing.
    """
    blanks = sum(cell == "" for row in shaped for cell in row.cells)
    inner = any("" in row.cells[: len(row.cells) - _blanks_behind(row)] for row in shaped)
    spaces = any(line.text != line.text.rstrip() for line in rows)
    return inner or blanks > 1 or (blanks == 1 and spaces)


def _even(rows: Sequence[Line]) -> bool:
    """Whether all rows end in the same column, be it with a blank: none of them is written in another way."""
    return len({len(line.text) for line in rows}) == 1 or len({len(line.text.rstrip()) for line in rows}) == 1


def _blanks_behind(row: Row) -> int:
    return next((k for k, cell in enumerate(reversed(row.cells)) if cell), len(row.cells))


def read_margins(
    rows: Sequence[Line], asked: Mapping[str, int], edges: Edges, found: tuple[int, int, bytes]
) -> tuple[int, int, bytes]:
    """Rows of signs alone, with the blanks before and behind them if these are cells.

    They may be where hidden cells are written and zeros are not, and no hidden cell stands beside them.
    """
    if not found[1]:  # no signs at all: whoever makes a board of it says so
        return found
    if "blank" in asked:
        return read_cells(by_shape(rows, framed=True), asked) if any(margins(rows)) else found
    if edges == "ask":
        _check_margins(rows, found)
    return found


def _check_margins(rows: Sequence[Line], found: tuple[int, int, bytes]) -> None:
    """Refuse blanks beside all rows that may be cells which show 0 as well as nothing."""
    _, width, values = found
    before, behind = margins(rows)
    present = set(plain("".join(line.text for line in rows)))
    if not present & set(HIDDEN_SIGNS) or present & {*ZERO_SIGNS, *BOTH_WAYS}:
        return
    for there, where, column in ((before, "before", 0), (behind, "behind", width - 1)):
        beside = values[column::width]
        if there and HIDDEN_BYTE not in beside and MINE_BYTE not in beside:
            raise BoardError(
                f"{rows[0]}: the blanks {where} the rows may be cells that show 0, or nothing: "
                f"say which by {argument('form', 'blank-zero')} or {argument('form', 'grid')}"
            )


def check_zeros(found: tuple[int, int, bytes], signs: Sequence[str], asked: Mapping[str, int]) -> None:
    """Refuse signs that were taken for 0 beside a hidden cell: a game would have opened that.

    `signs` are those of all cells. Where a form was asked for, it says what all of them mean.
    """
    doubted = "" if asked else "".join(either.signs for either in EITHER)
    height, width, values = found
    for at, sign in enumerate(signs):
        if sign in doubted and values[at] == 0:
            for other in neighbours(height, width, at):
                if values[other] == HIDDEN_BYTE:
                    r, c = divmod(at, width)
                    raise BoardError(f"row {r + 1}, cell {c + 1}: {no_cell(sign)}")


def read_cells(
    rows: Sequence[Row], asked: Mapping[str, int], doubtful: bool = False
) -> tuple[int, int, bytes]:
    """Height, width and bytes of cells that are cut apart; blanks are doubtful where they may be no cells."""
    if not rows:
        raise BoardError("no rows: write at least one row of cells")
    present = {cell or BLANK for row in rows for cell in row.cells}
    cells = meanings(present, asked) | _NUMBERS
    if BLANK in present - cells.keys() and not doubtful and _cannot_be_zeros(rows, cells):
        cells[BLANK] = HIDDEN_BYTE
    read = []
    for row in rows:
        try:
            read.append((str(row.line), bytes([cells[cell or BLANK] for cell in row.cells])))
        except KeyError as unknown:
            [bad] = unknown.args
            raise BoardError(f"{row.line}: {_complaint(bad)}") from None
    found = check_rows(read, BoardError)
    check_zeros(found, [cell or BLANK for row in rows for cell in row.cells], asked)
    return found


def _cannot_be_zeros(rows: Sequence[Row], cells: Mapping[str, int]) -> bool:
    """Whether blanks are hidden: as zeros they would leave no hidden cell, and numbers without their mines.

    Only a game that is won, with all mines marked, has no hidden cell: there they may be zeros.
    """
    width = len(rows[0].cells)
    known = {**cells, BLANK: 0}
    values = [known.get(cell or BLANK) for row in rows for cell in row.cells]
    if any(len(row.cells) != width for row in rows) or None in values or HIDDEN_BYTE in values:
        return False
    return any(
        value != MINE_BYTE
        and value != sum(values[other] == MINE_BYTE for other in neighbours(len(rows), width, at))
        for at, value in enumerate(values)
    )


def _complaint(bad: str) -> str:
    return no_cell(bad) if len(bad) == 1 else f"{quote(bad)} is not a cell: write one sign a cell"
