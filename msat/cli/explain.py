"""`msat explain`: why a cell is safe, why it is a mine, why nobody can know, or why a board is impossible."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from msat.cli.options import Subparsers, add_marks_option, cell, positive
from msat.cli.reading import add_board_options, read_board, read_question
from msat.deadline import Deadline
from msat.errors import CellError, InconsistentBoard
from msat.questions.judging import Judged, judge

if TYPE_CHECKING:
    from msat.board import Cell
    from msat.explanation.explanation import Explanation

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat explain '???/111 1' --cell 0,1     why is this a mine?
  msat explain board.txt --mines 99 --cell 3,4 --json
  msat explain '1?/0? 1'                  why is this board impossible? (no cell needed)
  msat explain board.txt --all            everything that is forced, step by step

In the drawing, clues that the proof uses are in [brackets], and so is the cell: + safe, * mine, ? undecided.
Marks are judged by the numbers: a proof uses those that are proven, and a marked cell is explained like a
hidden one. Without --cell, the first mark that is wrong is explained, if there is one.

fields of the JSON answer (cells are [row, column], numbered from 0):
  cell, verdict          the cell, and "safe", "mine" or "open" (either is possible); or "contradiction"
  clues                  a minimal set of clues: without any one of them the proof breaks
  uses_mine_count        whether the proof needs the mine total; only where clues alone do not suffice
  smallest               whether it is proven that no smaller set of clues would do
  rules                  how the rules get there from these clues: {"rule", "cell", "mine", "clues"}
  text                   the explanation, line by line
  probability, exact     of an open cell: the chance of a mine, as a number and as a fraction
  witnesses              of an open cell: the mines of a layout with one there, and of one without
  marks                  {"cell", "verdict", "probability"} of every mark, by the numbers alone: "proven" (a
                         mine in every layout), "wrong" (in none) or "unproven"
  possible_mines         of a contradiction: mine totals that the clues allow, if only the total is wrong
  blamed_marks           of a contradiction, with --marks trust: the marks that take part in it
  repairs                of a contradiction: {"cell", "number"} that would make the board possible; where
                         "number" is null, the flag is to be taken off
with --all:
  difficulty, technique, clues   of the hardest step: its name, its number from 1 to 5, and its clues
  steps                  {"technique", "technique_name", "clues", "uses_mine_count", "safe", "mined", "text"}

exit status: 2 if the text is no board or contradicts itself, 3 if the budget does not suffice
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "explain",
        help="say why a cell is safe or a mine, or why a board is impossible",
        description="Say why a cell is safe, a mine or undecided; or why no layout agrees with the board.",
        epilog=_EPILOG,
    )
    add_board_options(parser)
    add_marks_option(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--cell", type=cell, metavar="R,C", help="the cell: row and column, from 0")
    what.add_argument(
        "--all", action="store_true", help="everything that is forced, step by step, the easiest first"
    )
    parser.add_argument("--budget", type=positive, metavar="SECONDS", help="give up after this time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain one cell, or the contradiction that keeps it from being explained."""
    board = read_board(args) if args.all else read_question(args)

    from msat.cli.reasons import show_contradiction, show_explanation
    from msat.explanation.conflict import explain_contradiction
    from msat.tui.console import Terminal

    deadline = Deadline(args.budget)
    try:
        judged = judge(board, args.marks, deadline)
        if args.all:
            return _walk(judged, args, deadline)
        explanation = _explain(judged, args.cell, deadline)
    except InconsistentBoard:
        contradiction = explain_contradiction(board, budget=deadline)
        if args.json:
            print(json.dumps(contradiction.to_object()))
            raise contradiction.error from None
        show_contradiction(contradiction, Terminal())
        return 2
    if args.json:
        print(json.dumps(explanation.to_object() | {"marks": judged.fields()}))
    else:
        show_explanation(explanation, judged, Terminal())
    return 0


def _walk(judged: Judged, args: argparse.Namespace, deadline: Deadline) -> int:
    """Explain everything that is forced."""
    from msat.cli.reasons import show_walkthrough
    from msat.coach.walkthrough import walkthrough
    from msat.tui.console import Terminal

    found = walkthrough(judged.trusted, budget=deadline)
    if args.json:
        print(json.dumps(found.to_object() | {"marks": judged.fields()}))
    else:
        show_walkthrough(found, judged, Terminal())
    return 0


def _explain(judged: Judged, cell: Cell | None, deadline: Deadline) -> Explanation:
    """Why a cell is what it is, a marked one too: its mark proves nothing about it."""
    from msat.analysis import analyze
    from msat.board import HIDDEN
    from msat.explanation.explanation import explain

    if cell is None and judged.wrong:
        [cell, *_] = judged.wrong
    if cell is None:
        found = analyze(judged.trusted, budget=deadline)  # a contradiction needs no cell
        told = next(iter([*sorted(found.safe), *sorted(found.mined), *judged.trusted.hidden]), None)
        if told is None:
            raise CellError("nothing is hidden on this board: there is nothing to explain")
        raise CellError(
            "explain needs a hidden cell of this board: add --cell ROW,COLUMN such as "
            f"--cell {told[0]},{told[1]}, or --all"
        )
    board = judged.trusted
    if cell in judged.marks and not judged.trusting:
        board = board.replace({cell: HIDDEN})
    return explain(board, cell, budget=deadline)
