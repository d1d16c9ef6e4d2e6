"""The results of a run as text for people.

These are the statistics of document 000's results file (docs/sources.md), under its names, and a few more.
"""

from __future__ import annotations

from collections.abc import Mapping

from msat.arena.estimates import wilson
from msat.arena.plan import Plan
from msat.arena.tally import MANY_GUESSES, Tally
from msat.wording import cell_name, visible

__all__ = ["Row", "rows", "text", "warnings"]

Row = tuple[str, str]


def rows(plan: Plan, tally: Tally, values: Mapping[str, object] | None = None) -> list[Row]:
    """The statistics that do not depend on time, as (name, value).

    `values` are those of the player's parameters, where the player is not to be loaded to tell them.
    """
    if values is None:
        values = plan.player().values
    low, high = wilson(tally.wins, tally.games)
    found = [
        ("strategy", plan.strategy),
        ("board", f"{plan.height}x{plan.width}x{plan.mines}"),
        ("start", f"{plan.first_click[0]},{plan.first_click[1]} (row,column)"),
        ("first", plan.first),
        ("rng", plan.rng),
        ("seeds", _seeds(plan)),
        *((name, str(value)) for name, value in values.items()),
        ("Samples", str(tally.games)),
        ("Wins", str(tally.wins)),
        ("Percent", f"{tally.percent:.2f}%"),
        ("Deviation", _deviation(plan, tally)),
        ("95% interval", f"{100 * low:.2f}% to {100 * high:.2f}%"),
    ]
    kinds = sorted(tally.kinds.items())
    found += [(f"{_title(name)} Used", str(kind.used)) for name, kind in kinds]
    found += [(f"{_title(name)} Failed", f"{100 * kind.failed / kind.used:.1f}%") for name, kind in kinds]
    found += [
        ("Average guess per win", f"{tally.guesses_per_win:.2f}"),
        ("Average guess per win, 8+ as 8", f"{tally.capped_guesses_per_win:.2f}"),
        ("Average guess per loss", f"{tally.guesses_per_loss:.2f}"),
        ("Average win prob", f"{100 * tally.win_probability:.2f}"),
        ("Average loss prob", f"{100 * tally.loss_probability:.2f}"),
    ]
    found += [(f"Average {name} prob", f"{100 * kind.probability:.2f}") for name, kind in kinds]
    if tally.games:
        found += [
            ("Average moves", f"{tally.moves / tally.games:.2f}"),
            ("Average 3BV", f"{tally.bbbv / tally.games:.2f}"),
            ("Average openings", f"{tally.openings / tally.games:.2f}"),
            ("Average islands", f"{tally.islands / tally.games:.2f}"),
        ]
    return _shown(found)


def _shown(found: list[Row]) -> list[Row]:
    """The rows with what may come from a file, such as the kinds of guesses, shown as text."""
    return [(visible(name), visible(value)) for name, value in found]


def text(plan: Plan, tally: Tally) -> str:
    """The results file. All but its last lines, which tell times, depends on the plan alone.

    >>> print(text(Plan("logic", 9, 9, 10), Tally()).splitlines()[0])
    strategy: logic
    """
    lines = [f"{name}: {value}" for name, value in rows(plan, tally)]
    counts = [tally.wins_by_guesses[k] for k in range(MANY_GUESSES + 1)]
    shares = [f"{100 * count / tally.games if tally.games else 0:.1f}%" for count in counts]
    heads = [*map(str, range(MANY_GUESSES)), f"{MANY_GUESSES}+"]
    lines.append("Wins with guesses:")
    lines += ["".join(f"{entry:>7}" for entry in row) for row in (heads, map(str, counts), shares)]
    if tally.games < plan.games:
        lines.append(f"Unfinished: {plan.games - tally.games} of {plan.games} games are still to be played")
    if tally.games:
        each = 1000 * tally.seconds / tally.games
        longest = tally.longest / 1e6
        lines.append(
            f"Time: {tally.seconds:.1f} s of play, {each:.2f} ms a game, {longest:.2f} s the longest"
        )
    lines += warnings(plan, tally)
    for game, seconds in sorted(tally.warnings):
        seed, index = plan.seed_of(game)
        lines.append(
            f"Warning: a computation in game {game} (seed {seed}, index {index}) took {seconds:.1f} s"
        )
    return "\n".join(lines) + "\n"


def _deviation(plan: Plan, tally: Tally) -> str:
    if tally.deviation is None:
        return f"none: it takes two series of {plan.per_seed} games"
    return f"{100 * tally.deviation:.2f}%"


def warnings(plan: Plan, tally: Tally) -> list[str]:
    """What is wrong with the player: mines that he was sure to be none."""
    found = []
    for game, cell in tally.first_mistaken:
        seed, index = plan.seed_of(game)
        found.append(
            f"Warning: in game {game} (seed {seed}, index {index}) the player was sure of {cell_name(cell)}, "
            f"which was a mine: {visible(plan.replay(game))} shows it"
        )
    more = tally.mistaken - len(found)
    return [*found, f"Warning: so it was in {more} more games"] if more else found


def _title(kind: str) -> str:
    return kind[:1].upper() + kind[1:]


def _seeds(plan: Plan) -> str:
    if plan.rng == "kiss":
        last = plan.seed + (plan.games - 1) // plan.per_seed
        return f"{plan.seed} to {last}, {plan.per_seed} puzzles each"
    return f"{plan.seed}, games 0 to {plan.games - 1}"
