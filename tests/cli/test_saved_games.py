"""Saved games as boards: every command that takes a board takes a game, at any of its moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from msat import Board, Game, Layout, Record, play
from msat.arena import Plan, simulate
from tests.support.command import Cli

LAYOUT = Layout.random(9, 9, 10, seed=3, start=(3, 3))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Some moves of a game, with a mark that is wrong."""
    file = tmp_path / "game.json"
    played = Game(LAYOUT)
    played.open((3, 3))
    safe = next(cell for cell in played.board.hidden if not LAYOUT.is_mine(cell))
    played.mark(safe)
    played.open(next(cell for cell in played.board.hidden if not LAYOUT.is_mine(cell)))
    played.record.save(file)
    return file


class TestCommands:
    @pytest.mark.parametrize("command", ["solve", "hint", "sample", "encode"])
    @pytest.mark.parametrize("move", [None, 0, 1, 2])
    def test_a_game_is_its_position(self, cli: Cli, game: Path, command: str, move: int | None) -> None:
        record = Record.load(game)
        board = record.game(upto=move).board
        assert cli(command, board.to_text("line")) == 0
        expected = cli.out
        assert cli(command, str(game), *([] if move is None else ["--move", str(move)])) == 0
        assert cli.out == expected
        assert (
            cli(command, "-", *([] if move is None else ["--move", str(move)]), stdin=game.read_bytes()) == 0
        )
        assert cli.out == expected

    def test_explain(self, cli: Cli, game: Path) -> None:
        marked = Record.load(game).game().board.marked[0]
        assert cli.json("explain", str(game), "--json")["cell"] == list(marked)

    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            (["--move", "9"], "--move 9 is not in this game: it has 3 moves, give 0 to 3"),
            (["--move", "-1"], "--move -1 is not in this game: it has 3 moves, give 0 to 3"),
            (["--mines", "9"], "the saved game has 10 mines, and --mines 9 is given"),
            (["--form", "grid"], "--form grid is for text"),
        ],
    )
    def test_bad_options(self, cli: Cli, game: Path, argv: list[str], message: str) -> None:
        assert cli("solve", str(game), *argv) == 2
        assert message in cli.err

    def test_a_board_has_no_moves(self, cli: Cli) -> None:
        assert cli("solve", "??/11 1", "--move", "1") == 2
        assert cli.err == "msat: --move 1 needs a saved game: the text is none\n"

    def test_a_damaged_game(self, cli: Cli, game: Path) -> None:
        game.write_text(game.read_text()[:-30])
        assert cli("hint", str(game)) == 2
        assert "game.json: line " in cli.err
        assert cli.err.count("\n") == 1

    def test_watch_with_a_heat_map_and_a_wrong_mark(self, cli: Cli, game: Path) -> None:
        """It died: the analysis took the mark for a mine."""
        assert cli("watch", str(game), "--heatmap") == 0
        assert "w a mark that is wrong" in cli.out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    simulate(Plan("safest", 9, 9, 10, games=5, seed=8), folder, workers=1, puzzles="all")
    return folder


class TestResultFolders:
    def test_a_game_is_played_again(self, cli: Cli, folder: Path) -> None:
        plan = Plan("safest", 9, 9, 10, games=5, seed=8)
        record = play(plan.layout(3), "safest")
        for move in (1, len(record.moves)):
            answer = cli.json("solve", str(folder), "--game", "3", "--move", str(move), "--json")
            board = record.game(upto=move).board
            assert answer == cli.json("solve", board.to_text("line"), "--json")
        assert cli("watch", str(folder), "--game", "3") == 0
        assert cli.out.startswith("1. open r3c3: the start\n")

    def test_a_saved_puzzle(self, cli: Cli, folder: Path) -> None:
        puzzles = folder / "puzzles.jsonl"
        layout = Plan("safest", 9, 9, 10, games=5, seed=8).layout(2)
        begun = Game(layout)
        begun.open((3, 3))
        expected = cli.json("solve", begun.board.to_text("line"), "--json")
        assert cli.json("solve", str(puzzles), "--game", "2", "--json") == expected
        line = puzzles.read_bytes().splitlines()[2]
        assert cli.json("solve", "-", "--json", stdin=line) == expected
        assert cli.json("solve", line.decode(), "--json") == expected

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ('{"game": 2, "layout": %s}' % ("[" * 985 + "]" * 985), "holds no puzzle of game 2"),
            ('{"game": 2, "layout": {"height": 1%s}}' % ("0" * 400), "holds no puzzle of game 2"),
            ('{"game": 2, "layout": null}', "an object with the keys height, width"),
            ('{"game": 2}', "it has no layout"),
            ("[2]", "holds no puzzle of game 2"),
        ],
    )
    def test_a_damaged_puzzle(self, cli: Cli, tmp_path: Path, line: str, message: str) -> None:
        puzzles = tmp_path / "puzzles.jsonl"
        puzzles.write_text(line + "\n")
        assert cli("watch", str(puzzles), "--game", "2") == 2
        assert message in cli.err
        if line.startswith("{"):
            assert cli("solve", "-", stdin=line.encode()) == 2
            assert "this is no puzzle of a result folder: " in cli.err

    def test_links_to_puzzles_are_not_followed(self, cli: Cli, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "puzzles.jsonl").symlink_to(folder / "puzzles.jsonl")
        assert cli("watch", str(tmp_path / "puzzles.jsonl"), "--game", "2") == 2
        assert "is a link: those in result folders are not followed" in cli.err

    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            ([], "has games 0 to 4: say which by --game N"),
            (["--game", "5"], "has games 0 to 4"),
            (["--game", "-1"], "--game -1 is no game: they are numbered from 0"),
        ],
    )
    def test_which_game(self, cli: Cli, folder: Path, argv: list[str], message: str) -> None:
        assert cli("hint", str(folder), *argv) == 2
        assert message in cli.err

    def test_a_folder_without_a_run(self, cli: Cli, tmp_path: Path) -> None:
        assert cli("solve", str(tmp_path), "--game", "1") == 2
        assert "holds no run" in cli.err

    def test_a_foreign_player_is_not_run(
        self, cli: Cli, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.syspath_prepend(tmp_path)
        (tmp_path / "run.json").write_text(
            (folder / "run.json").read_text().replace('"safest"', '"evil:Player"')
        )
        (tmp_path / "evil.py").write_text("raise SystemExit('it ran')")
        assert cli("solve", str(tmp_path), "--game", "1") == 2
        assert "evil:Player, which is no part of msat and would be loaded: if you trust it, " in cli.err
        assert re.search(
            r"'msat play --strategy evil:Player --size \S+ --start \S+ --first open --seed \d+ "
            r"--save game\.json' plays game 1 again and keeps it\n$",
            cli.err,
        )

    def test_its_name_is_no_command(
        self, cli: Cli, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = (folder / "run.json").read_text().replace('"safest"', '"evil:Player; rm x"')
        (tmp_path / "run.json").write_text(run)
        assert cli("watch", str(tmp_path), "--game", "1") == 2
        assert "--strategy 'evil:Player; rm x' --size" in cli.err


def test_positions_are_equal_to_those_of_the_library(game: Path) -> None:
    record = Record.load(game)
    assert list(record.replay())[-1] == record.game().board
    assert isinstance(record.game(upto=0).board, Board)


def test_a_file_that_is_missing_is_said_to_be_so(cli: Cli) -> None:
    """With --move the name was taken for a board that is no saved game."""
    assert cli("hint", "nothing.json", "--move", "3") == 2
    assert cli.err == "msat: 'nothing.json': no such file\n"
