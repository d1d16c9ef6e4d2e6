"""What people paste and send: boards out of pages, chats and screens; games to convert, draw and review.

Long inputs are made of short ones, so that what takes the square of a length is seen, or worse.
"""

from __future__ import annotations

import re

from msat.board import Board
from msat.cli.pictures import picture
from msat.coach.review import review
from msat.coach.review_page import review_page
from msat.conversion import convert, forms_of, read
from msat.errors import MsatError
from msat.formats.source import decode_text
from msat.record import Record

__all__ = ["FILES", "LONG", "PASTED", "read_file", "read_long", "read_pasted", "read_review"]

PASTED = (
    b"<p>mines: 3</p><table><tr><td>?</td><td class='c open1'></td></tr><tr><td alt=flag><td>2</table>",
    b'<table class="b"><tr><td title="hidden">?</td><td><img src="img/open3.png"/>\n</td></tr></table>1 mine',
    b"[12:31] bob: what is safe here?\n[12:31] bob: ??1\n[12:31] bob: 3?2\n[12:31] bob: 3 mines",
    b"ann: size 2x3, 3 mines\nann: ? ? 1\nann: 3 ? 2\nann: thanks",
    b"```\n??1\n3?2\n```\n\xf0\x9f\x92\xa3 x 3",
    b"  A B C\n1 ? ? 1\n2 3 ? 2\nbombs left: 3",
    b"> ??1\n> 3?2\n> 3",
    b"1: ? ? 1\n2: 3 ? 2\nnumber of mines = 3",
    b"+---+---+\n| ? | 1 |\n+---+---+\n| ? | 1 |\n+---+---+\nmines 1 of 1",
    b":white_large_square::one:\n:white_large_square::one:\n1 bomb",
    b"array([[-1, -1,  1],\n       [ 3, -1,  2]], dtype=int8)\nmines: 3",
    b'["??1", "3?2"] 3',
    b"{{-1, 1}, {-1, 1}}; 1",
    b"     0  1  2\n 0   ?  ?  1\n 1   3  ?  2\n\n2\xc3\x973, 3 mines",
)

_TURNS = (1, 30, 4000)


def read_pasted(data: bytes) -> None:
    """A board as somebody pasted it, printed and read again."""
    board = Board.parse(decode_text(data, "the input"))
    assert Board.parse(board.to_text("drawing")) == board


LONG = (
    *(
        b"\n".join((piece, b"<table>[[ ?1 12:31 mines", b" !"))
        for piece in (b"<a ", b" ", b"[1]  ", b"ann: ?")
    ),
    b"<!--\n<table>\n",
    b" \n?1? mines\nx",
    b"  [3 2]\n[[1 2]\n 1",
    b"|?\n\n|",
)


def read_long(data: bytes) -> None:
    """A text whose first line is written again and again between the other two: 3 kB of it at most."""
    first, _, rest = data.partition(b"\n")
    before, _, behind = rest.rpartition(b"\n")
    for turns in _TURNS:
        try:
            Board.parse(decode_text(before + (first * turns)[:3_000] + behind, "the input"))
        except MsatError as refused:
            if len(str(refused)) >= 1500:
                raise


FILES = (
    b"a.txt\n??1/3?2/??? 3",
    b"a.mbf\n\x03\x02\x00\x02\x02\x00\x01\x01",
    b"a.mine\n3x2x2\nHHM\nHM1\n",
    b"a\n..*\n.*.\nstart: 0 0\n",
    b"b\n?b=1&m=00g0080a002100s00",
)


def read_file(data: bytes) -> None:
    """A file by its name and its content, in every form that it can be written in, and as a picture."""
    name, _, content = data.partition(b"\n")
    if name.rpartition(b".")[2].lower() in (b"avf", b"evf", b"rmv", b"mvf"):
        return  # those are read in a process of their own
    value = read(content, name.decode("latin-1")[:200])
    shape = value.layout.shape if isinstance(value, Record) else (value.height, value.width)
    if shape[0] * shape[1] > 400:
        return
    for form in forms_of(value):
        assert convert(value, form)
    _check_picture(picture(value))
    if isinstance(value, Record) and value.moves:
        assert convert(value, "line", move=0)
        _check_picture(picture(value, 1))


def _check_picture(text: str) -> None:
    """A picture is well-formed, and has nothing in it that runs, or leads elsewhere."""
    from xml.etree import ElementTree

    for part in ElementTree.fromstring(text).iter():
        assert not part.tag.lower().endswith(("script", "foreignobject", "image", "}a"))
        assert not any(name.lower().startswith("on") or "href" in name for name in part.attrib)


def read_review(data: bytes) -> None:
    """A game of few cells reviewed, as a page: what was received is text on it, and no more."""
    record = Record.parse(decode_text(data, "the input"))
    if record.layout.height * record.layout.width > 30 or len(record.moves) > 6:
        return
    page = review_page(review(record, seconds=0.01))
    assert page.count("<script") == page.count("</script>") <= 2
    assert "\x1b" not in page
    assert not re.search(r"<(img|iframe|object|embed|link|form|a)\b", page, re.IGNORECASE)
