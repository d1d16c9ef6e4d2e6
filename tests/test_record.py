"""Records: saved, loaded and replayed they stay the same; damaged ones are refused with the place."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msat.errors import FileError, MissingFile, MsatError, RecordError, WrongType
from msat.game import Game
from msat.layout import Layout
from msat.record import Move, Record
from tests.support.values import games

LAYOUT = Layout.parse("....\n....\n...*\n*...\nstart: 0 0")


def a_game() -> Game:
    """Two guesses, of which the second is fatal."""
    game = Game(LAYOUT, strategy="brave")
    game.open((0, 0), reason="the start")
    game.mark((3, 0))
    game.open((3, 3), probability=0.5, reason="why not")
    game.open((2, 3), probability=0.25)
    return game


def says(message: str) -> str:
    """`message`, to be found as it is."""
    return re.escape(message)


def test_a_record_tells_what_happened() -> None:
    record = a_game().record
    assert (record.layout, record.strategy, record.state) == (LAYOUT, "brave", "lost")
    assert (record.won, record.lost) == (False, True)
    assert record.moves == (
        Move("open", (0, 0), None, "the start"),
        Move("mark", (3, 0)),
        Move("open", (3, 3), 0.5, "why not"),
        Move("open", (2, 3), 0.25),
    )
    assert record.guesses == (((3, 3), 0.5), ((2, 3), 0.25))
    assert record.success_probability == 0.125
    assert record.seconds > 0


def test_without_a_guess_success_is_certain() -> None:
    game = Game(LAYOUT)
    game.open((0, 0))
    game.open((3, 3), probability=1.0)
    assert game.record.guesses == ()
    assert game.record.success_probability == 1.0
    assert (game.record.state, game.record.won, game.record.lost) == ("playing", False, False)


@pytest.mark.parametrize("half", [Fraction(1, 2), np.float32(0.5)])
def test_whatever_number_is_claimed_can_be_saved(half: Any) -> None:
    game = Game(LAYOUT)
    game.open((0, 0), probability=half)
    assert Record.from_json(game.record.to_json()).guesses == (((0, 0), 0.5),)


def test_moves_taken_back_are_not_in_the_record() -> None:
    game = a_game()
    game.undo()
    assert [move.cell for move in game.record.moves] == [(0, 0), (3, 0), (3, 3)]
    for cell in [(3, 1), (3, 2)]:
        game.open(cell)
    assert game.record.won


def test_a_record_is_a_value() -> None:
    game = a_game()
    record = game.record
    assert record == game.record
    assert hash(record) == hash(game.record)
    game.undo()
    assert len(record.moves) == 4
    assert record != game.record
    assert record != record.moves
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record
    with pytest.raises(AttributeError):
        record.moves = ()  # type: ignore[misc]


def test_a_record_shows_itself_short() -> None:
    """At a prompt a game of an expert board filled 400 lines."""
    moves = (Move("mark", (0, 2)), Move("open", (0, 0)))
    assert (
        repr(Record(Layout.parse("..*"), moves, 1.5, "safest"))
        == "<Record: won after 2 moves by safest on 1×3 with 1 mine>"
    )
    backwards = Record(Layout.parse("..*"), moves[::-1], 1.5, "\x1b" * 1000)
    name = r"\x1b" * 37 + "…"
    assert repr(backwards) == f"<Record: not playable after 2 moves by {name} on 1×3 with 1 mine>"
    assert repr(Game(Layout.parse("..*")).record) == "<Record: playing after 0 moves on 1×3 with 1 mine>"


def test_a_game_can_be_taken_up_at_any_move() -> None:
    record = a_game().record
    assert record.game(0).moves == ()
    middle = record.game(upto=2)
    assert middle.moves == record.moves[:2]
    assert middle.open((3, 1)) == ((3, 1),)
    assert record.game().exploded == (2, 3)
    for wrong in (-1, 5):
        with pytest.raises(
            RecordError, match=says(f"upto={wrong} is not a number of moves of this record: give 0 to 4")
        ):
            record.game(wrong)


@given(games())
def test_saved_and_loaded_a_record_is_the_same(game: Game) -> None:
    record = game.record
    again = Record.from_json(record.to_json())
    assert again == record
    assert again.state == game.state
    assert again.game().board == game.board


@given(games())
def test_replay_shows_the_board_after_each_move(game: Game) -> None:
    boards = list(game.record.replay())
    assert boards == [game.record.game(upto).board for upto in range(1, len(game.moves) + 1)]
    assert [game.board] == boards[-1:] or not game.moves


def test_a_file_is_written_whole_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first, second = Game(LAYOUT).record, a_game().record
    for record in (first, second):
        record.save(file)
        assert Record.load(file) == Record.load(str(file)) == record
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    before = a_game().record
    before.save(file)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Game(LAYOUT).record.save(file)
    assert Record.load(file) == before
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_file_that_cannot_be_written_or_read(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "game.json"
    with pytest.raises(FileError, match=says(f"{nowhere}: cannot be written: No such file or directory")):
        a_game().record.save(nowhere)
    for kind in (MissingFile, FileNotFoundError):
        with pytest.raises(kind, match=says(f"{nowhere}: No such file or directory")):
            Record.load(nowhere)
    with pytest.raises(FileError, match=says(str(tmp_path))):
        Record.load(tmp_path)
    binary = tmp_path / "game.bin"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match=says(f"{binary}: not text: byte 0 (0xff) is not UTF-8")):
        Record.load(binary)


def test_a_record_is_read_from_text() -> None:
    with pytest.raises(WrongType, match="text is read from a str, not from NoneType: None"):
        Record.from_json(None)  # type: ignore[arg-type]


def test_a_truncated_file_is_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(a_game().record.to_json()[:-20], "utf-8")
    with pytest.raises(RecordError, match=says(f"{file}: line 5, column ")):
        Record.load(file)


MOVE = {"kind": "open", "cell": [0, 0], "probability": None, "reason": ""}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "pgn"}, 'not a record of msat: \'format\' is "pgn", not "msat-record"'),
        ({"version": 3}, "'version' is 3: this msat reads versions 1 to 2"),
        ({"version": 0}, "'version' is 0: this msat reads versions 1 to 2"),
        ({"version": True}, "'version' is true: this msat reads versions 1 to 2"),
        ({"version": None}, "'version' is null: this msat reads versions 1 to 2"),
        ({"extra": 1}, "unknown key 'extra': the keys are format, version, layout, moves, strategy, seconds"),
        ({"strategy": 1}, "'strategy' is 1, not a text"),
        ({"seconds": "1"}, "'seconds' is \"1\", not a number"),
        ({"seconds": -1}, "seconds=-1.0 is not a duration: give 0 or more"),
        ({"seconds": float("nan")}, "not usable JSON: NaN is no JSON number"),
        ({"layout": []}, "'layout' is [], not an object"),
        (
            {"layout": {}},
            "layout: the key 'height' is missing: the keys are height, width, mines, rows, start",
        ),
        ({"moves": {}}, "'moves' is {}, not a list"),
        ({"moves": [7]}, "moves[0] is 7, not an object"),
        (
            {"moves": [{}]},
            "moves[0]: the key 'kind' is missing: the keys are kind, cell, probability, reason, seconds",
        ),
        (
            {"moves": [MOVE | {"kind": "flag"}]},
            "moves[0]: 'kind' is \"flag\": choose one of open, chord, mark, unmark",
        ),
        (
            {"version": 1, "moves": [MOVE | {"kind": "chord"}]},
            "moves[0]: 'kind' is \"chord\": choose one of open, mark, unmark",
        ),
        (
            {"version": 1, "moves": [MOVE | {"seconds": 1}]},
            "moves[0]: unknown key 'seconds': the keys are kind, cell, probability, reason",
        ),
        ({"moves": [MOVE | {"seconds": "1"}]}, "moves[0]: 'seconds' is \"1\", not a number"),
        ({"moves": [MOVE | {"seconds": -1}]}, "moves[0]: seconds=-1.0 is not a time: give 0 or more"),
        (
            {"moves": [MOVE | {"kind": "chord"}]},
            "moves[0], chord (0, 0), does not replay: "
            "(0, 0) shows no number: a chord needs one with all its mines marked",
        ),
        ({"moves": [MOVE | {"cell": [0]}]}, "moves[0]: 'cell' is [0], not [row, column]"),
        ({"moves": [MOVE | {"cell": [0, 1.5]}]}, "moves[0]: 'cell' is [0, 1.5], not [row, column]"),
        ({"moves": [MOVE | {"reason": None}]}, "moves[0]: 'reason' is null, not a text"),
        ({"moves": [MOVE | {"probability": "1"}]}, "moves[0]: 'probability' is \"1\", not a number"),
        (
            {"moves": [MOVE | {"probability": 2}]},
            "moves[0], open (0, 0), does not replay: "
            "probability=2.0 is not one: give a number between 0 and 1",
        ),
        (
            {"moves": [MOVE | {"cell": [9, 9]}]},
            "moves[0], open (9, 9), does not replay: "
            "(9, 9) is not on the 4×4 board: rows 0 to 3, columns 0 to 3",
        ),
        ({"moves": [MOVE, MOVE]}, "moves[1], open (0, 0), does not replay: (0, 0) is open already"),
        (
            {"moves": [MOVE | {"cell": [2, 3]}, MOVE]},
            "moves[1], open (0, 0), does not replay: the game is lost: undo() takes the last move back",
        ),
    ],
)
def test_damaged_records(change: dict[str, Any], message: str) -> None:
    good = json.loads(Game(LAYOUT).record.to_json())
    with pytest.raises(RecordError) as caught:
        Record.from_json(json.dumps(good | change))
    assert str(caught.value) == message


def test_marks_claim_nothing() -> None:
    game = Game(LAYOUT)
    game.mark((3, 0))
    damaged = game.record.to_json().replace('"probability": null', '"probability": 0.5')
    with pytest.raises(RecordError, match=says("moves[0]: a mark has no probability and no reason")):
        Record.from_json(damaged)


@given(st.data())
def test_a_record_with_a_changed_byte_is_read_or_refused(data: st.DataObject) -> None:
    text = Record(LAYOUT, a_game().moves, seconds=1.5).to_json()  # a measured time would differ in each run
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.characters(codec="utf-8")) + text[at + 1 :]
    try:
        record = Record.from_json(changed)
    except MsatError:
        return
    assert Record.from_json(record.to_json()) == record


def test_a_pipe_is_written_and_never_replaced(tmp_path: Path) -> None:
    """A rename would put a file in place of a device such as /dev/null, for everybody on the machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        record = Game(Layout.parse("..*")).record
        record.save(pipe)
        assert os.read(reader, 1 << 16).decode() == record.to_json()
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.touch()
    link.symlink_to(target)
    record = Game(Layout.parse("..*")).record
    record.save(link)
    assert link.is_symlink()
    assert Record.load(target) == record


def test_version_1_is_still_read() -> None:
    record = a_game().record
    found = json.loads(record.to_json())
    for move in found["moves"]:
        del move["seconds"]
    old = Record.from_json(json.dumps(found | {"version": 1}))
    assert (old.moves, old.layout, old.seconds) == (record.moves, record.layout, record.seconds)
    assert old.times == (None,) * len(record.moves)
    assert json.loads(old.to_json())["version"] == 2


def test_chords_and_times_are_saved_and_replayed() -> None:
    game = Game(Layout.parse(".*.\n...\n..."))
    game.open((1, 1))
    game.mark((0, 1))
    opened = game.chord((1, 1), probability=0.5, reason="a try")
    assert game.board.hidden == ()
    record = game.record
    assert Record.from_json(record.to_json()) == record
    assert [move.kind for move in record.moves] == ["open", "mark", "chord"]
    assert record.guesses == (((1, 1), 0.5),)
    assert list(record.replay())[-1] == game.board
    times = [time for time in record.times if time is not None]
    assert len(times) == 3
    assert times == sorted(times)
    assert record.seconds == times[-1]
    assert len(opened) == 7


def test_a_game_that_is_played_on_keeps_its_times() -> None:
    record = Record(LAYOUT, (Move("open", (0, 0)), Move("mark", (2, 3))), 70.0, None, (10.0, 70.0))
    game = record.game()
    game.open((3, 0))
    times = game.record.times
    assert times[:2] == (10.0, 70.0)
    assert times[2] is not None
    assert times[2] >= 70.0
    game.undo()
    assert game.record.times == (10.0, 70.0)


def test_times_that_are_none() -> None:
    with pytest.raises(RecordError, match="1 times are not those of 0 moves: give one each"):
        Record(LAYOUT, (), times=(1.0,))
