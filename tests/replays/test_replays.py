"""Other programs' replays: what their mouse did becomes the moves that were made, with their times.

`MSAT_DAMAGED=1000 pytest tests/replays` tries as many damaged binary replays of each kind; each is read in a
process of its own, so that the suite tries a few.
"""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from msat.errors import MissingPackage, MsatError, RecordError
from msat.game import Game
from msat.layout import Layout
from msat.record import Record
from msat.replays import binary_record, peer, replay_record, write_rawvf
from msat.replays.peer_child import MISSING
from tests.conftest import scaled
from tests.fuzz.mutations import mutate
from tests.support.command import Cli
from tests.support.replay_files import BINARY, evf, msor, played

DAMAGED = int(os.environ.get("MSAT_DAMAGED", "4"))
SEEDS = range(8)


def game_of(seed: int) -> Record:
    """A game with marks and chords, won or lost."""
    return played(Layout.random(9, 9, 10 + 3 * seed, seed=seed, start=(4, 4)))


def raw(events: str, board: str = "0*0\n000", more: str = "") -> str:
    """A RAWVF text."""
    rows = board.splitlines()
    head = f"RawVF_Version: Rev6.2\nProgram: Test\nWidth: {len(rows[0])}\nHeight: {len(rows)}\n{more}"
    return f"{head}Board:\n{board}\nEvents:\n{events}\n"


def moves(text: str) -> list[tuple[str, tuple[int, int]]]:
    """What was done where."""
    return [(move.kind, move.cell) for move in Record.parse(text).moves]


def lines(*events: str) -> str:
    """Events as `lc 1 0`: the name, column and row; times are counted on."""
    found = []
    for number, event in enumerate(events):
        name, column, row = event.split()
        x, y = 16 * int(column) + 5, 16 * int(row) + 3
        found.append(f"{number / 10:.3f} {name} {int(column) + 1} {int(row) + 1} ({x} {y})")
    return "\n".join(found)


def test_games_are_written_as_rawvf_and_read_back() -> None:
    kinds = set()
    for seed in SEEDS:
        record = game_of(seed)
        again = replay_record(write_rawvf(record))
        assert again == record
        kinds |= {move.kind for move in record.moves} | {record.state}
    assert {"open", "chord", "mark", "won", "lost"} <= kinds


def test_times_that_are_not_known_are_those_before() -> None:
    record = game_of(1)
    times = (1.5, *[None] * (len(record.moves) - 1))
    again = replay_record(write_rawvf(Record(record.layout, record.moves, 1.5, None, times)))
    assert set(again.times) == {1.5}


def test_a_game_that_goes_on_and_an_empty_one() -> None:
    record = game_of(1)
    begun = Record(record.layout, record.moves[:3], 1.0, None, record.times[:3])
    assert replay_record(write_rawvf(begun)).moves == begun.moves
    assert replay_record(write_rawvf(Record(Layout.parse("..*"), ()))).moves == ()


@pytest.mark.parametrize(
    ("events", "made"),
    [
        (("lc 0 1", "lr 0 1"), [("open", (1, 0))]),
        (("lc 0 1", "mv 2 1", "lr 2 1"), [("open", (1, 2))]),
        (("lc 0 1", "lr 9 9"), []),
        (("lr 0 1",), []),
        (("rc 1 0", "rr 1 0", "rc 1 0", "rr 1 0"), [("mark", (0, 1)), ("unmark", (0, 1))]),
        (("rc 1 0", "rr 1 0", "lc 1 0", "lr 1 0"), [("mark", (0, 1))]),
        (("lc 0 1", "rc 0 1", "lr 0 1", "rr 0 1"), []),
        (("lc 0 1", "rc 0 1", "rr 0 1", "lr 0 1"), []),
        (("lc 0 1", "rc 0 1", "rr 9 1", "lr 0 1"), []),
        (("mc 0 1", "lc 0 1", "mr 0 1", "lr 0 1"), []),
    ],
)
def test_what_buttons_do(events: tuple[str, ...], made: list[tuple[str, tuple[int, int]]]) -> None:
    assert moves(raw(lines(*events))) == made


@pytest.mark.parametrize(
    "chord",
    [
        ("lc 1 1", "rc 1 1", "lr 1 1", "rr 1 1"),
        ("rc 1 1", "lc 1 1", "rr 1 1", "lr 1 1"),
        ("mc 1 1", "mr 1 1"),
        ("sc 1 1", "lr 1 1"),
        ("lc 0 0", "rc 0 0", "mv 1 1", "lr 1 1", "rr 1 1"),
    ],
)
def test_chords(chord: tuple[str, ...]) -> None:
    begun = ("lc 1 1", "lr 1 1", "rc 1 0", "rr 1 0")
    text = raw(lines(*begun, *chord))
    assert moves(text) == [("open", (1, 1)), ("mark", (0, 1)), ("chord", (1, 1))]
    assert Record.parse(text).won


def test_the_second_of_two_buttons_and_marks_from_before_the_game() -> None:
    events = [[0.0, "pf", 16, 0], [0.0, "lc", 20, 20], [0.0, "lr", 20, 20], [0.5, "lc", 20, 20]]
    events += [[0.6, "cc", 20, 20], [0.7, "lr", 20, 20], [0.8, "rr", 20, 20]]
    record = peer.record_of({"board": [[1, -1, 1], [1, 1, 1]], "pixels": 16, "events": events})
    assert [move.kind for move in record.moves] == ["mark", "open", "chord"]
    assert record.times == (0.0, 0.0, 0.7)


def test_what_programs_were_set_to() -> None:
    thrice = lines("rc 1 0", "rr 1 0", "rc 1 0", "rr 1 0", "rc 1 0", "rr 1 0")
    assert [kind for kind, _ in moves(raw(thrice))] == ["mark", "unmark", "mark"]
    assert [kind for kind, _ in moves(raw(thrice, more="Marks: On\n"))] == ["mark", "unmark"]
    begun = lines("lc 1 1", "lr 1 1", "rc 1 0", "rr 1 0", "lc 1 1", "lr 1 1")
    assert [kind for kind, _ in moves(raw(begun))] == ["open", "mark"]
    assert [kind for kind, _ in moves(raw(begun, more="SuperClick: On\n"))] == ["open", "mark", "chord"]
    assert moves(raw(lines("lc 0 1"), more="Elmar: On\n")) == [("open", (1, 0))]
    corner = lines("lc 0 0", "lr 0 0", "lc 0 1", "lr 0 1", "rc 0 0", "rr 0 0")
    assert moves(raw(corner, "0*\n00\n", "SuperFlag: On\n"))[2:] == []
    narrow = lines("lc 0 0", "lr 0 0", "rc 0 0", "rr 0 0")
    assert moves(raw(narrow, "0*0", "SuperFlag: On\n"))[1:] == [("mark", (0, 1))]
    with pytest.raises(RecordError, match="Nono"):
        replay_record(raw(narrow, more="Nono: On\n"))


def test_other_programs_ways_of_writing_rawvf() -> None:
    vienna = (
        "0.000 start\n0.00 lc 1 2 (3 20)\n-1.50 lr 1 2 (3 20) (l)\npressed 1 2\nnumber1 1 2\n1.000 won\nwon"
    )
    record = replay_record(raw(vienna))
    assert (record.moves[0].cell, record.times) == ((1, 0), (0.0,))
    from_nought = "0.100 lc 0 1 (10 70)\n0.200 lr 0 1 (10 70)"
    assert moves(raw(from_nought, more="SquareSize: 64\n")) == [("open", (1, 0))]
    assert moves(raw("1.2 lc 1 2\n1.3 lr 1 2")) == [("open", (1, 0))]
    assert moves(raw("1.2 lc 1 2\n1.3 lr 1 2").replace("\n", "\r\n")) == [("open", (1, 0))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RawVF_Version: Rev6.2\n", "has no line 'Board:'"),
        ("RawVF_Version: Rev6.2\nBoard:\n0*\nEvents:\n", "tells no Width: and Height:"),
        (raw("").replace("Events:", ""), "has no line 'Events:'"),
        (raw("").replace("Width: 3", "Width: 4"), "the settings promise a 2×4 board, it is 2×3"),
        (raw("").replace("Width: 3", "Width: 30000"), "30000"),
        (raw("", more="Mines: 2\n"), "the settings promise 2 mines, the board has 1"),
        (raw("").replace("0*0", "0x0"), "line 6, column 2: 'x'"),
        (raw("1.2 zz 1 1 (3 3)"), "is no event such as"),
        (raw("1.2 lc"), "does not say where"),
        (raw("hello"), "line 9: 'hello' is no event"),
        (raw("", more="Status: won\n"), "the replay says that the game was won, its events leave it playing"),
    ],
)
def test_damaged_rawvf(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        replay_record(text)
    assert message in str(caught.value)


def test_games_as_the_web_analyser_replays_them() -> None:
    states = set()
    for seed in SEEDS:
        record = game_of(seed)
        assert replay_record(msor(record)) == record
        states.add(record.state)
    assert states == {"won", "lost"}


def edited(change: str) -> str:
    """A replay of the web analyser with something else in it."""
    found = json.loads(msor(game_of(0)))
    exec(change, {"header": found["header"], "replay": found["replay"], "found": found})
    return json.dumps(found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("header['mines'] = 11", "the replay ends before the game does"),
        ("header['width'] = 'x'", "header: 'width' is \"x\", not a whole number"),
        ("header['width'] = 10**9", "1000000000"),
        ("replay[1]['x'] = 99", "replay[1]: column 99, row"),
        ("replay[0]['type'] = 7", "replay[0]: 'type' is 7: it is 0 (click), 1 (mark) or 3 (chord)"),
        ("replay[0]['time'] = -5", "replay[0]: 'time' is -5, not milliseconds"),
        ("replay[0]['touchCells'].pop()", "5 for each cell"),
        ("replay[0]['touchCells'][2] = 77", "has the value 77"),
        ("replay[0]['touchCells'][2] = 8", "replay[0]: the step shows"),
        ("replay.pop()", "the replay ends before the game does"),
        ("replay.append(replay[-1])", "the game is won before this step"),
        ("found['replay'] = 3", "'replay' is 3, not a list"),
        ("replay[0] = 3", "replay[0] is 3, not an object"),
    ],
)
def test_damaged_msor(change: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        replay_record(edited(change))
    assert message in str(caught.value)


@pytest.mark.parametrize("kind", ["rawvf", "msor"])
def test_text_replays_damaged_in_a_thousand_ways(kind: str) -> None:
    random = Random(kind)
    whole = (write_rawvf(game_of(0)) if kind == "rawvf" else msor(game_of(0))).encode()
    read = 0
    for _ in range(scaled(1000)):
        text = mutate(whole, [whole], random).decode("utf-8", "replace")
        record = None
        with suppress(MsatError):
            record = Record.parse(text)
            read += 1
        assert record is None or Record.from_json(record.to_json()) == record
    assert read > 0


needs_peer = pytest.mark.skipif(
    not pytest.importorskip("importlib.util").find_spec("ms_toollib"), reason="ms_toollib is not installed"
)


@needs_peer
@pytest.mark.parametrize("kind", BINARY)
@pytest.mark.parametrize("seed", [0, 5])
def test_binary_replays(kind: str, seed: int, tmp_path: Path) -> None:
    record = game_of(seed)
    file = tmp_path / f"game.{kind.upper()}"
    file.write_bytes(BINARY[kind](record))
    again = Record.load(file)
    assert again.moves == record.moves
    assert again.layout == record.layout
    if kind != "evf":  # the writer of which has a clock of its own
        assert again.times == record.times


@needs_peer
@pytest.mark.parametrize("kind", BINARY)
def test_damaged_binary_replays(kind: str) -> None:
    random = Random(kind)
    whole = BINARY[kind](game_of(0))
    broken = [whole[: random.randrange(1, len(whole))] for _ in range(DAMAGED // 4)]
    while len(broken) < DAMAGED:
        data = bytearray(mutate(whole, [whole], random) if random.random() < 0.5 else whole)
        for _ in range(random.randint(1, 8)):
            if data:
                data[random.randrange(len(data))] = random.randrange(256)
        broken.append(bytes(data))
    for each in broken:
        record = None
        with suppress(RecordError):
            record = binary_record(each, f"game.{kind}")
        assert record is None or Record.from_json(record.to_json()) == record


@needs_peer
def test_what_is_no_replay_is_one_line_and_leaves_nothing_behind(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # ms_toollib writes the log of its crash where it was started
    file = tmp_path / "game.avf"
    file.write_bytes(b"no replay at all")
    assert cli("review", str(file)) == 2
    assert cli.err == f"msat: {file}: no AVF replay, or a damaged one: ms_toollib cannot read it\n"
    assert list(tmp_path.iterdir()) == [file]


@needs_peer
def test_commands_take_replays(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "game.evf"
    record = game_of(0)
    file.write_bytes(evf(record))
    assert cli("watch", str(file)) == 0, cli.err
    assert "won" in cli.out.lower()
    assert cli("solve", str(file), "--move", "1") == 0, cli.err
    text = tmp_path / "game.rawvf"
    text.write_text(write_rawvf(record))
    assert cli("review", str(text), "--seconds", "0.5") == 0, cli.err
    assert "won" in cli.out.lower()


def test_without_ms_toollib_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    child = Path(peer.__file__).with_name("peer_child.py").read_text()
    assert "except ImportError:\n        return MISSING" in child
    done = type("Done", (), {"returncode": MISSING, "stdout": b""})
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    with pytest.raises(MissingPackage, match="ms_toollib"):
        binary_record(b"x", "game.avf")


def test_names_of_players_may_be_in_any_code(tmp_path: Path) -> None:
    """As those of replays that were made by Arbiter on a Chinese system, and converted."""
    text = raw(lines("lc 0 1", "lr 0 1"), more="Player: 王\n")
    (tmp_path / "a.rawvf").write_bytes(text.encode("gbk"))
    assert Record.load(tmp_path / "a.rawvf") == replay_record(text)
    (tmp_path / "b.rawvf").write_bytes("Player: 王\n".encode("gbk"))
    with pytest.raises(RecordError, match="is not UTF-8"):
        Record.load(tmp_path / "b.rawvf")


@pytest.mark.parametrize("text", ["", "hello", "?1? 1"])
def test_what_is_no_game_at_all(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(RecordError, match="neither a record of msat, which is JSON, nor a replay"):
        Record.load(tmp_path / "a.txt")


def test_a_replay_is_a_game_like_another(tmp_path: Path) -> None:
    record = game_of(2)
    (tmp_path / "a.rawvf").write_text(write_rawvf(record))
    found = Record.load(tmp_path / "a.rawvf")
    assert isinstance(found.game(), Game)
    found.save(tmp_path / "a.json")
    assert Record.load(tmp_path / "a.json") == found == record
