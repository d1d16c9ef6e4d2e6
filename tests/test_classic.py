"""`classic`: document 000's player, on the document's own puzzles and on boards of its text."""

from __future__ import annotations

from collections import Counter

import pytest

from msat.arena.boards import kiss_numbers, protected_cells
from msat.arena.forced import PUZZLES
from msat.board import preset
from msat.strategies.classic import Classic
from tests.conftest import JIT


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
