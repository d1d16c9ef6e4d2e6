"""Pairs of games on the same board, by the portion: what a worker does for a comparison."""

from __future__ import annotations

from typing import Any, NamedTuple

from msat.arena.games import begin_portion, play_games
from msat.arena.journal import line_of
from msat.arena.plan import Plan
from msat.errors import FolderError
from msat.wording import quoted

__all__ = ["Pair", "PairPortion", "play_pairs"]


class Pair(NamedTuple):
    """The outcome of one board: who won it."""

    game: int
    a: bool
    b: bool
    mistaken: tuple[bool, bool] = (False, False)
    """Whether each of them was sure of what was a mine."""

    @classmethod
    def from_object(cls, found: Any) -> Pair:
        """Read a line of the results.

        >>> Pair.from_object({"game": 3, "a": {"won": True}, "b": {"won": False}})
        Pair(game=3, a=True, b=False, mistaken=(False, False))
        """
        try:
            a, b = found["a"], found["b"]
            sure = a.get("mistaken") is not None, b.get("mistaken") is not None
            pair = cls(found["game"], a["won"], b["won"], sure)
        except (KeyError, TypeError, AttributeError):
            raise FolderError(f"not a pair of games: {quoted(found)}") from None
        if type(pair.a) is not bool or type(pair.b) is not bool or type(pair.game) is not int:
            raise FolderError(f"not a pair of games: {quoted(found)}")
        return pair


class PairPortion(NamedTuple):
    """Pairs that were finished, and their lines."""

    lines: str
    pairs: list[Pair]


def play_pairs(plan_a: Plan, plan_b: Plan, code: str, first: int, count: int) -> PairPortion:
    """Play the games from `first` on twice, once by each plan's strategy."""
    begin_portion(code, plan_a, plan_b)
    lines, pairs = [], []
    both = zip(play_games(plan_a, first, count), play_games(plan_b, first, count), strict=True)
    for a, b in both:
        line: dict[str, Any] = {"game": a.game, "seed": a.seed, "index": a.index}
        for name, result in (("a", a), ("b", b)):
            played = result.to_object()
            line[name] = {key: value for key, value in played.items() if key not in line}
        lines.append(line_of(line))
        pairs.append(Pair(a.game, a.won, b.won, (a.mistaken is not None, b.mistaken is not None)))
    return PairPortion("".join(lines), pairs)
