"""A request as it came, and what is sent back, in the words of ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, MutableMapping
from typing import Any, TypeAlias, TypeVar

import msgspec

from msat.service.answering import Dear, Reply
from msat.service.problems import Problem
from msat.service.static import File

__all__ = [
    "JSON",
    "Message",
    "Receive",
    "Request",
    "Send",
    "Sender",
    "head_of",
    "receive_body",
    "send_file",
    "unless_gone",
]

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Header: TypeAlias = tuple[bytes, bytes]
T = TypeVar("T")

JSON = b"application/json"
PROBLEM_JSON = b"application/problem+json"

_ALWAYS: list[Header] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
_NOT_KEPT: list[Header] = [*_ALWAYS, (b"cache-control", b"no-store")]
_NOT_KEPT_TEXT = b"".join([b"%b: %b\r\n" % header for header in _NOT_KEPT]) + b"\r\n"
_PAGE: list[Header] = [
    *_ALWAYS,
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    ),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_encode = msgspec.json.Encoder().encode


def head_of(reply: Reply, more: Iterable[Header] = ()) -> bytes:
    """The headers that an answer, or a problem, is sent with, as they are on the wire.

    >>> head_of(Reply(200, b"{}")).split(b"\\r\\n")[:2]
    [b'content-type: application/json', b'content-length: 2']
    """
    kind = JSON if reply.status == 200 else PROBLEM_JSON
    begin = b"".join([b"%b: %b\r\n" % header for header in more])
    return b"%bcontent-type: %b\r\ncontent-length: %d\r\n%b" % (begin, kind, len(reply.body), _NOT_KEPT_TEXT)


class Request:
    """A request whose body has not been read yet."""

    __slots__ = ("begun", "headers", "keeps", "method", "path", "place", "receive")

    def __init__(self, scope: Message, receive: Receive) -> None:
        self.method: str = scope["method"]
        path: str = scope["path"]
        prefix: str = scope.get("root_path", "")  # where a proxy has put the service
        self.path = path.removeprefix(prefix) if prefix else path
        raw: bytes = (scope.get("raw_path") or b"").partition(b"?")[0]
        if b"%2f" in raw or b"%2F" in raw:
            self.path = raw.decode("latin-1")  # a slash that is no separator: no path has one
        self.keeps = str(scope.get("http_version", "1.1")).startswith("1")
        """Whether its connection is told by a header to end: HTTP/2 forbids that."""
        self.place: tuple[str, str] = scope.get("scheme", "http"), prefix
        """How the service is reached: by which scheme, and below which path."""
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        if len(self.headers) < len(scope["headers"]) and sum(n == b"host" for n, _ in scope["headers"]) > 1:
            self.headers[b"host"] = b""  # of two that differ nobody knows which was looked at before
        self.receive = receive
        extensions = scope.get("extensions")
        self.begun: Dear | None = extensions.get("msat", {}).get("begun") if extensions else None
        """What the connection has found out already (`quick.py`)."""


class Sender:
    """Sends the one reply to a request."""

    __slots__ = ("_send", "extra", "status")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        """What was sent, or 0."""
        self.extra: list[Header] = []
        """Headers of whatever will be sent."""

    async def send(self, status: int, kind: bytes, body: bytes, headers: list[Header] = _NOT_KEPT) -> None:
        """Send all of a reply."""
        start = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *headers, *self.extra]
        self.status = status
        await self._send({"type": "http.response.start", "status": status, "headers": start})
        await self._send({"type": "http.response.body", "body": body})

    async def reply(self, reply: Reply) -> None:
        """Send an answer, or the problem of a worker."""
        await self.send(reply.status, JSON if reply.status == 200 else PROBLEM_JSON, reply.body)

    async def problem(self, problem: Problem) -> None:
        """Send a problem, unless something else has been sent already."""
        if not self.status:
            extra = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
            await self.send(problem.status, PROBLEM_JSON, _encode(problem.body), [*_NOT_KEPT, *extra])

    async def empty(self, status: int, headers: list[Header] = _ALWAYS) -> None:
        """Send a reply that has no body."""
        self.status = status
        start = {"type": "http.response.start", "status": status, "headers": [*headers, *self.extra]}
        await self._send(start)
        await self._send({"type": "http.response.body", "body": b""})

    async def begin(self, kind: bytes) -> None:
        """Begin a reply that comes in parts."""
        self.status = 200
        headers = [(b"content-type", kind), *_NOT_KEPT, *self.extra]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def part(self, part: bytes, more: bool = True) -> None:
        """Send a part of a reply, maybe the last."""
        await self._send({"type": "http.response.body", "body": part, "more_body": more})


async def receive_body(request: Request, most: int, seconds: float | None) -> bytes:
    """What was sent, if it is JSON, not too much, and comes in time; None if the server sees to that."""
    kind = request.headers.get(b"content-type", b"")
    if kind != JSON and kind.partition(b";")[0].strip().lower() != JSON:
        raise Problem(415, "wrong-type", "questions are JSON: send Content-Type: application/json")
    if request.headers.get(b"content-encoding", b"identity").strip().lower() not in (b"identity", b""):
        raise Problem(415, "wrong-type", "questions are sent as they are: without Content-Encoding")
    length = request.headers.get(b"content-length", b"0")
    if not length.isdigit() or len(length) > 18 or int(length) > most:
        raise _too_long(most)
    if seconds is None:
        return await _received(request, most)
    try:
        async with asyncio.timeout(seconds):
            return await _received(request, most)
    except TimeoutError:
        detail = f"the body did not arrive within {seconds:g} seconds"
        raise Problem(408, "timeout", detail, {"Connection": "close"}) from None


async def _received(request: Request, most: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Problem(400, "not-json", "the client went away")
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > most:
            raise _too_long(most)
        if not message.get("more_body"):
            return b"".join([*chunks, chunk]) if chunks else chunk
        chunks.append(chunk)


def _too_long(most: int) -> Problem:
    return Problem(413, "too-large", f"the body is too long: at most {most:,} bytes are read")


async def unless_gone(request: Request, answer: Coroutine[Any, Any, T]) -> T | None:
    """What is awaited, or None if the client went away before; then it is cancelled."""
    working = asyncio.ensure_future(answer)
    watching = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait([working, watching], return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        watching.cancel()
        if not working.done():
            working.cancel()
            await asyncio.wait([working])


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def send_file(sender: Sender, file: File, request: Request) -> None:
    """Send a file, or say that the client has it already."""
    tag = file.tag.encode()
    caching = b"public, max-age=31536000, immutable" if file.lasting else b"no-cache"
    headers = [*_PAGE, (b"etag", tag), (b"cache-control", caching)]
    known = request.headers.get(b"if-none-match", b"")
    if tag in (part.strip().removeprefix(b"W/") for part in known.split(b",")):
        await sender.empty(304, headers)
    else:
        await sender.send(200, file.type.encode(), file.content, headers)
