"""Strategies of one's own in the arena: how they are found, and what is said when they go wrong."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

import msat
from msat import play, strategies
from msat.arena import Plan, Settings, Sweep, compare, games, page, simulate, sweep
from msat.board import Board
from msat.strategies import Choice, Strategy
from msat.strategies.best import Best
from msat.strategies.given import Given
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


class Own(Corner):
    def __init__(self, depth="2"):
        self.depth = int(depth)


def first(board):
    return Corner().choose(board)


class Plain:
    def choose(self, board):
        return first(board)


a_corner, a_plain, NUMBER = Corner(), Plain(), 3
"""


def run_python(*arguments: str, text: str = "") -> str:
    """What Python prints in the current folder, where it finds this very msat."""
    paths = os.pathsep.join([str(Path(msat.__file__).parents[1]), *sys.path])
    return subprocess.run(
        [sys.executable, *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": paths},
    ).stdout


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
            ("mine:Own:flag", r"'mine:Own:flag': 'flag' is no parameter: expected NAME=VALUE such as"),
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
        assert Plan(Slow(pause=0.5), parameters={"pause": 0.1}).parameters == {"pause": 0.1}

    def test_functions_of_a_module_have_a_name(self) -> None:
        strategies.get("mine:first")  # looks where the player is
        mine = sys.modules["mine"]
        for given, name in ((mine.first, "mine:first"), (mine.Plain, "mine:Plain")):
            assert Plan(given).strategy == name
            assert not isinstance(Plan(given).strategy, Given)

    @pytest.mark.parametrize("given", [7, None, dict, Strategy])
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

    def test_an_init_that_does_not_call_the_one_above(self, cli: Cli) -> None:
        for name in ("mine:Own", "mine:Own:depth=3"):
            assert cli("sim", "--strategy", name, *SMALL) == 0
            assert "Samples: 10" in cli.out
        strategy = strategies.get("mine:Own", depth=4)
        assert (repr(strategy), dict(strategy.values)) == ("Own()", {})


class Seeded(First):
    """Makes its generator for each game, and has none without."""

    random: Random

    def for_game(self, seed: int) -> Strategy:
        player = type(self)(**self.values)
        player.random = Random(seed)
        return player

    def choose(self, board: Board) -> Choice | None:
        return Choice((self.random.choice(board.hidden),), 0.5, "drawn")


def players_of_here() -> list[Any]:
    """All that can play and that no other process could find, which open the same cells."""

    class Local(First):
        name = "local one"

    class Deep(First):
        def __init__(self, depth: int) -> None:
            self.depth = depth

    class Duck:
        def choose(self, board: Board) -> Choice | None:
            return First().choose(board)

    return [
        Local,
        Local(),
        Deep(7),
        Duck,
        Duck(),
        lambda board: First().choose(board),
        lambda board: board.hidden[0],
        lambda board: list(board.hidden[0]),
    ]


class TestOfHere:
    """What stands in a notebook or was typed in: it plays in this process, and in no other."""

    @pytest.mark.parametrize("which", range(len(players_of_here())))
    def test_it_plays_as_one_with_a_name(self, which: int, tmp_path: Path) -> None:
        given = players_of_here()[which]
        wins = simulate(Plan(First, 5, 5, 3, games=20), workers=1).wins
        plan = Plan(given, 5, 5, 3, games=20)
        assert plan.strategy.startswith("tests.arena.test_own_strategies:")
        for workers in (1, None):
            assert simulate(plan, workers=workers).wins == wins
        assert simulate(plan, tmp_path / "run", workers=1).wins == wins
        assert simulate(plan, tmp_path / "run", workers=1, resume=True).games == 20
        with ThreadPoolExecutor(1) as threads:
            assert simulate(plan, workers=2, executor=threads).wins == wins
        own, named = (play(plan.layout(1), player) for player in (given, plan.player()))
        assert own.moves == named.moves
        assert len(own.moves) > 1

    def test_two_of_one_name_are_two(self) -> None:
        players: list[Any] = [lambda board: board.hidden[0], lambda board: board.hidden[-1]]
        a, b = (Plan(player, 5, 5, 3, games=20) for player in players)
        found = compare(Settings(a, b), workers=1)
        assert found.only_a + found.only_b > 0

    def test_several_workers_are_refused(self, tmp_path: Path) -> None:
        plan = Plan(players_of_here()[0], 5, 5, 3, games=20)
        said = (
            r"^Local cannot be found by the processes that play: put it into a file of its own, such as "
            r"players\.py, and name it as 'players:Local', or play with workers=1$"
        )
        with pytest.raises(msat.WrongType, match=said):
            simulate(plan, tmp_path / "run", workers=2)
        with pytest.raises(msat.WrongType, match=said):
            compare(Settings(Plan("logic", 5, 5, 3, games=20), plan), tmp_path / "run", workers=2)
        with pytest.raises(msat.WrongType, match=said):
            sweep(Sweep(plan, "start", ("0,0", "1,1")), tmp_path / "run", workers=2)
        with pytest.raises(msat.WrongType, match=said):
            pickle.dumps(plan)
        assert not (tmp_path / "run").exists()

    def test_a_cell_alone_has_its_exact_chance(self) -> None:
        layout = msat.Layout.from_mines(1, 4, [(0, 1)], start=(0, 0))
        record = play(layout, lambda board: board.hidden[-1])
        assert (record.won, record.guesses) == (True, ())  # all of it proven
        record = play(msat.Layout.from_mines(1, 5, [(0, 2)]), lambda board: board.hidden[-1])
        cell, chance = record.guesses[0]
        assert (cell, chance) == ((0, 4), 0.8)

    @pytest.mark.parametrize("cell", [(9, 9), (0, 0), (0.5, 0), "r0c1"])
    def test_a_cell_that_is_none(self, cell: Any) -> None:
        layout = msat.Layout.from_mines(1, 4, [(0, 1)], start=(0, 0))
        with pytest.raises(msat.MsatError, match="chose"):
            play(layout, lambda _: cell)

    def test_what_was_typed_in(self, tmp_path: Path) -> None:
        script = """
import msat
from msat.arena import Plan, simulate
from msat.strategies import Choice, Strategy

class Typed(Strategy):
    name, summary = "typed", "the first"
    def choose(self, board):
        return Choice((board.hidden[0],), 0.5, "first")

if __name__ == "__main__":
    for given in GIVEN:
        print(simulate(Plan(given, 5, 5, 3, games=9), workers=1).games, Plan(given).replay(0)[:40])
"""
        typed = run_python("-", text=script.replace("GIVEN", '("__main__:Typed", Typed, Typed())'))
        assert typed == "9 'msat.play(plan.layout(0), plan.player()\n" * 3
        several = script.replace("GIVEN", "[Typed]").replace("workers=1", "workers=2")
        (tmp_path / "script.py").write_text(several)
        assert run_python("script.py") * 3 == typed  # a script is a file, which other processes read


class TestSeeds:
    def test_for_game_is_asked_but_of_players_that_it_gave(self) -> None:
        layout = msat.Layout.random(5, 5, 3, seed=1, start=(2, 2))
        moves = {seed: play(layout, Seeded(), seed=seed).moves for seed in range(9)}
        assert len(set(moves.values())) > 1
        assert play(layout, Seeded).moves == moves[0]
        assert play(layout, Seeded().for_game(7)).moves == moves[7]
        assert play(layout, Seeded().for_game(7), seed=5).moves == moves[5]
        with pytest.raises(msat.GameError, match="seed"):
            play(layout, Seeded(), seed=0.5)  # type: ignore[arg-type]

    def test_the_command_asks_as_well(self, cli: Cli, tmp_path: Path) -> None:
        (tmp_path / "one.txt").write_text("..*\n...\n...\n")
        name = "tests.arena.test_own_strategies:Seeded"
        assert cli("play", "--strategy", name, "--layout", "one.txt", "--json") == 0, cli.err


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
            ("Wild", "strategy 'corner' made a choice with safety=7: give a number from 0 to 1"),
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

    def test_a_sweep_tells_it(self, cli: Cli) -> None:
        options = ("--size", "5x5x5", "--games", "20", "--workers", "1")
        assert cli("sweep", "start", "--strategy", "mine:Corner", *options, "--out", "run") == 0
        warnings = re.findall(
            r"Warning: with start (\d,\d) the player was sure of what was a mine in \d+ games?: "
            r"'msat (play .* --start \1 .*)' shows the first\n",
            cli.out,
        )
        assert len(warnings) == 5
        assert "Warning: so it was with 1 more value\n" in cli.out
        assert page(["run"]).count('<p class="note">Warning: with start') == 5
        assert cli(*warnings[1][1].split()) == 0
        assert ", which was claimed to be safe for certain, after" in cli.out

    def test_a_guess_is_none(self) -> None:
        tally = simulate(Plan(First, 9, 9, 10, games=10), workers=1)
        assert tally.losses > 0
        assert tally.mistaken == 0

    def test_nor_is_a_first_click_that_is_given(self) -> None:
        tally = simulate(Plan(First, 2, 2, 4, first="any", games=3), workers=1)
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
        simulate(Plan(Counting, 5, 5, 5, games=2), workers=1)
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
