"""Cheap questions in ordinary requests, answered in the call that brings them.

A task for each request, and the messages of ASGI, cost as much as the answer to a question about an expert
board. So a connection asks here first. What is odd in any way (another type, no length, another host, a long
body) is left to the application, which knows what to say to it.
"""

from __future__ import annotations

import logging
from time import perf_counter

from msat.service.answering import Answering, Dear, Reply, reply_of
from msat.service.hosts import Hosts
from msat.service.metrics import Metrics
from msat.service.problems import Problem, failure

__all__ = ["Quick"]

MOST_BYTES = 1 << 16
"""The longest body that is taken here: a board of a thousand cells has some thousand bytes in any form."""

_QUESTIONS = {b"/api/v1/" + name.encode(): name for name in ("analyze", "cells", "sample", "convert")}
_ODD = frozenset((b"content-encoding", b"expect", b"transfer-encoding", b"upgrade"))
_log = logging.getLogger("msat.service")


class Quick:
    """Answers at once what can be answered at once."""

    def __init__(self, answering: Answering, hosts: Hosts, metrics: Metrics) -> None:
        self.open = False
        """Whether questions are taken: not before the service is ready, nor when it is being stopped."""
        self._answering = answering
        self._hosts = hosts
        self._metrics = metrics

    def question(self, path: bytes, headers: list[tuple[bytes, bytes]]) -> str | None:
        """The question that is asked, if it is one of those, in a request that is like any other."""
        name = _QUESTIONS.get(path)
        if name is None or not self.open:
            return None
        given = dict(headers)
        length = given.get(b"content-length", b"")
        if not length.isdigit() or len(length) > 9 or int(length) > MOST_BYTES:
            return None
        ordinary = given.get(b"content-type") == b"application/json" and _ODD.isdisjoint(given)
        ordinary = ordinary and len(given) == len(headers)
        return name if ordinary and self._hosts.allow(given.get(b"host", b"")) else None

    def begin(self, name: str, body: bytes) -> Reply | Dear:
        """The reply, or what gets it from a worker."""
        began = perf_counter()
        try:
            found = self._answering.begin(name, body)
        except Problem as problem:
            found = reply_of(problem)
        except Exception:
            _log.exception("a request failed")
            found = reply_of(failure())
        if isinstance(found, Reply):
            self._metrics.count(name, found.status, perf_counter() - began)
        return found
