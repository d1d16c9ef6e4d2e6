"""`msat encode`: a board in the language of other tools, as a file."""

from __future__ import annotations

import argparse
import sys
from typing import TextIO

from msat.board import Board
from msat.cli.options import Subparsers
from msat.cli.reading import add_board_options, read_board
from msat.errors import ParameterError, UnknownName

__all__ = ["add", "run"]

_FORMATS = ("dimacs", "opb", "cpsat")

_EPILOG = """\
examples:
  msat encode '??1/3?2/??? 3' --format dimacs          for SAT solvers and model counters
  msat encode board.txt --mines 99 --out board.cnf --encoding seqcounter
  msat encode board.txt --format opb --variables boxes
  msat encode board.txt --format cpsat --out board.txtpb

formats:
  dimacs   clauses; comments map variables to cells; 'c p show' names the variables to count by
  opb      pseudo-Boolean constraints: clues are sums, as they are
  cpsat    the model of OR-Tools' CP-SAT as text, one integer per box (cells of the same clues)

variables:
  cells    one per hidden cell: as many solutions as there are layouts
  boxes    the number of mines per box, in order encoding: far fewer solutions
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
    parser.add_argument("--format", default="dimacs", metavar="F", help="see below (default: dimacs)")
    parser.add_argument("--encoding", metavar="E", help="dimacs only: how clues become clauses")
    parser.add_argument("--variables", metavar="V", help="dimacs, opb: cells (default) or boxes")
    parser.add_argument("--out", metavar="FILE", help="write to a file instead of standard output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write one board."""
    if args.format not in _FORMATS:
        raise UnknownName.of("format", args.format, _FORMATS)
    if args.encoding is not None and args.format != "dimacs":
        raise ParameterError(
            f"--encoding {args.encoding} needs --format dimacs: {args.format} has no clauses"
        )
    if args.variables is not None and args.format == "cpsat":
        raise ParameterError(
            f"--variables {args.variables} needs --format dimacs or opb: cpsat counts per box"
        )
    board = read_board(args)
    if args.out is None:
        _write(board, args, sys.stdout)
        return 0
    with open(args.out, "w", encoding="utf-8") as file:
        _write(board, args, file)
    return 0


def _write(board: Board, args: argparse.Namespace, out: TextIO) -> None:
    from msat.problem.problem import Problem

    problem = Problem.of(board)
    variables = args.variables or "cells"
    if args.format == "opb":
        from msat.encode.opb import write_opb

        write_opb(problem, out, form=variables)
    elif args.format == "cpsat":
        from msat.encode.cpsat import to_text

        out.write(to_text(problem))
    else:
        from msat.encode.cnf import DEFAULT
        from msat.encode.dimacs import write_dimacs

        write_dimacs(problem, out, encoding=args.encoding or DEFAULT, form=variables)
