"""The order of cells to open, against the same order written down slowly and obviously."""

from __future__ import annotations

from itertools import pairwise

from msat import Analysis, Board, Game, Layout, analyze
from msat.board import HIDDEN, Cell
from msat.strategies.safest import ranking
from tests.conftest import scaled


def slowly(analysis: Analysis) -> list[Cell]:
    """Safest first; then what teaches, what many clues touch, few unknown neighbours, reading order."""
    board = analysis.board
    forced = analysis.safe | analysis.mined
    cells = [cell for cell in board.hidden if cell not in analysis.mined]
    risks = sorted({float(analysis.probability[cell]) for cell in cells})
    # Floats of equal fractions differ by rounding only: a level begins where there is a gap.
    begins = risks[:1] + [after for before, after in pairwise(risks) if after - before > 1e-9]

    def merit(cell: Cell) -> tuple[int, bool, int, int, Cell]:
        level = sum(begin <= analysis.probability[cell] for begin in begins)
        around = board.neighbours(cell)
        clues = sum(board[other] >= 0 for other in around)
        unknown = sum(board[other] == HIDDEN and other not in forced for other in around)
        return level, unknown == 0, -clues, unknown, cell

    return sorted(cells, key=merit)


def test_the_order_is_the_obvious_one() -> None:
    for seed in range(scaled(200)):
        layout = Layout.random(1 + seed % 7, 1 + seed // 7 % 9, seed % 3, seed=seed)
        game = Game(layout)
        for position in range(seed % 5):
            cell = divmod(position * 5 % (layout.height * layout.width), layout.width)
            if game.state == "playing" and not layout.is_mine(cell):
                game.open(cell)
        analysis = analyze(game.board)
        ranked = ranking(analysis)
        assert [cell for cell, _ in ranked] == slowly(analysis), game.board
        assert all(safety == 1 - analysis.probability[cell] for cell, safety in ranked)


def test_the_largest_board_is_ordered() -> None:
    (cell, safety), *_ = ranking(analyze(Board.blank(1000, 1000, mines=200_000)))
    assert (cell, round(safety, 9)) == ((0, 0), 0.8)
