"""A game of many is played again alone, by the command that a run prints, also where the player is random."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from msat import play
from msat.arena import Plan, simulate
from msat.board import Board, Cell
from msat.strategies import Strategy
from tests.support.command import Cli


class Dicing(Strategy):
    """Opens any hidden cell."""

    name = "dicing"
    summary = "any cell"
    random: Random

    def for_game(self, seed: int) -> Dicing:
        player = type(self)()
        player.random = Random(seed)
        return player

    def choose(self, board: Board) -> Cell:  # type: ignore[override]
        return self.random.choice(board.hidden)


@pytest.mark.parametrize("rng", ["pcg", "kiss"])
@pytest.mark.parametrize("strategy", [Dicing, "local"])
def test_the_very_game(cli: Cli, tmp_path: Path, rng: str, strategy: str | type[Dicing]) -> None:
    plan = Plan(strategy, 9, 9, 18, rng=rng, seed=3, games=6, per_seed=2)
    simulate(plan, tmp_path / "run", workers=1)
    games = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text().splitlines()]
    assert any(game["guesses"] for game in games if game["game"] > 2)
    for game in games:
        guesses = [(tuple(cell), safety) for _, cell, safety, _ in game["guesses"]]
        number = game["game"]
        record = play(plan.layout(number), plan.player(), seed=plan.game_seed(number))
        assert list(record.guesses) == guesses
        command = plan.replay(number).strip("'").split()
        assert cli(*command[1:], "--json") == 0
        told = json.loads(cli.out)["guesses"]
        assert [(tuple(guess["cell"]), guess["safety"]) for guess in told] == guesses


def test_a_drawn_seed_repeats_the_whole_game(cli: Cli) -> None:
    """Not the layout alone: what the player drew came from another seed."""
    game = ("play", "--strategy", "tests.arena.test_replaying:Dicing", "--size", "9x9x20", "--json")
    assert cli(*game) == 0
    found = re.search(r"--seed (\d+) repeats it", cli.err)
    assert found is not None
    guesses = json.loads(cli.out)["guesses"]
    assert cli(*game, "--seed", found[1]) == 0
    assert json.loads(cli.out)["guesses"] == guesses
