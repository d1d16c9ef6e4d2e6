"""`msat report FOLDER…`: results as one HTML page."""

from __future__ import annotations

import argparse
from pathlib import Path

from msat.cli.options import Subparsers
from msat.cli.runs import tell

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat report runs/2030-01-31_safest_expert
  msat report runs/*safest* runs/*classic* --out players.html

The page has the tables and pictures of all runs, sweeps and comparisons given, and needs no other file.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "report",
        help="make an HTML page of results",
        description="Put result folders into one self-contained HTML page.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a result folder")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the page (default: report.html in the first folder)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    from msat.arena.files import replace_file
    from msat.arena.page import page

    file = args.out or args.folders[0] / "report.html"
    text = page(args.folders, report=tell)
    replace_file(file, text)
    print(file)
    return 0
