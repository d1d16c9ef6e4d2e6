"""The board that a sub-command is asked about: a file, standard input, or the text in the argument itself."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msat.board import Board
from msat.errors import BoardError
from msat.formats import TEXT_LIMIT, decode_text, read_text

__all__ = ["add_board_options", "read_board"]


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Add the argument and the options that say which board; `read_board` reads what they hold."""
    parser.add_argument("board", nargs="?", metavar="BOARD", help="a file, '-' for stdin, or a board")
    parser.add_argument("--mines", type=int, metavar="N", help="mines in total, if the text does not say")
    parser.add_argument("--form", metavar="F", help="the text form, if it is not to be recognised")


def read_board(args: argparse.Namespace) -> Board:
    """The board in a file, in standard input, or in the argument itself."""
    source: str | None = args.board
    if source is None:
        raise BoardError(
            f"{args.command} needs a BOARD: a file, '-' for standard input, or a board such as '??/11 1'"
        )
    if source == "-":
        text = decode_text(sys.stdin.buffer.read(TEXT_LIMIT + 1), "standard input")
        return Board.parse(text, mines=args.mines, form=args.form)
    if _is_file(source):
        return Board.parse(read_text(source), mines=args.mines, form=args.form)
    try:
        return Board.parse(source, mines=args.mines, form=args.form)
    except BoardError as error:
        if any(char.isspace() for char in source.strip()) or set(source) <= set("0123456789?#-*xXMFH./"):
            raise
        raise BoardError(f"{source!r} is no file, and no board either: {error}") from error


def _is_file(source: str) -> bool:
    """Whether there is such a file; a long board is no name that every file system puts up with."""
    try:
        return source != "" and Path(source).exists()
    except (OSError, ValueError):
        return False
