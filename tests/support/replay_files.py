"""Replays as other programs write them, made from games: `.msor`, AVF, RMV and MVF by writers of our own.

They write what the formats' readers need and no more: each move is a press and a release on its cell, a chord
one of both buttons. EVF, which ms_toollib itself writes, is made by it, in a process of its own.
"""

from __future__ import annotations

import json
import math
import struct
import subprocess
import sys

from msat.board import MINE
from msat.game import Game
from msat.layout import Layout
from msat.player import play
from msat.record import Record
from msat.strategies.naming import load

__all__ = ["BINARY", "avf", "evf", "msor", "mvf", "played", "rmv"]

PIXELS = 16


def played(layout: Layout, strategy: str = "safest") -> Record:
    """A game with marks, chords and times: plain mines are marked, chords used where they open something."""
    chosen = play(layout, load(strategy))
    game = Game(layout)
    for move in chosen.moves:
        if not move.opens or game.state != "playing" or game.board[move.cell] >= 0:
            continue
        if game.board[move.cell] == MINE:
            game.unmark(move.cell)
        game.open(move.cell)
        for cell in game.board.revealed[:: max(1, len(game.board.revealed) // 6)]:
            around = game.board.neighbours(cell)
            hidden = [each for each in around if game.board[each] == -1]
            mines = [each for each in around if game.board[each] == MINE]
            if game.state == "playing" and hidden and len(hidden) + len(mines) == game.board[cell]:
                for each in hidden:
                    game.mark(each)
            elif game.state == "playing" and hidden and len(mines) == game.board[cell]:
                game.chord(cell)
    times = tuple(number * 0.25 for number in range(len(game.moves)))
    return Record(layout, game.moves, times[-1], None, times)


def _events(record: Record) -> list[tuple[int, str, int, int]]:
    """The mouse at every move: milliseconds, event, x, y."""
    buttons = {"open": ("lc", "lr"), "chord": ("lc", "rc", "lr", "rr")}
    found = []
    for move, time in zip(record.moves, record.times, strict=True):
        row, column = move.cell
        x, y = column * PIXELS + 7, row * PIXELS + 7
        for event in buttons.get(move.kind, ("rc", "rr")):
            found.append((round(1000 * (time or 0)), event, x, y))
    return found


def msor(record: Record) -> str:
    """What the web analyser loads."""
    layout = record.layout
    header = {"width": layout.width, "height": layout.height, "mines": layout.mines}
    types = {"open": 0, "chord": 3, "mark": 1, "unmark": 1}
    steps = []
    game = Game(layout)
    for move, time in zip(record.moves, record.times, strict=True):
        before = set(game.board.revealed)
        marked = set(game.board.marked)
        game.apply(move)
        touched = [[c, r, game.board[r, c], 0, 0] for r, c in game.board.revealed if (r, c) not in before]
        if game.state == "lost":
            blasts = [cell for cell in _opened(layout, move.kind, move.cell) if layout.is_mine(cell)]
            blasts = [cell for cell in blasts if cell not in marked][:1]
            touched = [[c, r, 11, 0, 0] for r, c in blasts]
            touched += [[c, r, 10, 0, 0] for r, c in layout.cells if (r, c) not in {*blasts, *marked}]
            touched += [[c, r, 12, 0, 0] for r, c in marked if not layout.is_mine((r, c))]
        step = {"type": types[move.kind], "x": move.cell[1], "y": move.cell[0], "time": 1000 * (time or 0)}
        steps.append(step | {"touchCells": [number for five in touched for number in five]})
    return json.dumps({"header": header, "replay": steps})


def _opened(layout: Layout, kind: str, cell: tuple[int, int]) -> list[tuple[int, int]]:
    around = Game(layout).board.neighbours(cell)
    return [cell] if kind == "open" else list(around)


def avf(record: Record) -> bytes:
    """Arbiter's: a custom level, mines from 1, then eight scrambled bytes an event."""
    layout = record.layout
    data = bytearray([34, 1, 2, 3, 4, 6, layout.width - 1, layout.height - 1])
    data += struct.pack(">H", layout.mines)
    for row, column in sorted(layout.cells):
        data += bytes([row + 1, column + 1])
    total = 0
    for x in range(layout.width):
        for y in range(layout.height):
            number = 10 if layout.is_mine((y, x)) else layout.number((y, x)) + 1
            total += number * (x + x * y)
    data += bytes(len(str(total)) + 4) + bytes([41, 127, 60])
    data += f"[3|W{layout.width}H{layout.height}M{layout.mines}|".encode()
    data += b"3.9.2025.17:00:08:6660|3.17:00:14:0810|B8T6.42]"
    data += bytes([5, 5])
    codes = {"lc": 3, "lr": 5, "rc": 9, "rr": 17}
    for time, event, x, y in _events(record):
        seconds, hundredths = time // 1000 + 1, time % 1000 // 10
        data += bytes(
            [codes[event], x >> 8, seconds & 255, x & 255, hundredths, y >> 8, seconds >> 8, y & 255]
        )
    return bytes(data) + bytes(8) + b"RealTime: 1\rSkin: plain\rSomebody\rArbiter 0.52.3. Copyright\r"


def rmv(record: Record) -> bytes:
    """Vienna's, version 2: sizes of all parts, then nine bytes an event; the first press is left out."""
    layout = record.layout
    codes = {"lc": 2, "lr": 3, "rc": 4, "rr": 5}
    body = struct.pack(">H", 0) + struct.pack(">I", 1_700_000_000)
    body += bytes([layout.width, layout.height]) + struct.pack(">H", layout.mines)
    body += b"".join(bytes([column, row]) for row, column in sorted(layout.cells))
    properties = bytes([0, 0, 0, 3, 10, 0, PIXELS])
    events = b""
    for time, event, x, y in _events(record)[1:]:
        events += bytes([codes[event]]) + time.to_bytes(3, "big") + b"\0" + struct.pack(">HH", x, y)
    events += bytes([{"won": 16, "lost": 15}.get(record.state, 17)])
    head = b"*rmv" + struct.pack(">H", 2) + bytes([1, 1]) + bytes(4)
    sizes = struct.pack(">HHHHHHIH", 0, 2, len(body) - 2, 0, len(properties), 2, len(events), 0)
    return head + sizes + body + properties + struct.pack(">H", 0) + events


def mvf(record: Record) -> bytes:
    """Clone's 0.97: five bytes an event, their bits in an order that two bytes of the file decide."""
    layout = record.layout
    data = bytearray([0x11, 0x4D]) + bytes(25) + b"5" + bytes(46)
    data += (
        bytes([9, 3])
        + struct.pack(">H", 2005)
        + bytes([12, 0, 0, 4, 1])
        + bytes(3)
        + bytes(4)
        + bytes(6)
        + bytes(1)
    )
    data += bytes([layout.width, layout.height]) + struct.pack(">H", layout.mines)
    data += b"".join(bytes([column + 1, row + 1]) for row, column in sorted(layout.cells))
    data += bytes([4]) + b"Some" + struct.pack(">H", 1234)
    order = _clone_order(1234)
    rows = []
    left = right = 0
    for time, event, x, y in _events(record):
        left = {"lc": 1, "lr": 0}.get(event, left)
        right = {"rc": 1, "rr": 0}.get(event, right)
        bits = [right, 0, left, *(y >> j & 1 for j in range(9)), *(x >> j & 1 for j in range(9))]
        bits += [*(time % 1000 // 10 >> j & 1 for j in range(7)), *(time // 1000 >> j & 1 for j in range(10))]
        row = bytearray(5)
        for bit, place in zip(bits, order, strict=False):
            row[place // 8] |= bit << place % 8
        rows.append(bytes(row))
    return bytes(data) + len(rows).to_bytes(3, "big") + b"".join(rows)


def _clone_order(leading: int) -> list[int]:
    first, second = math.sqrt(leading), math.sqrt(leading + 1000)
    third = math.sqrt(first + 1000)
    angles = (
        math.cos(third + 1000),
        math.sin(math.sqrt(second)),
        math.cos(third),
        math.sin(math.sqrt(first) + 1000),
        math.cos(math.sqrt(second + 1000)),
    )
    digits = "".join(f"{round(abs(angle) * 1e8):08}" for angle in angles)
    return sorted(range(40), key=lambda place: (digits[place], place))


_EVF = """
import json, sys
import ms_toollib
board, events = json.load(sys.stdin)
video = ms_toollib.BaseVideo(board, 16)
for event, x, y in events:
    video.step(event, (y, x))
video.generate_evf_v4_raw_data()
sys.stdout.buffer.write(bytes(video.raw_data))
"""


def evf(record: Record) -> bytes:
    """What ms_toollib writes when it is played on; the times are its own."""
    layout = record.layout
    board = [
        [-1 if layout.is_mine((r, c)) else layout.number((r, c)) for c in range(layout.width)]
        for r in range(layout.height)
    ]
    events = [(event, x, y) for _, event, x, y in _events(record)]
    command = [sys.executable, "-c", _EVF]
    done = subprocess.run(
        command, input=json.dumps([board, events]).encode(), capture_output=True, check=True
    )
    return done.stdout


BINARY = {"avf": avf, "evf": evf, "rmv": rmv, "mvf": mvf}
