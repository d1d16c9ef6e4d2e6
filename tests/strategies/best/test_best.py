"""`best`, the strongest player: what it may never do, what it states, and how often it wins."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from functools import cache
from math import log10, sqrt
from typing import Any

import numpy as np
import pytest

import msat
from msat.arena.boards import kiss_numbers, protected_cells
from msat.board import Board, preset
from msat.strategies import Choice, Played
from msat.strategies._kernels.safest import decide_exact
from msat.strategies.best import player as module
from msat.strategies.best import thinking
from msat.strategies.best._kernels.decide import SearchLimits, decide_best
from msat.strategies.best._kernels.evaluate import new_ranked
from msat.strategies.best.player import Best
from msat.strategies.best.thinking import Candidate
from tests.conftest import FULL, JIT, scaled
from tests.support.clock import Clock
from tests.support.guesses import LIMITS, guesses

pytestmark = pytest.mark.kernel

WINS = {"expert": 544, "intermediate": 900, "beginner": 972}
"""Won of the first 1,000 of document 000's puzzles (docs/sources.md); another play wins others."""

STARTS = {"expert": (3, 3), "intermediate": (2, 3), "beginner": (2, 2)}

OPEN = Board.parse("1????????/?????????/?????????/?????????/????????? 8")
"""A board early in a small game: the guess is by evaluation, or, with samples, also by a search."""

LATE = Board.parse(
    "*1001*211001*21102**210012????/2200112*100112*113*4*2111*????/*2000011100001112*4313*212????/"
    "*2000000000111013**102*2012???/110000112112*202*422122322????/0000112*2*12*313*302*32**4?5??/"
    "00012*2232113*33*313**334***21/0001*211*1002*3*22*334*22**321/1101111221002231112*24*423321*/"
    "*101112*32112*201233*3**22*111/2201*12**2*35*301**32435*31111/*1011112233***311223*3*3*3111*/"
    "1222111224*433*10113*31212*111/02**11*3***3023311*21100123210/13*31113*5*213**112221101*2*10/"
    "1*21000112111**3101*2*10112110 99"
)
"""An endgame with 1,155 layouts, in which the evaluation misses the best move by three points."""


@cache
def kiss_games(name: str, games: int = 1000) -> list[Played]:
    """The first of document 000's puzzles, played by the compiled game."""
    height, width, mines = preset(name)
    start = STARTS[name]
    protected = protected_cells(height, width, start, "open")
    boards = [kiss_numbers(mines, seed, 0, 100, protected) for seed in range(1, games // 100 + 1)]
    player = Best()
    return [player.play_numbers(numbers, mines, start, 0) for batch in boards for numbers in batch]


FULL_SAMPLES = [("small", 600), ("beginner", 1500), ("expert", 1000)]
SAMPLES = [(name, scaled(games)) for name, games in FULL_SAMPLES] if JIT else [("small", 6)]


@pytest.mark.parametrize(("name", "games"), SAMPLES)
def test_it_never_guesses_where_a_cell_is_proven_safe(name: str, games: int) -> None:
    for board, choice in guesses(name, games):
        known = msat.analyze(board)
        assert not known.safe, board
        assert set(choice.mines) == known.mined, board
        [cell] = choice.cells
        assert board[cell] == msat.HIDDEN, board
        assert cell not in known.mined, board
        assert choice.safety == pytest.approx(1 - known.probability[cell]), board


@pytest.mark.skipif(not JIT, reason="solvers, not kernels")
def test_nor_does_a_solver_find_one() -> None:
    """The same by SAT, which shares no code with the player."""
    for board, _ in guesses(*SAMPLES[-1])[::60]:
        assert not msat.analyze(board, engine="sat").safe, board


def test_every_kind_of_guess_comes_up() -> None:
    kinds = {choice.kind for name, games in SAMPLES for _, choice in guesses(name, games)}
    assert kinds >= {"endgame", "sampled"}
    if FULL:
        assert kinds == {"endgame", "pocket", "unavoidable", "evaluated", "sampled"}


@pytest.mark.skipif(not JIT, reason="too many games for uncompiled kernels")
@pytest.mark.parametrize("name", WINS)
def test_stated_safeties_are_honest(name: str) -> None:
    """As many guesses survive as their safeties add up to, within three standard errors."""
    made = [guess for played in kiss_games(name) for guess in played.guesses]
    for kind in ({guess.kind for guess in made} if name == "expert" else set()) | {""}:
        chosen = [guess for guess in made if kind in ("", guess.kind)]
        expected = sum(guess.safety for guess in chosen)
        error = sqrt(sum(guess.safety * (1 - guess.safety) for guess in chosen))
        survived = sum(guess.survived for guess in chosen)
        assert abs(survived - expected) <= 3 * error, f"{kind}: {survived} of {expected:.1f} ± {error:.1f}"


@pytest.mark.skipif(not JIT, reason="too many games for uncompiled kernels")
@pytest.mark.parametrize("name", WINS)
def test_wins_are_pinned(name: str) -> None:
    assert sum(played.won for played in kiss_games(name)) == WINS[name]


def test_without_an_opening_it_goes_to_another_corner() -> None:
    """There 0 is likeliest. Beside a 1 in the first corner a number may teach more, but 0 is rarer."""
    board = Board.blank(16, 30, 99).replace({(0, 0): 1})
    choice = Best().choose(board)
    assert choice is not None
    assert choice.cells[0] in {(0, 29), (15, 0), (15, 29)}


@pytest.mark.skipif(not JIT, reason="too many games for uncompiled kernels")
def test_a_lost_game_is_lost_by_its_last_guess_alone() -> None:
    for played in kiss_games("expert"):
        assert all(guess.survived for guess in played.guesses[:-1])
        assert played.won == all(guess.survived for guess in played.guesses)


def test_a_move_depends_on_the_board_alone() -> None:
    """Not on what was played before, on the instance, the process or its hash seed, nor on a layout."""
    name, games = SAMPLES[-1]
    asked = guesses(name, games)[:: max(1, len(guesses(name, games)) // 12)]
    worn = Best(**LIMITS)
    for board, choice in asked:
        assert worn.choose(board) == choice
        assert Best(**LIMITS).choose(Board.parse(str(board))) == choice  # read from text: there is no layout
    code = (
        "import pickle, sys; from msat.strategies.best import Best; boards = pickle.load(sys.stdin.buffer); "
    )
    code += f"player = Best(**{LIMITS}); "
    code += "sys.stdout.buffer.write(pickle.dumps([player.choose(board) for board in boards]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps([board for board, _ in asked]),
        env=os.environ | {"PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
    )
    assert pickle.loads(done.stdout) == [choice for _, choice in asked]


def test_marks_do_not_change_a_move() -> None:
    """What is proven to be a mine may be marked or not."""
    name, games = SAMPLES[-1]
    for board, choice in guesses(name, games)[:10]:
        bare = board.replace(dict.fromkeys(board.marked, msat.HIDDEN))
        assert Best(**LIMITS).choose(bare) == Choice(
            choice.cells,
            choice.safety,
            choice.reason,
            choice.ranking,
            tuple(sorted({*board.marked, *choice.mines})),
            choice.kind,
        )


class TestThinking:
    """`best` with time to think."""

    def test_it_ranks_the_candidates_anew(self) -> None:
        quick, slow = Best(samples=0).choose(OPEN), Best(samples=max(50, scaled(500))).choose(OPEN)
        assert quick is not None
        assert slow is not None
        assert (quick.kind, slow.kind) == ("evaluated", "sampled")
        assert slow.reason == "best by evaluation, and by a search of some of the layouts"
        assert sorted(slow.ranking) == sorted(quick.ranking)
        assert slow.ranking[0] == (slow.cells[0], slow.safety)

    def test_marks_do_not_change_what_it_finds(self) -> None:
        """The layouts drawn depend on what is known, not on what is marked."""
        thinker = Best(samples=max(50, scaled(500)))
        marked, bare = (
            thinker.choose(Board.parse(f"{text}/?????????/?????????/????????? 10"))
            for text in ("3*???????/**???????", "3????????/?????????")
        )
        assert marked is not None
        assert bare is not None
        assert (marked.kind, marked.cells, marked.ranking) == ("sampled", bare.cells, bare.ranking)

    def test_with_too_many_layouts_the_evaluation_decides(self, monkeypatch: pytest.MonkeyPatch) -> None:
        digits = log10(msat.analyze(OPEN).solutions)
        for most, kind in ((digits + 0.01, "sampled"), (digits - 0.01, "evaluated")):
            monkeypatch.setattr(thinking, "DIGITS_FOR_FEW", most)
            choice = Best(samples=max(50, scaled(500))).choose(OPEN)
            assert choice is not None
            assert choice.kind == kind

    @pytest.mark.parametrize("in_order", [True, False])
    def test_it_compares_scores_that_are_right(self, in_order: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not those of candidates that were given up before all their numbers were tried."""
        given: list[Candidate] = []

        def think(_: object, __: object, candidates: list[Candidate], *___: object) -> None:
            given.extend(candidates)

        monkeypatch.setattr(module, "think", think)
        array = OPEN.to_array()
        verdict, probability = np.empty(array.shape, np.int8), np.empty(array.shape)
        decide_exact(array, OPEN.mines, 9, False, probability, verdict)
        player = Best(samples=100, nearly=0.5)
        player._guess(array, OPEN.mines, probability, verdict, new_ranked(array.size), in_order)
        for cell, score, safety in given[:: 1 if JIT else 3]:
            # Alone, a cell is not compared with any other: all but it are too risky.
            alone = np.full(array.shape, 1.0)
            alone.flat[cell] = probability.flat[cell]
            ranked = new_ranked(array.size)
            decide_best(array, OPEN.mines, alone, verdict, SearchLimits(1, 50, 1.0, 4096), ranked, 1.0)
            assert ranked.cells[0] == cell
            assert ranked.scores[0] == pytest.approx(score)
            assert safety == pytest.approx(1 - probability.flat[cell])
        assert len(given) > 3

    def test_with_a_number_of_samples_it_is_reproducible(self) -> None:
        first, again = (Best(samples=max(50, scaled(500))).choose(OPEN) for _ in range(2))
        assert first == again

    @pytest.mark.skipif(not FULL, reason="uncompiled or checked, a search of all the layouts takes long")
    def test_with_seconds_it_thinks_as_well(self, clock: Clock) -> None:
        clock.tick = 0.01
        choice = Best(seconds=0.5).choose(OPEN)
        assert choice is not None
        assert choice.kind == "sampled"

    @pytest.mark.parametrize(("searched", "left"), [(0.1, 0.9), (0.3, 0.7), (2.0, 0.5)])
    def test_what_a_search_took_is_not_spent_once_more(
        self, searched: float, left: float, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All of it up to half of the time."""
        given = []

        def decide_slowly(*args: Any) -> Any:
            clock.pass_by(searched)
            return decide_best(*args)

        def think(*args: Any) -> None:
            given.append(args[3].seconds)

        monkeypatch.setattr(module, "decide_best", decide_slowly)
        monkeypatch.setattr(module, "think", think)
        Best(seconds=1.0).choose(OPEN)
        assert given == [pytest.approx(left)]

    @pytest.mark.skipif(not JIT, reason="a search of a thousand layouts is too slow for uncompiled kernels")
    def test_with_seconds_it_plays_larger_endgames_perfectly(self, clock: Clock) -> None:
        clock.tick = 1e-3
        quick = Best(layouts=1000, samples=0).choose(LATE)
        slow = Best(layouts=1000, samples=0, seconds=1.0).choose(LATE)
        assert quick is not None
        assert slow is not None
        assert (quick.kind, slow.kind) == ("evaluated", "endgame")
        perfect = msat.win_probability(LATE, every_move=True)
        assert perfect.solutions == 1155
        assert perfect.chances is not None
        assert perfect.chances[slow.cells[0]] == perfect.probability > perfect.chances[quick.cells[0]]

    def test_without_time_for_a_search_the_evaluation_decides(self) -> None:
        assert Best(seconds=1e-9).choose(OPEN) == Best(samples=0).choose(OPEN)

    @pytest.mark.parametrize("text", ["???/121 2", "1???/???? 2", "??/11 1"])
    def test_what_is_proven_or_searched_needs_no_samples(self, text: str) -> None:
        board = Board.parse(text)
        assert Best(samples=100).choose(board) == Best().choose(board)

    @pytest.mark.skipif(not JIT, reason="too many games for uncompiled kernels")
    def test_it_plays_whole_games(self) -> None:
        kinds = set()
        for seed in range(20):
            layout = msat.Layout.random(9, 9, 16, seed=seed, start=(2, 2), first="safe")
            played = Best(layouts=20, samples=40).play_numbers(layout.numbers(), 16, (2, 2), 0)
            assert played.won == msat.play(layout, Best(layouts=20, samples=40)).won
            kinds |= {guess.kind for guess in played.guesses}
        assert "sampled" in kinds


def test_where_nothing_can_be_learned_the_safest_cell() -> None:
    """All cells are dead; with no more than one layout to search, neither endgame nor pocket comes first."""
    choice = Best(layouts=1, samples=0).choose(Board.parse("2?/?? 2"))
    assert choice is not None
    assert (choice.kind, choice.cells) == ("blind", ((0, 1),))
    assert choice.safety == pytest.approx(1 / 3)


def test_a_board_too_wide_for_the_kernels_gets_the_safest_cell() -> None:
    choice, safest = Best().choose_slowly(OPEN), msat.strategies.get("safest").choose(OPEN)
    assert choice is not None
    assert safest is not None
    assert (choice.cells, choice.ranking) == (safest.cells, safest.ranking)
    assert (choice.kind, choice.reason) == ("guess", "safest, on a board too wide to look further")


def test_a_contradiction_is_an_error() -> None:
    with pytest.raises(msat.InconsistentBoard):
        Best().choose(Board.parse("?1?/3?1 2"))


def test_nothing_to_open() -> None:
    assert Best().choose(Board.parse("??/?? 4")) is None


def test_a_pocket_is_opened_where_it_is_hidden() -> None:
    """Once the search for a pocket counted open cells among its moves, and the player opened one for ever."""
    board = Board.parse("\n".join(["?11" + 13 * "?"] * 2), mines=7)
    choice = Best().choose(board)
    assert choice is not None
    assert (choice.kind, choice.cells, choice.safety) == ("pocket", ((0, 0),), 0.5)


def test_a_dead_cell_does_not_let_in_what_is_far_less_safe() -> None:
    # The first candidate proves dead; the others are measured by the safest that lives.
    choice = Best(layouts=1, samples=0).choose(Board.parse("*?/??/??/2? 4"))
    assert choice is not None
    [(cell, safety)] = choice.ranking
    assert cell == (1, 0)
    assert safety == pytest.approx(2 / 3)
