"""Numbers or letters along the edges of a pasted board: what they are, and how they are told from clues.

Letters are labels, and so are numbers that pass 8, or that stand above and beside the board. A first row such
as `0 1 2 3` alone may be column numbers or clues: that is for the person to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msat.errors import BoardError
from msat.formats.cutting import Row
from msat.wording import argument

__all__ = ["Edges", "are_labels", "looks_labelled", "without_labels"]

Edges = Literal["ask", "clues", "labels"]
"""What numbers are that may be clues or labels."""

LEAST = 4
"""Numbers in a row that make one think of labels; fewer come up as clues all the time."""


def _labels(cells: Sequence[str]) -> str:
    """Whether cells are labels: "" if not, "sure" if they cannot be clues, "doubtful" if they may be.

    >>> _labels(["A", "B"]), _labels(["0", "1", "2"]), _labels([*map(str, range(1, 12))]), _labels(["1", "3"])
    ('sure', 'doubtful', 'sure', '')
    """
    if not cells or not cells[0]:
        return ""
    if cells[0] in ("A", "a"):
        return "sure" if list(cells) == [chr(ord(cells[0]) + k) for k in range(len(cells))] else ""
    start = int(cells[0]) if cells[0] in ("0", "1") else -1
    if start < 0:
        return ""
    full = [str(start + k) for k in range(len(cells))]
    if [cell.lstrip("0") or "0" for cell in cells] == full:
        return "sure" if len(cells) + start > 9 else "doubtful"
    return "sure" if len(cells) > 10 and list(cells) == [number[-1] for number in full] else ""


def are_labels(cells: Sequence[str]) -> bool:
    """Whether cells count up as labels do, where it is sure that they are no clues.

    >>> are_labels(["1", "2"]), are_labels(["a", "b"]), are_labels(["1", "1"])
    (True, True, False)
    """
    return _labels(cells) != ""


def looks_labelled(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row or column of a board could be taken for labels.

    >>> looks_labelled(["0123", "????"]), looks_labelled(["012", "???"])
    (True, False)
    """
    return any(len(cells) >= LEAST and _labels(cells) for cells in (rows[0], [row[0] for row in rows]))


def without_labels(rows: list[Row], edges: Edges) -> list[Row] | None:
    """The rows without labels; None if they have none.

    Where numbers may be labels or clues, `edges` decides, or it is an error.
    """
    if len(rows) < 2:
        return None
    found = _without_both(rows)
    if found is not None:
        if edges == "labels" or not _may_be_clues(rows, found, edges):
            return found
        if edges == "ask":
            raise _doubt(f"{rows[0].line}", rows[0].cells[1:])
        return None
    head, *below = rows
    side = [row.cells[0] if row.cells else "" for row in rows]
    for cells, where, rest in (
        (head.cells, f"{head.line}", below),
        (side, "the first column", [Row(row.line, row.cells[1:]) for row in rows]),
    ):
        kind = _labels(cells)
        if kind == "sure" or (kind and edges == "labels"):
            return rest
        if kind and edges == "ask" and len(cells) >= LEAST:
            raise _doubt(where, cells)
    return None


def _doubt(where: str, cells: Sequence[str]) -> BoardError:
    shown = " ".join(cells[:LEAST]) + (" …" if cells[LEAST:] else "")
    return BoardError(
        f"{where}: {shown!r} may be clues or numbers along the edge: "
        f"say which by {argument('form', 'grid')} or {argument('form', 'labelled')}"
    )


def _may_be_clues(rows: list[Row], found: list[Row], edges: Edges) -> bool:
    """Whether numbers above and beside the board may be cells: the corner is blank, and others are too."""
    corner = rows[0].cells[0] == "" and len(rows[0].cells) == len(rows[1].cells)
    if not corner or "sure" in (_labels(rows[0].cells[1:]), _labels([row.cells[0] for row in rows[1:]])):
        return False
    tiny = len(found) + len(found[0].cells) < LEAST
    return tiny or (edges == "ask" and any("" in row.cells for row in found))


def _without_both(rows: list[Row]) -> list[Row] | None:
    """The rows without labels that stand above and beside them, or beside cells that are written together.

    These are sure to be labels: as cells, the first row would be shorter than the others, or some cells of a
    row would stand apart and others together.
    """
    top = [cell for cell in rows[0].cells if cell]
    body = rows[1:] if _labels(top) else rows
    if len(body) > 1 and [cell for cell in body[-1].cells if cell] == top:
        body = body[:-1]  # the same again below the board
    if not _labels([row.cells[0] if row.cells else "" for row in body]):
        return None
    if all(len(row.cells) == 2 and len(row.cells[1]) > 1 for row in body):
        return [Row(row.line, list(row.cells[1])) for row in body]
    if body is rows:
        return None
    head = rows[0].cells
    if head in (top, ["", *top]) and all(len(row.cells) == len(top) + 1 for row in body):
        return [Row(row.line, row.cells[1:]) for row in body]
    if head in (top, ["", *top, ""]) and all(
        len(row.cells) == len(top) + 2 and row.cells[0] == row.cells[-1] for row in body
    ):
        return [Row(row.line, row.cells[1:-1]) for row in body]
    return None
