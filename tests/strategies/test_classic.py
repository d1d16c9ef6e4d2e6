"""`classic`: document 000's player (docs/sources.md), on its own puzzles and on boards of its text."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from msat import Board, Game, InconsistentBoard, Layout, analyze
from msat.arena.boards import kiss_numbers, protected_cells
from msat.arena.forced import PUZZLES
from msat.board import MINE, Cell, preset
from msat.strategies.classic import Classic
from msat.strategies.logic import Logic
from tests.conftest import FULL, JIT, scaled
from tests.support.placements import Placements, sequences


@pytest.mark.skipif(not JIT, reason="two thousand games are too many for uncompiled kernels")
@pytest.mark.parametrize(
    ("series", "wins", "guess1", "guess2"),
    [("small", 1937, 64, 127), ("medium", 1733, 236, 607), ("expert", 918, 1510, 3217)],
)
def test_the_documents_puzzles(series: str, wins: int, guess1: int, guess2: int) -> None:
    """Seeds 1 to 20, with the counts of the code whose full runs have exactly the document's."""
    start = PUZZLES[series].start
    height, width, mines = preset(PUZZLES[series].preset)
    protected = protected_cells(height, width, start, "open")
    player = Classic()
    won = 0
    used: Counter[str] = Counter()
    for seed in range(1, 21):
        for numbers in kiss_numbers(mines, seed, 0, 100, protected):
            played = player.play_numbers(numbers, mines, start, seed)
            won += played.won
            used.update(guess.kind for guess in played.guesses)
    assert (won, used["guess1"], used["guess2"]) == (wins, guess1, guess2)


def stuck_boards(count: int) -> list[Board]:
    """Small boards on which nothing is proven safe, with all proven mines marked."""
    boards = []
    for seed in range(count):
        height, width, mines = [(4, 8, 9), (3, 9, 8), (5, 6, 9)][seed % 3]
        game = Game(Layout.random(height, width, mines, seed=seed, start=(1, 2)))
        game.open((1, 2))
        while game.state == "playing" and (choice := Logic().choose(game.board)) is not None:
            for cell in choice.mines:
                game.mark(cell)
            for cell in choice.cells:
                if game.state == "playing":
                    game.open(cell)
        if game.state == "playing":
            boards.append(game.board.replace(dict.fromkeys(analyze(game.board).mined, MINE)))
    return boards


def shares(board: Board, end_play: int) -> dict[Cell, float]:
    """P(mine) by the document's rule 10, placement by placement."""
    left = board.mines - len(board.marked)
    found = list(sequences(board))
    listed = frozenset[Cell]().union(*(cells for cells, _ in found))
    free = frozenset(board.hidden) - listed
    if len(board.hidden) <= end_play:
        free_cells: Placements = [
            frozenset(mines) for size in range(len(free) + 1) for mines in combinations(sorted(free), size)
        ]
        found = [(frozenset(board.hidden), joined([*(ways for _, ways in found), free_cells], left))]
    else:
        cap = left - len(found) + 1
        capped = [(cells, [mines for mines in ways if len(mines) <= cap]) for cells, ways in found]
        least = [min(map(len, ways)) for _, ways in capped]
        most = [max(map(len, ways)) for _, ways in capped]
        if sum(most) > left:
            spare = left - sum(least)
            capped = [
                (cells, [mines for mines in ways if len(mines) <= low + spare])
                for (cells, ways), low in zip(capped, least, strict=True)
            ]
        merge = not free and len(found) > 1 and sum(least) != min(sum(most), left)
        found = [(listed, joined([ways for _, ways in found], left))] if merge else capped
    return {cell: sum(cell in mines for mines in ways) / len(ways) for cells, ways in found for cell in cells}


def joined(parts: list[Placements], mines: int) -> Placements:
    """One placement of each part, with so many mines in all."""
    unions = (frozenset[Cell]().union(*chosen) for chosen in product(*parts))
    return [union for union in unions if len(union) == mines]


class TestRule10:
    @pytest.mark.kernel
    @pytest.mark.parametrize("end_play", [6, 12, 30])
    def test_weighs_placements_as_listing_them_does(self, end_play: int) -> None:
        compared = 0
        for board in stuck_boards(scaled(120)):
            if len(board.hidden) > 15:
                continue  # too many placements to list
            expected = shares(board, end_play)
            choice = Classic(guess1=False, end_play=end_play).choose(board)
            if choice is None or not choice.is_guess:
                continue  # only open cells are left, or the caps prove something
            assert {cell: 1 - safety for cell, safety in choice.ranking} == pytest.approx(expected), board
            assert choice.safety == pytest.approx(1 - min(expected.values()))
            compared += 1
        assert compared > 20 or not FULL

    def test_the_picture_of_the_document(self) -> None:
        """`1-2? / 2-?? / 3B-- / M---` as a top-left corner: each `?` is a mine in a third of them."""
        board = Board.parse("1?2???/2?????/3*????/*?????/??????/?????? 9")
        choice = Classic(guess1=False, end_play=6).choose(board)
        assert choice is not None
        safety = dict(choice.ranking)
        for cell in ((0, 3), (1, 2), (1, 3)):
            assert safety[cell] == pytest.approx(2 / 3)


class TestGuesses:
    # Three numbers at the left edge: (3, 2) lies two cells off the middle one, whose flanks are both open.
    EDGE = "?????????/?????????/1????????/1????????/1????????/?????????/?????????/?????????/????????? 10"

    @pytest.mark.parametrize(
        ("values", "kind", "cell"),
        [
            ({}, "guess1", (3, 2)),
            ({"mode": "text"}, "guess1", (3, 2)),
            ({"guess1_near": False}, "guess1", (0, 8)),
            ({"guess1": False}, "guess2", (3, 1)),
            ({"guess1_offset": 0.2}, "guess2", (3, 1)),
            ({"guess1_offset": 0.2, "guess2": False}, "guess1", (3, 2)),
            ({"guess1_near": False, "guess1_far": False}, "guess2", (3, 1)),
            ({"probabilities": "exact"}, "guess2", (1, 0)),
        ],
        ids=str,
    )
    def test_which_guess(self, values: dict[str, object], kind: str, cell: Cell) -> None:
        choice = Classic(**values).choose(Board.parse(self.EDGE))
        assert choice is not None
        assert (choice.kind, choice.cells) == (kind, (cell,))

    def test_without_any_guess_it_stops(self) -> None:
        assert Classic(guess1=False, guess2=False).choose(Board.parse(self.EDGE)) is None

    def test_the_stated_safety(self) -> None:
        """The program states what it compared, the offset included; in the mode of its text, the estimate."""
        board = Board.parse(self.EDGE)
        program, text = Classic().choose(board), Classic(mode="text").choose(board)
        assert program is not None
        assert text is not None
        # The sequence holds one or two mines; half of their sum, rounded down, leaves 9 for 71 open cells.
        assert text.safety == pytest.approx(1 - 9 / 71)
        assert program.safety == pytest.approx(1 - (9 / 71 - 0.02))

    def test_exact_probabilities(self) -> None:
        board = Board.parse(self.EDGE)
        choice = Classic(probabilities="exact", guess1=False).choose(board)
        assert choice is not None
        analysis = analyze(board)
        for cell, safety in choice.ranking:
            assert safety == pytest.approx(1 - float(analysis.exact(*cell)))


def test_a_contradiction_is_an_error() -> None:
    with pytest.raises(InconsistentBoard):
        Classic().choose(Board.parse("?1?/3?1 2"))
