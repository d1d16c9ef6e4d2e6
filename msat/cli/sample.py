"""`msat sample`: random layouts that agree with a board, each exactly as likely as any other."""

from __future__ import annotations

import argparse

from msat.cli.options import Subparsers, add_marks_option, positive, whole
from msat.cli.reading import add_board_options, read_question
from msat.deadline import Deadline
from msat.questions.judging import judge

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat sample '??1/3?2/??? 3'                 one layout that agrees with what is seen
  msat sample board.txt --mines 99 -n 1000 --seed 7 --json
  msat generate --seed 7 --board | msat sample - -n 3

Layouts are rows of '.' and '*', with an empty line between two of them; --json prints one layout a line, in
the form that 'msat play --layout' and Layout.parse read. The first of many are the same as those of fewer.

exit status: 2 if the text is no board or contradicts itself, 3 if the budget does not suffice
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "sample",
        help="draw random layouts that agree with a board",
        description="Draw layouts that agree with a board, each exactly as likely as any other.",
        epilog=_EPILOG,
    )
    add_board_options(parser)
    add_marks_option(parser)
    parser.add_argument("-n", "--n", type=whole, default=1, metavar="N", help="how many layouts (default: 1)")
    parser.add_argument(
        "--seed", type=whole, default=0, metavar="S", help="same seed, same layouts (default: 0)"
    )
    parser.add_argument("--budget", type=positive, metavar="SECONDS", help="give up after this time")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw the layouts and print them."""
    board = read_question(args)
    deadline = Deadline(args.budget)
    board = judge(board, args.marks, deadline).trusted

    from msat.engines.counting.sampling import sample

    layouts = sample(board, args.n, args.seed, deadline)
    if args.json:
        for layout in layouts:
            print(layout.to_text("json"))
    elif layouts:
        print("\n\n".join(layout.to_text() for layout in layouts))
    return 0
