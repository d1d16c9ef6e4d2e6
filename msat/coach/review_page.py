"""A review as one HTML page that needs nothing else: to be looked at, and to be sent to a friend.

Everything is inline, and a Content-Security-Policy forbids whatever is not. The curve, the figures and the
list of mistakes with their proofs are plain HTML; the board at every decision is drawn by a script from data.
Whatever comes from the record is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from importlib import resources
from math import prod
from typing import Any

import numpy as np

from msat.analysis import analyze
from msat.board import HIDDEN, MINE, Board, Cell
from msat.coach.reviewed import Review, ReviewedMove
from msat.coach.sentences import percent
from msat.wording import cell_name, cell_names, sentence

__all__ = ["review_page"]

WIDTH, HEIGHT = 1000, 210
"""Of the curve, in its own units …"""

LEFT, RIGHT, TOP, BOTTOM = 72, 16, 18, 32
"""… and the margins around it."""

LABELS = {
    "start": "start",
    "proven": "proven safe",
    "needless": "needless risk",
    "blunder": "blunder",
    "guess": "guess",
    "mark": "wrong flag",
}

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"

_ICONS = {
    "back": '<path d="M10 2 4 8l6 6" fill="none" stroke="currentColor" stroke-width="2.2"/>',
    "on": '<path d="m6 2 6 6-6 6" fill="none" stroke="currentColor" stroke-width="2.2"/>',
    "next": '<path d="M8 2v7" stroke="currentColor" stroke-width="2.4"/><circle cx="8" cy="13" r="1.6" '
    'fill="currentColor"/>',
}


def review_page(review: Review) -> str:
    """The page.

    >>> from msat.coach.review import review
    >>> from msat.game import Game
    >>> from msat.layout import Layout
    >>> game = Game(Layout.parse("..*"))
    >>> _ = game.open((0, 1))
    >>> page = review_page(review(game.record))
    >>> page.startswith("<!DOCTYPE html>"), "src=" in page
    (True, False)
    """
    moves = [move for move in review.moves if move.kind != "mark" or move.wrong_mark]
    places = _places(len(moves))
    data = json.dumps(_data(review, moves, places), allow_nan=False).replace("<", "\\u003c")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(_title(review))}</title>
<style>{_asset("review.css")}</style></head>
<body><main>
<header><h1>{escape(_title(review))}</h1><p class="quiet">{escape(_sentence(review.summary))}</p>
{_figures(review)}</header>
<section>
<div class="frame"><div id="board" role="img" aria-label="the board before the decision"></div></div>
<noscript><p>The board at every decision is drawn by a script, which is switched off here.</p></noscript>
<div class="steps">{_button("back", "Back")}{_button("on", "On")}
<input id="range" type="range" min="0" max="{len(moves)}" value="0" aria-label="decision">
{_button("next", "Next mistake")}</div>
<p class="legend"><span><i style="outline:3px solid var(--accent);outline-offset:-3px"></i>the choice</span>
<span><i style="outline:3px dashed var(--good);outline-offset:-3px"></i>the better move</span>
<span><i style="box-shadow:inset 0 0 0 3px var(--warn)"></i>a clue of the proof</span>
<span><i style="outline:3px dotted var(--bad);outline-offset:-3px"></i>a flag trusted without proof</span>
<span>numbers on hidden cells: the chance of a mine in percent; + safe, * mine</span></p>
<div class="card curve" style="margin-top:16px">{_curve(review, moves, places)}
<p class="legend"><span><i style="background:var(--bad)"></i>mistake, and what it cost</span>
<span><i style="background:var(--warn)"></i>guess</span>
<span><i style="background:var(--accent);opacity:.3"></i>one standard error</span></p></div>
</section>
<aside>
<div class="card now" aria-live="polite"><h2><span id="where"></span> <span id="tag" class="tag"></span></h2>
<p id="what"></p><p id="why" class="quiet"></p><ol id="proof"></ol><div id="bars" class="bars"></div></div>
<div class="card all"><h2>{_heading(review)}</h2>{_list(review, moves)}</div>
</aside>
<footer>Every decision is judged by the numbers that were open, and by the mine total. Chances to win are
exact where the end of the game can be searched, else estimated by games on random layouts.
Keys: ← and →, Shift+→ to the next mistake, Home, End. Made by msat.</footer>
</main>
<script id="game" type="application/json">{data}</script>
<script>{_asset("review.js")}</script>
</body></html>
"""


def _asset(file: str) -> str:
    return resources.files("msat.coach").joinpath("page", file).read_text("utf-8")


def _title(review: Review) -> str:
    if review.kept == 0:  # which says little of all that was before
        before = prod((move.kept for move in review.moves[:-1]), start=Fraction(1))
        return f"You kept {percent(round(before, 4))} of your chances until the last move"
    return f"You kept {percent(round(review.kept, 4))} of your chances"


def _sentence(text: str) -> str:
    return f"{sentence(text)}."


def _button(which: str, label: str) -> str:
    icon = f'<svg viewBox="0 0 16 16" aria-hidden="true">{_ICONS[which]}</svg>'
    return f'<button id="{which}" type="button">{icon}{label}</button>'


def _figures(review: Review) -> str:
    figures = [
        (percent(round(review.chance_at_start, 4)), "chance at the start"),
        (f"{float(review.kept):.2f}", "kept by your moves"),
        (
            f"× {float(review.luck_before):.2f}",
            "luck" + (" before the end" if review.state == "lost" else ""),
        ),
        (str(len(review.mistakes)), "mistake" if len(review.mistakes) == 1 else "mistakes"),
        ({"won": "won", "lost": "lost", "playing": "not finished"}[review.state], "the end"),
    ]
    return (
        f'<div class="figures">{"".join(f"<div><b>{a}</b><span>{b}</span></div>" for a, b in figures)}</div>'
    )


def _heading(review: Review) -> str:
    return "Mistakes, and guesses" if review.mistakes else "Guesses"


def _list(review: Review, moves: Sequence[ReviewedMove]) -> str:
    """All decisions that were not certain, with what is to be said about them."""
    items = []
    for step, move in enumerate(moves):
        if move.kind in ("start", "proven"):
            continue
        lines = f'<p class="proof">{escape(chr(10).join(move.proof))}</p>'
        proof = f"<details><summary>the proof</summary>{lines}</details>" if move.proof else ""
        items.append(
            f'<li><button class="go" type="button" data-step="{step}">Move {move.number}</button> '
            f'<span class="tag {_tag(move)}">{_label(move)}</span><br>'
            f"<span>{escape(_what(move, review))}</span> "
            f'<span class="quiet">{escape(_sentence(move.reason))}</span>{proof}</li>'
        )
    if not items:
        return "<p>There were none: everything could be proven.</p>"
    return f'<ol class="list">{"".join(items)}</ol>'


def _tag(move: ReviewedMove) -> str:
    return "mistake" if move.mistake else "unlucky" if move.fatal else move.kind


def _label(move: ReviewedMove) -> str:
    if move.mistake and move.kind == "guess":
        return "mistake"
    if move.fatal and not move.mistake:
        return "unlucky"
    return "good guess" if move.kind == "guess" and move.exact and move.kept == 1 else LABELS[move.kind]


def _what(move: ReviewedMove, review: Review) -> str:
    """What was done, in a sentence."""
    opened = cell_name(move.cell)
    time = review.record.times[move.number - 1]
    when = "" if time is None else f" after {time:.1f} s"
    if move.kind == "mark":
        return f"Flagged {opened}{when}."
    if move.move.kind == "chord":
        opened = f"around {opened}: {cell_names(move.opened)}"
    risk = "" if move.safety == 1 else f", at a risk of {percent(1 - move.safety)}"
    kept = f", and kept {float(move.kept):.2f}" if move.mistake else ""
    return f"Opened {opened}{when}{risk}{kept}."


def _places(decisions: int) -> list[float]:
    """Where each decision, and the end, lies on the curve."""
    room = WIDTH - LEFT - RIGHT
    return [round(LEFT + room * i / max(1, decisions), 1) for i in range(decisions + 1)]


def _height(chance: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance), 1)


def _curve(review: Review, moves: Sequence[ReviewedMove], places: Sequence[float]) -> str:
    """The chance to win before each decision, and at the end."""
    chances = [float(move.best_win) for move in moves] + [float(review.chance_at_end)]
    errors = [move.win_error for move in moves] + [0.0]
    points = [f"{x},{_height(chance)}" for x, chance in zip(places, chances, strict=True)]
    both = list(zip(places, chances, errors, strict=True))
    band = [f"{x},{_height(min(1, chance + error))}" for x, chance, error in both]
    band += [f"{x},{_height(max(0, chance - error))}" for x, chance, error in reversed(both)]
    parts = []
    for chance in (0, 0.25, 0.5, 0.75, 1):
        y = _height(chance)
        parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{LEFT - 7}" y="{y + 4}" text-anchor="end">{chance:.0%}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 7}" text-anchor="middle">chance to win, before each decision</text>'
    )
    parts.append(f'<polygon class="band" points="{" ".join(band)}"/>')
    parts.append(f'<polyline class="line" points="{" ".join(points)}"/>')
    for move, x, chance in zip(moves, places[:-1], chances[:-1], strict=True):
        if move.kind in ("start", "proven", "mark"):
            continue
        y = _height(chance)
        if move.mistake:
            parts.append(f'<line class="drop" x1="{x}" x2="{x}" y1="{y}" y2="{_height(float(move.win))}"/>')
        kind = "mistake" if move.mistake else "guess"
        parts.append(f'<circle class="dot {kind}" cx="{x}" cy="{y}" r="4.5"/>')
    parts.append(f'<circle class="end" cx="{places[-1]}" cy="{_height(chances[-1])}" r="4.5"/>')
    parts.append(f'<line id="here" x1="{LEFT}" x2="{LEFT}" y1="{TOP - 8}" y2="{HEIGHT - BOTTOM}"/>')
    label = f"curve of the chance to win over {len(moves)} decisions"
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg id="curve" {box} role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _data(review: Review, moves: Sequence[ReviewedMove], places: Sequence[float]) -> dict[str, Any]:
    """What the script needs."""
    layout = review.record.layout
    game = review.record.game()

    def at(cell: Cell) -> int:
        return cell[0] * layout.width + cell[1]

    return {
        "height": layout.height,
        "width": layout.width,
        "average": min(max(layout.mines / (layout.height * layout.width), 0.01), 0.99),
        "mines": sorted(map(at, layout.cells)) if review.state != "playing" else [],
        "exploded": None if game.exploded is None else at(game.exploded),
        "state": review.state if review.state != "playing" else "not finished",
        "summary": _sentence(review.summary),
        "curve": list(places),
        "curveWidth": WIDTH,
        "mistakes": [step for step, move in enumerate(moves) if move.mistake],
        "end": {"board": _cells(game.board)},
        "moves": [
            {
                "board": _cells(move.board),
                "risk": _risks(move.board),
                "cell": at(move.cell),
                "opened": [at(cell) for cell in move.opened],
                "better": None if move.better is None else at(move.better),
                "clues": sorted(map(at, move.clues)),
                "trusted": [at(cell) for cell, mark in move.marks if mark.verdict != "proven"],
                "number": move.number,
                "tag": _tag(move),
                "label": _label(move),
                "mistake": move.mistake,
                "what": _what(move, review),
                "reason": _sentence(move.reason),
                "proof": list(move.proof),
                "best": float(move.best_win),
                "win": float(move.win),
                "error": move.error or move.win_error,
                "exact": move.exact,
                "kept": float(move.kept),
            }
            for move in moves
        ],
    }


def _cells(board: Board) -> str:
    """The board, a character a cell."""
    signs = {HIDDEN: "?", MINE: "F"}
    return "".join(signs.get(value) or str(value) for value in board.to_array().ravel().tolist())


def _risks(board: Board) -> str:
    """The chance of a mine in every cell that is not open, in hexadecimal; 00 and ff are certain."""
    analysis = analyze(board.without_marks())
    chances = analysis.probability[board.to_array() < 0]
    steps = np.clip(np.rint(chances * 255), 1, 254).astype(int)
    steps = np.where(chances == 0, 0, np.where(chances == 1, 255, steps))
    return "".join(f"{step:02x}" for step in steps.tolist())
