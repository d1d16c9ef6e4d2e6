"""`msat review`: a game judged decision by decision: what was a mistake, and what was bad luck."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msat.cli.options import Subparsers, duration, positive
from msat.cli.reading import add_game_option, load_record
from msat.formats import write_bytes

if TYPE_CHECKING:
    from msat.coach.reviewed import Review, ReviewedMove

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat play --preset expert --seed 7 --strategy safest --save seven.json
  msat review seven.json                     what every decision kept of the chance to win
  msat review seven.json --html seven.html   one page, to look at and to send to a friend
  msat review seven.json --json --seconds 60

A decision keeps the share of the best chance to win that it leaves, before its outcome is known: 1 for the
best move. Then the board shows something, and the chance grows or shrinks: that is luck. The chance at the
start, times what was kept, times luck, is 1 for a game won and 0 for one lost, exactly. Marks are no facts:
decisions are judged by the numbers that were open, and by the mine total.

fields of the JSON answer (cells are [row, column], numbered from 0; chances are numbers from 0 to 1):
  state, summary         "won", "lost" or "playing"; the game in one line
  chance_at_start        the best chance to win before the first decision
  chance_at_end          1 if won, 0 if lost, else the chance that is left
  kept, luck             the products over all decisions; luck_before leaves out what lost the game
  mistakes               the numbers of the moves that were mistakes
  moves                  for every decision: number, action ("open", "chord", "mark", "unmark"), cell, opened;
    kind                 "start", "proven" (safe), "needless" (a risk although a safe cell existed),
                         "blunder" (proven to be a mine), "guess" (no safe cell existed), "mark"
    safety               the chance that what was opened was safe
    win, best_win        the chance to win after this choice, and after the best one
    win_error, error     standard errors of win, and of the difference; 0 where they are exact
    kept, luck           win / best_win; the next best_win / win
    mistake, fatal       whether it kept less beyond doubt; whether it lost the game
    better, reason       a better move, and why; clues and proof, where a proof exists
    marks                of a chord: the flags that it trusted, each with its verdict and its chance of a mine

exit status: 2 if the file is no record, or does not replay; 3 if a board is too wide to be counted,
or the budget does not suffice
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "review",
        help="judge a game: what was a mistake, and what was bad luck",
        description="Judge every decision of a saved game.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "record", metavar="GAME", help="a saved game, a replay of another program, or a result folder"
    )
    add_game_option(parser)
    parser.add_argument(
        "--seconds",
        type=duration,
        metavar="S",
        help="time to search and to play games in (default: some seconds, by the number of decisions)",
    )
    parser.add_argument("--budget", type=positive, metavar="SECONDS", help="give up after this time")
    parser.add_argument("--html", metavar="FILE", help="write a page with the board at every decision")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


MISTAKES = ("  !", "  mistake")
"""How a mistake is told at the end of its line: in short, and in full."""

WIDE = 72
"""Columns of a decision in full."""


def run(args: argparse.Namespace) -> int:
    """Review one game."""
    record = load_record(args.record, args.game)

    from msat.cli.progress import StepsProgress
    from msat.coach.review import review

    with StepsProgress("decisions") as progress:
        found = review(record, args.seconds, progress, budget=args.budget)
    if args.html is not None:
        from msat.coach.review_page import review_page

        write_bytes(args.html, review_page(found))
    if args.json:
        print(json.dumps(found.to_object(), allow_nan=False))
        return 0

    from msat.tui.console import Terminal

    terminal = Terminal()
    for line in _wrapped(found.summary, terminal.width):
        terminal.line(line, "answer")
    for line in _lines(found, terminal.width):
        # In the table, what went wrong is to be found at a glance; titles are not.
        title = line.lstrip().startswith("move ")
        terminal.line(line, "label" if title else "guess" if line.endswith(MISTAKES) else "")
    if args.html is not None:
        print(f"msat: the page is in {args.html}", file=sys.stderr)
    return 0


def _lines(found: Review, width: int | None) -> Iterator[str]:
    """The figures, and every decision that was not certain."""
    from msat.coach.sentences import percent

    yield ""
    yield f"chance at the start  {percent(found.chance_at_start):>8}"
    yield f"kept by the moves    {float(found.kept):>8.3f}"
    before = ", before the end" if found.state == "lost" else ""
    yield f"luck{before:<17}{float(found.luck_before):>8.3f}"
    if found.state == "playing":
        yield f"chance that is left  {percent(found.chance_at_end):>8}"
    narrow = width is not None and width < WIDE
    told = [move for move in found.moves if move.wrong_mark or move.kind not in ("start", "proven", "mark")]
    certain = sum(move.kind == "proven" for move in found.moves)
    yield f"proven and opened    {certain:>8}"
    if told:
        yield ""
        error = "" if narrow else f"{'error':>8}"
        yield f"{'move':>5}  {'cell':<8}{'kind':<10}{'safe':>7}{'win':>8}{'best':>8}{error}{'kept':>7}"
    for move in told:
        yield _row(move, narrow)
        yield from _wrapped(move.reason, width, " " * 7)
        if move.mistake:
            for line in move.proof:
                yield from _wrapped(line.strip(), width, " " * 9)


def _row(move: ReviewedMove, narrow: bool) -> str:
    from msat.coach.sentences import percent
    from msat.wording import cell_name

    error = "exact" if move.exact else f"{100 * (move.error or move.win_error):.1f}"
    shown = "" if narrow else f"{error:>8}"
    chances = f"{percent(move.safety):>7}{_percent(move.win):>8}{_percent(move.best_win):>8}{shown}"
    mistake = MISTAKES[not narrow] if move.mistake else ""
    what = f"{move.number:>5}  {cell_name(move.cell):<8}{move.kind:<10}"
    return f"{what}{chances}{float(move.kept):>7.2f}{mistake}"


def _percent(chance: object) -> str:
    return f"{100 * float(chance):.1f}%"  # type: ignore[arg-type]


def _wrapped(text: str, width: int | None, indent: str = "") -> list[str]:
    if width is None:
        return [indent + text]
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)
