"""Why a guess and not the safest cell: what it risks, what it may show, and how often it wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from msat.analysis import Analysis, analyze
from msat.board import HIDDEN, Cell
from msat.coach.sentences import percent
from msat.constants import SAME_RISK
from msat.wording import cell_name, enumerate_words

if TYPE_CHECKING:
    from msat.coach.advice import Advice, Alternative

__all__ = ["guess_in_short", "guess_reasons", "note"]


def guess_reasons(advice: Advice) -> tuple[str, ...]:
    """Three sentences about a guess."""
    assert advice.cell is not None
    analysis = advice.analysis or analyze(advice.board)
    safest = _safest(analysis, advice)
    return _risk(advice, safest), _shows(advice, analysis), _wins(advice, safest)


def guess_in_short(advice: Advice) -> str:
    """What matters most about a guess, for two short lines: its risk and chance, and the safest cell's."""
    assert advice.cell is not None
    safest = _safest(advice.analysis or analyze(advice.board), advice)
    risk = f"a mine with {percent(1.0 - advice.safety)}"
    wins = "" if advice.win is None else f"; it wins {advice.chance}"
    if safest is None:
        return f"open {cell_name(advice.cell)}: a guess, {risk}, and none is safer{wins}"
    cell, safety = safest
    other = next((each for each in advice.alternatives if each.cell == cell and each.win is not None), None)
    theirs = f", and {cell_name(cell)} {other.chance}" if other is not None and wins else ""
    risks = f"{risk}, the safest, {cell_name(cell)}, with {percent(1.0 - safety)}"
    return f"open {cell_name(advice.cell)}: a guess, {risks}{wins}{theirs}"


def note(kind: str, safety: float, dead: bool) -> str:
    """What a table says about a move besides its figures.

    >>> note("unavoidable", 0.5, True), note("evaluated", 0.9, False)
    ('dead, an unavoidable 50/50', '')
    """
    said = ["dead"] * dead
    if kind == "unavoidable":
        said.append("an unavoidable 50/50" if abs(safety - 0.5) < SAME_RISK else "unavoidable")
    return ", ".join(said)


def _safest(analysis: Analysis, advice: Advice) -> tuple[Cell, float] | None:
    """A cell that is safer than the move, and how safe it is; of the alternatives if one is as safe."""
    # By arrays: a list of a million hidden cells takes longer than all the rest.
    safety = np.where(advice.board.to_array() == HIDDEN, 1.0 - analysis.probability, -1.0)
    best = float(safety.max())
    if best <= advice.safety + SAME_RISK:
        return None
    for other in advice.alternatives:
        if safety[other.cell] >= best - SAME_RISK:
            return other.cell, best
    r, c = divmod(int((safety >= best - SAME_RISK).argmax()), safety.shape[1])
    return (r, c), best


def _risk(advice: Advice, safest: tuple[Cell, float] | None) -> str:
    assert advice.cell is not None
    cell, risk = cell_name(advice.cell), percent(1.0 - advice.safety)
    even = abs(advice.safety - 0.5) < SAME_RISK
    if advice.kind == "unavoidable":
        what = "a 50/50" if even else f"a risk of {risk}"
        return f"no cell is proven safe, and {cell} is {what} that nothing opened elsewhere will ever lower"
    if safest is None and even:
        return f"no cell is proven safe, and {cell} is a 50/50 that nothing can avoid: none is safer"
    if safest is None:
        return f"no cell is proven safe; {cell} is a mine with {risk}, and none is safer"
    other = f"the safest, {cell_name(safest[0])}, with {percent(1.0 - safest[1])}"
    return f"no cell is proven safe; {cell} is a mine with {risk}, {other}"


def _shows(advice: Advice, analysis: Analysis) -> str:
    assert advice.cell is not None
    if advice.progress is None or advice.second is None:
        return "what it may show was not looked at: the board is too large"
    chances = analysis.number_chances[advice.cell] / advice.safety
    numbers = [(number, chance) for number, chance in enumerate(chances.tolist()) if chance]
    if advice.dead:
        shows = f"it is dead: if it is safe it shows {numbers[0][0]} in any case"
        if advice.progress:
            return f"{shows}; not its number, but that it is safe settles what comes next"
        return f"{shows}, which tells nothing new"
    likely = sorted(numbers, key=lambda pair: -pair[1])[:3]
    listed = [f"{number} ({percent(chance)})" for number, chance in likely]
    more = f" or {len(numbers) - 3} more" if len(numbers) > 3 else ""
    shows = f"{', '.join(listed)}{more}" if more else enumerate_words(listed).replace(" and ", " or ")
    follows = f"that proves another cell safe with {percent(advice.progress)}"
    return (
        f"it may show {shows}; {follows}, and the best click after it is safe with {percent(advice.second)}"
    )


def _wins(advice: Advice, safest: tuple[Cell, float] | None) -> str:
    if advice.win is None:
        return f"how often it wins is not known: {advice.unknown}"
    error = f" ± {100 * advice.win_error:.1f}" if advice.games else ", exactly"
    wins = f"it wins {advice.chance} of all games{error}"
    equal = [other for other in advice.alternatives if not other.games and other.difference == 0]
    if equal:
        does = "do" if equal[1:] else "does"
        wins += f", as {does} {enumerate_words([cell_name(other.cell) for other in equal])}"
    rival = _rival(advice, safest)
    if rival is None or rival.difference is None or rival in equal:
        return wins
    difference = float(rival.difference)
    if rival.games and abs(difference) < 2 * rival.difference_error:
        return f"{wins}; {cell_name(rival.cell)} wins {rival.chance}, no difference beyond doubt"
    doubt = f" ± {100 * rival.difference_error:.1f}" if rival.games else ""
    points = f"{100 * abs(difference):.1f}{doubt} points {'more' if difference > 0 else 'less'}"
    return f"{wins}; {cell_name(rival.cell)} wins {rival.chance}, {points}"


def _rival(advice: Advice, safest: tuple[Cell, float] | None) -> Alternative | None:
    """The safest cell, if it was looked at; else the best of the others."""
    others = {other.cell: other for other in advice.alternatives}
    if safest is not None and safest[0] in others:
        return others[safest[0]]
    return next(iter(advice.alternatives), None)
