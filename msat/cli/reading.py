"""The board that a sub-command is asked about: a file, standard input, or the text in the argument itself."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from msat.board import Board
from msat.cli.options import whole
from msat.errors import BoardError, MissingFile, MsatError
from msat.formats import FORMS, SIGNS, TEXT_LIMIT, decode_text, read_text
from msat.layout import Layout

__all__ = ["add_board_options", "read_board"]


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Add the argument and the options that say which board; `read_board` reads what they hold."""
    parser.add_argument("board", nargs="?", metavar="BOARD", help="a file, '-' for stdin, or a board")
    parser.add_argument("--mines", type=whole, metavar="N", help="mines in total, if the text does not say")
    parser.add_argument(
        "--form",
        metavar="F",
        help=f"the text form, if it is not to be recognised: {', '.join(FORMS)}",
    )


def read_board(args: argparse.Namespace) -> Board:
    """The board in a file, in standard input, or in the argument itself."""
    source: str | None = args.board
    if source is None:
        raise BoardError(
            f"{args.command} needs a BOARD: a file, '-' for standard input, or a board such as '??/11 1'"
        )
    if source == "-":
        if sys.stdin.isatty():
            print("msat: reading a board from the terminal, until Ctrl-D", file=sys.stderr)
        text = decode_text(sys.stdin.buffer.read(TEXT_LIMIT + 1), "standard input")
        return _parse(text, "standard input", args)
    if _is_file(source):
        return _parse(read_text(source), repr(source), args)
    try:
        return _parse(source, "the text", args)
    except BoardError as error:
        if any(char.isspace() for char in source.strip()) or set(source) <= SIGNS:
            raise
        if "/" in source or "\\" in source or re.search(r"\.[A-Za-z]\w*$", source):
            raise MissingFile(f"{source!r}: no such file") from error
        raise BoardError(f"{source!r} is no file, and no board either: {error}") from error


def _parse(text: str, origin: str, args: argparse.Namespace) -> Board:
    """The board that `text` is; a layout, which is easily taken for one, is told from other text."""
    try:
        return Board.parse(text, mines=args.mines, form=args.form)
    except BoardError:
        if _is_layout(text):
            raise BoardError(
                f"{origin} is a layout, which shows the mines; {args.command} needs what a player sees: "
                "add --board to 'msat generate'"
            ) from None
        raise


def _is_layout(text: str) -> bool:
    """Whether `text` is a layout beyond doubt: dots alone may be a board in a form that has to be named."""
    try:
        layout = Layout.parse(text)
    except MsatError:
        return False
    return layout.mines > 0 or layout.start is not None


def _is_file(source: str) -> bool:
    """Whether there is such a file; a long board is no name that every file system puts up with."""
    try:
        return source != "" and Path(source).exists()
    except (OSError, ValueError):
        return False
