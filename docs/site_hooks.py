"""What the site shows beside the pages in docs/: generated pages, and pages from elsewhere in the repository.

- The command line is described by its own parsers, the HTTP API by its OpenAPI description.
- The tutorial is a notebook; its cells and their outputs become a page.
- CONTRIBUTING, CHANGELOG and the like stay where visitors of a repository look for them.

Navigation entries whose page does not exist, in this version or with what is installed, are left out.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

ELSEWHERE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "bench/README.md": "benchmarks.md",
    "bench/scaling.md": "scaling.md",
    "bench/scaling.png": "scaling.png",
}
"""Files of the repository that are pages of the site, and under which names."""


def command_line() -> str:
    """The page about the command line: what every parser says of itself."""
    os.environ["COLUMNS"] = "100"
    from msat.__main__ import _build_parser

    parser = _build_parser()
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    about = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    parts = [
        "# The command line\n",
        "`msat COMMAND …`, or `python -m msat COMMAND …`: what every command says of itself with `--help`.\n",
        f"```text\n{parser.format_help()}```\n",
    ]
    for name, command in commands.choices.items():
        parts.append(f"## msat {name}\n\n{about.get(name, '')}\n\n```text\n{command.format_help()}```\n")
    return "\n".join(parts)


def http_api() -> str | None:
    """The page about the HTTP API, from its own description; None where this version has none."""
    try:
        from msat.service.openapi import description
        from msat.service.settings import Settings
    except ImportError:
        return None
    found: dict[str, Any] = description(Settings())
    parts = [f"# The HTTP API\n\n{found['info'].get('description', '')}\n"]
    for path, methods in found["paths"].items():
        for method, asked in methods.items():
            if not isinstance(asked, dict) or "responses" not in asked:
                continue
            about = (f"## {method.upper()} {path}", asked.get("summary", ""), asked.get("description", ""))
            parts.append("\n\n".join(about) + "\n")
            for where, content in (("Request", asked.get("requestBody", {})), *asked["responses"].items()):
                for kind, schema in content.get("content", {}).items():
                    told = _schema_name(schema.get("schema", {}))
                    parts.append(
                        f"**{where}**, `{kind}`: {told if kind != 'text/event-stream' else 'events'}\n"
                    )
            parts += _http_examples(path, asked)
    parts.append("## Errors\n\n| status | meaning |\n|---|---|")
    for status, response in found["components"]["responses"].items():
        parts.append(f"| {status} | {response['description']} |")
    parts.append("\nTheir bodies are `application/problem+json`: [Problem](#problem).\n")
    parts.append("## Types\n")
    for name, schema in found.get("components", {}).get("schemas", {}).items():
        text = inspect.cleandoc(schema.get("description", ""))
        parts.append(f"### {name}\n\n{text}\n\n{_fields(schema)}\n")
    return "\n".join(parts)


def _http_examples(path: str, asked: dict[str, Any]) -> list[str]:
    """Questions with their answers, as the service has them."""
    from msat.service.documents import printed

    if "requestBody" not in asked:
        return []
    questions = asked["requestBody"]["content"]["application/json"]["examples"]
    answers = asked["responses"]["200"]["content"]["application/json"]["examples"]
    return [
        f"*{title}*\n\n```json\nPOST {path}\n{printed(question['value'])}\n\n200\n"
        f"{printed(answers[title]['value'])}\n```\n"
        for title, question in questions.items()
    ]


def _schema_name(schema: Any) -> str:
    """A type of the API in a few words."""
    if not isinstance(schema, dict):
        return "any"
    if "prefixItems" in schema:
        return f"[{', '.join(map(_schema_name, schema['prefixItems']))}]"
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{re.sub(r'[^a-z0-9_-]', '', name.lower())})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_schema_name(choice) for choice in schema[key])
    if schema.get("type") == "array":
        return f"list of {_schema_name(schema.get('items', {}))}"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    return str(schema.get("type", "any"))


def _fields(schema: dict[str, Any]) -> str:
    """The fields of a type as a table."""
    if not schema.get("properties"):
        return _schema_name(schema)
    rows = ["| field | type | default | |", "|---|---|---|---|"]
    for name, field in schema["properties"].items():
        default = "" if "default" not in field else f"`{json.dumps(field['default'])}`"
        text = str(field.get("description", "")).replace("\n", " ").replace("|", "\\|")
        rows.append(f"| `{name}` | {_schema_name(field)} | {default} | {text} |")
    return "\n".join(rows)


def tutorial() -> str | None:
    """The notebook as a page, or None where there is none."""
    file = ROOT / "docs" / "tutorial.ipynb"
    if not file.exists():
        return None
    parts = []
    for cell in json.loads(file.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            data = output.get("data", {"text/plain": output.get("text", "")})
            for kind in ("text/html", "image/svg+xml", "text/plain"):
                if kind in data:
                    text = "".join(data[kind])
                    parts.append(f"```text\n{text}\n```" if kind == "text/plain" else _one_block(text))
                    break
    return "\n\n".join(parts)


def _one_block(html: str) -> str:
    """HTML that Markdown takes as it is: one block, without blank lines."""
    return "<div>" + re.sub(r"\n\s*\n", "\n", html) + "</div>"


GENERATED = {"reference/cli.md": command_line, "reference/http.md": http_api, "tutorial.md": tutorial}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not in docs/."""
    for name, make in GENERATED.items():
        content = make()
        if content is not None:
            files.append(File.generated(config, name, content=content))
    for path, name in ELSEWHERE.items():
        file = ROOT / path
        if file.exists() and file.suffix == ".md":
            files.append(File.generated(config, name, content=_moved(file.read_text("utf-8"), path)))
        elif file.exists():
            files.append(File.generated(config, name, content=file.read_bytes()))
    config["nav"] = _present(config["nav"], {file.src_uri for file in files})
    return files


def _present(nav: list[Any], pages: set[str]) -> list[Any]:
    """The navigation without entries whose page is not there."""
    kept = []
    for entry in nav:
        ((title, target),) = entry.items()
        if isinstance(target, list):
            kept.append({title: _present(target, pages)})
        elif target in pages:
            kept.append(entry)
    return kept


_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)")
"""A link within the repository: whether it is a picture, its text, its target, its anchor."""


def _moved(text: str, path: str) -> str:
    """A page from elsewhere, with its links as seen from docs/; what is no page is only named."""

    def linked(found: re.Match[str]) -> str:
        picture, shown, target, anchor = found.groups(default="")
        place = Path(os.path.normpath(Path(path).parent / target)).as_posix()
        if place in ELSEWHERE or place.startswith("docs/"):
            return f"{picture}[{shown}]({ELSEWHERE.get(place, place.removeprefix('docs/'))}{anchor})"
        return shown

    return _LINK.sub(linked, text)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links that leave docs/ to the pages that were brought in; other files are only named."""
    up = "../" * page.file.src_uri.count("/")

    def linked(found: re.Match[str]) -> str:
        picture, shown, target, anchor = found.groups(default="")
        place = Path(os.path.normpath(Path("docs", page.file.src_uri).parent / target)).as_posix()
        if place in ELSEWHERE:
            return f"{picture}[{shown}]({up}{ELSEWHERE[place]}{anchor})"
        return found[0] if place.startswith("docs/") else shown

    return _LINK.sub(linked, markdown)


_TEXT = re.compile(
    r'<div class="language-text highlight">(?=<pre><span></span><code>(.*?)</code>)', re.DOTALL
)
"""Where a block of plain text begins, and what is in it."""


def on_page_content(html: str, **_: Any) -> str:
    """Tell what commands print from drawings: its long lines go on in the next one (site.css)."""

    def told(found: re.Match[str]) -> str:
        lines = re.sub(r"<[^>]*>", "", found[1]).splitlines()
        sentences = any(line.startswith(("$ ", "curl ")) for line in lines) or max(map(len, lines)) > 125
        return found[0].replace("language-text", "language-console") if sentences else found[0]

    return _TEXT.sub(told, html)
