"""`/openapi.json` and `/docs`: the description for programs, and the same for people.

The page is made from the description, without scripts: it works offline, and asks no foreign origin.
"""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from msat.questions.requests import QUESTIONS, Batch
from msat.service.examples import PROBLEMS, answer_to
from msat.service.guide import code, guide, text
from msat.service.openapi import STATUSES, description
from msat.service.problems import TITLES
from msat.service.sending import Request
from msat.service.settings import Settings
from msat.service.static import File, file_of

__all__ = ["addressed", "documents", "printed"]

ADDRESS = "http://127.0.0.1:8817"
WIDTH = 100
"""The characters of a line of an answer."""

ASKED = {*(kind.__name__ for kind in QUESTIONS.values()), Batch.__name__}
"""The types of questions; all others are of answers."""

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-bottom: 1px solid #8886; }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { padding: .75rem; border: 1px solid #8886; border-radius: 6px; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; }
td, th { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8886; }
nav a { margin-right: 1rem; } .quiet { opacity: .7; }
"""


def documents(settings: Settings) -> dict[str, File]:
    """The files by their paths."""
    described = description(settings)
    return {
        "/openapi.json": file_of(msgspec.json.encode(described), "openapi.json"),
        "/docs": file_of("".join(_page(described, settings)).encode(), "docs.html"),
        "/docs.css": file_of(_STYLE.encode(), "docs.css"),
    }


def addressed(file: File, request: Request) -> File:
    """A file whose examples ask the service where this request did."""
    scheme, prefix = request.place
    host = request.headers.get(b"host", b"").decode("latin-1")
    address = f"{scheme}://{host}{prefix}"
    # It goes into programs of several languages: other characters would have to be quoted in each of them.
    if not re.fullmatch(r"https?://[\w.:\[\]-]+[\w./~-]*", address, re.ASCII):
        return file
    return file_of(file.content.replace(ADDRESS.encode(), address.encode()), "docs.html")


def _page(described: dict[str, Any], settings: Settings) -> Iterator[str]:
    info, schemas = described["info"], described["components"]["schemas"]
    asked = {path: item["post"] for path, item in described["paths"].items() if "post" in item}
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>msat: the API</title>'
    yield '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="docs.css"></head>'
    yield f"<body><h1>msat {_text(info['version'])}</h1><p>{_text(info['summary'])} "
    yield 'For programs: <a href="openapi.json">openapi.json</a>. The page: <a href="./">/</a>.</p><nav>'
    for path, operation in asked.items():
        yield f'<a href="#{operation["operationId"]}">{_text(path.rpartition("/")[2])}</a> '
    for name in ("asking", "boards", "games", "javascript", "objects", "errors"):
        yield f'<a href="#{name}">{name}</a> '
    yield "</nav>"
    yield from guide(settings)
    for path, operation in asked.items():
        yield from _operation(path, operation, schemas)
    yield from _objects(schemas)
    yield from _errors(schemas)
    yield "</body></html>"


def _operation(path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    yield f'<h2 id="{operation["operationId"]}">POST {_text(path)}</h2><p>{text(operation["summary"])}</p>'
    content = operation["requestBody"]["content"]["application/json"]
    answers = operation["responses"]["200"]["content"]
    yield "<h3>The question</h3>"
    yield from _fields(content["schema"], schemas)
    yield "<h3>The answer</h3>"
    if "text/event-stream" in answers:
        yield f"<p>{text(answers['text/event-stream']['schema']['description'])}</p>"
    yield from _fields(answers["application/json"]["schema"], schemas)
    for title, example in content["examples"].items():
        yield f"<h3>Example: {_text(title)}</h3>"
        body = json.dumps(example["value"], ensure_ascii=False)
        yield code(f"curl -H 'Content-Type: application/json' -d {shlex.quote(body)} {ADDRESS}{path}")
        yield code(printed(answers["application/json"]["examples"][title]["value"]))


def printed(value: Any, indent: str = "") -> str:
    """An answer as a person reads it: what fits into a line stands in one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not value or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {printed(each, inner)}" for name, each in value.items()]
    else:
        parts = [printed(each, inner) for each in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"


def _objects(schemas: dict[str, Any]) -> Iterator[str]:
    """What fields of answers are made of."""
    yield '<h2 id="objects">Objects in answers</h2>'
    named = {name for found in schemas.values() for name in _references(found)}
    for name in sorted(named):
        yield f'<h3 id="{name}">{name}</h3>'
        yield from _fields({"$ref": name}, schemas)


def _references(value: Any) -> Iterator[str]:
    """The names of all objects that a description refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].rpartition("/")[2]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _references(each)


def _fields(reference: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    schema = schemas[reference["$ref"].rpartition("/")[2]]
    needed = schema.get("required", ())
    answer = schema["title"] not in ASKED
    if answer:
        for part in schema["description"].split("\n\n"):
            yield f"<p>{text(part)}</p>"
    yield "<table><tr><th>field</th><th>type</th><th>meaning</th></tr>"
    for name, field in schema["properties"].items():
        default = "" if field.get("default") is None else f" Default: `{json.dumps(field['default'])}`."
        if answer:
            mark = "" if name in needed else " (optional)"
        else:
            mark = " (needed)" if name in needed else ""
        told = text(field["description"] + default)
        yield f"<tr><td><code>{name}</code>{mark}</td><td>{_kind(field)}</td><td>{told}</td></tr>"
    yield "</table>"


def _kind(field: dict[str, Any]) -> str:
    """The type of a field, in words."""
    if field.get("title") == "Cell" or "prefixItems" in field:
        return "cell"
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in field:
        return " or ".join(_kind(each) for each in field["anyOf"])
    if "enum" in field:
        return " or ".join(f"<code>{_text(json.dumps(each))}</code>" for each in field["enum"])
    kind = _KINDS.get(field.get("type", ""), field.get("type", "anything"))
    if kind == "array":
        inside = _kind(field["items"]) if isinstance(field.get("items"), dict) else "anything"
        return f"list of ({inside})" if " or " in inside else f"list of {inside}"
    if "minimum" in field and "maximum" in field:
        return f"{kind}, {field['minimum']:,} to {field['maximum']:,}"
    return str(_text(kind))


_KINDS = {"string": "text", "integer": "whole number", "boolean": "true or false"}


def _errors(schemas: dict[str, Any]) -> Iterator[str]:
    yield '<h2 id="errors">Errors</h2><p>'
    yield text(
        "Errors are `application/problem+json` (RFC 9457): `type`, `title`, `status` and `detail` are always "
        "there, the others where the error carries them."
    )
    yield "</p>"
    yield from _fields({"$ref": "Problem"}, schemas)
    yield "<h3>Statuses</h3><table>"
    for status, meaning in STATUSES.items():
        yield f"<tr><td>{status}</td><td>{text(meaning)}</td></tr>"
    yield "</table><h3>Types</h3><table>"
    for kind, title in TITLES.items():
        yield f'<tr id="{kind}"><td><code>/docs#{kind}</code></td><td>{_text(title)}</td></tr>'
    yield "</table>"
    for title, (name, question) in PROBLEMS.items():
        yield f"<h3>Example: {_text(title)}</h3>" + code(f"{name} {json.dumps(question)}")
        yield code(printed(answer_to("problems", title)))


def _text(words: str) -> str:
    return html.escape(words, quote=False)
