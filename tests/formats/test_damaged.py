"""Texts that are cut off, or made to take long: every one is answered, or refused, as fast as it is read."""

from __future__ import annotations

import time

import pytest

from msat import Board, Layout, MsatError, Record
from msat.errors import BoardError, RecordError

PATIENCE = 20.0
"""Seconds of the processor: a hundred times what any of these takes, and a hundredth of what some took."""

CELLS = "[[-1 -1  1]\n [ 3 -2  2]\n"

UNFINISHED = {
    "tags": "<table>" + "<a " * 30_000,
    "comments": "<table>" + "<!--" * 30_000,
    "declarations": "<table>" + "<!" * 60_000,
    "instructions": "<table>" + "<?" * 60_000,
    "ends of tags": "<table>" + "</" * 60_000,
    "attributes": "<table>" + '<a="' * 30_000,
    "scripts": "<table>" + "<script>" * 15_000,
    "a long name of a picture": f'<table><tr><td src="{"a" * 100_000}">',
    "blanks": " " * 100_000 + "x",
    "blanks behind a label": "1:" + " " * 50_000 + "x" + " " * 50_000 + "x",
    "blanks behind a time": "12:31" + " " * 100_000 + "x",
    "blanks behind a total": "??1\n3?2\nmines" + " " * 100_000 + "x",
    "blanks behind what is left": "??1\n3?2\nmines left" + " " * 100_000 + "x",
    "blanks behind a count": "??1\n3?2\n💣" + " " * 100_000 + "x",
    "blanks behind a size": "2 3" + " " * 100_000 + "x\n??1\n3?2",
    "blanks behind a fence": "```" + " " * 100_000 + "!\n??1",
    "a border": "-" * 100_000 + "x\n??1",
    "an array in numpy's way": CELLS + "     [ 1  1  1]\n" * 40,
    "an array of texts": "[" + '"??1"     ' * 40,
    "blanks behind an array": "[[-1, 1]]" + " " * 100_000 + "!",
    "one long row above many": "?" + " " * 60_000 + "1\n" + "?\n" * 900,
    "a line of columns": "".join(str(column % 10) for column in range(100_000)) + "\n" + "0 ?\n" * 500,
    "lines with the total": "mines: 1\n" * 20_000,
    "labelled rows": "".join(f"{row}: ? ?\n" for row in range(20_000)),
}


@pytest.mark.parametrize("text", UNFINISHED.values(), ids=UNFINISHED)
def test_no_text_takes_the_square_of_its_length(text: str) -> None:
    begin = time.process_time()
    with pytest.raises(MsatError):
        Board.parse(text)
    assert time.process_time() - begin < PATIENCE


def test_blanks_in_a_start() -> None:
    begin = time.process_time()
    with pytest.raises(MsatError):
        Layout.parse("..*\nstart: (1" + " " * 100_000 + "x")
    assert time.process_time() - begin < PATIENCE


def test_an_event_that_goes_on_in_blanks() -> None:
    text = (
        "RawVF_Version: Rev6.2\nLevel: Custom\nWidth: 2\nHeight: 1\nMines: 1\nBoard:\n*0\nEvents:\n"
        f"0.000 lc 2 1 ({' ' * 100_000}x\n"
    )
    begin = time.process_time()
    with pytest.raises(RecordError, match="is no event"):
        Record.parse(text)
    assert time.process_time() - begin < PATIENCE


@pytest.mark.parametrize("cell", ["<td>&#{};</td>", '<td class="&#{};"></td>', "<td>&#x{};</td>"])
def test_characters_by_numbers_that_none_has(cell: str) -> None:
    with pytest.raises(BoardError):
        Board.parse(f"<table><tr><td>?</td>{cell.format('9' * 5000)}</tr></table> 1 mine")


@pytest.mark.parametrize(
    "page",
    [
        "<TABLE><TR><TD>?</TD><TD>1</TD></TR></TABLE>\n1 mine",
        "<table><tr><td>?<td>1</table>\n1 mine",
        "<table><tr><td class=hidden /><td class='open1' /></tr></table>\n1 mine",
        '<table title="a > b"><tr><td>&#63;</td><td>1</td></tr></table>\n1 mine',
        "<style>td > b { }</style><script>if (1 < 2) '<td>9'</script><table><tr><td>?<td>1</table>\n1 mine",
        "<table><!-- <td>9</td> --><tr><td>?</td><td>1</td></tr></table>\n1 mine",
        "<!DOCTYPE html><table><tr><td data-who=it's>?</td><td>1</td></tr></table>\n1 mine",
        "<p>here you < see it</p><table><tr><td>?</td><td>1</td></tr></table>\n1 mine",
        "<table><tr><td>?</td><td>1</td></tr></table>\n1 mine <!-- never",
    ],
)
def test_pages_are_cut_as_browsers_do(page: str) -> None:
    assert Board.parse(page) == Board.parse("?1/ 1")
