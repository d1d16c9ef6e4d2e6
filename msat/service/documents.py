"""`/openapi.json` and `/docs`: the description for programs, and the same for people.

The page is made from the description, without scripts: it works offline, and asks no foreign origin.
"""

from __future__ import annotations

import html
import json
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from msat.service.openapi import STATUSES, description
from msat.service.problems import TITLES
from msat.service.settings import Settings
from msat.service.static import File, file_of

__all__ = ["documents"]

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
        "/docs": file_of("".join(_page(described)).encode(), "docs.html"),
        "/docs.css": file_of(_STYLE.encode(), "docs.css"),
    }


def _page(described: dict[str, Any]) -> Iterator[str]:
    info, schemas = described["info"], described["components"]["schemas"]
    asked = {path: item["post"] for path, item in described["paths"].items() if "post" in item}
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>msat: the API</title>'
    yield '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="docs.css"></head>'
    yield f"<body><h1>msat</h1><p>{_text(info['summary'])} {_text(info['description'])}</p>"
    yield '<p>For programs: <a href="openapi.json">openapi.json</a>. The page: <a href="./">/</a>.</p><nav>'
    for path, operation in asked.items():
        yield f'<a href="#{operation["operationId"]}">{_text(path.rpartition("/")[2])}</a>'
    yield '<a href="#errors">errors</a></nav>'
    yield from _languages()
    for path, operation in asked.items():
        yield from _operation(path, operation, schemas)
    yield from _errors()
    yield "</body></html>"


def _languages() -> Iterator[str]:
    example = """\
const reply = await fetch("/api/v1/analyze", {
  method: "POST",
  headers: {"Content-Type": "application/json"},
  body: JSON.stringify({board: "??1/3?2/??? 3"}),
});
const answer = await reply.json();
if (!reply.ok) throw new Error(answer.detail);
console.log(answer.safe, answer.probability);"""
    yield f"<h2>From JavaScript</h2><pre><code>{_text(example)}</code></pre>"
    example = """\
from msat.service.client import Client

client = Client("http://127.0.0.1:8817")
print(client.analyze(board="??1/3?2/??? 3")["safe"])"""
    yield f"<h2>From Python</h2><pre><code>{_text(example)}</code></pre>"
    yield "<p>The client is one file that needs nothing but the standard library.</p>"


def _operation(path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    yield f'<h2 id="{operation["operationId"]}">POST {_text(path)}</h2><p>{_text(operation["summary"])}</p>'
    content = operation["requestBody"]["content"]["application/json"]
    body = json.dumps(content["example"], ensure_ascii=False)
    command = f"curl -H 'Content-Type: application/json' -d {shlex.quote(body)} http://127.0.0.1:8817{path}"
    yield f"<pre><code>{_text(command)}</code></pre>"
    yield "<h3>The question</h3>"
    yield from _fields(content["schema"], schemas)
    answers = operation["responses"]["200"]["content"]
    yield "<h3>The answer</h3>"
    if "text/event-stream" in answers:
        yield f"<p>{_text(answers['text/event-stream']['schema']['description'])}</p>"
    yield from _fields(answers["application/json"]["schema"], schemas)


def _fields(reference: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    schema = schemas[reference["$ref"].rpartition("/")[2]]
    needed = schema.get("required", ())
    yield "<table><tr><th>field</th><th>type</th><th>meaning</th></tr>"
    for name, field in schema["properties"].items():
        default = "" if field.get("default") is None else f" Default: {json.dumps(field['default'])}."
        told = field.get("description", "") + default
        mark = " (needed)" if name in needed and "title" in schema and "Reply" not in schema["title"] else ""
        kind = _kind(field, schemas)
        yield f"<tr><td><code>{name}</code>{mark}</td><td>{kind}</td><td>{_text(told)}</td></tr>"
    yield "</table>"


def _kind(field: dict[str, Any], schemas: dict[str, Any]) -> str:
    """The type of a field, in words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        inside = ", ".join(schemas[name].get("properties", ()))
        return f"object <span class=quiet>({_text(inside)})</span>"
    if "anyOf" in field:
        return " or ".join(_kind(each, schemas) for each in field["anyOf"])
    if "enum" in field:
        return " or ".join(f"<code>{_text(json.dumps(each))}</code>" for each in field["enum"])
    kind = field.get("type", "anything")
    if kind == "array":
        inside = _kind(field["items"], schemas) if isinstance(field.get("items"), dict) else "numbers"
        return f"list of {inside}"
    return str(_text(kind))


def _errors() -> Iterator[str]:
    yield '<h2 id="errors">Errors</h2><p>Errors are <code>application/problem+json</code> with '
    yield "<code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code> and what it "
    yield "carries: <code>clues</code>, <code>marks</code>, <code>possible_mines</code> of contradictions, "
    yield "<code>safe</code> and <code>mined</code> where a budget was not enough.</p><table>"
    for status, text in STATUSES.items():
        yield f"<tr><td>{status}</td><td>{_text(text)}</td></tr>"
    yield "</table><h3>Types</h3><table>"
    for kind, title in TITLES.items():
        yield f'<tr id="{kind}"><td><code>/docs#{kind}</code></td><td>{_text(title)}</td></tr>'
    yield "</table>"


def _text(text: str) -> str:
    return html.escape(text, quote=False)
