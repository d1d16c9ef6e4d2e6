"""RAWVF, the replay that people can read: settings, the mines, and every event of the mouse, a line each.

    RawVF_Version: Rev6.2
    Width: 3
    Height: 1
    Mines: 1
    Board:
    00*
    Events:
    0.000 lc 1 1 (8 8)
    0.120 lr 1 1 (8 8)

An event has its time in seconds, its name, column and row, which some programs count from 0 and others from
1, and the place in pixels, which all count alike: the place decides. What the board shows (`number1 …`) and
how the game ends follow from the mouse, and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from msat.board import PRESETS
from msat.cells import check_size
from msat.errors import RecordError
from msat.formats.parsed import rows_of
from msat.formats.source import Line, check_rows, lines_of, number_in, quote, read_row
from msat.game import State
from msat.kinds import given
from msat.layout import Layout
from msat.limits import RECORD_BYTES
from msat.record import Record
from msat.replays.mouse import EVENTS, Mouse

__all__ = ["looks_like", "parse", "write"]

_PIXELS = 16
_CELLS = {"*": 1, "0": 0}
_EVENT = re.compile(
    r"(-?)([0-9]{1,9}(?:\.[0-9]{1,6})?) +([a-z]+)(?: +(-?[0-9]{1,6}) +(-?[0-9]{1,6}))?"
    r"(?: *+\( *+(-?[0-9]{1,6}) ++(-?[0-9]{1,6}) *+\))?(?: *+\( *+l?r?m? *+\))? *+"
)
_TOLD = re.compile(
    r"(?:-?[0-9]{1,9}(?:\.[0-9]{1,6})? +)?(number[0-8]|closed|flag|pressed|pressedqm|questionmark|blast|boom|"
    r"start|won|lost|loss|nonstandard|sx|sy|mine|question|Cell|Flag|Questionmark|Solved|Toggle)\b.*",
    re.ASCII,
)
_STATES = {"won": "won", "win": "won", "lost": "lost", "loss": "lost"}


def looks_like(text: str) -> bool:
    """Whether a text begins as a replay does."""
    return re.match(r"\ufeff?\s*RawVF_Version\s*:", text[:200], re.IGNORECASE) is not None


def parse(text: str) -> Record:
    """The game that the events of the mouse make."""
    if len(text) > RECORD_BYTES:
        raise RecordError(f"the text has {len(text):,} characters: at most {RECORD_BYTES:,} are read")
    lines = iter(lines_of(text, RecordError, RECORD_BYTES))
    settings: dict[str, tuple[Line, str]] = {}
    for line in lines:
        key, colon, value = (part.strip() for part in line.text.partition(":"))
        if not colon:
            raise RecordError(f"{line}: {quote(line.text)} is not a setting such as 'Width: 30'")
        if key.lower() == "board":
            break
        settings[key.lower()] = (line, value)
    else:
        raise RecordError("the RAWVF text has no line 'Board:', after which the mines are")
    layout = _layout(settings, lines)
    mouse = Mouse(layout, *(_is_on(settings, key) for key in ("marks", "superclick", "superflag", "elmar")))
    if _is_on(settings, "nono"):
        raise RecordError(
            "the replay was played with 'Nono: On', where movements mark cells: that is not read"
        )
    pixels = _number(settings, "squaresize") or _PIXELS
    for line in lines:
        _event(line, mouse, pixels)
    status = settings.get("status", (None, ""))[1].lower()
    return mouse.record(cast("State | None", _STATES.get(status)))


def _is_on(settings: dict[str, tuple[Line, str]], key: str) -> bool:
    return key in settings and settings[key][1].lower() == "on"


def _number(settings: dict[str, tuple[Line, str]], key: str) -> int | None:
    if key not in settings:
        return None
    line, value = settings[key]
    number = number_in(value, str(line), key, RecordError)
    if number < 1 and key != "mines":
        raise RecordError(f"{line}: {key} {number} is not positive")
    return number


def _layout(settings: dict[str, tuple[Line, str]], lines: Iterator[Line]) -> Layout:
    """The rows up to 'Events:', as large as the settings say."""
    height, width = _number(settings, "height"), _number(settings, "width")
    if height is None or width is None:
        level = settings.get("level", (None, ""))[1].lower()
        if level not in ("intermediate", "expert"):  # a beginner's board has 8 or 9 rows
            raise RecordError("the RAWVF text tells no Width: and Height: before its board")
        height, width, _ = PRESETS[level]
    check_size(height, width, RecordError)
    rows: list[tuple[str, bytes]] = []
    for line in lines:
        if re.fullmatch(r"events\s*:", line.text.strip(), re.IGNORECASE):
            break
        if len(rows) == height:
            raise RecordError(
                f"{line}: {quote(line.text)} follows the {height} rows of the board: 'Events:' should"
            )
        usage = "'*' (a mine) or '0'"
        rows.append((str(line), read_row(line.text, str(line), _CELLS, usage, RecordError)))
    else:
        raise RecordError("the RAWVF text has no line 'Events:', after which the mouse plays")
    found = check_rows(rows, RecordError) if rows else (0, 0, b"")
    if found[:2] != (height, width):
        raise RecordError(f"the settings promise a {height}×{width} board, it is {found[0]}×{found[1]}")
    mines = _number(settings, "mines")
    if mines is not None and mines != found[2].count(1):
        raise RecordError(f"the settings promise {mines} mines, the board has {found[2].count(1)}")
    return Layout(height, width, found[2])


def _event(line: Line, mouse: Mouse, pixels: int) -> None:
    """Hand one event to the mouse."""
    text = line.text.strip()
    found = _EVENT.fullmatch(text)
    if found is None or found[3] not in EVENTS:
        if _TOLD.fullmatch(text):
            return
        raise RecordError(f"{line}: {quote(text)} is no event such as '1.250 lc 3 2 (40 25)'")
    if found[6] is not None:
        cell = int(found[7]) // pixels, int(found[6]) // pixels
    elif found[4] is not None:
        cell = int(found[5]) - 1, int(found[4]) - 1
    elif found[3] == "mt":
        cell = -1, -1
    else:
        raise RecordError(f"{line}: {quote(text)} does not say where: add column, row and '(x y)'")
    mouse.event(found[3], cell, 0.0 if found[1] else float(found[2]))


_CLICKS = {"open": ("lc", "lr"), "chord": ("mc", "mr"), "mark": ("rc", "rr"), "unmark": ("rc", "rr")}


def write(record: Record) -> str:
    """The game in RAWVF 6.2: every move is a click on the middle of its cell, a chord by the middle button.

    Times are written in milliseconds; a move whose time is not known has that of the one before. What the
    player claimed, and why, has no place there.
    """
    layout = given(record, Record, "record", "a Record").layout
    shape = (*layout.shape, layout.mines)
    level = next((name.title() for name, preset in PRESETS.items() if preset == shape), "Custom")
    status = {"won": "won", "lost": "lost"}.get(record.state)
    head = {
        "RawVF_Version": "Rev6.2",
        "Program": "msat",
        "Level": level,
        "Width": layout.width,
        "Height": layout.height,
        "Mines": layout.mines,
        "Marks": "Off",
        "SquareSize": _PIXELS,
        "Time": f"{record.seconds:.3f}",
        **({"Status": status} if status else {}),
        "Mode": "Classic",
    }
    cells = layout.mask.translate(bytes.maketrans(b"\0\1", b"0*")).decode("ascii")
    rows = rows_of(cells, layout.width)
    lines = [*(f"{key}: {value}" for key, value in head.items()), "Board:", *rows, "Events:"]
    seconds = 0.0
    for move, time in zip(record.moves, record.times, strict=True):
        seconds = seconds if time is None else time
        row, column = move.cell
        place = f"{column + 1} {row + 1} ({column * _PIXELS + 8} {row * _PIXELS + 8})"
        lines += [f"{seconds:.3f} {event} {place}" for event in _CLICKS[move.kind]]
    return "\n".join(lines) + "\n"
