"""What msat prints, msat reads: the drawings of all commands, and cells in every way they are printed."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

from msat import MINE, Board, Game, Layout
from msat.cells import read_cell
from tests.support.command import Cli


def in_play(seed: int, height: int = 9, width: int = 12, mines: int = 15) -> Board:
    """A position of a game, with some marks, of which some may be wrong."""
    rng = random.Random(seed)
    game = Game(Layout.random(height, width, mines, seed=seed, start=(3, 3)))
    game.open((3, 3))
    safe = [cell for cell in game.board.hidden if not game.layout.is_mine(cell)]
    for cell in rng.sample(safe, rng.randint(0, len(safe) // 2)):
        if game.state == "playing":
            game.open(cell)
    hidden = list(game.board.hidden)
    marks = rng.sample(hidden, min(len(hidden), rng.randint(0, 4))) if seed % 2 else []
    return game.board.replace(dict.fromkeys(marks, MINE))


WIDTHS = ["", "60", "40", "28", "20"]


class TestDrawings:
    @pytest.fixture(params=WIDTHS)
    def width(self, request: pytest.FixtureRequest, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> str:
        if request.param:
            monkeypatch.setenv("COLUMNS", request.param)
        return str(request.param)

    @pytest.mark.parametrize("seed", range(6))
    def test_solve(self, cli: Cli, width: str, seed: int) -> None:
        board = in_play(seed)
        assert cli("solve", board.to_text("line")) == 0
        assert Board.parse(cli.out) == board

    @pytest.mark.parametrize("seed", range(4))
    def test_hint_and_explain(self, cli: Cli, width: str, seed: int) -> None:
        board = in_play(seed)
        assert cli("hint", board.to_text("line")) == 0
        assert Board.parse(cli.out) == board
        assert cli("explain", board.to_text("line"), "--all") == 0
        assert Board.parse(cli.out) == board
        for cell in (*board.marked[:2], board.hidden[0], board.hidden[-1]):
            assert cli("explain", board.to_text("line"), "--cell", f"r{cell[0]}c{cell[1]}") == 0
            assert Board.parse(cli.out) == board, cli.out

    def test_contradictions(self, cli: Cli, width: str) -> None:
        for text in ("1?/0? 1", "*??/111 1"):
            assert cli("explain", text, "--marks", "trust") == 2
            assert Board.parse(cli.out) == Board.parse(text)

    @pytest.mark.parametrize("more", [[], ["--ascii"], ["--heatmap"], ["--heatmap", "--ascii"]])
    def test_every_frame_of_a_game(self, cli: Cli, width: str, more: list[str]) -> None:
        argv = ["--size", "9x12x20", "--seed", "5"]
        assert cli("play", *argv, *more) == 0
        frames = re.split(r"(?m)^(?=\d+\. )", cli.out)[1:]
        game = Game(Layout.random(9, 12, 20, seed=5, start=(3, 3)))
        game.open((3, 3))
        boards = [Board.parse(frame) for frame in frames]
        assert all(board.mines == 20 for board in boards)
        assert boards[0] == game.board
        assert len(boards) > 3
        for before, after in pairwise(boards):
            assert all(after[cell] == before[cell] for cell in before.revealed)
            assert len(after.hidden) <= len(before.hidden)

    def test_colours(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLORTERM", "truecolor")  # rich keeps the codes that a style was first shown by
        for columns in ("100", "60", "40", "20"):
            monkeypatch.setenv("COLUMNS", columns)
            for seed in range(4):
                board = in_play(seed)
                assert cli("solve", board.to_text("line")) == 0
                assert "\x1b[" in cli.out
                assert Board.parse(cli.out, mines=board.mines) == board, cli.out

    def test_an_answer_is_asked_about_again(self, cli: Cli) -> None:
        """One command's output into another, as a person would."""
        assert cli("generate", "--preset", "expert", "--seed", "7", "--board") == 0
        assert cli("solve", "-", stdin=cli.data) == 0
        first = cli.data
        assert cli("hint", "-", stdin=first) == 0
        hinted = cli.out
        assert cli("hint", "-", stdin=cli.data) == 0
        assert cli.out == hinted
        assert cli("solve", "-", stdin=first) == 0
        assert cli.data == first

    def test_several_frames_are_not_guessed_among(self, cli: Cli) -> None:
        assert cli("play", "--preset", "beginner", "--seed", "2") == 0
        assert cli("solve", "-", "--mines", "10", stdin=cli.data) == 2
        assert re.match(r"msat: the text draws \d+ boards, at the lines 3, 16, .*: give one of them", cli.err)


@pytest.mark.parametrize("text", ["2,6", "(2, 6)", "[2, 6]", "r2c6", "R2C6", "2 6", " ( 2 , 6 ) "])
def test_cells_as_they_are_printed(cli: Cli, text: str) -> None:
    assert read_cell(text) == (2, 6)
    assert cli("generate", "--preset", "beginner", "--seed", "2", "--board") == 0
    answer = cli.json("explain", "-", "--cell", text, "--json", stdin=cli.data)
    assert answer["cell"] == [2, 6]


@pytest.mark.parametrize("text", ["", "2", "a1", "r2", "2,6,1", "-1,2", "r2c", "2;;3", "1e3,2"])
def test_what_is_no_cell(text: str) -> None:
    assert read_cell(text) is None
