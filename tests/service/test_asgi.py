"""The application alone, asked in the ways in which uvicorn, hypercorn and granian do."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

from msat.service import app
from msat.service.application import Application
from tests.support.clock import PATIENCE
from tests.support.command import alive, children
from tests.support.service import LONG

HEADERS = [(b"host", b"localhost"), (b"content-type", b"application/json")]


class Exchange:
    """One request as a server hands it on: its body in pieces, then silence until the client goes."""

    def __init__(
        self,
        application: Application,
        method: str,
        path: str,
        *pieces: bytes,
        accept: str = "*/*",
        **scope: Any,
    ) -> None:
        self.sent: list[Any] = []
        self.gone = asyncio.Event()
        self._pieces = list(pieces) or [b""]
        headers = [*HEADERS, (b"accept", accept.encode())]
        whole = {"type": "http", "http_version": "1.1", "method": method, "path": path, "headers": headers}
        self.task = asyncio.create_task(application(whole | scope, self._receive, self._send))

    async def _receive(self) -> Any:
        await asyncio.sleep(0)
        if self._pieces:
            return {"type": "http.request", "body": self._pieces.pop(0), "more_body": bool(self._pieces)}
        await self.gone.wait()
        return {"type": "http.disconnect"}  # again and again, as often as it is asked

    async def _send(self, message: Any) -> None:
        if self.gone.is_set():
            raise OSError("the client is gone")  # as servers may, since ASGI 2.4
        self.sent.append(message)

    async def answer(self) -> tuple[int, dict[bytes, bytes], bytes]:
        await asyncio.wait_for(self.task, PATIENCE)
        start, *parts = self.sent
        return start["status"], dict(start["headers"]), b"".join(part["body"] for part in parts)


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await holds():
            await asyncio.sleep(0.02)


async def _is_ready(application: Application) -> bool:
    return (await Exchange(application, "GET", "/readyz").answer())[0] == 200


def test_a_server_with_a_lifespan_begins_and_ends_it() -> None:
    async def run() -> None:
        before = set(children(os.getpid()))
        application = app(workers=1)
        asked: asyncio.Queue[Any] = asyncio.Queue()
        told: asyncio.Queue[Any] = asyncio.Queue()
        living = asyncio.create_task(application({"type": "lifespan"}, asked.get, told.put))
        asked.put_nowait({"type": "lifespan.startup"})
        assert (await asyncio.wait_for(told.get(), PATIENCE))["type"] == "lifespan.startup.complete"
        question = json.dumps({"board": "?1? 1", "fields": ["solutions"]}).encode()
        found = await Exchange(
            application, "POST", "/api/v1/analyze", question[:9], b"", question[9:]
        ).answer()
        assert (found[0], json.loads(found[2])) == (200, {"solutions": "2"})
        await _assert_events(application)
        await _assert_who_goes_frees_the_worker(application)
        begun = set(children(os.getpid())) - before
        asked.put_nowait({"type": "lifespan.shutdown"})
        assert (await asyncio.wait_for(told.get(), PATIENCE))["type"] == "lifespan.shutdown.complete"
        await asyncio.wait_for(living, PATIENCE)
        assert begun
        assert not any(map(alive, begun))

    asyncio.run(run())


async def _assert_events(application: Application) -> None:
    question = json.dumps({"board": "?1? 1"}).encode()
    accept = "text/event-stream"
    status, headers, body = await Exchange(
        application, "POST", "/api/v1/hint", question, accept=accept
    ).answer()
    assert (status, headers[b"content-type"]) == (200, b"text/event-stream; charset=utf-8")
    assert body.count(b"event: result\n") == 1


async def _assert_who_goes_frees_the_worker(application: Application) -> None:
    async def is_busy() -> bool:
        return application.pool.busy == 1

    async def is_free() -> bool:
        return application.pool.busy == 0

    for accept in ("application/json", "text/event-stream"):
        exchange = Exchange(application, "POST", "/api/v1/hint", json.dumps(LONG).encode(), accept=accept)
        await _until(is_busy)
        exchange.gone.set()
        await asyncio.wait([exchange.task], timeout=PATIENCE)
        await _until(is_free)


def test_a_server_without_a_lifespan_is_ready_once_it_is_asked_whether_it_is() -> None:
    """It was not until somebody asked a question, for which a load balancer waits until it is ready."""

    async def run() -> None:
        application = app(workers=1)
        try:
            await _until(lambda: _is_ready(application))
        finally:
            await application.close()

    asyncio.run(run())


def test_what_only_servers_know() -> None:
    """Slashes as they came, and which HTTP it is."""

    async def run() -> None:
        application = app(workers=1)
        try:
            raw: dict[str, Any] = {"raw_path": b"/api%2fv1%2fanalyze"}
            assert (await Exchange(application, "POST", "/api/v1/analyze", **raw).answer())[0] == 404
        finally:
            await application.close()
        for version, said in (("1.1", b"close"), ("2", None)):
            status, headers, _ = await Exchange(
                application, "POST", "/api/v1/analyze", http_version=version
            ).answer()
            assert (status, headers.get(b"connection")) == (503, said)

    asyncio.run(run())
