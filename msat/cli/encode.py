"""`msat encode`: a board in the language of other tools, as a file."""

from __future__ import annotations

import argparse
import sys

from msat.cli.options import Subparsers, add_marks_option, positive
from msat.cli.reading import add_board_options, read_question
from msat.deadline import Deadline

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat encode '??1/3?2/??? 3' --format dimacs          for SAT solvers and model counters
  msat encode board.txt --mines 99 --out board.cnf --encoding seqcounter
  msat encode board.txt --format opb --variables boxes
  msat encode board.txt --format cpsat --out board.txtpb

formats:
  dimacs   clauses; comments map variables to cells; 'c p show' names the variables to count by
  opb      pseudo-Boolean constraints: clues are sums, as they are; with --selectors each has a variable that
           switches it on
  cpsat    the model of OR-Tools' CP-SAT as text, one integer per box (cells of the same clues)

variables:
  cells    one per hidden cell: as many solutions as there are layouts
  boxes    the number of mines per box, in order encoding: far fewer solutions

exit status: 2 if the text is no board, 3 if the budget does not suffice: what is written is then not whole
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "encode",
        help="write a board as DIMACS, OPB or a CP-SAT model",
        description="Write the problem that a board poses in a form that other tools read.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_board_options(parser)
    add_marks_option(parser)
    parser.add_argument("--format", default="dimacs", metavar="F", help="see below (default: dimacs)")
    parser.add_argument("--encoding", metavar="E", help="dimacs only: how clues become clauses")
    parser.add_argument("--variables", metavar="V", help="dimacs, opb: cells (default) or boxes")
    parser.add_argument(
        "--selectors", action="store_true", help="opb only: a variable that switches each sum"
    )
    parser.add_argument("--budget", type=positive, metavar="SECONDS", help="give up after this time")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write one board."""
    deadline = Deadline(args.budget)
    board = read_question(args)

    from msat.encode.texts import check_choices, write_encoding

    choices = args.format, args.variables, args.encoding, args.selectors
    check_choices(*choices)
    if args.marks == "judge":  # by whoever reads the formula: what is proven, it has to find again
        board = board.without_marks()
    if args.out is None:
        write_encoding(board, sys.stdout, *choices, budget=deadline)
        return 0
    with open(args.out, "w", encoding="utf-8") as file:
        write_encoding(board, file, *choices, budget=deadline)
    return 0
