"""Every public result: plain values for JSON, a pickle that is equal, and what a notebook shows of it."""

from __future__ import annotations

import json
import pickle
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import msat
from msat.arena import Plan, Point, Settings, Sprt, Tally, compare, simulate
from msat.arena.tally import KindTally
from msat.coach.trainer import Exercise
from msat.game import Game
from msat.record import Record

BOARD = msat.Board.parse("??1/3?2/??? 3")
PROVEN = msat.Board.parse("???/11? 1")


@cache
def results() -> dict[str, Any]:
    """One of each."""
    plans = [Plan(name, 5, 5, 4, games=20) for name in ("safest", "logic")]
    layout = msat.Layout.random(5, 5, 6, seed=3, start=(0, 0))
    record = msat.play(layout, "safest")
    return {
        "board": BOARD,
        "layout": layout,
        "record": record,
        "analysis": msat.analyze(BOARD),
        "explanation": msat.explain(PROVEN, (0, 2)),
        "open": msat.explain(BOARD, (0, 0)),
        "contradiction": msat.explain_contradiction(msat.Board.parse("?1?/131/?1? 2")),
        "advice": msat.best_move(BOARD),
        "guess": msat.best_move(msat.Board.parse("??/11 1")),
        **{f"hint {level}": msat.hint(PROVEN, level) for level in range(1, 6)},
        "walkthrough": msat.walkthrough(PROVEN),
        "difficulty": msat.difficulty(msat.Layout.random(5, 5, 3, seed=1, start=(2, 2))),
        "review": msat.review(record, seconds=0.1),
        "win": msat.win_probability(BOARD, every_move=True),
        "metrics": msat.metrics(layout),
        "deduction": next(iter(msat.deductions(PROVEN))),
        "exercise": Exercise(BOARD, "guess", 7),
        "move": record.moves[0],
        "mark": msat.judge_marks(msat.Board.parse("*??/111 1"))[0, 0],
        "tally": simulate(plans[0], workers=1),
        "point": Point("0,0", simulate(plans[0], workers=1)),
        "comparison": compare(Settings(plans[0], plans[1], Sprt(0.5, 0.9)), workers=1),
    }


NAMES = (
    *("board", "layout", "record", "analysis", "explanation", "open", "contradiction", "advice", "guess"),
    *(f"hint {level}" for level in range(1, 6)),
    *(
        "walkthrough",
        "difficulty",
        "review",
        "win",
        "metrics",
        "deduction",
        "exercise",
        "move",
        "mark",
        "tally",
        "point",
        "comparison",
    ),
)
PICTURED = {"board", "layout"}
PLAIN = {"move", "mark", "point"}
"""Parts of results, which are shown by these."""


@pytest.mark.parametrize("name", NAMES)
def test_plain_values_and_pickles(name: str) -> None:
    result = results()[name]
    found = result.to_object()
    assert isinstance(found, dict)
    assert json.loads(json.dumps(found, allow_nan=False)) == json.loads(json.dumps(found))
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.to_object() == found


@pytest.mark.parametrize(
    ("name", "kind"),
    [("board", msat.Board), ("layout", msat.Layout), ("record", Record), ("tally", Tally)],
)
def test_what_can_be_read_back(name: str, kind: Any) -> None:
    result = results()[name]
    assert kind.from_object(json.loads(json.dumps(result.to_object()))) == result


@pytest.mark.parametrize("damaged", [None, [], {}, {"games": 1}, {"games": 1, "kinds": 3}])
def test_what_is_no_tally(damaged: object) -> None:
    with pytest.raises(msat.MsatError, match="not a tally"):
        Tally.from_object(damaged)


class Page(HTMLParser):
    """Reads what a notebook would show."""

    VOID = ("rect", "path", "circle", "polygon")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") or name in ("href", "src", "id", "class") for name, _ in attrs)
        self.seen.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


def shown(result: Any) -> Page:
    """The page of a result."""
    page = Page()
    page.feed(result._repr_html_())
    page.close()
    assert page.open == []
    assert page.seen <= {"div", "svg", "title", "text", "g", "table", "tr", "td", "th"}
    return page


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PICTURED | PLAIN])
def test_notebooks_show_results(name: str) -> None:
    page = shown(results()[name])
    words_alone = {"win", "tally", "comparison", "review", "difficulty", "metrics", "deduction"}
    assert "svg" in page.seen or name in words_alone
    assert page.text.strip()


def test_long_results_are_a_line_at_a_prompt() -> None:
    """A game, its review and a walk-through filled hundreds of lines, in notebooks' files as well."""
    found = results()
    assert repr(found["record"]).startswith("<Record: lost after 4 moves by safest")
    assert repr(found["review"]).startswith("<Review of ")
    assert repr(found["review"]).endswith(f": {found['review'].summary}>")
    assert repr(found["walkthrough"]) == f"<Walkthrough of {PROVEN!r}: 1 step, 2 safe, 0 mined>"
    for name in ("record", "review", "walkthrough"):
        assert len(repr(found[name])) < 200, name


def test_what_is_shown() -> None:
    assert "layouts: 4" in shown(results()["analysis"]).text
    assert "r0c2 is safe" in shown(results()["explanation"]).text
    assert "safest" in shown(results()["comparison"]).text
    assert "20" in shown(results()["tally"]).text
    assert "by safest" in shown(results()["record"]).text
    assert str(results()["difficulty"]) in shown(results()["difficulty"]).text
    assert "3BV" in shown(results()["metrics"]).text
    unsure = shown(msat.analyze(msat.Board.parse("??/11 1")))
    assert "least risk: r0c0, 50.00%" in unsure.text


def test_names_of_strangers_are_escaped() -> None:
    tally = Tally(games=1, kinds={"<script>alert(1)</script>\x1b[31m": KindTally(1, 0, 0)})
    assert "<script" not in tally._repr_html_()
    assert "\x1b" not in tally._repr_html_()


def test_answers_cannot_be_changed() -> None:
    for analysis in (results()["analysis"], pickle.loads(pickle.dumps(results()["analysis"]))):
        for array in (analysis.probability, analysis.known_probability, analysis.opening):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 0.25
        assert not analysis.number_chances.flags.writeable
    sat = msat.analyze(BOARD, engine="sat")
    assert not sat.probability.flags.writeable
    many = msat.analyze_many([BOARD, PROVEN])
    assert not any(each.probability.flags.writeable for each in many)
    assert np.array_equal(sat.probability, results()["analysis"].probability, equal_nan=True)


def test_an_analysis_is_a_value() -> None:
    for analysis in (results()["analysis"], pickle.loads(pickle.dumps(results()["analysis"]))):
        for name in ("safe", "solutions", "probability", "note"):
            with pytest.raises(AttributeError, match=f"its '{name}' cannot be set"):
                setattr(analysis, name, None)
        with pytest.raises(AttributeError, match="cannot be removed"):
            del analysis.safe


def test_plans_hash_by_what_they_are() -> None:
    plans = [
        Plan("best:layouts=200", 5, 5, 4),
        Plan("best", 5, 5, 4, {"layouts": 200}),
        Plan("best", 5, 5, 4),
    ]
    assert len(set(plans)) == 2
    assert hash(plans[0]) == hash(pickle.loads(pickle.dumps(plans[0])))
    assert len({Settings(plans[0], plans[2]), Settings(plans[1], plans[2])}) == 1


def test_analyses_are_equal_if_they_are_of_the_same_board() -> None:
    assert msat.analyze(BOARD) == msat.analyze(BOARD)
    assert hash(msat.analyze(BOARD)) == hash(msat.analyze(BOARD))
    assert msat.analyze(BOARD) != msat.analyze(PROVEN)
    assert msat.analyze(BOARD) != BOARD


def test_games_are_equal_if_the_same_moves_were_made() -> None:
    games = [Game(msat.Layout.parse("..*\n...")) for _ in range(3)]
    for game in games[:2]:
        game.open((0, 1), probability=0.5)
    assert games[0] == games[1] == pickle.loads(pickle.dumps(games[0]))
    assert games[0] != games[2]
    assert games[0] != games[0].record
    games[0].undo()
    assert games[0] == games[2]
    with pytest.raises(TypeError, match="unhashable"):
        hash(games[0])


def test_games_have_plain_values_by_their_records() -> None:
    game = Game(msat.Layout.parse("..*"))
    game.open((0, 0), probability=0.5, reason="<why>")
    found = game.to_object()
    assert found == game.record.to_object()
    assert found["moves"][0]["reason"] == "<why>"
    assert Record.from_object(found) == game.record
    with pytest.raises(msat.RecordError, match="a record is an object"):
        Record.from_object([])  # type: ignore[arg-type]
