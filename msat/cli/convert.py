"""`msat convert`: a board, a layout or a game in another program's form."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msat.cli.options import Subparsers, whole
from msat.cli.reading import is_file, meant_for_a_file, told_of
from msat.errors import BoardError, LayoutError, MsatError
from msat.formats import FORMS, LAYOUT_FORMS, read_bytes, write_bytes
from msat.limits import RECORD_BYTES

__all__ = ["add", "run"]

_ENDINGS = {
    "mbf": "mbf",
    "rawvf": "rawvf",
    "mine": "mine",
    "board": "board",
    "link": "link",
    "txt": "grid",
    "svg": "svg",
}

_EPILOG = f"""\
examples:
  msat convert game.avf game.json            a replay of another program, as msat saves games
  msat convert game.json game.rawvf          and back, for other players of replays
  msat convert game.evf seven.mbf            the layout alone
  msat convert game.rmv --to link --move 12  a link to the position after 12 moves, for the web analyser
  msat convert '??1/3?2/??? 3' --to link
  msat convert '??1/3?2/??? 3' board.svg     a picture; with the answer: 'msat solve --svg', 'msat hint --svg'
  msat convert 'https://davidnhill.github.io/JSMinesweeper/index.html?analysis=adabaaabSlS'

read: every form of 'msat solve' and 'msat generate', MBF, links of the web analyser, .board text; of games
those that msat saves, RAWVF text, .msor, and AVF, EVF, RMV and MVF, which need the package ms_toollib.

forms:
  of a game    record, rawvf, and those of its layout, or with --move of a position
  of a layout  {", ".join(LAYOUT_FORMS)}, mbf
  of a board   {", ".join(FORMS)}
  of any       svg, a picture

Without --to, OUT says which by its ending: .mbf, .rawvf, .mine, .board, .link, .txt (grid), .svg, .json.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "convert",
        help="write a board, a layout or a game in another form",
        description="Read a board, a layout or a game in any form, and write it in another one.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "source", metavar="IN", help="a file, '-' for stdin, or the text itself, such as a link"
    )
    parser.add_argument(
        "out", nargs="?", default="-", metavar="OUT", help="a file (default: standard output)"
    )
    parser.add_argument("--to", metavar="FORM", help="the form (default: as OUT ends; else grid or record)")
    parser.add_argument("--form", metavar="F", help="the form of IN, if it is not to be recognised")
    parser.add_argument("--mines", type=whole, metavar="N", help="mines in total, if the text does not say")
    parser.add_argument(
        "--layout", action="store_true", help="read the mines, where IN also shows a position"
    )
    parser.add_argument("--move", type=whole, metavar="N", help="of a game, the position after N moves")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, convert and write."""
    from msat.conversion import convert, read
    from msat.record import Record

    data, name = _data(args.source)
    try:
        value = read(data, name, args.mines, args.form, args.layout)
    except MsatError as bad:
        raise (meant_for_a_file(data, bad) if isinstance(data, str) else told_of(name, bad)) from None
    game = isinstance(value, Record) and args.move is None
    to = args.to or _form_of(args.out, game)
    written: str | bytes
    if to == "svg":
        from msat.cli.pictures import picture

        written = picture(value, args.move)
    else:
        written = convert(value, to, args.move)
    if isinstance(written, str):
        written = f"{written.rstrip()}\n"
    if args.out != "-":
        write_bytes(args.out, written)
    elif isinstance(written, str):
        sys.stdout.write(written)
    elif sys.stdout.isatty():
        raise LayoutError(f"--to {to} is binary: give a file to write, or send it through a pipe")
    else:
        sys.stdout.buffer.write(written)
    return 0


def _data(source: str) -> tuple[bytes | str, str]:
    """What is to be read, and where it comes from."""
    if source == "-":
        return sys.stdin.buffer.read(RECORD_BYTES + 1), "standard input"
    if is_file(source):
        return read_bytes(source, BoardError, RECORD_BYTES), source
    return source, "the text"


def _form_of(out: str, game: bool) -> str:
    """The form that a file's ending asks for."""
    ending = Path(out).suffix[1:].lower()
    usual = "record" if game else "grid"
    if not ending and out in {*_ENDINGS.values(), "json", "line", "record"}:
        raise BoardError(f"{out!r} would be a file without an ending: for the form, write --to {out}")
    if out == "-" or not ending:
        return usual
    if ending == "json":
        return "record" if game else "json"
    if ending not in _ENDINGS:
        known = ", ".join(f".{each}" for each in (*_ENDINGS, "json"))
        raise BoardError(f"{out!r} does not say a form by its ending: give --to FORM, or one of {known}")
    return _ENDINGS[ending]
