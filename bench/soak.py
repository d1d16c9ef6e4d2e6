"""Minutes of everything that clients do, at a bounded rate: memory has to stay flat, and no reply be late.

Run by `python -m bench.serve --soak MINUTES`. Clients ask cheap and dear questions, one by one and in
batches, with and without events; some make mistakes, go away before they are answered, or reset the
connection in the midst of a request. A cheap question is late after a second, whatever else is asked; a dear
one if it took more than ten seconds beyond its budget, in which it may have waited for workers. What this
process was late itself, by its own clock, is not counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from msat.bench.positions import stuck
from msat.game import Game
from msat.layout import Layout

__all__ = ["soak"]

CLIENTS = 16
LATE = 1.0
WAITING = 10.0
TELL = 10.0
"""Seconds between two lines."""

_BLANK = "/".join(["????????"] * 8) + " 12"


class Deed(NamedTuple):
    """What a client does once."""

    name: str
    path: str
    bodies: list[bytes]
    statuses: tuple[int, ...] = (200,)
    """What may come back."""
    seconds: float = 0.0
    """What it may take; 0 for cheap questions."""
    manner: str = "ask"
    """ask, events, leave (before the answer comes) or reset (before all is sent)."""


def _deeds() -> list[Deed]:
    expert = [position.board.to_text("line") for position in islice(stuck(16, 30, 99), 100)]
    small = [position.board.to_text("line") for position in islice(stuck(9, 9, 10), 100)]

    def bodies(boards: list[str], **fields: Any) -> list[bytes]:
        return [json.dumps({"board": board, **fields}).encode() for board in boards]

    def batch(boards: list[str], **fields: Any) -> list[bytes]:
        asked = [{"path": "analyze", "board": board, **fields} for board in boards]
        return [json.dumps({"requests": asked}).encode()]

    game = Game(Layout.random(9, 9, 10, seed=3, start=(0, 0)))
    game.open((0, 0))
    record = json.dumps({"record": game.record.to_json(), "seconds": 0.3}).encode()
    busy = (200, 429, 504)
    again = [
        Deed("probabilities", "analyze", bodies(expert, fields=["probability"])),
        Deed("analyze", "analyze", bodies(expert)),
        Deed("cells", "cells", bodies(small)),
        Deed("convert", "convert", bodies(expert)),
        Deed("sample", "sample", bodies(small, n=2)),
        Deed("batch", "batch", batch(expert[:30], fields=["probability"])),
        Deed("explain", "explain", bodies(small, budget=5), busy, 5),
    ]
    return [
        *again,
        *again,
        Deed("mixed batch", "batch", batch([*small[:20], *expert[:5]]), seconds=5),
        Deed("hint", "hint", bodies(small, budget=2), busy, 2),
        Deed("win", "win", bodies(small, budget=0.5), (*busy, 422), 0.5),
        Deed("budget", "hint", bodies([_BLANK], budget=0.05), busy, 0.05),
        Deed("review", "review", [record], busy, 5),
        Deed("generate", "generate", [b'{"preset": "intermediate", "no_guess": true, "budget": 5}'], busy, 5),
        Deed("events", "hint", bodies(small, seconds=0.3, budget=3), busy, 3, "events"),
        Deed("leave a cheap one", "analyze", bodies(expert), manner="leave"),
        Deed("leave a dear one", "hint", bodies([_BLANK], seconds=20), manner="leave"),
        Deed("leave events", "hint", bodies([_BLANK], seconds=20), manner="leave"),
        Deed("leave a batch", "batch", batch(expert), manner="leave"),
        Deed("reset", "analyze", bodies(expert), manner="reset"),
        Deed("not JSON", "analyze", [b"{", b"[" * 5000, b"\xff"], (400,)),
        Deed("no board", "cells", [b'{"board": "9?/?? 1"}', b'{"bord": 1}', b"[]"], (422,)),
        Deed("impossible", "analyze", [b'{"board": "?1/?0 1"}', b'{"board": "8? 3"}'], (422,)),
        Deed(
            "too large",
            "analyze",
            [json.dumps({"board": "/".join(["?" * 200] * 100) + " 1"}).encode()],
            (413,),
        ),
        Deed("nowhere", "../etc/passwd", [b"{}"], (404,)),
    ]


class _Late(NamedTuple):
    name: str
    seconds: float
    net: float


class _Clients:
    """All clients, and what came back to them."""

    def __init__(self, address: str, rate: float, seconds: float) -> None:
        parts = urlsplit(address)
        self._to = parts.hostname, parts.port
        self._pause = CLIENTS / rate
        self._end = time.monotonic() + seconds
        self._deeds = _deeds()
        self.replies: Counter[int] = Counter()
        self.late: list[_Late] = []
        self.took: dict[str, list[float]] = {}
        self.wrong: Counter[str] = Counter()
        self.done = 0
        self.own = 0.0
        """Seconds by which this process was late, in all."""

    async def run(self, tell: Callable[[], None]) -> None:
        """Ask until the time is over."""
        clock = asyncio.create_task(self._watch_own())
        telling = asyncio.create_task(self._tell(tell))
        await asyncio.gather(*(self._client(random.Random(number)) for number in range(CLIENTS)))
        clock.cancel()
        telling.cancel()

    async def _tell(self, tell: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(TELL)
            tell()

    async def _watch_own(self) -> None:
        while True:
            due = time.monotonic() + 0.02
            await asyncio.sleep(0.02)
            self.own += max(0.0, time.monotonic() - due)

    async def _client(self, chance: random.Random) -> None:
        reader, writer = await asyncio.open_connection(*self._to)
        while time.monotonic() < self._end:
            await asyncio.sleep(chance.uniform(0, 2 * self._pause))
            deed = chance.choice(self._deeds)
            began, own = time.monotonic(), self.own
            try:
                kept = await self._do(deed, chance, reader, writer)
            except (OSError, asyncio.IncompleteReadError, ValueError) as error:
                self.wrong[f"{deed.name}: {type(error).__name__}"] += 1
                kept = False
            took = time.monotonic() - began
            if deed.manner in ("ask", "events"):
                net = max(0.0, took - (self.own - own))
                self.took.setdefault(deed.name, []).append(net)
                if net > (deed.seconds + WAITING if deed.seconds else LATE):
                    self.late.append(_Late(deed.name, took, net))
            self.done += 1
            if not kept or chance.random() < 0.02:
                writer.close()
                reader, writer = await asyncio.open_connection(*self._to)
        writer.close()

    async def _do(
        self, deed: Deed, chance: random.Random, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Do it; whether the connection can be used again."""
        body = chance.choice(deed.bodies)
        accept = "text/event-stream" if "events" in (deed.manner, deed.name[-6:]) else "application/json"
        host, port = self._to
        head = f"POST /api/v1/{deed.path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: {accept}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        message = head.encode() + body
        if deed.manner == "reset":
            writer.write(message[: chance.randrange(len(message))])
            await asyncio.sleep(chance.uniform(0, 0.1))
            _reset(writer)
            return False
        writer.write(message)
        if deed.manner == "leave":
            await asyncio.sleep(chance.uniform(0, 0.3))
            if chance.random() < 0.5:
                _reset(writer)
            return False
        status, content = await _read(reader)
        self.replies[status] += 1
        if status not in deed.statuses:
            self.wrong[f"{deed.name}: {status}"] += 1
        if deed.manner == "events" and status == 200 and b"event: result" not in content:
            self.wrong[f"{deed.name}: {content[-200:]!r}"] += b'"status":504' not in content
        return True


def _reset(writer: asyncio.StreamWriter) -> None:
    """Go away without a word."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The status and the body of a reply."""
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    content = b""
    if fields.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            content += await reader.readexactly(size + 2)
        await reader.readline()
    else:
        content = await reader.readexactly(int(fields["content-length"]))
    return int(first.split()[1]), content


def soak(address: str, minutes: float, rate: float, state: Callable[[], str]) -> bool:
    """Let clients come for so long, a line every TELL seconds; whether all was well."""
    clients = _Clients(address, rate, 60 * minutes)
    began = time.monotonic()

    def tell() -> None:
        passed = time.monotonic() - began
        text = f"{passed:>5.0f} s {clients.done:>7,} done, {len(clients.late)} late"
        told = f"load {os.getloadavg()[0]:.1f}, own lag {clients.own:.1f} s, {state()}"
        print(f"{text}, {told}", flush=True)

    asyncio.run(clients.run(tell))
    tell()
    print("replies by status:", dict(sorted(clients.replies.items())))
    print("seconds, without this process's own lag: p50, p99, most")
    for name, took in clients.took.items():
        took.sort()
        print(f"  {name:<16}{took[len(took) // 2]:>8.3f}{took[len(took) * 99 // 100]:>8.3f}{took[-1]:>8.3f}")
    for late in clients.late:
        print(f"late: {late.name}, {late.seconds:.2f} s, without own lag {late.net:.2f} s")
    for what, number in clients.wrong.items():
        print(f"wrong: {what} ({number} times)")
    return not clients.late and not clients.wrong
