"""From any form to any other: boards, layouts and games, as other programs write them and read them.

`read` tells what a file or a text is, `convert` writes it in a form by its name. The command line and the
service use both, so that they accept the same and answer alike.
"""

from __future__ import annotations

from msat.board import Board
from msat.errors import BoardError, LayoutError, MsatError, RecordError, UnknownName, WrongType
from msat.formats import FORMS, LAYOUT_FORMS, decode_text
from msat.formats.source import checked_text
from msat.kinds import flag, given, is_name
from msat.layout import Layout
from msat.limits import RECORD_BYTES
from msat.record import Record, is_record
from msat.replays import binary_record, is_binary, is_replay, write_rawvf
from msat.wording import argument, path_name, quoted, visible

__all__ = ["RECORD_FORMS", "Convertible", "convert", "forms_of", "read"]

Convertible = Board | Layout | Record

RECORD_FORMS = ("record", "rawvf")
"""The forms of a game: msat's own, and RAWVF, which other programs read."""


def forms_of(value: Convertible) -> tuple[str, ...]:
    """The forms that a value can be written in, as `convert` names them.

    >>> forms_of(Layout.parse("..*"))
    ('grid', 'json', 'mine', 'board', 'link', 'mbf')
    """
    if isinstance(value, Board):
        return FORMS
    layouts = (*LAYOUT_FORMS, "mbf")
    if isinstance(value, Layout):
        return layouts
    if isinstance(value, Record):
        return (*RECORD_FORMS, *layouts, *(form for form in FORMS if form not in layouts))
    raise WrongType(f"convert takes a Board, a Layout or a Record, not {quoted(value)}")


def convert(value: Convertible, to: str, move: int | None = None) -> str | bytes:
    """A board, a layout or a game in another form: as text, in MBF as bytes.

    A game is written whole as `record` or `rawvf`; in a form of layouts, its layout is written, and in one
    that only boards have, its last position. `move` asks for the position after so many moves instead.

    >>> convert(Board.parse("?1? 1"), "link")
    'https://davidnhill.github.io/JSMinesweeper/index.html?analysis=adabaaabSlS'
    >>> convert(Layout.parse("..*"), "mbf").hex(" ")
    '03 01 00 01 02 00'
    """
    known = forms_of(value)
    if move is not None:
        if not isinstance(value, Record):
            raise RecordError(
                f"{argument('move', move)} needs a game: this is a {type(value).__name__.lower()}"
            )
        value = value.game(upto=move).board
        known = FORMS
    if not is_name(to, known):
        raise UnknownName.of(f"form for a {type(value).__name__.lower()}", to, known)
    if isinstance(value, Record):
        if to in RECORD_FORMS:
            return value.to_json() if to == "record" else write_rawvf(value)
        value = value.layout if to == "mbf" or to in LAYOUT_FORMS else value.game().board
    if isinstance(value, Board):
        return value.to_text(to)
    return value.to_mbf() if to == "mbf" else value.to_text(to)


def read(
    data: bytes | str,
    name: str = "the text",
    mines: int | None = None,
    form: str | None = None,
    layout: bool = False,
) -> Convertible:
    """What a text or the content of a file is: a game, a board, or a layout.

    `name` is where it comes from: binary forms are told by its ending. `mines` and `form` are for boards, as
    `Board.parse` has them; `layout` asks for the mines where a text tells both them and what a player sees.

    >>> read("..*\\n.*.")
    Layout.from_mines(2, 3, [(0, 2), (1, 1)])
    >>> read(b"\\x03\\x01\\x00\\x01\\x02\\x00", "three.mbf")
    Layout.from_mines(1, 3, [(0, 2)])
    """
    given(name, str, "name", "where it comes from, as a text")
    if isinstance(data, bytes):
        if is_binary(name):
            return binary_record(data, name)
        if name.lower().endswith(".mbf"):
            return Layout.from_mbf(data)
        data = decode_text(data, visible(path_name(name)), BoardError, RECORD_BYTES)
    checked_text(data)
    if is_record(data) or is_replay(data):
        return Record.parse(data)
    if flag(layout, "layout"):
        return Layout.parse(data)
    try:
        return Board.parse(data, mines, form)
    except BoardError as bad:
        if form is not None or mines is not None:
            raise
        try:
            found = Layout.parse(data)
        except LayoutError as worse:
            raise (worse if _of_layouts(data) else bad) from None
        except MsatError:
            raise bad from None
        return found


def _of_layouts(text: str) -> bool:
    """Whether a text that is neither is meant to be a layout: rows of dots and stars, or such a link."""
    drawn = bool(text.strip()) and set(text) <= set("./*\r\n \t")
    return drawn or "&m=" in text or "?m=" in text
