"""A running service for tests: a process of its own on a free port of loopback, and what it is asked by."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from msat.service.client import Client
from tests.support.clock import PATIENCE, wait_until
from tests.support.command import ROOT, children

__all__ = ["LONG", "Answer", "Service"]

LONG = {"board": "/".join(["????????"] * 8) + " 12", "seconds": 80_000}
"""A hint that is thought about for as long as the service allows."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Service:
    """`msat serve`, started and stopped by a test."""

    def __init__(self, *options: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "msat", "serve", "--port", "0", *options],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, self.process.stderr.read() if self.process.stderr else ""
        parts = urlsplit(self.address)
        assert parts.hostname is not None
        assert parts.port is not None
        self.host, self.port = parts.hostname, parts.port

    def client(self) -> Client:
        return Client(self.address, timeout=PATIENCE)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)

    def request(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str | None] | None = None
    ) -> Answer:
        """Send one request as it is, not as a library would have it, and read the reply."""
        with self.connect() as connection:
            connection.sendall(self.message(method, path, body, headers))
            return read_answer(connection)

    def message(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str | None] | None = None
    ) -> bytes:
        sent: dict[str, str | None] = {
            "Host": f"{self.host}:{self.port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **(headers or {}),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value is not None)
        return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body

    def ask(self, name: str, question: object, headers: dict[str, str | None] | None = None) -> Answer:
        body = question if isinstance(question, bytes) else json.dumps(question).encode()
        return self.request("POST", f"/api/v1/{name}", body, headers)

    def gauge(self, name: str) -> float:
        """A number of `/metrics`."""
        text = self.request("GET", "/metrics").body.decode()
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        assert found is not None, text
        return float(found[1])

    def begin(self, question: object = LONG) -> socket.socket:
        """Ask for a hint that takes long, and do not wait for it."""
        connection = self.connect()
        connection.sendall(self.message("POST", "/api/v1/hint", json.dumps(question).encode()))
        return connection

    def wait_for(self, name: str, value: float) -> None:
        wait_until(lambda: self.gauge(name) == value, lambda: f"{name} is {self.gauge(name)}")

    def workers(self) -> list[int]:
        """The processes of the workers: those that the nursery has forked."""
        return [pid for nursery in children(self.process.pid) for pid in children(nursery)]

    def stop(self) -> tuple[int, str]:
        """Stop it as an init system would; its status, and what it complained about."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        _, complaints = self.process.communicate(timeout=PATIENCE)
        lines = [line for line in complaints.splitlines() if not line.startswith("msat: compiling kernels")]
        return self.process.returncode, "\n".join(lines)


def read_answer(connection: socket.socket) -> Answer:
    """The reply on a connection, with a body of the length that it says, or until it ends."""
    with connection.makefile("rb") as file:
        status = file.readline().split()
        assert status, "the connection was closed without an answer"
        headers = {}
        while (line := file.readline().strip()) != b"":
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        empty = status[1] in (b"204", b"304")
        length = "0" if empty else headers.get("content-length")
        body = file.read(int(length)) if length is not None else file.read()
    return Answer(int(status[1]), headers, body)
