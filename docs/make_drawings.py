"""The drawings of the essay about counting, by its own example: `make pictures`."""

from __future__ import annotations

from pathlib import Path

from msat.board import HIDDEN, Board
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


if __name__ == "__main__":
    (PICTURES / "boxes.svg").write_text(boxes(), "utf-8")
    (PICTURES / "states.svg").write_text(states(), "utf-8")
