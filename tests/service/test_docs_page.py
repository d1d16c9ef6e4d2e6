"""/docs alone suffices to write a client: every field is told in words, examples are true, programs run."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from msat.service.documents import documents
from msat.service.examples import EXAMPLES, FILE, PROBLEMS, answer_to
from msat.service.openapi import description
from msat.service.settings import Settings
from tests.support.clock import PATIENCE
from tests.support.service import Service


@pytest.fixture(scope="module")
def page(service: Service) -> str:
    return service.request("GET", "/docs").body.decode()


def programs(page: str, begin: str) -> list[str]:
    """The programs of the page that begin like this."""
    found = re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    return [html.unescape(each) for each in found if html.unescape(each).startswith(begin)]


def described() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for title, schema in description(Settings())["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            yield title, name, field


def test_every_field_of_questions_and_answers_is_told_in_words() -> None:
    silent = [(title, name) for title, name, field in described() if not field.get("description")]
    assert silent == []


def test_every_field_stands_on_the_page() -> None:
    text = documents(Settings())["/docs"].content.decode()
    rows = re.findall(r"<tr><td><code>(\w+)</code>.*?</td><td>(.*?)</td><td>(.*?)</td></tr>", text)
    told = {name for name, kind, meaning in rows if kind and meaning}
    assert {name for _, name, _ in described()} <= told
    assert set(re.findall(r'href="#([\w-]+)"', text)) <= set(re.findall(r'id="([\w-]+)"', text))


def test_answers_to_the_examples_are_those_that_are_given(service: Service) -> None:
    given: dict[str, dict[str, Any]] = {
        name: {title: service.ask(name, question).json for title, question in examples.items()}
        for name, examples in EXAMPLES.items()
    }
    given["problems"] = {
        title: service.ask(name, question).json for title, (name, question) in PROBLEMS.items()
    }
    if os.environ.get("MSAT_SNAPSHOTS") == "write":
        FILE.write_text(json.dumps(given, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert given == json.loads(FILE.read_text("utf-8"))
    assert answer_to("analyze", "everything")["solutions"] == "4"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_javascript_of_the_page_runs(service: Service, page: str, tmp_path: Path) -> None:
    asking, following = programs(page, "const service"), programs(page, "async function* events")
    assert len(asking) == len(following) == 1
    script = tmp_path / "client.mjs"
    text = "\n".join([*asking, *following])
    script.write_text(text, "utf-8")
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "r0c1 is safe" in done.stdout
    assert "look at rows" in done.stdout
    assert re.search(r"^result \{", done.stdout, re.MULTILINE)


def test_the_python_of_the_page_runs(service: Service, page: str) -> None:
    (program,) = programs(page, "from msat.service.client")
    out: list[Any] = []
    exec(program, {"print": lambda *said: out.append(said)})
    assert out[0] == ([[2, 2]],)
    assert out[-1][0] == "result"


def test_the_game_of_the_page_can_be_reviewed(service: Service, page: str) -> None:
    (game,) = programs(page, '{\n  "format": "msat-record"')
    assert service.ask("review", {"record": json.loads(game)}).json["state"] == "playing"
    assert service.ask("review", {"record": game}).status == 200


def test_the_page_names_the_address_that_it_was_asked_at(service: Service, page: str) -> None:
    assert f"{service.address}/api/v1/analyze" in page
    assert "8817" not in page or service.address.endswith(":8817")
    port = service.address.rpartition(":")[2]
    other = service.request("GET", "/docs", headers={"Host": f"localhost:{port}"}).body.decode()
    assert f"http://localhost:{port}/api/v1/analyze" in other
    assert service.address not in other
