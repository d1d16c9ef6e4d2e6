"""Strategies of one's own in the arena: how they are found, and what is said when they go wrong."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import msat
from msat import strategies
from msat.arena import Plan, games, page, simulate
from msat.board import Board
from msat.strategies import Choice, Strategy
from msat.strategies.best import Best
from tests.support import arena_players
from tests.support.arena_players import First, Slow
from tests.support.command import Cli

MINE = """
from msat.strategies import Choice, Parameter, Strategy

print("loaded")


class Corner(Strategy):
    name = "corner"
    summary = "the first hidden cell, and sure of it"

    def choose(self, board):
        return Choice((board.hidden[0],), 1.0, "it must be")


class Broken(Corner):
    def choose(self, board):
        if len(board.hidden) < 70:
            raise ValueError("out of ideas")
        return super().choose(board)


class Slip(Corner):
    def choose(self, board):
        return Choice((0, 1), 0.5, "a cell, not cells")


class Wild(Corner):
    def choose(self, board):
        return Choice((board.hidden[0],), 7, "quite safe")


class Asking(Corner):
    def __init__(self, depth):
        self.depth = depth


def first(board):
    return Corner().choose(board)


class Plain:
    def choose(self, board):
        return first(board)


a_corner, a_plain, NUMBER = Corner(), Plain(), 3
"""
SMALL = ("--preset", "beginner", "--games", "10", "--workers", "1", "--no-folder")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a player in it, as the command `msat` is started there: it is not on Python's path."""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "spoilt.py").write_text("1 +")
    monkeypatch.chdir(tmp_path)
    here = ("", str(tmp_path))
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in here])
    for name in ("mine", "spoilt", "json_tool"):
        monkeypatch.delitem(sys.modules, name, raising=False)


class TestFound:
    def test_in_the_current_folder(self, cli: Cli) -> None:
        assert cli("sim", "--strategy", "mine:Corner", *SMALL) == 0, cli.err
        assert "strategy: mine:Corner\n" in cli.out

    @pytest.mark.parametrize("name", ["first", "a_corner", "Plain", "a_plain"])
    def test_functions_and_objects(self, cli: Cli, name: str) -> None:
        """A function of a board, an object of a strategy, and what has only `choose`."""
        assert cli("sim", "--strategy", f"mine:{name}", *SMALL) == 0, cli.err
        assert f"strategy: mine:{name}\n" in cli.out
        own = cli.out.partition("Samples")[2].partition("Time")[0]
        assert cli("sim", "--strategy", "mine:Corner", *SMALL) == 0
        assert cli.out.partition("Samples")[2].partition("Time")[0] == own

    def test_nothing_else_is_looked_for_there(self, cli: Cli, tmp_path: Path) -> None:
        assert cli("sim", "--strategy", "logic", *SMALL) == 0
        assert str(tmp_path) not in sys.path
        assert cli("sim", "--strategy", "nowhere:Corner", *SMALL) == 2
        assert "No module named 'nowhere'" in cli.err
        assert str(tmp_path) not in sys.path

    def test_what_is_installed_goes_first(self, cli: Cli, tmp_path: Path) -> None:
        (tmp_path / "json").mkdir()
        (tmp_path / "json" / "tool.py").write_text("from mine import Corner")
        assert cli("sim", "--strategy", "json.tool:Corner", *SMALL) == 2
        assert "'json.tool' has no attribute 'Corner'" in cli.err

    def test_not_where_python_is_told_not_to_look(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        class Flags:
            safe_path = True

        monkeypatch.setattr(sys, "flags", Flags())
        assert cli("sim", "--strategy", "mine:Corner", *SMALL) == 2

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("spoilt:Corner", "strategy 'spoilt:Corner' cannot be loaded: SyntaxError: invalid syntax"),
            ("mine:Asking", "strategy 'mine:Asking' cannot be made: TypeError: .*missing 1 required"),
            ("mine:Choice", "'mine:Choice' is no subclass of msat.strategies.Strategy, and no function of"),
            ("mine:NUMBER", "'mine:NUMBER' is no subclass of msat.strategies.Strategy, and no function of"),
            ("mine:first:depth=3", "'mine:first' takes no parameters: only a class of"),
        ],
    )
    def test_what_cannot_be_made(self, cli: Cli, name: str, message: str) -> None:
        assert cli("sim", "--strategy", name, *SMALL) == 2
        assert re.search(message, cli.err)
        assert cli.err.count("\n") == 1


class TestGiven:
    @pytest.mark.parametrize(
        ("given", "strategy", "parameters"),
        [
            (First, "tests.support.arena_players:First", {}),
            (First(), "tests.support.arena_players:First", {}),
            (Slow(pause=0.5), "tests.support.arena_players:Slow", {"pause": 0.5}),
            (Best, "best", {}),
            (Best(layouts=50), "best", {"layouts": 50}),
            ("best:layouts=50", "best", {"layouts": 50}),
        ],
    )
    def test_classes_and_objects(self, given: Any, strategy: str, parameters: dict[str, object]) -> None:
        plan = Plan(given)
        assert (plan.strategy, plan.parameters) == (strategy, parameters)
        assert type(plan.player()) is (given if isinstance(given, type) else type(plan.player()))

    def test_parameters_of_the_plan_go_first(self) -> None:
        assert Plan(Slow(pause=0.5), parameters={"pause": 0.1}).parameters == {"pause": 0.1}  # type: ignore[arg-type]

    def test_what_other_processes_cannot_find(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Local(First):
            name = "local one"

        for given in (Local, Local()):
            with pytest.raises(
                msat.WrongType, match=r"put the class into a file of its own, such as players\.py"
            ):
                Plan(given)  # type: ignore[arg-type]
        monkeypatch.setattr(First, "__module__", "__main__")
        with pytest.raises(msat.WrongType, match="First cannot be found by the processes that play"):
            Plan(First)  # type: ignore[arg-type]

    def test_what_other_processes_cannot_repeat(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Deep(First):
            def __init__(self, depth: int = 1) -> None:
                super().__init__()
                self.depth = depth

        monkeypatch.setattr(arena_players, "Deep", Deep, raising=False)
        monkeypatch.setattr(Deep, "__module__", arena_players.__name__)
        assert Plan(Deep).strategy == "tests.support.arena_players:Deep"  # type: ignore[arg-type]
        with pytest.raises(msat.WrongType, match="Deep has an __init__ of its own"):
            Plan(Deep(7))  # type: ignore[arg-type]

    @pytest.mark.parametrize("given", [lambda board: None, len, 7, None, dict])
    def test_what_is_no_strategy(self, given: Any) -> None:
        for take in (Plan, lambda player: msat.play(msat.Layout.parse("..*"), player)):
            with pytest.raises(msat.WrongType, match=r"is no strategy: give a name .*best"):
                take(given)

    def test_get_takes_what_everybody_takes(self) -> None:
        assert strategies.get("best:samples=0").values["samples"] == 0
        assert strategies.get("best:samples=0", layouts=3).values["layouts"] == 3
        assert isinstance(strategies.get("tests.support.arena_players:First"), First)
        with pytest.raises(msat.UnknownName, match="unknown strategy 'bset'"):
            strategies.get("bset:samples=0")
        with pytest.raises(msat.WrongType, match="a strategy is named by a text"):
            strategies.get(First)  # type: ignore[arg-type]


class TestFailures:
    def test_the_game_its_seed_and_how_to_see_it_again(self, cli: Cli) -> None:
        assert cli("sim", "--strategy", "mine:Broken", *SMALL, "--first", "safe") == 2
        said = re.fullmatch(
            r"msat: mine:Broken failed in game (\d+) \(seed (\d+), index 0\): ValueError: out of ideas "
            r"\(mine\.py, line \d+\); '(msat play .*)' plays it again\n",
            cli.err,
        )
        assert said is not None, cli.err
        assert int(said[2]) == (1 << 32) + int(said[1])
        command = said[3].split()[1:]
        assert " ".join(command).count("--first safe") == 1
        with pytest.raises(ValueError, match="out of ideas"):
            cli(*command, "--json")

    def test_workers_tell_it_as_well(self, cli: Cli) -> None:
        options = ("--preset", "beginner", "--games", "10", "--workers", "2", "--no-folder")
        assert cli("sim", "--strategy", "mine:Broken", *options) == 2
        assert re.search(r"failed in game \d+ .*ValueError: out of ideas \(mine\.py", cli.err)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("Slip", "strategy 'corner' chose what is no cell: 0 is not a cell: give (row, column)"),
            ("Wild", "strategy 'corner' made a choice that is none"),
        ],
    )
    def test_choices_that_are_none(self, cli: Cli, name: str, message: str) -> None:
        assert cli("sim", "--strategy", f"mine:{name}", *SMALL) == 2
        assert message in cli.err
        assert f"mine:{name} failed in game 0 " in cli.err

    def test_a_puzzle_of_document_000(self) -> None:
        plan = Plan("logic", 9, 9, 10, rng="kiss", seed=3, start=(2, 2), per_seed=4)
        assert plan.replay(9) == (
            "'msat play --strategy logic --size 9x9x10 --start 2,2 --rng kiss --seed 5 --index 1'"
        )


class TestFalseCertainty:
    def test_it_is_reported(self, cli: Cli, tmp_path: Path) -> None:
        run = ("--preset", "beginner", "--games", "10", "--workers", "1", "--out", "run")
        assert cli("sim", "--strategy", "mine:Corner", *run) == 0
        lost = 10 - int(re.findall(r"Wins: (\d+)", cli.out)[0])
        assert lost > 5
        warnings = re.findall(
            r"Warning: in game (\d+) .* sure of r\d+c\d+, which was a mine: '(.*)'", cli.out
        )
        assert len(warnings) == 5
        assert f"Warning: so it was in {lost - 5} more games\n" in cli.out
        assert page(["run"]).count('<p class="note">Warning: in game') == 5
        # Read back, and completed, it is the same.
        assert cli("sim", "--resume", "--strategy", "mine:Corner", "--out", "run", "--workers", "1") == 0
        assert re.findall(r"Warning: in game (\d+)", cli.out) == [game for game, _ in warnings]
        assert cli(*warnings[0][1].split()[1:]) == 0
        assert ", which was claimed to be safe for certain, after" in cli.out

    def test_a_comparison_tells_who(self, cli: Cli) -> None:
        options = ("--preset", "beginner", "--games", "10", "--workers", "1")
        assert cli("compare", "mine:Corner", "logic", *options, "--out", "run") == 0
        [(boards, side)] = re.findall(r"Warning: on (\d+) boards (.) was sure of what was a mine", cli.out)
        assert int(boards) > 5
        assert side == "A"
        whole = cli.out
        again = ("compare", "mine:Corner", "logic", "--resume", "--out", "run", "--workers", "1")
        assert cli(*again) == 0
        assert cli.out == whole.removeprefix("loaded\n")

    def test_a_guess_is_none(self) -> None:
        tally = simulate(Plan(First, 9, 9, 10, games=10), workers=1)  # type: ignore[arg-type]
        assert tally.losses > 0
        assert tally.mistaken == 0

    def test_nor_is_a_first_click_that_is_given(self) -> None:
        tally = simulate(Plan(First, 2, 2, 4, first="any", games=3), workers=1)  # type: ignore[arg-type]
        assert (tally.losses, tally.mistaken) == (3, 0)


class Counting(First):
    """Notes every object and choice of it."""

    made: list[object] = []  # noqa: RUF012

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self.made.append(self)

    def choose(self, board: Board) -> Choice | None:
        assert (board.height, board.width, board.mines) == (5, 5, 5)
        return super().choose(board)


class TestWarmingUp:
    def test_no_game_is_played_that_was_not_asked_for(self) -> None:
        simulate(Plan(Counting, 5, 5, 5, games=2), workers=1)  # type: ignore[arg-type]
        assert Counting.made

    def test_a_player_of_msat_has_the_parameters_asked_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played: list[dict[str, object]] = []

        def note(player: Strategy, *_: object) -> None:
            played.append(dict(player.changed))

        monkeypatch.setattr(Best, "play_numbers", note)
        monkeypatch.setattr(games, "is_compiled", lambda: True)
        monkeypatch.setattr(games, "_warm", set())
        for parameters in ({"layouts": 7}, {"layouts": 7}, {"seconds": 5}, {}):
            games.warm_up(Plan("best", parameters=parameters))
        assert played == [{"layouts": 7}, {}]
