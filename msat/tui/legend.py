"""The legend: what the signs of a board view mean, as far as it uses them."""

from __future__ import annotations

from msat.tui.board import BoardView
from msat.tui.theme import STYLES

__all__ = ["legend", "legend_lines"]


def _items(view: BoardView, room: int | None) -> list[str]:
    """The entries of the legend of a view on lines of `room` columns."""
    signs, board = view.signs, view.board
    found = []
    if view.exploded is not None:
        found.append(f"{signs.exploded} the mine that went off")
    if view.layout is not None:
        found.append(f"{signs.mine} mine")
        if any(not view.layout.is_mine(cell) for cell in board.marked):
            found.append(f"{signs.wrong} a mark that is wrong")
        return found
    overlay = view.overlay
    if overlay is not None:
        found += [f"{signs.safe} safe", f"{signs.mine} mine"]
        if overlay.probability is not None:
            pitch = view.pitch(room)
            if pitch == 3 or (pitch == 2 and view.styled):
                found.append("07 a mine with 7 %")
            else:
                found.append("a–j a mine with under 10 % to 90 % or more")
            if pitch == 2 and overlay.rest is not None:
                found.append(f"{signs.hidden} elsewhere, {100 * overlay.rest:.0f} %")
    elif view.moves and view.pitch(room) == 1:  # no room for brackets
        known = set(view.moves.values())
        shown = (
            ("safe", signs.safe, "safe"),
            ("mine", signs.mine, "mine"),
            ("open", signs.move, "this cell"),
        )
        found += [f"{sign} {words}" for kind, sign, words in shown if kind in known]
    looks = {view.look(cell, 1)[1] for cell in board.marked}
    wrong, doubtful = STYLES["wrong"] in looks, STYLES["doubtful"] in looks
    alike = doubtful and signs.mark == signs.doubtful
    if alike or (STYLES["mark"] in looks and (overlay or wrong or doubtful)):  # alone, a flag explains itself
        found.append(f"{signs.mark} mark")
    if doubtful and not alike:
        found.append(f"{signs.doubtful} a mark that may be wrong")
    if wrong:
        found.append(f"{signs.wrong} a mark that is wrong")
    return found


def legend_lines(view: BoardView, room: int | None = None) -> list[str]:
    """The legend, on as many lines as it takes."""
    lines: list[str] = []
    for item in _items(view, room):
        if lines and (room is None or len(lines[-1]) + 3 + len(item) <= room):
            lines[-1] += f"   {item}"
        else:
            lines.append(item)
    return [view.signs.text(line) for line in lines]


def legend(view: BoardView, room: int | None = None) -> str:
    """The first line of the legend, where there is no room for more."""
    return next(iter(legend_lines(view, room)), "")
