"""The drawings of the essay about counting, of the pages about notebooks and rules: `make pictures`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msat
from msat import svg
from msat.board import HIDDEN, Board
from msat.engines.rules.deductions import deductions
from msat.problem.problem import Problem

PICTURES = Path(__file__).parent / "pictures"

BOARD = Board.parse("??1/3?2/???/??? 4")
LETTERS = {(0, 1): "A", (2, 1): "B", (2, 2): "C", (0, 0): "D"}
COLOURS = {"A": "#f6c26b", "B": "#8fc7a6", "C": "#8fb3e0", "D": "#d9a3c7", "rest": "#dcdcdc"}
SIZE = 56
STYLE = "font-family='DejaVu Sans, Verdana, sans-serif' text-anchor='middle'"


def _picture(width: int, height: int, parts: list[str]) -> str:
    """Parts on white, which both the light and the dark page can show."""
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>\n{inside}\n</svg>\n'
    )


def _text(x: float, y: float, text: str, size: int = 18, colour: str = "#222222") -> str:
    return f"<text x='{x}' y='{y}' font-size='{size}' fill='{colour}' {STYLE}>{text}</text>"


def boxes() -> str:
    """The board, every hidden cell in the colour of its box."""
    problem = Problem.of(BOARD)
    name = {cell: LETTERS[box.cells[0]] for box in problem.boxes for cell in box.cells}
    parts = []
    for r in range(BOARD.height):
        for c in range(BOARD.width):
            x, y = 20 + c * SIZE, 20 + r * SIZE
            letter = name.get((r, c), "rest") if BOARD[r, c] == HIDDEN else ""
            fill = COLOURS[letter] if letter else "#ffffff"
            parts.append(
                f"<rect x='{x}' y='{y}' width='{SIZE}' height='{SIZE}' fill='{fill}' stroke='#777777'/>"
            )
            shown = letter if letter else f"<tspan font-weight='bold'>{BOARD[r, c]}</tspan>"
            parts.append(_text(x + SIZE / 2, y + SIZE / 2 + 7, shown, 15 if letter == "rest" else 22))
    return _picture(2 * 20 + BOARD.width * SIZE, 2 * 20 + BOARD.height * SIZE, parts)


STATES = [
    (80, 110, "nothing placed", "1"),
    (305, 110, "3 needs 2, 2 needs 1", "2x"),
    (515, 50, "3 needs 1, 2 needs 0", "2x²"),
    (515, 170, "3 needs 2, 2 needs 1", "2x"),
    (725, 50, "3 needs 1", "2x²"),
    (725, 170, "3 needs 2", "2x²"),
    (960, 110, "all placed", "4x³ + 2x⁴"),
]
STEPS = [
    (0, 1, "A = 1: 2 ways", -8),
    (1, 2, "B = 1", -14),
    (1, 3, "B = 0", 24),
    (2, 4, "C = 0", -8),
    (3, 5, "C = 1", 18),
    (4, 6, "D = 1: 2 ways", -22),
    (5, 6, "D = 2: 1 way", 32),
]


def states() -> str:
    """The states of the essay from left to right, with the ways that lead to each."""
    parts = []
    for begin, end, said, offset in STEPS:
        (x1, y1, *_), (x2, y2, *_) = STATES[begin], STATES[end]
        parts.append(f"<line x1='{x1 + 62}' y1='{y1}' x2='{x2 - 62}' y2='{y2}' stroke='#777777'/>")
        parts.append(_text((x1 + x2) / 2, (y1 + y2) / 2 + offset, said, 12, "#555555"))
    for x, y, needs, ways in STATES:
        parts.append(
            f"<rect x='{x - 66}' y='{y - 26}' width='132' height='52' rx='8' fill='#eef' stroke='#3f51b5'/>"
        )
        parts.append(_text(x, y - 6, needs, 11))
        parts.append(_text(x, y + 16, ways, 16, "#1a237e"))
    return _picture(1050, 220, parts)


def chances() -> str:
    """What the page about notebooks draws first: how likely a mine is, and what is safe."""
    board = Board.parse("??1/3?2/??? 3")
    chance = msat.analyze(board).probability
    return svg.board(board, overlay=chance, highlights={(2, 2): "safe"}, size=240)


def reasons() -> str:
    """And then: why a cell is what it is."""
    why = msat.explain(Board.parse("???/111 1"), (0, 1))
    arrows = [(clue, why.cell) for clue in sorted(why.clues)]
    return svg.board(why.board, clues=why.clues, arrows=arrows, highlights={why.cell: "mine"}, size=240)


def lost() -> str:
    """And a game that is over, in the dark theme."""
    layout = msat.Layout.from_mines(4, 6, [(0, 2), (1, 5), (3, 4)])
    game = msat.Game(layout)
    game.open((3, 0))
    game.mark((0, 3))
    game.open((0, 2))
    return svg.board(game.board, mines=layout, exploded=(0, 2), theme="dark", size=340)


RULES = {
    "1": "F1?/11?/??? 3",
    "2": "?10/110/000 1",
    "3": "????/1121/0000 2",
    "4": "????/1111/0000 2",
    "5": "???/?11/??? 1",
    "6": "???/36?/??? 6",
    "7-mine": "???/13?/01? 3",
    "7-safe": "???/12?/01? 2",
    "8": "1?/??/11 1",
    "9": "11/??/2? 2",
}
"""A board for each rule, on which it is the first that says something."""


def rule(text: str) -> str:
    """The board, with the numbers of the rule in brackets and what they decide in rings."""
    board = Board.parse(text)
    found = deductions(board)
    first = [each for each in found if (each.rule, each.clues) == (found[0].rule, found[0].clues)]
    rings = {each.cell: "mine" if each.mine else "safe" for each in first}
    return svg.board(board, highlights=rings, clues=found[0].clues)


DRAWINGS = {
    "boxes": boxes,
    "states": states,
    "chances": chances,
    "reasons": reasons,
    "lost": lost,
    **{f"rule-{name}": partial(rule, text) for name, text in RULES.items()},
}

if __name__ == "__main__":
    for name, drawing in DRAWINGS.items():
        (PICTURES / f"{name}.svg").write_text(drawing(), "utf-8")
