"""Pairs of games on the same board, by the portion: what a worker does for a comparison."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from msat.arena.games import play_games, warm_up
from msat.arena.plan import Plan
from msat.errors import FolderError

__all__ = ["Pair", "PairPortion", "play_pairs"]


class Pair(NamedTuple):
    """The outcome of one board: who won it."""

    game: int
    a: bool
    b: bool

    @classmethod
    def from_object(cls, found: Any) -> Pair:
        """Read a line of the results.

        >>> Pair.from_object({"game": 3, "a": {"won": True}, "b": {"won": False}})
        Pair(game=3, a=True, b=False)
        """
        try:
            pair = cls(found["game"], found["a"]["won"], found["b"]["won"])
        except (KeyError, TypeError) as bad:
            raise FolderError(f"not a pair of games: {bad!r}") from None
        if type(pair.a) is not bool or type(pair.b) is not bool or type(pair.game) is not int:
            raise FolderError(f"not a pair of games: {json.dumps(found)[:80]}")
        return pair


class PairPortion(NamedTuple):
    """Pairs that were finished, and their lines."""

    lines: str
    pairs: list[Pair]


def play_pairs(plan_a: Plan, plan_b: Plan, first: int, count: int) -> PairPortion:
    """Play the games from `first` on twice, once by each plan's strategy."""
    for plan in (plan_a, plan_b):
        warm_up(plan.strategy)
    lines, pairs = [], []
    both = zip(play_games(plan_a, first, count), play_games(plan_b, first, count), strict=True)
    for a, b in both:
        line: dict[str, Any] = {"game": a.game, "seed": a.seed, "index": a.index}
        for name, result in (("a", a), ("b", b)):
            played = result.to_object()
            line[name] = {key: value for key, value in played.items() if key not in line}
        lines.append(json.dumps(line))
        pairs.append(Pair(a.game, a.won, b.won))
    return PairPortion("".join(f"{line}\n" for line in lines), pairs)
