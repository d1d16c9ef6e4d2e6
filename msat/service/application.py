"""The service as a plain ASGI application: hosts, paths, methods, limits of what is received, and headers.

No framework: the paths are a dozen, and a request for an analysis spends its microseconds better elsewhere.
What a client sends is never used as the path of a file: every path that exists is in a table.
"""

from __future__ import annotations

import asyncio
import logging
from time import perf_counter

import msgspec

from msat.questions.requests import QUESTIONS
from msat.service.answering import Answering, Reply
from msat.service.batches import Batches
from msat.service.documents import addressed, documents
from msat.service.events import STREAMED, stream, wants_events
from msat.service.hosts import Hosts
from msat.service.kernels import Kernels
from msat.service.metrics import Metrics
from msat.service.problems import Problem, failure, no_such_question, shutting_down
from msat.service.quick import Quick
from msat.service.sending import (
    JSON,
    Message,
    Receive,
    Request,
    Send,
    Sender,
    receive_body,
    send_file,
    unless_gone,
)
from msat.service.settings import Settings
from msat.service.static import files_of
from msat.service.workers import Pool

__all__ = ["Application"]

_API = "/api/v1/"
_log = logging.getLogger("msat.service")
_encode = msgspec.json.Encoder().encode

_MOMENT = 0.3
"""Seconds in which clients are still told that the service is being stopped, and to close."""

_TICK = 0.5
"""Seconds between two looks at how late this process is."""


class Application:
    """The service: `await application(scope, receive, send)`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.receive_seconds: float | None = settings.receive_seconds
        """The time for a body to arrive; None where the server sees to that."""
        self.pool = Pool(settings.workers, settings.queue, settings.memory)
        self._answering = Answering(settings, self.pool)
        self._batches = Batches(self._answering)
        self._kernels = Kernels(self.pool)
        self._hosts = Hosts(settings.hosts)
        self._metrics = Metrics()
        self.quick = None if settings.allow_origin else Quick(self._answering, self._hosts, self._metrics)
        """What answers cheap questions at once, for a server that asks; not with headers for other pages."""
        self._files = files_of() | documents(settings)
        self._under_way = 0
        self._stopping = False
        self._starting: asyncio.Task[None] | None = None
        self._started = False
        self._ticking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Be asked, by any ASGI server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            if self._starting is None and not self._stopping:
                self.start()  # a server without a lifespan: who waits for /readyz asks nothing else before
            self._under_way += 1
            try:
                await self._serve(Request(scope, receive), Sender(send))
            finally:
                self._under_way -= 1
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            try:
                message = await receive()
            except asyncio.CancelledError:  # by a server that ends at once
                return
            if message["type"] == "lifespan.startup":
                self.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def start(self) -> asyncio.Task[None]:
        """Begin to load; whoever asks before that is done waits for it, and fails with it."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        return self._starting

    async def _start(self) -> None:
        self._ticking = asyncio.create_task(self._tick())
        await self._kernels.start()
        self._started = True
        if self.quick is not None and not self._stopping:
            self.quick.open = True

    async def _tick(self) -> None:
        """Note how late this process is: so who sees slow replies can tell where they waited."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _TICK
            await asyncio.sleep(_TICK)
            self._metrics.count_lag(max(0.0, loop.time() - due))

    def _stop_taking(self) -> None:
        self._stopping = True
        if self.quick is not None:
            self.quick.open = False

    async def drain(self) -> None:
        """Take no new questions, and end those under way: by their answers, or after the grace time."""
        self._stop_taking()
        loop = asyncio.get_running_loop()
        end = loop.time() + self.settings.grace
        await asyncio.sleep(_MOMENT)
        while self._under_way and loop.time() < end:
            await asyncio.sleep(0.02)
        await self.pool.close()
        last = loop.time() + 1
        while self._under_way and loop.time() < last:
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Stop everything."""
        self._stop_taking()
        for task in (self._starting, self._ticking):
            if task is not None:
                task.cancel()
        self._kernels.close()
        await self.pool.close()

    async def _serve(self, request: Request, sender: Sender) -> None:
        began = perf_counter()
        name = "other"
        if self.settings.allow_origin:
            sender.extra += _cross_origin(request.headers.get(b"origin"), self.settings.allow_origin)
        if self._stopping and request.keeps:
            sender.extra.append((b"connection", b"close"))
        try:
            if not self._hosts.allow(request.headers.get(b"host", b"")):
                raise Problem(
                    421, "not-this-host", "ask by the address that the service printed when it began"
                )
            path = request.path
            if path.startswith(_API):
                question = path[len(_API) :]
                name = question if question in QUESTIONS or question == "batch" else name
                await self._ask(question, request, sender)
            else:
                await self._other(path, request, sender)
        except Problem as problem:
            if not request.keeps:
                problem.headers.pop("Connection", None)
            await sender.problem(problem)
        except asyncio.CancelledError:  # the server ends at once: it is told, and there is nothing to report
            await sender.problem(shutting_down())
        except Exception:
            _log.exception("a request failed")
            await sender.problem(failure())
        self._metrics.count(name, sender.status, perf_counter() - began)

    async def _ask(self, name: str, request: Request, sender: Sender) -> None:
        """Answer a question."""
        if name not in QUESTIONS and name != "batch":
            raise no_such_question()
        if request.method != "POST":
            allowed = any(name == b"access-control-allow-origin" for name, _ in sender.extra)
            if request.method == "OPTIONS" and allowed:
                await sender.empty(204)
                return
            raise Problem(405, "wrong-method", "questions are asked by POST", {"Allow": "POST"})
        if self._stopping:
            raise shutting_down()
        body = await receive_body(request, self.settings.max_bytes, self.receive_seconds)
        if not self._started:
            await asyncio.shield(self.start())
        if name == "batch":
            answers = await unless_gone(request, self._batches.answer(body))
            if answers is not None:
                await sender.send(200, JSON, answers)
            return
        found = request.begun or self._answering.begin(name, body)
        if name in STREAMED and wants_events(request.headers.get(b"accept", b"")):
            await stream(found, request, sender)
            return
        reply = found if isinstance(found, Reply) else await unless_gone(request, found.reply(None))
        if reply is not None:
            await sender.reply(reply)

    async def _other(self, path: str, request: Request, sender: Sender) -> None:
        """Everything that is no question."""
        if path not in self._files and path not in ("/healthz", "/readyz", "/metrics"):
            raise Problem(404, "not-found", "there is nothing at this path")
        if request.method not in ("GET", "HEAD"):
            raise Problem(405, "wrong-method", "this is fetched by GET", {"Allow": "GET, HEAD"})
        if path == "/healthz":
            await sender.send(200, JSON, b'{"status":"up"}')
        elif path == "/readyz":
            if self._stopping:
                raise shutting_down()
            if not self._kernels.ready:
                raise Problem(503, "not-ready", "not ready yet", {"Retry-After": "1"})
            kernels = {"compiled": self._kernels.compiled, "compiling": self._kernels.compiling}
            await sender.send(200, JSON, _encode({"status": "ready", **kernels}))
        elif path == "/metrics":
            text = self._metrics.text(self._gauges())
            await sender.send(200, b"text/plain; version=0.0.4; charset=utf-8", text.encode())
        else:
            file = self._files[path]
            await send_file(sender, addressed(file, request) if path == "/docs" else file, request)

    def _gauges(self) -> dict[str, tuple[str, float]]:
        pool = self.pool
        return {
            "msat_under_way": ("Requests under way.", self._under_way),
            "msat_workers": ("Workers that are there.", pool.alive),
            "msat_workers_busy": ("Workers that work.", pool.busy),
            "msat_workers_replaced_total": ("Workers that were killed or died.", pool.replaced),
            "msat_waiting": ("Dear questions that wait for a worker.", pool.waiting),
            "msat_kernels_compiled": ("Whether kernels are machine code.", self._kernels.compiled),
        }


def _cross_origin(origin: bytes | None, allowed: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
    """The headers that let a page of another origin ask, if it may."""
    if origin is None or not ("*" in allowed or origin.decode("latin-1") in allowed):
        return [(b"vary", b"origin")]  # what is kept must not be given to a page that may ask
    return [
        (b"access-control-allow-origin", origin),
        (b"access-control-allow-methods", b"POST, GET"),
        (b"access-control-allow-headers", b"content-type, accept"),
        (b"access-control-expose-headers", b"retry-after"),
        (b"access-control-max-age", b"3600"),
        (b"vary", b"origin"),
    ]
