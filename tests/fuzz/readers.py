"""Every reader of msat, as a function of bytes: what takes text, files or lines that may come from anybody.

A reader gets the bytes to where they would be read, and then asks of what was read all that a user would: it
is printed, replayed, added up. It returns, or raises an `MsatError`; anything else is a fault.
"""

from __future__ import annotations

import importlib
import io
import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from msat.arena import Plan, Settings, Sprt, Sweep, page
from msat.arena.folder import Code, Folder
from msat.arena.journal import Journal
from msat.arena.plan import Plan as ArenaPlan
from msat.bench.comparison import compare as compare_runs
from msat.bench.report import Report as BenchReport
from msat.bench.report import ReportRow, SuiteAnswers
from msat.board import Board
from msat.cli.jsonl import serve
from msat.errors import MsatError
from msat.formats import FORMS, LAYOUT_FORMS
from msat.formats.source import decode_text
from msat.game import Game
from msat.layout import Layout
from msat.record import Record
from msat.replays import is_replay, write_rawvf
from msat.replays.peer import record_of
from msat.strategies import naming
from msat.tui.app import storage
from msat.tui.app.session import Session, ViewerSettings
from msat.tui.step import steps_of
from msat.tui.summary import conclusion
from tests.fuzz.asking import BODIES, LINES, read_body, read_lines
from tests.fuzz.pasting import FILES, LONG, PASTED, read_file, read_long, read_pasted, read_review
from tests.support.replay_files import msor

__all__ = ["READERS", "Reader"]


class Reader(NamedTuple):
    """A way in: its name, inputs to begin with, and the function that reads."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]


def _board_text(data: bytes) -> None:
    board = Board.parse(decode_text(data, "the input"))
    for form in FORMS:
        assert Board.parse(board.to_text(form), form=form) == board


def _plain(data: bytes) -> Any:
    """Any value that Python's own reader makes of the bytes; what is none is no input."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _board_object(data: bytes) -> None:
    board = Board.from_object(_plain(data), mines=None)
    assert Board.from_object(json.loads(board.to_text("json"))) == board


def _array(data: bytes) -> None:
    found = _plain(data)
    mines = found.pop() if isinstance(found, list) and found else 1
    board = Board.from_array(found, mines)
    assert Board.from_array(board.to_array(), board.mines) == board


def _layout_text(data: bytes) -> None:
    layout = Layout.parse(decode_text(data, "the input"))
    for form in LAYOUT_FORMS:
        again = Layout.parse(layout.to_text(form))
        assert again.mask == layout.mask


def _layout_object(data: bytes) -> None:
    layout = Layout.from_object(_plain(data))
    assert Layout.from_object(layout.to_object()) == layout


def _mbf(data: bytes) -> None:
    layout = Layout.from_mbf(data)
    assert Layout.from_mbf(layout.to_mbf()) == layout


def _link(data: bytes) -> None:
    text = decode_text(data, "the input")
    for kind in (Board, Layout):
        try:
            value = kind.parse(text)
        except MsatError:
            continue
        assert kind.parse(value.to_text("link")).to_text("link") == value.to_text("link")


def _board_file(data: bytes) -> None:
    text = decode_text(data, "the input")
    try:
        board = Board.parse(text)
    except MsatError:
        layout = Layout.parse(text)
        assert Layout.parse(layout.to_text("board")).mask == layout.mask
    else:
        assert Board.parse(board.to_text("board")) == board


def _replayed(record: Record) -> None:
    assert Record.from_json(record.to_json()) == record
    again = Record.parse(write_rawvf(record))
    assert again.moves == record.moves
    assert again.layout.mask == record.layout.mask


def _replay(data: bytes) -> None:
    text = decode_text(data, "the input")
    if is_replay(text):
        _replayed(Record.parse(text))


def _binary_replay(data: bytes) -> None:
    _replayed(record_of(_plain(data)))


def _record(data: bytes) -> None:
    record = Record.from_json(decode_text(data, "the input"))
    assert Record.from_json(record.to_json()) == record
    decisions = [step.decision for step in steps_of(record)]
    assert all(map(str.isprintable, decisions))
    assert conclusion(record, len(decisions), "step")


def _session(data: bytes) -> None:
    session = storage.parse(decode_text(data, "the input"))
    again = storage.parse(storage.dump(session))
    assert again.settings == session.settings
    assert again.board == session.board
    session.choose(seed=1)
    session.new()


@cache
def _place() -> Path:
    """A directory for folders, in memory where there is one."""
    shared = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="msat-fuzz-", dir=shared if shared.is_dir() else None))


def _report(folder: Path) -> None:
    text = page([folder], report=lambda message: None)
    assert text.replace("\n", "").isprintable()


def _run_json(data: bytes) -> None:
    folder = _place() / "run"
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_bytes(data)
    (folder / "games.jsonl").write_text(_GAMES)
    _report(folder)
    settings = Folder.open(folder).settings
    if "a" not in settings and "plan" not in settings:
        assert ArenaPlan.from_object(settings).name


def _journal(kind: str, version: int) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        folder = _place() / f"journal-{kind}-{version}"
        if not folder.exists():
            Folder.create(folder, kind, _SETTINGS[kind], Code("0" * 16))
            if version == 1:
                head = json.loads((folder / "run.json").read_text()) | {"version": 1}
                (folder / "run.json").write_text(json.dumps(head))
        (folder / "games.jsonl").write_bytes(data)
        if len(data) % 2:  # as it came, or as it is when a run goes on: a report takes longer than reading
            _report(folder)
        else:
            with Journal(folder / "games.jsonl"):
                _report(folder)

    return read


def _service(data: bytes) -> None:
    out = io.StringIO()
    defaults = {"mines": None, "form": None, "engine": "auto", "budget": 0.2, "marks": "judge"}
    serve(io.BytesIO(data), out, defaults)
    for line in out.getvalue().splitlines():
        answer = json.loads(line)
        assert isinstance(answer, dict)
        message = answer.get("error", {}).get("message", "")
        assert len(message) < 2000


def _bench(data: bytes) -> None:
    report = BenchReport.from_json(decode_text(data, "the input"))
    for row in report.rows:
        assert row.summary()
    assert len(compare_runs(report, report)) == len(report.rows)


def _strategy(data: bytes) -> None:
    def only_ours(name: str) -> Any:
        if not name.startswith("msat.strategies."):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return load(name)

    load = importlib.import_module
    text = data.decode("utf-8", "surrogateescape")
    with mock.patch.object(naming, "import_module", only_ours):
        strategy = naming.load(text)
    assert repr(strategy)


_PLAN = Plan("logic", 4, 4, 2, games=3)
_OTHER = Plan("safest", 4, 4, 2, games=3)
_SETTINGS = {
    "sim": _PLAN.to_object(),
    "compare": Settings(_PLAN, _OTHER, Sprt()).to_object(),
    "sweep": Sweep(_PLAN, "start", ("0,0", "1,1")).to_object(),
}
_LINE: dict[str, Any] = {
    "game": 0,
    "seed": 1 << 32,
    "index": 0,
    "won": True,
    "moves": 3,
    "bbbv": 2,
    "openings": 1,
    "islands": 1,
}
_LINE |= {"seconds": 0.001, "guesses": [["guess", [0, 1], 0.5, True]]}
_GAMES = "".join(
    json.dumps(_LINE | {"game": game, "seed": (1 << 32) + game, "slow": 2.5}) + "\n" for game in range(3)
)
_PAIRS = "".join(
    json.dumps({"game": game, "a": _LINE, "b": _LINE | {"won": False}}) + "\n" for game in range(3)
)


def _lines(text: str) -> bytes:
    """The lines with their checksums."""
    from msat.arena.journal import line_of

    return "".join(line_of(json.loads(line)) for line in text.splitlines()).encode()


def _run_seeds() -> tuple[bytes, ...]:
    found = []
    for kind, settings in _SETTINGS.items():
        head = {"format": "msat-run", "version": 1, "msat": "0.1.0", "kind": kind, "settings": settings}
        found.append(json.dumps(head).encode())
        head |= {"version": 2, "code": "0" * 16, "values": {"pause": 0.5}, "check": "00000000"}
        found.append(json.dumps(head).encode())
    return tuple(found)


def _played() -> Record:
    game = Game(Layout.parse("..*.\n...*\n...."), "best")
    game.open((2, 0), probability=0.75, reason="a try")
    game.mark((0, 2))
    return game.record


def _won() -> Record:
    game = Game(Layout.parse("..*.\n...*\n...."))
    for cell in ((2, 0), (0, 3), (1, 2), (2, 3)):
        if game.board[cell] < 0 and game.state == "playing":
            game.open(cell)
    return game.record


_QUERIES = ("analysis=adabaaabSlS", "analysis=adacaaadSkDSAw1S", "b=1&m=00g0080a002100s00", "b=0302&m=q0")
_BOARD_FILE = Board.parse("??1/3*2/??? 3").to_text("board").encode() + b"\n[real]\n*11\n32*\n*21\n"
_PEER = json.dumps(
    {
        "board": [[0, 1, -1], [0, 1, 1]],
        "pixels": 16,
        "mode": 0,
        "events": [[0.0, "lc", 3, 3], [0.1, "lr", 3, 3], [0.5, "rc", 40, 3], [0.6, "rr", 40, 3]],
    }
).encode()
_BOARD = b"??1/3?2/??? 3"
_OBJECT = b'{"height": 2, "width": 3, "mines": 3, "rows": ["??1", "3?2"]}'
_LAYOUT_OBJECT = b'{"height": 2, "width": 3, "mines": 2, "start": [0, 0], "rows": ["..*", ".*."]}'


def _requests() -> tuple[bytes, ...]:
    whole = {"id": 7, "board": "??1/3?2/???", "mines": 3, "engine": "counting", "budget": 0.1, "form": "line"}
    rows = {"board": [[-1, -1, 1], [3, -2, 2]], "mines": 3, "id": "x"}
    both = json.dumps(whole).encode() + b"\n" + json.dumps(rows).encode() + b"\n"
    return (both, b'"??1/3?2/??? 3"\n\n{}\n', b'{"board": ' + _OBJECT + b', "engine": "sat"}')


def _sessions() -> tuple[bytes, ...]:
    played = Session.of_record(_played(), ViewerSettings(start=(0, 0), seed=3))
    return tuple(
        storage.dump(each).encode() for each in (played, Session.of_board(Board.parse("??1/3?2/??? 3")))
    )


def _benched() -> bytes:
    row = ReportRow("expert", "counting", "forced", 2, [[2e-5, 4e-5]] * 3, "==", [1e-3] * 3)
    suite = SuiteAnswers("expert", "0123456789abcdef", ["ed652ad6", "ed652ad7"])
    return BenchReport("0.1.0", {"cpu": "x"}, [suite], [row], {"ganak": "missing"}).to_json().encode()


READERS: tuple[Reader, ...] = (
    Reader("board text", (_BOARD, b"? ? 1\n3 ? 2\nmines: 3\n", b"3x2x3\nHH1\n3F2\n", _OBJECT), _board_text),
    Reader("pasted", PASTED, read_pasted),
    Reader("long", LONG, read_long),
    Reader("board object", (_OBJECT,), _board_object),
    Reader("array", (b"[[-1, -1, 1], [3, -2, 2], 3]", b"[[-1.0, 2], [0, 8], 1]"), _array),
    Reader("layout text", (b"..*\n.*.\nstart: 0 0\n", _LAYOUT_OBJECT, b"3x2x2\nHHM\nHM1\n"), _layout_text),
    Reader("layout object", (_LAYOUT_OBJECT,), _layout_object),
    Reader("mbf", (b"\x03\x02\x00\x02\x02\x00\x01\x01",), _mbf),
    Reader("link", tuple(f"?{query}".encode() for query in _QUERIES), _link),
    Reader("board file", (_BOARD_FILE,), _board_file),
    Reader("conversion", (*FILES, b"game\n" + write_rawvf(_won()).encode()), read_file),
    Reader("review page", (_won().to_json().encode(), write_rawvf(_played()).encode()), read_review),
    Reader("rawvf", (write_rawvf(_played()).encode(),), _replay),
    Reader("msor", (msor(_won()).encode(),), _replay),
    Reader("binary replay", (_PEER,), _binary_replay),
    Reader("record", (_played().to_json().encode(),), _record),
    Reader("session", _sessions(), _session),
    Reader("run.json", _run_seeds(), _run_json),
    Reader("journal", (_lines(_GAMES), _lines(_GAMES)[:-9]), _journal("sim", 2)),
    Reader("old journal", (_GAMES.encode(),), _journal("sim", 1)),
    Reader("pairs", (_lines(_PAIRS),), _journal("compare", 2)),
    Reader("old pairs", (_PAIRS.encode(),), _journal("compare", 1)),
    Reader("service", _requests(), _service),
    Reader("questions", LINES, read_lines),
    Reader("requests", BODIES, read_body),
    Reader("bench", (_benched(),), _bench),
    Reader("strategy", (b"best:seconds=1,layouts=2000", b"msat.strategies.logic:Logic", b"chain"), _strategy),
)


def reader(name: str) -> Reader:
    """The reader of this name."""
    for each in READERS:
        if each.name == name:
            return each
    raise MsatError(f"there is no reader {name!r}: choose one of {', '.join(each.name for each in READERS)}")
