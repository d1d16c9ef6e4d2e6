"""The description of the service (OpenAPI 3.1), made from the types that requests are read by."""

from __future__ import annotations

from typing import Any

import msgspec

from msat import __version__
from msat.questions.replies import REPLIES
from msat.questions.replies import Problem as ProblemBody
from msat.questions.requests import QUESTIONS, Batch
from msat.service.examples import EXAMPLES, answer_to
from msat.service.settings import Settings

__all__ = ["STATUSES", "description"]

STATUSES = {
    400: "The body is not JSON.",
    408: "The request did not arrive in time.",
    413: "Too large: bytes, cells, or questions of a batch.",
    415: "The body is not application/json.",
    421: "The service is not at this host.",
    422: "No question, no board, or a board that contradicts itself.",
    429: "The queue is full; Retry-After says when to come again.",
    500: "The worker died, or msat has a fault.",
    503: "Not ready, or being stopped.",
    504: "The budget was not enough; what was proven is told.",
}
"""What else than an answer may come."""

_STREAMED = ("hint", "review", "generate")
_EVENTS = (
    "With `Accept: text/event-stream`: events `progress` (`{'done': x, 'of': y}`), then `result` or "
    "`problem`, whose data are the same JSON."
)


def description(settings: Settings) -> dict[str, Any]:
    """All of it, as plain values."""
    asked: dict[str, type] = {**QUESTIONS, "batch": Batch}
    types = [*asked.values(), *REPLIES.values(), ProblemBody]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    requests = dict(zip(asked, schemas, strict=False))
    replies = dict(zip(REPLIES, schemas[len(asked) :], strict=False))
    paths = {
        f"/api/v1/{name}": {"post": _operation(name, asked[name], requests[name], replies[name])}
        for name in asked
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "msat",
            "version": __version__,
            "summary": "Exact answers about Minesweeper positions.",
            "description": "Questions are JSON objects, sent by POST. Cells are [row, column]. A "
            f"request has at most {settings.max_bytes:,} bytes, a board {settings.max_cells:,} cells, a "
            f"batch {settings.max_batch:,} questions; a question takes at most {settings.budget:g} seconds.",
        },
        "paths": paths | _others(),
        "components": {
            "schemas": components,
            "responses": {
                str(status): {
                    "description": text,
                    "content": {"application/problem+json": {"schema": schemas[-1]}},
                }
                for status, text in STATUSES.items()
            },
        },
    }


def _operation(name: str, kind: type, request: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    answers = {title: {"value": answer_to(name, title)} for title in EXAMPLES[name]}
    content: dict[str, Any] = {"application/json": {"schema": reply, "examples": answers}}
    if name in _STREAMED:
        content["text/event-stream"] = {"schema": {"type": "string", "description": _EVENTS}}
    asked = {title: {"value": question} for title, question in EXAMPLES[name].items()}
    problems = {str(status): {"$ref": f"#/components/responses/{status}"} for status in STATUSES}
    return {
        "operationId": name,
        "summary": (kind.__doc__ or "").strip(),
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": request, "examples": asked}},
        },
        "responses": {"200": {"description": "The answer.", "content": content}, **problems},
    }


def _others() -> dict[str, Any]:
    """What can be fetched beside questions."""
    said = {"status": {"type": "string"}}
    status = {"type": "object", "properties": said, "required": ["status"]}
    boolean = {"type": "boolean"}
    ready = {**status, "properties": {**said, "compiled": boolean, "compiling": boolean}}
    kinds = {
        "/healthz": ("The process is up.", "application/json", status),
        "/readyz": ("Questions can be answered; how far kernels are.", "application/json", ready),
        "/metrics": ("Counters, as Prometheus reads them.", "text/plain", {"type": "string"}),
    }
    found: dict[str, Any] = {}
    for path, (summary, kind, schema) in kinds.items():
        responses: dict[str, Any] = {"200": {"description": summary, "content": {kind: {"schema": schema}}}}
        for refused in (421, 503) if path == "/readyz" else (421,):
            responses[str(refused)] = {"$ref": f"#/components/responses/{refused}"}
        found[path] = {"get": {"operationId": path[1:], "summary": summary, "responses": responses}}
    return found
