"""Answers that take a while, as a stream of events: `progress`, then `result` or `problem`."""

from __future__ import annotations

import asyncio
from time import monotonic

import msgspec

from msat.service.answering import Dear, Reply, reply_of
from msat.service.problems import Problem
from msat.service.sending import Request, Sender, unless_gone

__all__ = ["STREAMED", "stream", "wants_events"]

STREAMED = frozenset(("hint", "review", "generate"))
"""The questions that can be answered by events."""

TICK = 0.25
"""Seconds after which something is sent, be it only how long it has taken."""

_encode = msgspec.json.Encoder().encode


def wants_events(accept: bytes) -> bool:
    """Whether a client has them named, and JSON not more urgently.

    >>> wants_events(b"text/event-stream"), wants_events(b"*/*"), wants_events(b"text/event-stream;q=0")
    (True, False, False)
    >>> wants_events(b"application/json, Text/Event-Stream; q=0.5"), wants_events(b"text/event-stream, */*")
    (False, True)
    """
    if not accept or accept == b"*/*":
        return False
    weights = {b"text/event-stream": 0.0, b"application/json": 0.0}
    for kind in accept.lower().split(b","):
        name, *parameters = (part.strip() for part in kind.split(b";"))
        if name in weights:
            weights[name] = min([_weight(each) for each in parameters], default=1.0)
    events, json = weights.values()
    return events > 0 and events >= json


def _weight(parameter: bytes) -> float:
    try:
        return float(parameter.removeprefix(b"q=")) if parameter.startswith(b"q=") else 1.0
    except ValueError:
        return 1.0


async def stream(found: Reply | Dear, request: Request, sender: Sender) -> None:
    """Send the reply as events; where nobody tells how far it is, the time is told, of that allowed."""
    await sender.begin(b"text/event-stream; charset=utf-8")
    if isinstance(found, Reply):
        await sender.part(_last(found), more=False)
        return
    await unless_gone(request, _events(found, sender))


async def _events(dear: Dear, sender: Sender) -> None:
    news: asyncio.Queue[bytes] = asyncio.Queue()
    began, told = monotonic(), False
    working = asyncio.ensure_future(dear.reply(news.put_nowait))
    waiting = asyncio.ensure_future(news.get())
    try:
        while not working.done():
            await asyncio.wait([working, waiting], timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                told = True
                await sender.part(_event(b"progress", waiting.result()))
                waiting = asyncio.ensure_future(news.get())
            elif not working.done() and not told:
                spent = round(min(monotonic() - began, dear.seconds), 2)
                await sender.part(_event(b"progress", _encode({"done": spent, "of": dear.seconds})))
        await asyncio.sleep(0)  # what was told last has its turn
        if waiting.done():
            await sender.part(_event(b"progress", waiting.result()))
        while not news.empty():
            await sender.part(_event(b"progress", news.get_nowait()))
        try:
            reply = working.result()
        except Problem as problem:
            reply = reply_of(problem)
        await sender.part(_last(reply), more=False)
    finally:
        begun = [task for task in (working, waiting) if not task.done()]
        for task in begun:
            task.cancel()
        if begun:
            await asyncio.wait(begun)


def _last(reply: Reply) -> bytes:
    return _event(b"result" if reply.status == 200 else b"problem", reply.body)


def _event(name: bytes, data: bytes) -> bytes:
    """One event; JSON has no line feeds outside of texts, and none in them."""
    return b"event: %b\ndata: %b\n\n" % (name, data)
