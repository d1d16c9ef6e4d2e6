"""A client of the service: one file that needs nothing but the standard library, to use or to copy.

    client = Client("http://127.0.0.1:8817")
    client.analyze(board="??1/3?2/??? 3", fields=["safe"])["safe"]

Questions and answers are those of `/docs`, as dictionaries. A board may be a text, an object with `rows`,
rows of numbers, an array, or a `Board`; a game a `Record`: what has `to_object` or `tolist` is sent as what
that gives. The connection is kept; a client is for one thread.
"""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

try:
    from msat.errors import MsatError as _Root
except ImportError:  # where this file was copied to a project of its own
    _Root = Exception  # type: ignore[assignment, misc]

__all__ = ["Client", "NoServiceError", "QuestionError", "ServiceError"]


class ServiceError(_Root):
    """The service answered with a problem: its `status`, and all that it tells in `problem`."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or f"status {status}")
        self.status = status
        self.problem = problem


class QuestionError(_Root, ValueError, TypeError):
    """What cannot be asked: an address that is none, or what JSON has no way to write."""


class NoServiceError(_Root, ConnectionError):
    """Nobody answers at the address."""


class Client:
    """Asks a service; `retries` is how often to come again where its queue is full, as it says."""

    def __init__(
        self, address: str = "http://127.0.0.1:8817", timeout: float = 120.0, retries: int = 0
    ) -> None:
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except (ValueError, TypeError, AttributeError):
            host = None
        if not (isinstance(host, str) and host.isprintable()) or parts.scheme not in ("http", "https"):
            raise QuestionError(f"{_cut(address)} is no address: expected one such as http://127.0.0.1:8817")
        for name, number, kind in (("timeout", timeout, float), ("retries", retries, int)):
            if not isinstance(number, int | kind) or not 0 <= number < 1e6:
                raise QuestionError(f"{name}={_cut(number)} is not accepted: expected a number, 0 or more")
        secure = parts.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._address = address
        self._connection = connect(host, port, timeout=timeout)
        self._prefix = parts.path.rstrip("/") + "/api/v1/"
        self._retries = retries

    def analyze(self, **question: Any) -> dict[str, Any]:
        """Forced cells, probabilities, counts."""
        return self.ask("analyze", question)

    def cells(self, **question: Any) -> dict[str, Any]:
        """What every hidden cell may show."""
        return self.ask("cells", question)

    def hint(self, **question: Any) -> dict[str, Any]:
        """The move, its chance to win, alternatives."""
        return self.ask("hint", question)

    def explain(self, **question: Any) -> dict[str, Any]:
        """Why a cell is forced; without a cell all of them."""
        return self.ask("explain", question)

    def win(self, **question: Any) -> dict[str, Any]:
        """The exact chance to win."""
        return self.ask("win", question)

    def sample(self, **question: Any) -> dict[str, Any]:
        """Layouts that agree with a board."""
        return self.ask("sample", question)

    def encode(self, **question: Any) -> dict[str, Any]:
        """A board in the language of solvers."""
        return self.ask("encode", question)

    def generate(self, **question: Any) -> dict[str, Any]:
        """A layout and its started board."""
        return self.ask("generate", question)

    def convert(self, **question: Any) -> dict[str, Any]:
        """A board in other forms."""
        return self.ask("convert", question)

    def review(self, **question: Any) -> dict[str, Any]:
        """A game, judged."""
        return self.ask("review", question)

    def batch(self, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Many questions, each with its `path`: their answers, each with its `status` and its `body`."""
        answers: list[dict[str, Any]] = self.ask("batch", {"requests": requests})["answers"]
        return answers

    def ask(self, name: str, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question; a problem is a `ServiceError`."""
        for left in range(self._retries, -1, -1):
            reply = self._send(name, question, "application/json")
            body = self._body(reply)
            if reply.status == 200:
                return body
            if reply.status != 429 or not left:
                raise ServiceError(reply.status, body)
            after = reply.getheader("Retry-After") or ""
            time.sleep(float(after) if after.isdecimal() else 1.0)  # a proxy may tell a date
        raise AssertionError  # the last round returns or raises

    def events(self, name: str, question: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The answer to `hint`, `review` or `generate` as events: `progress`, then `result` or `problem`."""
        reply = self._send(name, question, "text/event-stream")
        if reply.status != 200:
            raise ServiceError(reply.status, self._body(reply))
        event = ""
        try:
            while line := reply.readline().decode():
                field, _, value = line.rstrip("\n").partition(": ")
                if field == "event":
                    event = value
                elif field == "data":
                    yield event, json.loads(value)
        finally:
            if not reply.isclosed():  # whoever leaves before the end: the rest is not the next answer
                self.close()

    def _body(self, reply: http.client.HTTPResponse) -> dict[str, Any]:
        """What was answered; a proxy in between may have its own words for it, which are no JSON."""
        try:
            text = reply.read()
        except BaseException:
            self.close()
            raise
        with suppress(ValueError):
            body = json.loads(text)
            if isinstance(body, dict):
                return body
        said = text[:200].decode("utf-8", "replace")
        problem = {"detail": f"status {reply.status}, no JSON: {said}"}
        if reply.status == 429:
            return problem
        raise ServiceError(reply.status, problem)

    def _send(self, name: str, question: dict[str, Any], accept: str) -> http.client.HTTPResponse:
        if not isinstance(name, str) or not re.fullmatch("[a-z-]{1,40}", name):
            raise QuestionError(f"{_cut(name)} is no question: expected one such as 'analyze'")
        headers = {"Content-Type": "application/json", "Accept": accept}
        try:
            body = json.dumps(question, default=_plain).encode()
        except QuestionError:
            raise
        except Exception as bad:  # whatever a value does that has no form in JSON
            raise QuestionError(f"the question cannot be written as JSON: {_cut(bad, str)}") from None
        kept = self._connection.sock is not None
        try:
            self._connect()
            self._connection.request("POST", self._prefix + name, body, headers)
            return self._connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            self.close()
            if not kept:
                raise
        except BaseException:  # such as a timeout: what comes later would be taken for the next answer
            self.close()
            raise
        # The service closes connections that are not used for a while: a new one does.
        self._connect()
        self._connection.request("POST", self._prefix + name, body, headers)
        return self._connection.getresponse()

    def _connect(self) -> None:
        """Open the connection, unless it is."""
        if self._connection.sock is not None:
            return
        try:
            self._connection.connect()
        except OSError as bad:
            raise NoServiceError(
                f"nobody answers at {_cut(self._address, str)} ({bad.strerror or bad}): "
                "start `msat serve`, or give the address that it printed"
            ) from bad

    def close(self) -> None:
        """Close the connection; the next question opens another."""
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _plain(value: Any) -> Any:
    """A value of msat or numpy as JSON has it."""
    for name in ("to_object", "tolist"):
        if callable(made := getattr(value, name, None)):
            return made()
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise QuestionError(
        f"{_cut(value)} is nothing to ask about: expected texts, numbers, lists, dictionaries, or what has "
        "to_object() or tolist()"
    )


def _cut(value: object, write: Callable[[object], str] = repr) -> str:
    """A value for a message, cut where it is long."""
    try:
        text = write(value)
    except Exception:
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "…"
