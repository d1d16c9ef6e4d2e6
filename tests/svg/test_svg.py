"""Boards as pictures: well-formed, self-contained, the same every time, and of what was asked for."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

import msat
from msat import svg
from msat.board import Board
from msat.errors import MsatError
from msat.game import Game
from msat.layout import Layout

BOARD = Board.parse("*1?/1*2/?0? 3")
SVG = "{http://www.w3.org/2000/svg}"


def parts(picture: str) -> Counter[str]:
    """How many elements of each kind there are."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return Counter(each.tag.removeprefix(SVG) for each in root.iter())


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_a_picture_shows_the_board_and_needs_nothing_else() -> None:
    picture = svg.board(BOARD)
    assert picture == svg.board(BOARD)
    assert picture._repr_svg_() == picture
    assert texts(picture) == ["0", "1", "2", "0", "1", "2", "1", "1", "2"]
    for forbidden in ("<script", "<style", "href", "url(", " id=", "@import"):
        assert forbidden not in picture
    assert texts(svg.board(BOARD, coordinates=False)) == ["1", "1", "2"]


def test_everything_that_can_be_drawn_on_top() -> None:
    bare = parts(svg.board(BOARD))
    drawn = {
        "last": ({"last": (0, 0)}, {"rect": 1}),
        "ring": ({"highlights": [(0, 0), (1, 1)]}, {"rect": 2}),
        "kinds": ({"highlights": dict(zip(BOARD.hidden, svg.KINDS, strict=False))}, {"rect": 3}),
        "brackets": ({"clues": [(0, 1), (1, 0)]}, {"path": 2}),
        "arrow": ({"arrows": [((0, 1), (2, 2))]}, {"polygon": 1, "path": 1, "g": 1}),
        "arrow to itself": ({"arrows": [((0, 1), (0, 1))]}, {}),
        "overlay": (
            {"overlay": {(0, 2): 0.5, (2, 0): 0.0, (2, 2): 1.0}},
            {"text": 1, "path": 2, "circle": 2},
        ),
        "exploded": ({"exploded": (0, 2)}, {"rect": 1, "path": 1, "circle": 2}),
        "mines": ({"mines": Layout.from_mines(3, 3, [(0, 0), (1, 1), (2, 2)])}, {"path": 1, "circle": 2}),
    }
    for name, (asked, more) in drawn.items():
        for theme in svg.THEMES:
            found = parts(svg.board(BOARD, theme=theme, **asked))  # type: ignore[arg-type]
            assert found - bare == Counter(more), name


@pytest.mark.parametrize(
    ("chance", "label"), [(0.5, "50"), (0.004, "<1"), (0.996, ">99"), (0.99, "99"), (0.01, "1")]
)
def test_chances_in_percent(chance: float, label: str) -> None:
    assert (
        texts(svg.board(Board.parse("?1 1"), overlay=[[chance, float("nan")]], coordinates=False))[0] == label
    )


def test_the_width_of_the_picture() -> None:
    root = ElementTree.fromstring(svg.board(BOARD, size=300))
    assert root.get("width") == "300"
    wide, high = map(float, str(root.get("viewBox")).split()[2:])
    assert float(str(root.get("height"))) == round(300 * high / wide)


def test_titles_are_escaped() -> None:
    picture = svg.board(BOARD, title='<b>"&\x1b[31m')
    assert ElementTree.fromstring(picture).findtext(f"{SVG}title") == '<b>"&\\x1b[31m'


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"theme": "pink"}, "unknown theme 'pink': choose one of light, dark"),
        ({"highlights": {(0, 0): "nice"}}, "unknown kind of highlight 'nice'"),
        ({"highlights": [(9, 9)]}, "(9, 9)"),
        ({"clues": [(0, 3)]}, "(0, 3)"),
        ({"arrows": [((0, 0), (5, 5))]}, "(5, 5)"),
        ({"last": (3, 0)}, "(3, 0)"),
        ({"overlay": {(7, 7): 0.5}}, "(7, 7)"),
        ({"overlay": {(0, 2): 1.5}}, "the overlay has 1.5 at r0c2: give probabilities from 0 to 1"),
        ({"overlay": [[0.5]]}, "the overlay of a 3×3 board has as many rows and columns"),
        ({"mines": Layout.parse("..*")}, "mines: a 1×3 layout is not that of a 3×3 board"),
        ({"size": 0}, "size=0 is no width in pixels"),
    ],
)
def test_errors(asked: dict[str, object], message: str) -> None:
    with pytest.raises(MsatError) as caught:
        svg.board(BOARD, **asked)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_what_is_no_board() -> None:
    with pytest.raises(MsatError, match=r"svg\.board takes a Board"):
        svg.board("?1 1")  # type: ignore[arg-type]
    with pytest.raises(MsatError, match=r"svg\.layout takes a Layout"):
        svg.layout(BOARD)  # type: ignore[arg-type]
    with pytest.raises(MsatError, match=r": svg\.layout draws a layout$"):
        svg.board(Layout.parse("..*"))  # type: ignore[arg-type]
    for has_one in (Game(Layout.parse("..*")), msat.analyze(Board.parse("?1 1"))):
        with pytest.raises(MsatError, match=r"^svg\.board takes a Board, not <.*: give its \.board$"):
            svg.board(has_one)  # type: ignore[arg-type]


def test_boards_layouts_and_games_are_pictures() -> None:
    layout = Layout.parse("..*\n...\n...\nstart: 2 0")
    game = Game(layout)
    assert BOARD._repr_svg_() == svg.board(BOARD)
    assert layout._repr_svg_() == svg.layout(layout)
    assert game._repr_svg_() == svg.board(game.board)
    game.open((2, 1))
    assert game._repr_svg_() == svg.board(game.board, last=(2, 1))
    lost = Game(Layout.parse("*.*"))
    lost.open((0, 0))
    assert lost._repr_svg_() == svg.board(lost.board, last=(0, 0), exploded=(0, 0), mines=lost.layout)


def test_marks_without_a_mine_are_crossed_out_where_the_mines_are_shown() -> None:
    board = Board.parse("*?/11 1")
    unknown = svg.board(board)
    assert svg.board(board, mines=Layout.parse("*.\n..")) == unknown
    wrong = svg.board(board, mines=Layout.parse(".*\n.."))
    assert wrong.count("l20 20m0-20l-20 20") == 1


def test_an_analysis_fits() -> None:
    board = Board.parse("??1/3?2/??? 3")
    picture = svg.board(board, overlay=msat.analyze(board).probability)
    assert texts(picture)[6:] == ["50", "50", "1", "3", "50", "2", "50"]
