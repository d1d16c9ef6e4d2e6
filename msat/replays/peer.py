"""AVF, EVF, RMV and MVF, other programs' binary replays, by ms_toollib (`msat-minesweeper[replays]`).

ms_toollib ends the whole process when a file is damaged, instead of raising an error; so it reads in a
process of its own, within limits of time and memory, and what it found is checked here as if it came from a
stranger. It does not tell whether a program was set to question marks: they are taken to be off.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from msat.cells import check_size
from msat.errors import MissingPackage, RecordError
from msat.formats.json_form import shown
from msat.installing import install
from msat.layout import Layout
from msat.limits import REPLAY_BYTES, REPLAY_MEMORY, REPLAY_SECONDS
from msat.record import Record
from msat.replays.mouse import EVENTS, Mouse
from msat.replays.peer_child import MISSING

__all__ = ["KINDS", "parse", "record_of"]

KINDS = ("avf", "evf", "rmv", "mvf")


def parse(data: bytes, kind: str) -> Record:
    """The game of a replay of this kind."""
    if len(data) > REPLAY_BYTES:
        raise RecordError(f"too large, {len(data):,} bytes: at most {REPLAY_BYTES:,} of a replay are read")
    if not data:
        raise RecordError(f"an empty file is no {kind.upper()} replay")
    try:
        return record_of(_read(data, kind))
    except RecordError as bad:
        raise RecordError(f"no {kind.upper()} replay, or a damaged one: {bad}") from None


def record_of(found: Any) -> Record:
    """The game in what ms_toollib found."""
    if not isinstance(found, dict):
        raise RecordError(f"it was read as {shown(found)}")
    layout = _layout(found.get("board"))
    pixels = found.get("pixels")
    if type(pixels) is not int or not 1 <= pixels <= 10_000:
        raise RecordError(f"its cells are {shown(pixels)} pixels wide")
    events = found.get("events")
    if not isinstance(events, list):
        raise RecordError("it has no events")
    mouse = Mouse(layout)
    for number, event in enumerate(events):
        seconds, name, x, y = event if isinstance(event, list) and len(event) == 4 else (None,) * 4
        if (
            type(seconds) is not float
            or not math.isfinite(seconds)
            or type(x) is not int
            or type(y) is not int
        ):
            raise RecordError(f"its event {number} is {shown(event)}")
        if name in EVENTS:
            mouse.event(name, (y // pixels, x // pixels), seconds)
    record = mouse.record()
    if not record.moves:
        raise RecordError("no event of it opens or marks a cell")
    return record


def _read(data: bytes, kind: str) -> Any:
    """What ms_toollib finds in the file."""
    child = str(Path(__file__).with_name("peer_child.py"))
    command = [sys.executable, "-P", child, kind, str(REPLAY_MEMORY), str(REPLAY_SECONDS)]
    limit = 4 * REPLAY_SECONDS  # of the clock, on a machine that does much else
    try:
        with tempfile.TemporaryDirectory() as place:  # where it leaves the log of its crash
            done = subprocess.run(
                command, input=data, capture_output=True, timeout=limit, cwd=place, check=False
            )
    except subprocess.TimeoutExpired:
        raise RecordError(f"reading it takes more than {limit} s") from None
    if done.returncode == MISSING:
        raise MissingPackage(f"{kind.upper()} replays are read by ms_toollib: {install('ms_toollib')}")
    if done.returncode:
        raise RecordError("ms_toollib cannot read it")
    return json.loads(done.stdout)


def _layout(board: Any) -> Layout:
    """The mines, which are −1 among the numbers."""
    if not isinstance(board, list) or not board or not all(isinstance(row, list) and row for row in board):
        raise RecordError("it has no board")
    height, width = check_size(len(board), len(board[0]), RecordError)
    if any(len(row) != width for row in board):
        raise RecordError("the rows of its board differ in length")
    return Layout(height, width, bytes(value == -1 for row in board for value in row))
