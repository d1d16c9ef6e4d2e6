"""`local`, `chain`, `subset` and `kata`: what is particular to documents 001 to 004 (docs/sources.md)."""

from __future__ import annotations

import pytest

from msat import Board, InconsistentBoard, Layout, analyze, strategies
from msat.engines.counting._kernels.answer import PROVEN_MINE
from msat.strategies.chain import Chain
from msat.strategies.kata import Kata
from msat.strategies.local import Local
from msat.strategies.subset import Subset
from tests.conftest import scaled
from tests.support.clock import Clock
from tests.support.placements import sequences


def wins(name: str, layouts: list[Layout], **values: object) -> set[int]:
    """Which of the layouts a strategy wins."""
    player = strategies.get(name, **values)
    return {
        number
        for number, layout in enumerate(layouts)
        if player.play_numbers(layout.numbers(), layout.mines, layout.start, number).won
    }


@pytest.mark.parametrize("name", ["local", "chain", "subset", "kata"])
def test_a_contradiction_is_an_error(name: str) -> None:
    with pytest.raises(InconsistentBoard):
        strategies.get(name).choose(Board.parse("?1?/3?1 2"))


class TestLocal:
    def test_shares_around_one_number(self) -> None:
        # Around the 2 one of three cells is free; the 1 is met by one of its two. The best share counts.
        choice = Local().choose(Board.parse("2???/???1/???? 4"))
        assert choice is not None
        assert choice.kind == "guess"
        shares = dict(choice.ranking)
        assert shares[0, 1] == pytest.approx(1 / 3)
        assert choice.safety == max(shares.values()) == shares[choice.cells[0]]

    def test_draws_by_seed_and_board_alone(self) -> None:
        board = Board.parse("1????/?????/????1 4")
        drawn = {seed: Local().for_game(seed).choose(board) for seed in range(20)}
        assert len({choice.cells for choice in drawn.values() if choice}) > 1
        assert len({choice.safety for choice in drawn.values() if choice}) == 1
        assert drawn == {seed: Local().for_game(seed).choose(board) for seed in range(20)}
        assert Local().for_game(3 << 70).choose(board) is not None

    def test_where_no_number_touches_a_hidden_cell(self) -> None:
        choice = Local().choose(Board.parse("?*?*/**** 7"))
        assert choice is not None
        assert choice.safety == pytest.approx(1 / 2)
        assert Local().choose(Board.parse("?*?*/**** 8")) is None


class TestChain:
    @pytest.mark.parametrize(
        "text", ["1???/????/???1/???? 4", "2???/????/????/1??? 5", "?1??/????/????/??2? 5"]
    )
    def test_front_cells_by_their_share_of_answers(self, text: str) -> None:
        board = Board.parse(text)
        expected = {
            cell: sum(cell in mines for mines in answers) / len(answers)
            for cells, answers in sequences(board)
            for cell in cells
        }
        choice = Chain(weigh="equal").choose(board)
        assert choice is not None
        shares = {cell: 1 - safety for cell, safety in choice.ranking if cell in expected}
        assert shares == pytest.approx(expected)

    @pytest.mark.parametrize(
        "text", ["1???/????/???1/???? 4", "2???/????/????/1??? 5", "?1??/????/????/??2? 5", "??2??/????? 3"]
    )
    def test_by_mines_the_share_is_the_probability(self, text: str) -> None:
        board = Board.parse(text)
        front = {cell for cells, _ in sequences(board) for cell in cells}
        probability = analyze(board).probability
        choice = Chain().choose(board)
        assert choice is not None
        (cell, safety), *_ = choice.ranking
        assert safety == pytest.approx(1 - min(p for p in probability.ravel() if p == p))
        assert front - {cell} <= {cell for cell, _ in choice.ranking}
        for cell, safety in choice.ranking:
            assert safety == pytest.approx(1 - probability[cell])

    @pytest.mark.parametrize("weigh", ["mines", "equal"])
    def test_the_mines_left_leave_out_answers(self, weigh: str) -> None:
        # Only the corner between the two 1s lets one mine meet both: every unseen cell is safe.
        choice = Chain(weigh=weigh).choose(Board.parse("1??/???/??1 1"))
        assert choice is not None
        assert choice.kind == "count"
        assert (0, 2) in choice.cells
        assert (1, 1) not in choice.cells

    @pytest.mark.parametrize("weigh", ["mines", "equal"])
    def test_unseen_cells_must_be_free_not_may_be(self, weigh: str) -> None:
        # The front can hold both mines left, but need not: nothing is said of the far corner.
        choice = Chain(weigh=weigh).choose(Board.parse("1?1??/????? 2"))
        assert choice is not None
        assert choice.is_guess

    @pytest.mark.parametrize(
        ("text", "cell"),
        [
            ("1??????/???????/???????/??????? 3", (0, 6)),
            ("1?????1/???????/???????/1?????1 5", (0, 2)),
        ],
    )
    def test_unseen_cells_corners_first_then_beside_the_front(self, text: str, cell: tuple[int, int]) -> None:
        choice = Chain().choose(Board.parse(text))
        assert choice is not None
        assert (choice.kind, choice.cells) == ("unseen", (cell,))

    @pytest.mark.parametrize("weigh", ["mines", "equal"])
    @pytest.mark.parametrize("text", ["2??/??? 1", "1??/??? 6", "1?1/??? 5"])
    def test_a_total_that_does_not_fit_is_an_error(self, weigh: str, text: str) -> None:
        with pytest.raises(InconsistentBoard):
            Chain(weigh=weigh).choose(Board.parse(text))

    def test_too_many_answers_are_given_up(self) -> None:
        board = Board.parse("2???/????/????/???? 8")
        patient, hasty = Chain().choose(board), Chain(most_answers=2).choose(board)
        assert patient is not None
        assert hasty is not None
        assert hasty.kind == "guess"
        assert hasty.ranking == ((hasty.cells[0], hasty.safety),)
        assert len(patient.ranking) > 1

    def test_after_its_time_it_guesses(self, clock: Clock) -> None:
        """By a clock that ticks whenever it is read: a second for each decision, and one before the first."""
        clock.tick = 1.0
        forced, open_ended = Board.parse("???/121 2"), Board.parse("2???/????/????/???? 8")
        player = Chain(seconds=4).for_game(1)
        chosen = [player.choose(board) for board in (forced, open_ended, forced, forced, open_ended)]
        assert [choice.kind for choice in chosen if choice] == ["count", "unseen", "count", "guess", "guess"]
        patient, hasty = chosen[1], chosen[4]
        assert patient == Chain().choose(open_ended)
        assert hasty == Chain(most_answers=1).for_game(1).choose(open_ended)

    def test_time_is_given_anew_to_every_game(self) -> None:
        layout = Layout.random(9, 9, 14, seed=3, start=(0, 0), first="safe")
        player = Chain(seconds=1e-9)
        games = [player.play_numbers(layout.numbers(), layout.mines, layout.start, 1) for _ in range(3)]
        assert len({game._replace(slow=0) for game in games}) == 1
        assert "guess" in {guess.kind for guess in games[0].guesses}

    def test_time_that_lasts_changes_nothing(self) -> None:
        layouts = [Layout.random(9, 9, 14, seed=seed, start=(0, 0), first="safe") for seed in range(5)]
        assert wins("chain", layouts, seconds=86_400) == wins("chain", layouts)

    @pytest.mark.parametrize("text", ["1?/?? 1", "11/?? 1"])
    def test_without_time_nor_unseen_cells_it_draws(self, text: str) -> None:
        board = Board.parse(text)
        drawn = {Chain(most_answers=1).for_game(seed).choose(board) for seed in range(200)}
        assert {choice.kind for choice in drawn if choice} == {"guess"}
        assert {cell for choice in drawn if choice for cell in choice.cells} == set(board.hidden)


class TestSubset:
    def test_extensions_win_more_and_nothing_by_chance(self) -> None:
        layouts = [Layout.random(16, 16, 44, seed=seed, start=(7, 7)) for seed in range(scaled(300))]
        plain = wins("subset", layouts)
        corners = wins("subset", layouts, corners=True)
        counted = wins("subset", layouts, mine_count=True)
        assert plain <= corners <= wins("logic", layouts)
        assert plain <= counted <= wins("logic", layouts)

    def test_corners(self) -> None:
        """A 1-3-1 corner: the 1s leave the 3 two mines on its sides, so the cell opposite is one."""
        array = Board.parse("?????/?11??/?13??/?????/????? 6").to_array()
        assert Subset(corners=True).decide(array, 6).verdict[3, 3] == PROVEN_MINE
        assert Subset().decide(array, 6).verdict[3, 3] != PROVEN_MINE

    def test_the_mine_count(self) -> None:
        board = Board.parse("1?????/??????/?????1 2")
        assert Subset().choose(board) is None
        choice = Subset(mine_count=True).choose(board)
        assert choice is not None
        assert choice.kind == "count"
        assert (0, 5) in choice.cells


class TestKata:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("1*?/??? 2", "trivial"),
            ("?*?/*** 4", "all mines found"),
            ("???1?/?12??/???1? 2", "1-n pattern"),
            ("???/121 2", "set generation"),
            ("1?????/??????/?????1 2", "exhaustive search"),
        ],
    )
    def test_the_simplest_strategy_that_helps(self, text: str, reason: str) -> None:
        choice = Kata().choose(Board.parse(text))
        assert choice is not None
        assert choice.reason == reason

    def test_wins_what_logic_wins(self) -> None:
        layouts = [Layout.random(9, 9, 12, seed=seed, start=(2, 2)) for seed in range(scaled(60))]
        assert wins("kata", layouts) == wins("logic", layouts)
