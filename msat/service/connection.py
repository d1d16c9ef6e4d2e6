"""Connections that end when their time does: uvicorn's, with limits for headers and slow senders.

uvicorn waits for ever for a request that was begun, and for a reply to be taken, and collects headers without
end. Here a request has to arrive within a time, its headers within a size, a client that takes nothing of its
reply for that time is let go, and there are only so many connections at once.

A question that may be cheap is answered in the call that brought its last byte (`quick.py`), without a task
and the messages of ASGI, which take longer than the answer. Whatever is not quite ordinary, and what turns
out to be dear, goes the usual way.
"""

from __future__ import annotations

import asyncio
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from msat.service.answering import Reply
from msat.service.problems import Problem, shutting_down
from msat.service.quick import Quick
from msat.service.sending import head_of

__all__ = ["MAX_HEADER_BYTES", "limited"]

MAX_HEADER_BYTES = 32 << 10
"""The most bytes of a request's first line and headers."""


class _Joined:
    """A transport that sends the head of a reply together with what follows it.

    uvicorn writes them one after the other, which takes two calls of the system: half of the time of a reply.
    """

    __slots__ = ("_head", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""

    def write(self, data: bytes) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.writelines((head, data))
        elif data.startswith(b"HTTP/"):
            self._head = data
            self._loop.call_soon(self._flush)  # in case that nothing follows at once
        else:
            self._transport.write(data)

    def _flush(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()


class Connection(HttpToolsProtocol):
    """One connection; `limited` gives it its limits."""

    arrives_within: float
    """Seconds in which a request has to arrive."""
    most_connections: int
    quick: Quick | None
    """Who answers cheap questions at once."""

    _in_message = False
    _in_headers = False
    _refused = False
    _header_bytes = 0
    _upgrading = False
    _body_came = False
    _late: asyncio.TimerHandle | None = None
    _untaken: asyncio.TimerHandle | None = None
    _question: str | None = None
    """What is asked by a request that waits for its body, if that may be answered at once."""
    _chunks: list[bytes]
    _was_quick = False

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            self._refuse(Problem(503, "not-ready", "too many connections: try again later"))
        else:
            self._late = self.loop.call_later(self.arrives_within, self._close_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        self._taken()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # uvicorn keeps one that was reset until its time is over

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._was_quick = self._body_came = False
        self._unset_keepalive_if_required()
        self._feed(data)
        if self._in_headers or (self._in_message and not self._body_came):  # or what follows chunks
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self._refuse_headers()
        if not self._in_message:
            self._in_time()
        elif self._late is None:
            self._late = self.loop.call_later(self.arrives_within, self._close_late)

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        except httptools.HttpParserUpgrade as upgrade:
            if self._upgrading:
                self._stay(data[upgrade.args[0] :])

    def _stay(self, rest: bytes) -> None:
        """Answer a request that offers another protocol as if it did not, as servers may.

        The parser takes its body for that protocol, and uvicorn for none: so whatever Java's client, which
        offers HTTP/2, asked by POST was not JSON.
        """
        version = self.parser.get_http_version().encode()
        lines = [b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, version)]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self._feed(b"\r\n".join([*lines, b"", rest]))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_message = self._in_headers = True
        self._upgrading = False
        self._header_bytes = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_headers:  # a trailer is none: by then the request has been judged
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._upgrading = self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"
        if self._upgrading:
            return
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > MAX_HEADER_BYTES:
            self._refuse_headers()
        elif not self._refused:
            self._question = self._quick_question()
            self._chunks = []
            if self._question is None:
                self._begin()

    def _quick_question(self) -> str | None:
        """The question that this request asks, if it is one to be answered as soon as it is there.

        One of those that came together, not more: between answers it is the turn of others.
        """
        free = self.cycle is None or self.cycle.response_complete
        if self.quick is None or self._was_quick or not free or self.flow.write_paused:
            return None
        if self.parser.get_method() != b"POST" or not self.parser.should_keep_alive():
            return None
        return self.quick.question(self.url, self.headers)

    def _begin(self) -> None:
        super().on_headers_complete()
        if self.cycle is not None:
            self.cycle.transport = _Joined(self.transport, self.loop)  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        self._body_came = True
        if self._question is not None:
            self._chunks.append(body)
        elif not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._upgrading:
            return
        self._in_message = False
        question, self._question = self._question, None
        if question is not None and not self._refused and self.quick is not None:
            self._was_quick = True
            body = b"".join(self._chunks)
            found = self.quick.begin(question, body)
            if isinstance(found, Reply):
                head = head_of(found, self.server_state.default_headers)
                self.transport.write(STATUS_LINE[found.status] + head + found.body)
                self.on_response_complete()
                return
            self.scope["extensions"] = {"msat": {"begun": found}}
            self._begin()
            super().on_body(body)
        if not self._refused:
            super().on_message_complete()

    def shutdown(self) -> None:
        if self._question is None:
            super().shutdown()
        else:  # it waits for the rest of a body, and nobody else knows of it
            self._refuse(shutting_down())

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        self._taken()
        super().resume_writing()

    def _wait_for_reader(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._untaken = self.loop.call_later(self.arrives_within, self._close_untaken, left)

    def _close_untaken(self, before: int) -> None:
        """Let a client go that has taken nothing in its time: its reply would be held for ever."""
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self._wait_for_reader()

    def _taken(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None

    def send_400_response(self, msg: str) -> None:
        self._refuse(Problem(400, "not-http", msg))

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close_late(self) -> None:
        self._late = None
        begun = not self._in_headers and self._question is None
        answered = begun and (self.cycle is None or self.cycle.response_started)
        if self._in_message and not answered:
            self._refuse(
                Problem(408, "timeout", f"the request did not arrive within {self.arrives_within:g} seconds")
            )
        elif not self.transport.is_closing():
            self.transport.close()

    def _refuse_headers(self) -> None:
        detail = f"the headers are too long: at most {MAX_HEADER_BYTES:,} bytes are read"
        self._refuse(Problem(431, "too-large", detail))

    def _refuse(self, problem: Problem) -> None:
        """Say why, and close."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        body = msgspec.json.encode(problem.body)
        head = b"content-type: application/problem+json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
        self.transport.write(STATUS_LINE[problem.status] + head % len(body) + body)
        self.transport.close()


def limited(seconds: float, connections: int, quick: Quick | None = None) -> type[HttpToolsProtocol]:
    """The protocol, with the time in which a request has to arrive, and the most connections."""

    class Limited(Connection):
        arrives_within = seconds
        most_connections = connections

    Limited.quick = quick
    return Limited
