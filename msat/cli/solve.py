"""`msat solve`: what is safe, what is a mine, and how likely everything else is."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from msat.cli.options import Subparsers, add_marks_option, listed, positive
from msat.cli.pictures import add_svg_option, save_svg
from msat.cli.reading import add_board_options, read_question
from msat.deadline import Deadline
from msat.errors import BoardError
from msat.questions.judging import Judged, judge
from msat.wording import cell_name, counted

if TYPE_CHECKING:
    from msat.analysis import Analysis
    from msat.coach.cell_facts import CellFacts
    from msat.tui.console import Terminal

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat solve '??1/3?2/??? 3'              one-line notation: rows joined by '/', then the mine total
  msat solve board.txt --mines 99         a file with rows of ?, 0-8 and * (known mines)
  msat generate --seed 7 --board | msat solve - --json
  msat solve '1???/???? 2' --cells        what every hidden cell may show
  msat solve board.txt --svg board.svg    a picture of it, with the chances in colours
  printf '%s\\n' '"??/11 1"' '{"id": 2, "board": "???/121", "mines": 2}' | msat solve --jsonl

fields of a JSON answer (cells are [row, column], numbered from 0):
  height, width, mines   the board; mines is the total, marked ones included
  safe, mined            cells that are proven, the mine total included
  probability            rows of mine probabilities: null where revealed, 1.0 at known mines
  solutions              the exact number of layouts that agree with the board; a number while it has at
                         most 4000 digits, beyond that a text of digits (many readers of JSON take no more)
  solutions_log10        its logarithm, always a number
  rest_probability       the mine probability of cells that no clue touches, or null
  best                   {"cell", "safety"} of the cell to open; null if all hidden cells are mines
  marks                  {"cell", "verdict", "probability"} of every mark, by the numbers alone: "proven" (a
                         mine in every layout), "wrong" (in none) or "unproven"; all else is answered from the
                         numbers and proven marks, other marks count as hidden (--marks trust: as mines)
  cells                  with --cells, per hidden cell: cell, probability, opening (the chance of a 0),
                         numbers (the chance that it is safe and shows 0 to 8), and dead (whether its number
                         is the same in every layout in which it is safe: it tells nothing)

requests of --jsonl, one JSON value a line:
  "??1/3?2/??? 3"        a board in any text form, or an object of which only "board" is needed:
  {"board": "???/121", "mines": 2, "form": "grid", "engine": "auto", "budget": 1.5, "id": 7}
  "marks": "trust" takes all marks for mines, as --marks trust does
  "fields": ["safe", "probability"] asks for these fields only; others are not even computed
  "ask": "hint" asks something else: analyze (default), cells, hint, explain, win, sample, encode, generate,
  convert or review, with the fields that 'msat serve' has for it, and answered with those of its --json
  "board" may also be the object of the json form, or rows of numbers: -1 hidden, -2 known mine, 0 to 8
  The answer is one line with the fields above, and with the request's "id" if it had one. What fails is
  answered with {"id": ..., "error": {"type": ..., "message": ..., "clues": ...}}; the next line is served.
  Where the budget did not suffice, the error holds "safe" and "mined", the cells proven until then; if the
  forced cells are all known, and only counts are missing, the answer has its fields as well as the error.

exit status: 2 if the text is no board or contradicts itself, 3 if the budget does not suffice: what was
proven until then is printed, and what was not counted is null
"""

PROVEN = ", proven safe"

_LONGEST_EXACT = 200
"""Digits up to which the exact number of solutions is for reading."""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "solve",
        help="show safe cells, mines and probabilities of a board",
        description="Show what is proven about a board, and the mine probability of every other cell.",
        epilog=_EPILOG,
    )
    add_board_options(parser)
    add_marks_option(parser)
    engine = parser.add_argument(
        "--engine", default="auto", metavar="E", help="who counts: %(known)s (default: auto)"
    )
    listed(engine, _engines)
    parser.add_argument(
        "--budget", type=positive, metavar="SECONDS", help="time for the answer; beyond it msat gives up"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="prove the answer a second way: cells by SAT, counts by two engines",
    )
    parser.add_argument(
        "--cells",
        action="store_true",
        help="also tell of every hidden cell what it may show, and whether that would tell anything",
    )
    add_svg_option(parser, "its probabilities")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument("--jsonl", action="store_true", help="serve requests from standard input, one a line")
    parser.set_defaults(run=run)


def _engines() -> tuple[str, ...]:
    from msat.engines.registry import ENGINES

    return ENGINES


def run(args: argparse.Namespace) -> int:
    """Solve one board, or serve until the input ends."""
    if args.jsonl:
        return _serve(args)
    board = read_question(args)

    from msat.analysis import analyze
    from msat.coach.cell_facts import cell_facts
    from msat.questions.answers import analysis_answer, cells_answer, counting_failure

    deadline = Deadline(args.budget)
    judged = judge(board, args.marks, deadline)
    analysis = analyze(judged.trusted, engine=args.engine, budget=deadline, check=args.check)
    late = counting_failure(analysis)
    solutions = None if late else analysis.solutions
    facts = cell_facts(analysis) if args.cells and late is None else ()
    save_svg(args.svg, judged.trusted, overlay=analysis.known_probability)
    if args.json:
        answer = analysis_answer(analysis, judged)
        if args.cells:
            answer["cells"] = cells_answer(facts) if late is None else None
        print(json.dumps(answer, allow_nan=False))
    else:
        from msat.tui.console import Terminal

        terminal = Terminal()
        _show(judged, analysis, solutions, terminal)
        if facts:
            from msat.cli.results import squeezed

            terminal.line()
            for line in squeezed(list(_table(facts)), terminal.width):
                terminal.wrapped(line) if line.startswith("chances") else terminal.line(line)
        if args.check:
            terminal.line("checked: every answer was proven a second way")
    if late is not None:
        raise late  # what is known is printed; the message and the exit status tell that something is missing
    return 0


def _serve(args: argparse.Namespace) -> int:
    if args.board is not None:
        raise BoardError(f"--jsonl takes its boards from standard input, not from {args.board!r}")
    for option in ("check", "cells"):
        if getattr(args, option):
            raise BoardError(f"--{option} is for one board: leave out --jsonl")
    from msat.cli.jsonl import serve

    defaults: dict[str, Any] = {
        "mines": args.mines,
        "form": args.form,
        "engine": args.engine,
        "budget": args.budget,
        "marks": args.marks,
    }
    serve(sys.stdin.buffer, sys.stdout, defaults)
    return 0


def _show(judged: Judged, analysis: Analysis, solutions: int | None, terminal: Terminal) -> None:
    """Print the board, the answer, and what else there is to say."""
    from msat.tui.board import Overlay
    from msat.tui.legend import legend_lines

    width = terminal.width
    view = judged.view(terminal, overlay=Overlay.of(analysis))
    board = list(view.lines(width))
    for segments in board:
        terminal.line(segments)
    if width is None:
        terminal.line()
    best, part = _best(judged, analysis, width)
    if best:
        terminal.answer(best, part, "safe" if analysis.safe else "move")
    marks, legend = list(judged.lines()), legend_lines(view, width)
    for line in marks:
        terminal.wrapped(line)
    for line in legend:
        terminal.wrapped(line, "label")
    proven = f"{len(analysis.safe)} proven safe, {counted(len(analysis.mined), 'proven mine')}"
    guess = not analysis.safe and bool(best)
    counted_ones = f"solutions: {'not counted' if solutions is None else _readable(solutions, width)}"
    said = [f"{proven}; 'msat hint' says which guess wins most often" if guess else proven, counted_ones]
    used = len(board) + terminal.rows(best, *marks, *legend, judged.summary, *said)
    if terminal.height is not None and used - terminal.rows(said[0]) < terminal.height <= used:
        del said[0]  # the board shows it, and stays in sight without this line
    for line in (judged.summary, *said):
        terminal.wrapped(line)


def _best(judged: Judged, analysis: Analysis, width: int | None) -> tuple[str, str]:
    """What to open, as far as it fits, and what of it is seen first; nothing where only mines are hidden."""
    from msat.strategies.safest import ranking

    ranked = ranking(analysis)
    if not ranked:
        return "", ""
    safety = ranked[0][1]
    cells = [other for other, _ in takewhile(lambda found: safety - found[1] < 1e-9, ranked)]
    # What is marked comes last.
    equal = [cell_name(cell) for cell in sorted(cells, key=judged.marks.__contains__)]
    if analysis.safe:
        line = _fitted("open ", equal, PROVEN, width)
        return line, line.removesuffix(PROVEN)
    start = f"no cell is proven safe; the safest: {equal[0]}, with {safety:.2%}"
    return _fitted(f"{start} (as safe: ", equal[1:], ")", width) if equal[1:] else start, equal[0]


def _fitted(start: str, names: list[str], end: str, width: int | None) -> str:
    """A line with as many of the names, of at most six, as it has room for."""
    for shown in range(min(len(names), 6), 0, -1):
        more = f" and {len(names) - shown} more" if len(names) > shown else ""
        line = f"{start}{', '.join(names[:shown])}{more}{end}"
        if width is None or len(line) <= width:
            break
    return line


def _table(facts: Sequence[CellFacts]) -> Iterator[str]:
    """What every hidden cell may show; cells of which the same is said share a line."""

    def percent(chance: float) -> str:
        # What is not certain is never shown as if it were.
        return "" if not chance else "100" if chance == 1.0 else f"{min(max(100 * chance, 0.1), 99.9):.1f}"

    numbers = [n for n in range(9) if any(each.numbers[n] for each in facts)]
    alike: dict[str, list[str]] = {}
    for each in facts:
        line = f"{percent(each.probability):>6}" + "".join(f"{percent(each.numbers[n]):>6}" for n in numbers)
        alike.setdefault(f"{line}  {'dead' if each.dead else ''}".rstrip(), []).append(cell_name(each.cell))
    yield "chances in percent: of a mine, and of being safe and showing each number"
    yield f"{'cell':<16}{'mine':>6}" + "".join(f"{number:>6}" for number in numbers)
    for line, cells in alike.items():
        others = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
        yield f"{cells[0] + others:<16}{line}"


def _readable(number: int, width: int | None = None) -> str:
    """An exact number for reading; large ones rounded as well, or only, if they do not fit a line.

    >>> _readable(1234567)
    '1,234,567'
    >>> _readable(2**64)
    '18,446,744,073,709,551,616 (≈1.84×10^19)'
    >>> _readable(9999 * 10**300), _readable(10**40, width=80)
    ('≈1.00×10^304 (exactly: --json)', '≈1.00×10^40 (exactly: --json)')
    """
    if number < 10**15:
        return f"{number:,}"
    if number >= 10**_LONGEST_EXACT or (width is not None and 4 * math.log10(number) / 3 > width - 30):
        # By its logarithm: to write out hundreds of thousands of digits takes seconds.
        fraction, exponent = math.modf(math.log10(number))
        mantissa, carry = f"{10**fraction:.2e}".split("e+")
        return f"≈{mantissa}×10^{int(exponent) + int(carry)} (exactly: --json)"
    mantissa, power = f"{Decimal(number):.2e}".split("e+")
    return f"{number:,} (≈{mantissa}×10^{power})"
