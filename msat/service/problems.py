"""Errors as `application/problem+json` (RFC 9457), with all that they carry and nothing about the machine."""

from __future__ import annotations

from typing import Any

from msat.deadline import MORE_MEMORY
from msat.errors import BudgetExceeded, CheckFailed, EngineError, InconsistentBoard, MissingPackage, MsatError
from msat.questions.answers import details_of
from msat.questions.reading import NotJson
from msat.questions.requests import QUESTIONS

__all__ = ["TITLES", "Problem", "failure", "no_such_question", "problem_of", "shutting_down"]

TITLES = {
    "not-http": "The request is not HTTP",
    "not-json": "The body is not JSON",
    "not-found": "There is nothing here",
    "wrong-method": "Not by this method",
    "timeout": "The request took too long to arrive",
    "too-large": "Too large",
    "not-this-host": "This service is not at that host",
    "wrong-type": "The body has to be application/json",
    "invalid": "The question cannot be understood",
    "contradiction": "No layout agrees with the board",
    "queue-full": "Too many dear questions are waiting",
    "failed": "The question could not be answered",
    "not-ready": "Not now",
    "budget": "The budget was not enough",
}
"""What can go wrong, by the last part of the `type`."""


class Problem(Exception):
    """An answer that is no answer."""

    def __init__(
        self, status: int, kind: str, detail: str, headers: dict[str, str] | None = None, **details: Any
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.headers = headers or {}
        self.body: dict[str, Any] = {
            "type": f"/docs#{kind}",
            "title": TITLES[kind],
            "status": status,
            "detail": detail,
            **details,
        }


def problem_of(error: MsatError) -> Problem:
    """The problem that an error of the library is."""
    if isinstance(error, MissingPackage):  # its advice names files of this machine
        detail = f"{str(error).partition(':')[0]}, which this service was installed without"
        return Problem(422, "invalid", detail, error="MissingPackage")
    if isinstance(error, NotJson):
        return Problem(400, "not-json", f"not JSON: {error}")
    details = details_of(error) | {"error": type(error).__name__}
    if isinstance(error, BudgetExceeded):
        text = str(error).replace(MORE_MEMORY, "")  # which is not for whoever asks to change
        return Problem(504, "budget", text, **details)
    if isinstance(error, EngineError | CheckFailed):
        return Problem(500, "failed", str(error), **details)
    kind = "contradiction" if isinstance(error, InconsistentBoard) else "invalid"
    return Problem(422, kind, str(error), **details)


def no_such_question() -> Problem:
    """The problem of who asks for something else."""
    return Problem(404, "not-found", f"there is no such question: ask one of {', '.join(QUESTIONS)}")


def failure() -> Problem:
    """The problem of who has found a fault of msat."""
    return Problem(500, "failed", "an error of msat, which its log tells more about")


def shutting_down() -> Problem:
    """The problem of who comes too late."""
    return Problem(503, "not-ready", "the service is being stopped", {"Retry-After": "5"})
