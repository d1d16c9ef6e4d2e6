"""`msat solve`: what is safe, what is a mine, and how likely everything else is."""

from __future__ import annotations

import argparse
import json
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from msat.cli.options import Subparsers, positive
from msat.cli.reading import add_board_options, read_board
from msat.errors import BoardError

if TYPE_CHECKING:
    from msat.analysis import Analysis
    from msat.cli.terminal import Terminal

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat solve '??1/3?2/??? 3'              one-line notation: rows joined by '/', then the mine total
  msat solve board.txt --mines 99         a file with rows of ?, 0-8 and * (known mines)
  msat generate --seed 7 --board | msat solve - --json
  printf '%s\\n' '"??/11 1"' '{"id": 2, "board": "???/121", "mines": 2}' | msat solve --jsonl

fields of a JSON answer (cells are [row, column], numbered from 0):
  height, width, mines   the board; mines is the total, marked ones included
  safe, mined            cells that are proven, the mine total included
  probability            rows of mine probabilities: null where revealed, 1.0 at known mines
  solutions              the exact number of layouts that agree with the board
  rest_probability       the mine probability of cells that no clue touches, or null
  best                   {"cell", "safety"} of the cell to open; null if all hidden cells are mines

requests of --jsonl, one JSON value a line:
  "??1/3?2/??? 3"        a board in any text form, or an object of which only "board" is needed:
  {"board": "???/121", "mines": 2, "form": "grid", "engine": "auto", "budget": 1.5, "id": 7}
  The answer is one line with the fields above, and with the request's "id" if it had one. What fails is
  answered with {"id": ..., "error": {"type": ..., "message": ..., "clues": ...}}; the next line is served.

exit status: 2 if the text is no board or contradicts itself, 3 if the budget does not suffice
"""

_LONGEST_EXACT = 200
"""Digits up to which the exact number of solutions is for reading."""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "solve",
        help="show safe cells, mines and probabilities of a board",
        description="Show what is proven about a board, and the mine probability of every other cell.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_board_options(parser)
    parser.add_argument("--engine", default="auto", metavar="E", help="who counts (default: auto)")
    parser.add_argument("--budget", type=positive, metavar="SECONDS", help="give up after this time")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument("--jsonl", action="store_true", help="serve requests from standard input, one a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Solve one board, or serve until the input ends."""
    if args.jsonl:
        return _serve(args)
    board = read_board(args)

    from msat.analysis import analyze

    analysis = analyze(board, engine=args.engine, budget=args.budget)
    if args.json:
        from msat.cli.answer import answer_of

        print(json.dumps(answer_of(analysis)))
    else:
        from msat.cli.terminal import Terminal

        _show(analysis, Terminal())
    return 0


def _serve(args: argparse.Namespace) -> int:
    if args.board is not None:
        raise BoardError(f"--jsonl takes its boards from standard input, not from {args.board!r}")
    from msat.cli.service import serve

    defaults: dict[str, Any] = {
        "mines": args.mines,
        "form": args.form,
        "engine": args.engine,
        "budget": args.budget,
    }
    serve(sys.stdin.buffer, sys.stdout, defaults)
    return 0


def _show(analysis: Analysis, terminal: Terminal) -> None:
    """Print the board and what there is to say about it."""
    from msat.cli.drawing import LEGEND, draw, fits
    from msat.strategies.safest import ranking

    board = analysis.board
    for line in draw(board, terminal.width, analysis):
        terminal.line(line)
    terminal.line()
    terminal.line(LEGEND["wide" if fits(board, terminal.width) else "compact"])
    terminal.line(f"{board.height}×{board.width}, {board.mines} mines, {len(board.hidden)} cells hidden")
    terminal.line(f"{len(analysis.safe)} proven safe, {len(analysis.mined)} proven mines")
    if analysis.safe:
        terminal.line(f"best: open {_some(sorted(analysis.safe))}, proven safe")
    elif ranked := ranking(analysis):
        (cell, safety), *others = ranked
        equal = [other for other, value in others if abs(value - safety) < 1e-9]
        also = f" (as safe: {_some(equal)})" if equal else ""
        terminal.line(f"best: open {cell}, safe with {safety:.2%}{also}")
    terminal.line(f"solutions: {_readable(analysis.solutions)}")


def _some(cells: list[tuple[int, int]]) -> str:
    """The first few of `cells`."""
    shown = ", ".join(map(str, cells[:6]))
    return shown if len(cells) <= 6 else f"{shown} and {len(cells) - 6} more"


def _readable(number: int) -> str:
    """An exact number for reading; large ones rounded as well.

    >>> _readable(1234567)
    '1,234,567'
    >>> _readable(2**64)
    '18,446,744,073,709,551,616 (≈1.84×10^19)'
    """
    if number < 10**15:
        return f"{number:,}"
    mantissa, exponent = f"{Decimal(number):.2e}".split("e+")
    rounded = f"≈{mantissa}×10^{exponent}"
    if number >= 10**_LONGEST_EXACT:
        return f"{rounded} (exactly: --json)"
    return f"{number:,} ({rounded})"
