"""`best_move`: the move, its chance to win, exact or estimated, and what is said about it."""

from __future__ import annotations

from fractions import Fraction

import pytest

import msat
from msat.board import MINE, Board
from msat.coach import best_move as module
from msat.errors import BudgetExceeded
from msat.strategies.best.common_layouts import DrawnLayouts
from msat.strategies.best.player import Best
from msat.strategies.safest import ranking
from tests.conftest import FULL, JIT, scaled
from tests.support.clock import Clock
from tests.support.endings import end_with
from tests.support.guesses import guesses
from tests.support.oracle import enumerate_layouts
from tests.support.positions import small_boards
from tests.support.strategies_by_trying import most_wins, wins_after
from tests.support.uncounted import analyze_uncounted

pytestmark = pytest.mark.kernel

OPEN = Board.parse("1????????/?????????/?????????/?????????/?????????/????????? 9")
POCKET = Board.parse("\n".join(["?11" + 13 * "?"] * 2), mines=7)


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> int:
    """Fewer games where kernels are not compiled."""
    if not JIT:
        monkeypatch.setattr(module, "GAMES", 3)
        monkeypatch.setattr(module, "FEWEST", 3)
    return module.GAMES


def test_small_boards_get_perfect_play() -> None:
    """Chances, moves and alternatives are those that trying every strategy finds."""
    asked = 0
    for board in small_boards(max(60, scaled(300)), seed=5, most_hidden=8):
        if not any(True for _ in enumerate_layouts(board)):
            with pytest.raises(msat.InconsistentBoard):
                msat.best_move(board)
            continue
        advice = msat.best_move(board)
        layouts, wins = most_wins(board)
        assert advice.exact
        assert (advice.win, advice.win_error, advice.games) == (Fraction(wins, layouts), 0.0, 0), board
        known = msat.analyze(board)
        if advice.cell is None:
            assert (advice.kind, advice.cells, advice.safety) == ("won", (), 1.0)
            assert not known.safe
            assert len(board.hidden) == len(known.mined)
        elif known.safe:
            assert advice.kind in ("rule", "count")
            assert set(advice.cells) == known.safe
            assert advice.cell in known.safe
            assert advice.alternatives == ()
        else:
            after = wins_after(board)
            assert advice.kind == "endgame"
            assert advice.cells == (advice.cell,)
            assert after[advice.cell] == wins, board
            assert advice.safety == pytest.approx(1 - float(known.exact(*advice.cell)))
            told = [Fraction(other.win or 0) for other in advice.alternatives]
            assert told == [Fraction(after[other.cell], layouts) for other in advice.alternatives], board
            assert told == sorted(told, reverse=True)
            asked += 1
    assert asked


@pytest.mark.skipif(not JIT, reason="too many layouts for uncompiled kernels")
@pytest.mark.parametrize(
    ("text", "seconds", "win"),
    [
        ("001*3????/0012*????/00023????/0001*????/11135????/*22**????" + 3 * "/?????????", 0, "4941/5126"),
        (
            "1*1001???/111001???/0000012??/000001???/221012???/**213*3??/??3??*???" + 2 * "/?????????",
            2,
            "9/10",
        ),
    ],
)
def test_larger_endgames_are_exact(text: str, seconds: float, win: str) -> None:
    """With more layouts than the player `best` searches, and few nodes all the same."""
    board = Board.parse(f"{text} 12")
    assert msat.analyze(board).solutions > int(Best().values["layouts"])
    advice = msat.best_move(board, seconds=seconds)
    assert (advice.kind, advice.exact, str(advice.win)) == ("endgame", True, win)
    assert advice.alternatives
    assert all(Fraction(other.win or 0) <= Fraction(win) for other in advice.alternatives)


def safest_of(board: Board) -> float:
    analysis = msat.analyze(board)
    return max(1 - float(analysis.probability[cell]) for cell in board.hidden)


@pytest.mark.parametrize("board", [OPEN, POCKET, Board.parse("1???/????/???? 3")])
def test_the_safest_cell_is_always_compared(board: Board, few_games: int) -> None:
    """Also where perfect play, or the player, ranks others higher: everybody asks why not that one."""
    advice = msat.best_move(board)
    told = [advice.safety, *(other.safety for other in advice.alternatives)]
    assert max(told) == pytest.approx(safest_of(board))
    assert len(advice.alternatives) <= module.ALTERNATIVES


def test_the_safest_cell_takes_the_place_of_the_last(monkeypatch: pytest.MonkeyPatch, few_games: int) -> None:
    monkeypatch.setattr(module, "ALTERNATIVES", 1)
    board = Board.parse("?1??/???? 2")
    analysis = msat.analyze(board)
    safest = max(board.hidden, key=lambda cell: 1 - analysis.exact(*cell))
    riskier = [cell for cell in board.hidden if analysis.exact(*cell) > analysis.exact(*safest)]
    assert module._with_safest(analysis, riskier[0], riskier) == [safest]
    assert module._with_safest(analysis, safest, [safest, *riskier]) == riskier[:1]


def test_what_the_player_searched_to_its_end_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where fewer nodes are allowed for the chance than it took; other moves are then left out."""
    board = Board.parse("1???/????/???? 3")
    before = msat.best_move(board)
    monkeypatch.setattr(module, "NODES", 1)
    advice = msat.best_move(board)
    assert (advice.kind, advice.exact, advice.win) == ("endgame", True, before.win)
    assert before.alternatives
    assert advice.alternatives == ()


def test_an_estimate(few_games: int) -> None:
    advice = msat.best_move(OPEN)
    choice = Best().choose(OPEN)
    assert choice is not None
    assert (advice.cells, advice.kind, advice.safety) == (choice.cells, "evaluated", choice.safety)
    assert advice.games == few_games
    assert not advice.exact
    assert isinstance(advice.win, float)
    assert advice.win_error is not None
    assert 0 <= advice.win <= advice.safety
    assert 0 < advice.win_error < 0.3
    others = advice.alternatives
    assert {(other.cell, other.safety) for other in others} == set(choice.ranking[1:5])
    assert [(other.win, other.safety) for other in others] == sorted(
        ((other.win, other.safety) for other in others), reverse=True
    )
    for other in others:
        assert other.win is not None
        assert other.difference == pytest.approx(other.win - advice.win)
        assert other.difference_error > 0
        if JIT:  # with enough games: pairs of them tell more than both apart
            assert other.difference_error < 1.1 * (advice.win_error**2 + other.win_error**2) ** 0.5
    assert msat.best_move(Board.parse(str(OPEN))) == advice


@pytest.mark.skipif(not JIT, reason="too many games for uncompiled kernels")
def test_an_estimate_is_the_share_of_games_that_best_wins() -> None:
    """On other layouts of the same board, drawn by the library and played from the start."""
    advice = msat.best_move(OPEN)
    assert advice.win is not None
    layouts = msat.sample(OPEN, n=300, seed=1)
    won = sum(
        Best(samples=0).play_numbers(layout.numbers(), layout.mines, (0, 0), 0).won for layout in layouts
    ) / len(layouts)
    assert abs(won - advice.win) < 3 * (advice.win_error**2 + won * (1 - won) / len(layouts)) ** 0.5


def test_games_that_all_end_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chance is the safety itself if all games were won, never above it; and none is told as certain."""
    for chance, told in ((1.0, "above 82.7%"), (0.0, "below 1.3%")):
        end_with(chance, monkeypatch)
        monkeypatch.setattr(module, "GAMES", 200)
        advice = msat.best_move(OPEN)
        assert advice.win == chance * advice.safety
        assert str(advice).endswith(f"; chance to win: {told} ± {100 * advice.win_error:.1f}")
        for other in advice.alternatives:
            assert other.win == chance * other.safety


@pytest.mark.skipif(not JIT, reason="too many games for uncompiled kernels")
def test_marks_do_not_change_an_estimate() -> None:
    made = guesses("beginner", 100)
    board = next(board for board, choice in made if choice.kind in ("evaluated", "sampled") and board.marked)
    bare = board.replace(dict.fromkeys(board.marked, msat.HIDDEN))
    known, marked = msat.best_move(bare), msat.best_move(board)
    assert (known.cell, known.win, known.alternatives) == (marked.cell, marked.win, marked.alternatives)


def test_a_pocket(few_games: int) -> None:
    advice = msat.best_move(POCKET)
    assert (advice.kind, advice.cell, advice.safety, advice.exact) == ("pocket", (0, 0), 0.5, False)
    assert "closed pocket" in advice.reason
    safest = [cell for cell, _ in ranking(msat.analyze(POCKET)) if cell != advice.cell]
    assert {other.cell for other in advice.alternatives} == set(safest[:4])


def test_proven_cells_of_an_open_game(few_games: int) -> None:
    game = msat.Game(msat.Layout.random(9, 9, 16, seed=1, start=(4, 4)))
    game.open((4, 4))
    advice = msat.best_move(game.board)
    assert advice.kind in ("rule", "count")
    assert (advice.safety, advice.exact, advice.games) == (1.0, False, few_games)
    assert set(advice.cells) == msat.analyze(game.board).safe


@pytest.mark.skipif(not FULL, reason="uncompiled or checked, a search of all the layouts takes long")
def test_with_seconds_a_search_of_samples_chooses(few_games: int, clock: Clock) -> None:
    clock.tick = 0.01
    advice = msat.best_move(OPEN, seconds=1.0)
    assert advice.kind == "sampled"
    assert "candidates, by evaluation and by a search of some of the layouts: its number" in advice.reason


def test_seconds_never_mean_fewer_games(few_games: int, clock: Clock) -> None:
    clock.tick = 0.01
    assert msat.best_move(OPEN, seconds=0.001).games == few_games


def test_cells_that_only_counting_proves() -> None:
    advice = msat.best_move(Board.parse("1??/??? 1"))
    assert (advice.kind, advice.cells) == ("count", ((0, 2), (1, 2)))
    assert advice.reason == "r0c2 is safe by the 1 at r0c0 and the mine total (r1c2 is proven safe too)"


def test_numbers_that_would_take_too_long_to_find_are_not_named(clock: Clock) -> None:
    clock.tick = 0.4
    advice = msat.best_move(Board.parse("1??/??? 1"), budget=1.0, estimate_proven=False)
    assert advice.reason.startswith("r0c2 is safe: no layout that agrees with the board has a mine there")


def test_a_safer_cell_that_wins_less_is_mentioned() -> None:
    board = Board.parse("???2111/?3?*21*/??4*211/*3*2100/1211000/0000000 8")
    advice = msat.best_move(board)
    chances = msat.win_probability(board, every_move=True).chances
    assert chances is not None
    assert advice.cell is not None
    assert chances[advice.cell] == advice.win == Fraction(3, 6) > chances[0, 0]
    assert msat.analyze(board).probability[0, 0] < 1 - advice.safety
    assert advice.reason.endswith("; r0c0 is safer, but wins less often")


@pytest.mark.parametrize("text", ["?1??/???? 2", "?1?/??? 1", "?2?/??? 2", "1??/???/??2 3"])
def test_of_moves_that_win_as_often_the_safest_is_advised_and_the_others_are_named(text: str) -> None:
    """The player's choice was advised, whatever it risked, as if there were no other."""
    board = Board.parse(text)
    advice = msat.best_move(board)
    chances = msat.win_probability(board, every_move=True).chances
    assert chances is not None
    equal = {cell for cell, chance in chances.items() if chance == advice.win}
    risk = msat.analyze(board).probability
    assert advice.cell in equal
    assert risk[advice.cell] <= min(risk[cell] for cell in equal) + 1e-9
    assert ("as often" in advice.reason) == (len(equal) > 1)


def test_in_words() -> None:
    assert str(msat.best_move(Board.parse("?1/?1 1"))) == (
        "r0c0 is safe with a chance of 50.0% and begins perfect play, which wins 1 of 2 layouts; "
        "r1c0 wins as often; chance to win: 50.0%"
    )
    assert str(msat.best_move(Board.parse("*1/11 1"))) == (
        "nothing is left to open: the board is won; chance to win: 100%"
    )


class TestWideBoards:
    """What cannot be counted: there may be proven cells, but no chances."""

    def test_a_proven_cell_is_advised(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "analyze", analyze_uncounted)
        monkeypatch.setattr(DrawnLayouts, "_draw", lambda *_: False)
        advice = msat.best_move(Board.parse("1??/??? 1"))
        assert (advice.cell, advice.win, advice.exact) == ((0, 2), None, False)
        told = "not known (the board is too wide for games to be played on)"
        assert str(advice) == f"{advice.reason}; chance to win: {told}"

    def test_without_one_it_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "analyze", analyze_uncounted)
        with pytest.raises(msat.BudgetExceeded, match=r"counted within budget=0\.5: allow more"):
            msat.best_move(OPEN, budget=0.5)
        with pytest.raises(
            msat.BudgetExceeded,
            match=r"no cell is proven safe, and the board is too wide .* a guess of your own",
        ):
            msat.best_move(OPEN)

    def test_the_safest_cell_where_kernels_have_no_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Best, "choose", Best.choose_slowly)
        monkeypatch.setattr(DrawnLayouts, "_draw", lambda *_: False)
        advice = msat.best_move(OPEN)
        assert (advice.kind, advice.win) == ("guess", None)
        assert advice.reason == (
            "r0c8 is the safest cell, with a chance of 84.0%; the board is too wide to look further"
        )

    def test_moves_without_layouts_have_no_chance(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(DrawnLayouts, "_draw", lambda *_: False)
        advice = msat.best_move(OPEN)
        assert (advice.win, advice.win_error, advice.games) == (None, 0.0, 0)
        assert {other.win for other in advice.alternatives} == {None}


@pytest.mark.skipif(not JIT, reason="games by plain kernels take a minute")
def test_within_a_budget_no_games_are_played_by_plain_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would take all of it, and be too few to tell anything; what they are beside is told as ever."""
    games = msat.best_move(OPEN, seconds=0.001)
    monkeypatch.setattr(module, "mode", lambda: "plain")
    monkeypatch.setattr(module, "hurry", lambda: None)
    advice = msat.best_move(OPEN, budget=3600)
    assert (advice.cell, advice.win, advice.games) == (games.cell, None, 0)
    assert advice.unknown == "kernels are not compiled, so no games are played without seconds=10"
    assert advice.progress is not None
    assert msat.best_move(OPEN, seconds=0.5, budget=3600).unknown == advice.unknown
    monkeypatch.setattr(module, "PLAIN_SECONDS", 0.5)
    assert msat.best_move(OPEN, seconds=0.5, budget=3600).unknown != advice.unknown


@pytest.mark.skipif(not JIT, reason="too large for uncompiled kernels")
def test_games_by_the_size_of_the_board() -> None:
    """A second or so everywhere: fewer games where each takes longer, and none on the largest boards."""
    expert = msat.best_move(Board.blank(16, 30, 99))
    assert expert.games == 100
    huge = msat.best_move(Board.blank(120, 120, 2400))
    assert (huge.win, huge.games) == (None, 0)
    assert huge.unknown == "not estimated on a board this large without seconds=10 or so"
    assert msat.best_move(Board.blank(120, 120, 2400), seconds=0.1).games >= 1


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), "5", True, None])
def test_seconds_that_are_none(seconds: object) -> None:
    with pytest.raises(msat.ParameterError, match="give a number of seconds from 0 to 86,400") as caught:
        msat.best_move(OPEN, seconds=seconds)  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"seconds={seconds!r} ")


def test_what_is_no_board() -> None:
    with pytest.raises(msat.WrongType, match="best_move takes a Board, not '"):
        msat.best_move("??/11 1")  # type: ignore[arg-type]


def test_marked_mines_count() -> None:
    board = Board.parse("??1/??1 1").replace({(0, 1): MINE})
    assert msat.best_move(board).cells == ((0, 0), (1, 0), (1, 1))


def test_a_proven_move_is_told_also_where_there_is_no_time_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object) -> None:
        raise BudgetExceeded("not counted within 5 seconds")

    board = msat.Board.parse("????/1111/0000 2")
    monkeypatch.setattr(msat.Analysis, "solutions", property(too_late))
    assert msat.best_move(board, budget=5).kind == "rule"


def test_a_reason_by_rule_1_says_where_the_mines_are() -> None:
    """Without flags on the board nobody sees which mines a number already has."""
    told = msat.best_move(Board.parse("?10/?10/110 1")).reason
    assert told == "r0c0 is safe by rule 1: the 1 at r0c1 has all its mines: r1c0, by the 1 at r2c0"
    flagged = msat.best_move(Board.parse("?10/*10/110 1")).reason
    assert flagged == "r0c0 is safe by rule 1: the 1 at r0c1 has all its mines"
