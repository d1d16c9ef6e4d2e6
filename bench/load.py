"""Load on a service from another process: wrk where it is installed, else a loop of our own.

    python -m bench.load ADDRESS PATH BODIES CONNECTIONS SECONDS

prints one line of JSON, for `bench.serve`. BODIES is a file with one request a line, taken in turn; an empty
one means GET.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

__all__ = ["Load", "load"]

_SCRIPT = """
local bodies = {}
for line in io.lines("%s") do bodies[#bodies + 1] = line end
local n = 0
if #bodies > 0 then
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end
request = function()
  if #bodies == 0 then return wrk.format() end
  n = n %% #bodies + 1
  return wrk.format(nil, nil, nil, bodies[n])
end
done = function(summary, latency, requests)
  io.write(string.format("RESULT %%d %%d %%d %%.1f %%.1f\\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
"""


class Load(NamedTuple):
    """What came of it; times in seconds."""

    requests: int
    seconds: float
    failed: int
    p50: float
    p99: float


def load(address: str, path: str, bodies: list[str], connections: int, seconds: float) -> Load:
    """Ask as fast as so many connections can, from another process."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{body}\n" for body in bodies)
        file.flush()
        if shutil.which("wrk") and seconds >= 1:
            return _wrk(address + path, file.name, connections, seconds)
        command = [
            sys.executable,
            "-m",
            "bench.load",
            address,
            path,
            file.name,
            str(connections),
            str(seconds),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Load(*json.loads(done.stdout))


def _wrk(address: str, bodies: str, connections: int, seconds: float) -> Load:
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_SCRIPT % bodies)
        script.flush()
        options = ["-t1", f"-c{connections}", f"-d{round(seconds)}s", "--timeout", "60s", "-s", script.name]
        done = subprocess.run(["wrk", *options, address], capture_output=True, text=True, check=True)
    found = re.search(r"^RESULT (\d+) (\d+) (\d+) ([\d.]+) ([\d.]+)$", done.stdout, re.MULTILINE)
    assert found is not None, done.stdout + done.stderr
    requests, duration, failed = map(int, found.groups()[:3])
    return Load(requests, duration / 1e6, failed, float(found[4]) / 1e6, float(found[5]) / 1e6)


class _Client(asyncio.Protocol):
    """One connection: asks again as soon as it is answered, until the time is over."""

    def __init__(self, messages: list[bytes], first: int, step: int, end: float) -> None:
        self.took: list[float] = []
        self.failed = 0
        self.done = asyncio.get_running_loop().create_future()
        self._messages, self._next, self._step, self._end = messages, first, step, end
        self._received = bytearray()
        self._missing = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._ask()

    def _ask(self) -> None:
        self._began = time.perf_counter()
        if self._began >= self._end:
            self._transport.close()
            return
        self._transport.write(self._messages[self._next % len(self._messages)])
        self._next += self._step

    def data_received(self, data: bytes) -> None:
        if not self._missing:
            self._received += data
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return
            at = self._received.index(b"content-length: ", 0, end) + 16
            length = int(self._received[at : self._received.index(b"\r", at)])
            self.failed += not self._received.startswith(b"HTTP/1.1 200 ")
            self._missing = end + 4 + length - len(self._received)
        else:
            self._missing -= len(data)
        if not self._missing:
            self._received.clear()
            self.took.append(time.perf_counter() - self._began)
            self._ask()

    def connection_lost(self, _: Exception | None) -> None:
        self.done.set_result(None)


async def _own(address: str, path: str, bodies: list[bytes], connections: int, seconds: float) -> Load:
    parts = urlsplit(address)
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    asked: list[bytes | None] = [*bodies] or [None]
    messages = [_message(parts.netloc, path, body) for body in asked]
    clients = [_Client(messages, number, connections, began + seconds) for number in range(connections)]
    for client in clients:
        where = (parts.hostname or "", parts.port or 0)
        await loop.create_connection(lambda client=client: client, *where)  # type: ignore[misc]
    for client in clients:
        await client.done
    took = sorted(each for client in clients for each in client.took)
    spent = time.perf_counter() - began
    failed = sum(client.failed for client in clients)
    return Load(len(took), spent, failed, took[len(took) // 2], took[len(took) * 99 // 100])


def _message(host: str, path: str, body: bytes | None) -> bytes:
    """A request; without a body by GET."""
    if body is None:
        return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body


def main(arguments: list[str]) -> None:
    """Be the other process."""
    address, path, file, connections, seconds = arguments
    bodies = Path(file).read_bytes().splitlines()
    try:
        import uvloop
    except ImportError:
        run: Any = asyncio.run
    else:
        run = uvloop.run
    print(json.dumps(run(_own(address, path, bodies, int(connections), float(seconds)))))


if __name__ == "__main__":
    main(sys.argv[1:])
