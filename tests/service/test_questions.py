"""Every question by HTTP: the answer of the command line's --json, and as the description has it."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from typing import Any

import msgspec
import pytest

from msat.board import Board
from msat.errors import BudgetExceeded, InconsistentBoard
from msat.game import Game
from msat.layout import Layout
from msat.questions.answers import details_of
from msat.questions.ask import ask
from msat.questions.reading import NotJson, WrongQuestion, convert, read
from msat.questions.replies import REPLIES, Problem
from msat.questions.requests import QUESTIONS
from msat.record import Record
from msat.replays import write_rawvf
from msat.service.answering import Answering, Dear
from msat.service.examples import EXAMPLES
from msat.service.problems import Problem as ServiceProblem
from msat.service.settings import Settings
from msat.service.workers import Pool
from tests.support import replay_files as others
from tests.support.command import Cli
from tests.support.service import Service

BOARD = "??1/3?2/??? 3"
MARKED = "**?/111 1"
PROVEN = "????????/11111111/00000000/11111111/????????/???????? 12"
"""A board with proven cells, and too many layouts for an exact chance to win."""


def played() -> str:
    game = Game(Layout.from_mines(3, 3, [(0, 2), (2, 0)], start=(0, 0)))
    game.open((0, 0))
    game.mark((0, 2))
    return game.record.to_json()


def without_digits(answer: dict[str, Any]) -> dict[str, Any]:
    """The service writes numbers that may be large as text."""
    return answer | ({"solutions": str(answer["solutions"])} if "solutions" in answer else {})


@pytest.mark.parametrize("board", [BOARD, MARKED, "1???/???? 2"])
def test_analyze_says_what_solve_says(service: Service, cli: Cli, board: str) -> None:
    asked = service.ask("analyze", {"board": board}).json
    assert asked == without_digits(cli.json("solve", board, "--json"))
    trusting = service.ask("analyze", {"board": "??1/3*2/??? 3", "marks": "trust"}).json
    assert trusting == without_digits(cli.json("solve", "??1/3*2/??? 3", "--json", "--marks", "trust"))


@pytest.mark.parametrize(
    ("name", "question", "command"),
    [
        ("hint", {"board": BOARD}, ["hint", BOARD]),
        ("hint", {"board": PROVEN}, ["hint", PROVEN]),
        ("hint", {"board": MARKED, "level": 5}, ["hint", MARKED, "--level", "5"]),
        ("hint", {"board": "?1??/???? 2", "level": 2}, ["hint", "?1??/???? 2", "--level", "2"]),
        ("explain", {"board": BOARD, "cell": [2, 2]}, ["explain", BOARD, "--cell", "2,2"]),
        ("explain", {"board": MARKED, "cell": [0, 0]}, ["explain", MARKED, "--cell", "0,0"]),
        ("explain", {"board": BOARD}, ["explain", BOARD, "--all"]),
    ],
)
def test_other_commands_say_the_same(
    service: Service, cli: Cli, name: str, question: dict[str, Any], command: list[str]
) -> None:
    assert service.ask(name, question).json == cli.json(*command, "--json")


def test_cells_and_samples_are_those_of_the_commands(service: Service, cli: Cli) -> None:
    cells = service.ask("cells", {"board": MARKED}).json
    solved = cli.json("solve", MARKED, "--json", "--cells")
    assert cells == {"cells": solved["cells"], "marks": solved["marks"]}
    drawn = service.ask("sample", {"board": BOARD, "n": 3, "seed": 5}).json["layouts"]
    assert cli("sample", BOARD, "-n", "3", "--seed", "5", "--json") == 0
    assert drawn == [json.loads(line) for line in cli.out.splitlines()]


@pytest.mark.parametrize("form", ["dimacs", "opb"])
def test_encodings_are_those_of_the_command(service: Service, cli: Cli, form: str) -> None:
    assert cli("encode", BOARD, "--format", form) == 0
    assert service.ask("encode", {"board": BOARD, "format": form}).json == {"format": form, "text": cli.out}


def test_a_review_is_that_of_the_command(service: Service, cli: Cli, tmp_path: Any) -> None:
    text = played()
    (tmp_path / "game.json").write_text(text, "utf-8")
    told = cli.json("review", str(tmp_path / "game.json"), "--json")
    assert service.ask("review", {"record": text}).json == told
    assert service.ask("review", {"record": json.loads(text)}).json == told


def test_a_generated_layout_is_that_of_the_library(service: Service) -> None:
    found = service.ask("generate", {"preset": "beginner", "seed": 7, "start": [4, 4]}).json
    layout = Layout.random(9, 9, 10, seed=7, start=(4, 4))
    assert found["layout"] == layout.to_object()
    game = Game(layout)
    game.open((4, 4))
    assert Board.parse(found["board"]) == game.board
    solvable = service.ask(
        "generate", {"height": 9, "width": 9, "mines": 20, "seed": 1, "start": [4, 4], "no_guess": True}
    ).json
    assert solvable["layout"] == Layout.no_guess(9, 9, 20, seed=1, start=(4, 4)).to_object()
    drawn = service.ask("generate", {"height": 5, "width": 5, "mines": 1}).json
    again = service.ask("generate", {"height": 5, "width": 5, "mines": 1, "seed": drawn["seed"]}).json
    assert drawn == again
    large = service.ask("generate", {"preset": "beginner", "seed": 1 << 100}).json
    assert large["seed"] == str(1 << 100)


def test_a_board_in_other_forms_is_the_same_board(service: Service) -> None:
    found = service.ask("convert", {"board": MARKED}).json
    assert len(found["forms"]) > 5
    for form, text in found["forms"].items():
        assert Board.parse(text, mines=None, form=form) == Board.parse(MARKED), form
    assert list(service.ask("convert", {"board": MARKED, "to": "line"}).json["forms"]) == ["line"]
    refused = service.ask("convert", {"board": MARKED, "to": ["line", "xml"]})
    assert refused.status == 422
    assert "unknown form for a board 'xml': choose one of" in refused.json["detail"]


def test_a_game_of_another_program_becomes_one_of_msat(service: Service) -> None:
    game = others.played(Layout.random(9, 9, 12, seed=3, start=(4, 4)))
    raw = write_rawvf(game)
    for board in [game.to_json(), raw, others.msor(game)]:
        found = service.ask("convert", {"board": board, "to": ["record", "line"]}).json
        assert Record.parse(found["forms"]["record"]).moves == game.moves
        assert Board.parse(found["forms"]["line"]) == game.game().board
        assert (found["height"], found["width"], found["mines"]) == (9, 9, 12)
    forms = service.ask("convert", {"board": game.to_json()}).json["forms"]
    assert Record.parse(forms["rawvf"]) == Record.parse(raw)


@pytest.mark.parametrize("kind", sorted(others.BINARY))
def test_a_replay_that_is_no_text_becomes_one_of_msat(service: Service, kind: str) -> None:
    pytest.importorskip("ms_toollib")
    game = others.played(Layout.random(9, 9, 12, seed=3, start=(4, 4)))
    file = {"name": f"game.{kind}", "base64": b64encode(others.BINARY[kind](game)).decode()}
    found = service.ask("convert", {"board": file, "to": "record"}).json
    assert Record.parse(found["forms"]["record"]).moves == game.moves
    judged = service.ask("review", {"record": file, "seconds": 0.1}).json
    assert judged["state"] == game.state


@pytest.mark.parametrize(
    ("board", "to", "words"),
    [
        ({"name": "game.avf", "base64": "?"}, "record", "what 'game.avf' holds is not base64"),
        ({"name": "/etc/passwd", "base64": ""}, "record", "empty"),
        ({"name": 3, "base64": ""}, "record", "two texts and no more"),
        ({"name": "a.mbf", "base64": "AwEAAQIA"}, "mbf", "unknown form for a layout 'mbf'"),
        ("RawVF_Version: Rev6.2\nWidth: 3", "record", "no line 'Board:'"),
    ],
)
def test_what_is_no_game_is_told(service: Service, board: Any, to: str, words: str) -> None:
    refused = service.ask("convert", {"board": board, "to": to})
    assert refused.status == 422
    assert words in refused.json["detail"]


@pytest.mark.parametrize(("name", "title"), [(name, title) for name in EXAMPLES for title in EXAMPLES[name]])
def test_examples_are_answered_as_described(service: Service, name: str, title: str) -> None:
    answer = service.ask(name, EXAMPLES[name][title])
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == "application/json"
    msgspec.convert(answer.json, REPLIES[name])


@pytest.mark.parametrize(
    "board",
    [
        BOARD,
        [[-1, -1, 1], [3, -1, 2], [-1, -1, -1]],
        {"height": 3, "width": 3, "rows": ["??1", "3?2", "???"]},
    ],
)
def test_boards_come_in_every_form(service: Service, board: object) -> None:
    mines = {} if isinstance(board, str) else {"mines": 3}
    answer = service.ask("analyze", {"board": board, "fields": ["solutions"], **mines})
    assert answer.json == {"solutions": "4"}


def test_only_the_fields_that_are_asked_for_are_sent(service: Service) -> None:
    assert service.ask("analyze", {"board": BOARD, "fields": ["mined", "best"]}).json == {
        "mined": [[2, 1]],
        "best": {"cell": [2, 2], "safety": 1.0},
    }
    assert service.ask("analyze", {"board": BOARD, "fields": []}).json == {}


def test_a_batch_is_answered_in_order_each_with_its_status(service: Service) -> None:
    requests = [
        {"path": "analyze", "board": BOARD, "fields": ["solutions"]},
        {"path": "explain", "board": BOARD, "cell": [2, 2]},
        {"path": "analyze", "board": "1?/0? 1"},
        {"path": "nothing"},
        {"board": BOARD},
        {"path": "batch", "requests": []},
        {"path": "win", "board": "?1? 1", "often": True},
    ]
    answers = service.ask("batch", {"requests": requests}).json["answers"]
    assert [each["status"] for each in answers] == [200, 200, 422, 404, 404, 404, 422]
    assert answers[0]["body"] == {"solutions": "4"}
    assert answers[1]["body"] == service.ask("explain", {"board": BOARD, "cell": [2, 2]}).json
    assert answers[2]["body"]["clues"] == [[0, 0], [1, 0]]
    for each in answers[2:]:
        assert msgspec.convert(each["body"], Problem).status == each["status"]


def test_a_batch_of_one_shape_is_answered_as_one_by_one(service: Service) -> None:
    boards = ["1???/???? 2", "?1??/???? 2", "????/1111 2", "*???/???? 2", "1?1?/0??? 2", "??3?/???? 4"]
    for fields in (["probability"], ["safe", "mined"], ["solutions", "probability"], None):
        questions = [{"board": board, "fields": fields} for board in boards]
        requests = [{"path": "analyze", **question} for question in questions]
        answers = service.ask("batch", {"requests": requests}).json["answers"]
        alone = [service.ask("analyze", question) for question in questions]
        assert answers == [{"status": each.status, "body": each.json} for each in alone]


def test_a_contradiction_that_is_not_found_out_goes_to_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise InconsistentBoard("no", clues=[(0, 0)], minimal=minimal)

    monkeypatch.setattr("msat.service.answering.ask", fails)
    answering = Answering(Settings(), Pool(1, 0, 256))
    body = msgspec.json.encode({"board": "1?/0? 1"})
    minimal = False
    assert isinstance(answering.begin("cells", body), Dear)
    minimal = True
    with pytest.raises(ServiceProblem):
        answering.begin("cells", body)
    assert isinstance(answering.begin("explain", body), Dear), "nobody has looked for repairs"


@pytest.mark.parametrize(
    ("compiled", "mode", "told"), [(False, "auto", True), (True, "auto", False), (False, "plain", False)]
)
def test_who_came_too_early_is_told_that_it_gets_faster(
    monkeypatch: pytest.MonkeyPatch, compiled: bool, mode: str, told: bool
) -> None:
    """Also by a worker that kept to its budget: "allow more" alone is no help where no more is allowed."""
    late = ServiceProblem(504, "budget", "the game was not reviewed within 30 seconds: allow more")

    async def run(*_: Any) -> tuple[bool, bytes]:
        return False, msgspec.json.encode(late.body)

    monkeypatch.setattr("msat.service.answering.is_compiled", lambda: compiled)
    monkeypatch.setattr("msat.service.answering.mode", lambda: mode)
    pool = Pool(1, 0, 256)
    monkeypatch.setattr(pool, "run", run)
    found = Answering(Settings(), pool).begin("review", msgspec.json.encode({"record": played()}))
    assert isinstance(found, Dear)
    status, body = asyncio.run(found.reply(None))
    added = "; kernels are still being compiled, which makes it faster" if told else ""
    assert (status, msgspec.json.decode(body)["detail"]) == (504, str(late) + added)


def test_an_impossible_board_is_explained(service: Service) -> None:
    told = service.ask("explain", {"board": "1?/0? 1"})
    assert told.status == 422
    assert told.json["clues"] == [[0, 0], [1, 0]]
    assert told.json["repairs"] == [{"cell": [1, 0], "number": 1}]
    assert told.json["text"][0] == "these clues cannot all be true: the 1 at r0c0 and the 0 at r1c0"


@pytest.mark.parametrize("name", ["analyze", "cells", "win", "sample"])
def test_what_is_proven_is_told_where_there_is_no_memory_for_more(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Of `cells`, `sample` and `win` nothing was told but that it was too much."""
    wide = "/".join(["?" * 25, *["?2" * 12 + "?", "?" * 25] * 12])
    board = f"{'?' * 25}/221{'0' * 22}/{'0' * 25}/{wide} 152"
    question = convert(name, {"board": board, "budget": 600})
    monkeypatch.setenv("MSAT_MEMORY", "1K")
    with pytest.raises(BudgetExceeded) as told:
        ask(question)
    assert (0, 2) in told.value.safe
    assert {(0, 0), (0, 1)} <= told.value.mined


def test_types_are_those_of_the_questions() -> None:
    assert read("sample", b'{"board": "?1? 1", "n": 2}') == convert("sample", {"board": "?1? 1", "n": 2})
    with pytest.raises(WrongQuestion, match="n"):
        convert("sample", {"board": "?1? 1", "n": -1})
    with pytest.raises(NotJson):
        read("analyze", b'{"board": "\xff"}')
    assert set(REPLIES) == {*QUESTIONS, "batch"}


def test_what_an_error_carries_is_told() -> None:
    late = BudgetExceeded("too wide", 40, safe=[(1, 0), (0, 1)])
    assert details_of(late) == {"width": 40, "safe": [[0, 1], [1, 0]], "mined": []}
    with pytest.raises(InconsistentBoard) as caught:
        ask(convert("win", {"board": "1?/0? 1"}))
    assert details_of(caught.value)["clues"] == [[0, 0], [1, 0]]


def test_every_question_is_answered_alike_by_jsonl(service: Service, cli: Cli) -> None:
    asked = [
        (name, question) for name in QUESTIONS for question in EXAMPLES[name].values() if name != "batch"
    ]
    lines = "".join(json.dumps(question | {"ask": name}) + "\n" for name, question in asked)
    assert cli("solve", "--jsonl", stdin=lines.encode()) == 0
    told = [json.loads(line) for line in cli.out.splitlines()]
    for (name, question), answer in zip(asked, told, strict=True):
        assert service.ask(name, question).json == without_digits(answer), (name, question)
