"""`msat hint`: what to open on a board, how likely that is to win, and why."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msat.cli.judging import Judged, add_marks_option, judge
from msat.cli.options import Subparsers, counted, duration, positive
from msat.cli.reading import add_board_options, read_board

if TYPE_CHECKING:
    from msat.coach.best_move import Advice, Alternative
    from msat.tui.console import Terminal

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat hint '?1??/???? 2'                 one-line notation: rows joined by '/', then the mine total
  msat hint board.txt --mines 99          a file with rows of ?, 0-8 and * (known mines)
  msat generate --seed 7 --board | msat hint - --seconds 5
  msat hint board.txt --json

In the drawing the move is in [brackets]: + proven safe, ? not proven. Where the terminal is too narrow for
brackets, it is + if proven safe, @ if not. Where cells are proven safe, all of them are shown.

fields of the JSON answer (cells are [row, column], numbered from 0):
  cell                   the cell to open; null if the board is won
  cells                  all cells that are proven safe, or else just that cell
  kind                   how it was found: "rule", "count" (proven), "endgame", "pocket" (searched to the
                         end), "unavoidable" (the same risk whenever it is taken), "evaluated", "sampled"
                         (compared), "blind", "guess" (the safest), or "won"
  safety                 the chance that the cell has no mine
  win, win_error         the chance to win, and its standard error, 0 where it is exact; null if not known
  win_exact              the chance as a fraction, where it is exact; else null
  games                  the games that an estimate rests on: played on by 'best', on random layouts in which
                         the move is safe; the estimate is the safety times their average chance
  reason                 why, in one sentence
  alternatives           other moves that rank high, those that win most first: {"cell", "safety", "win",
                         "win_error", "win_exact", "games", "difference", "difference_error"}; the last two
                         are how far "win" is above that of the move, and the standard error of that, which
                         is mostly smaller than those of the chances: all moves play the same layouts
  marks                  {"cell", "verdict", "probability"} of every mark, by the numbers alone: "proven" (a
                         mine in every layout), "wrong" (in none) or "unproven"; only proven ones count

The chance to win is exact where the game can be searched to its end in the time, else an estimate by games
on random layouts: 200 for each move, 100 on an expert board, fewer on larger ones, none beyond 12,000 cells.
With --seconds never fewer. Where a guess is needed, up to half of the time goes into choosing it; where cells
are proven safe, all of it goes into the chance to win. All moves play the same layouts, so the error of the
difference to the move is mostly smaller than those of both chances.

exit status: 2 if the text is no board or contradicts itself, 3 if no cell is proven safe and the board is too
wide to be counted, or takes longer than --budget
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "hint",
        help="say which cell to open, and how likely that is to win",
        description="Say which cell to open on a board, how likely that is to win, and why.",
        epilog=_EPILOG,
    )
    add_board_options(parser)
    add_marks_option(parser)
    parser.add_argument(
        "--seconds",
        type=duration,
        default=0.0,
        metavar="S",
        help="time to search and to play games in, up to 86,400 (default: games for about a second)",
    )
    parser.add_argument(
        "--budget",
        type=positive,
        metavar="SECONDS",
        help="time for counting the board; beyond it msat gives up",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Advise one move."""
    board = read_board(args)

    from msat.coach.best_move import best_move
    from msat.tui.console import Terminal

    judged = judge(board, args.marks, args.budget)
    advice = best_move(judged.trusted, seconds=args.seconds, budget=args.budget)
    if args.json:
        print(json.dumps(_fields(advice) | {"marks": judged.fields()}, allow_nan=False))
    else:
        _show(advice, judged, Terminal())
    return 0


def _show(advice: Advice, judged: Judged, terminal: Terminal) -> None:
    """The board with the move in brackets, the reason, the chance to win, and other moves."""
    from msat.cli.reasons import show_board

    moves = dict.fromkeys(advice.cells, "safe" if advice.safety == 1.0 else "open")
    show_board(judged.view(terminal, moves=moves), terminal)
    terminal.line()
    terminal.wrapped(advice.reason, "answer")
    terminal.wrapped(f"chance to win: {advice.chance} ({_basis(advice)})")
    for line in judged.lines():
        terminal.wrapped(line)
    if advice.cell in judged.doubtful:
        terminal.wrapped("it is marked: take the flag off to open it")
    if advice.alternatives:
        terminal.line()
        for line in _table(advice, terminal.width):
            terminal.wrapped(line)


def _table(advice: Advice, width: int | None = None) -> Iterator[str]:
    """Other moves; what is known of none of them has no column."""
    from msat.coach.sentences import percent
    from msat.wording import cell_name

    others = advice.alternatives
    columns = [("other moves", 11, [f"{cell_name(other.cell):<11}" for other in others])]
    columns.append(("safe", 12, [percent(other.safety) for other in others]))
    if any(other.win is not None for other in others):
        columns.append(("chance to win", 16, [other.chance for other in others]))
    if any(other.games for other in others):
        columns.append(("error", 8, [f"{other.win_error:.1%}" if other.games else "" for other in others]))
        columns.append(("difference (error)", 20, [_difference(other) for other in others]))
    if width is not None and sum(w for _, w, _ in columns) > width:  # no wider than they have to be
        columns = [
            (
                short := title.removesuffix(" (error)"),
                2 * (number > 0) + max(map(len, [short, *column])),
                column,
            )
            for number, (title, _, column) in enumerate(columns)
        ]
    for cells in zip(*([title, *column] for title, _, column in columns), strict=True):
        yield "".join(f"{cell:>{w}}" for cell, (_, w, _) in zip(cells, columns, strict=True)).rstrip()
    if any(other.games and (other.difference or 0) > 0 for other in others):
        yield "(a difference of less than about twice its error tells nothing)"


def _difference(other: Alternative) -> str:
    """By how much the chance is above that of the best move, with its error."""
    if other.difference is None:
        return ""
    return f"{float(other.difference):+.1%} ({other.difference_error:.1%})"


def _basis(advice: Advice) -> str:
    """What the chance to win rests on."""
    if isinstance(advice.win, Fraction):
        return f"exactly {advice.win}"
    if advice.win is None:
        return advice.unknown
    games = f"{counted(advice.games, 'game')} played on from here by 'best'"
    if advice.win == 0:
        return f"none of {games} was won"
    if advice.win == advice.safety:
        return f"all of {games} were won" + ("" if advice.safety == 1.0 else ", if the move is safe")
    return f"by {games}; standard error {advice.win_error:.1%}"


def _fields(advice: Advice) -> dict[str, Any]:
    """Advice as a plain JSON value; the fields are documented in the help."""
    return {
        "cell": None if advice.cell is None else list(advice.cell),
        "cells": [list(cell) for cell in advice.cells],
        "kind": advice.kind,
        "safety": advice.safety,
        **_fields_of_chance(advice),
        "games": advice.games,
        "reason": advice.reason,
        "alternatives": [
            {
                "cell": list(other.cell),
                "safety": other.safety,
                **_fields_of_chance(other),
                "games": other.games,
                "difference": None if other.difference is None else float(other.difference),
                "difference_error": None if other.difference is None else other.difference_error,
            }
            for other in advice.alternatives
        ],
    }


def _fields_of_chance(move: Advice | Alternative) -> dict[str, Any]:
    win = move.win
    return {
        "win": None if win is None else float(win),
        "win_error": None if win is None else move.win_error,
        "win_exact": str(win) if isinstance(win, Fraction) else None,
    }
