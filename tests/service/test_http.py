"""What comes over the wire, and should not: every error of the contract, limits, hosts, origins, files."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
from typing import Any

import msgspec
import pytest

from msat.questions.replies import Problem
from msat.questions.requests import QUESTIONS
from msat.service.connection import MAX_HEADER_BYTES
from msat.service.hosts import Hosts, names_of
from msat.service.problems import TITLES, problem_of
from msat.service.static import FOLDER, files_of
from tests.support.clock import wait_until
from tests.support.service import Answer, Service, read_answer

BOARD = "??1/3?2/??? 3"


def assert_problem(answer: Answer, status: int, kind: str) -> dict[str, Any]:
    """The answer is a problem of this kind, told as RFC 9457 has it, and nothing about the machine."""
    assert answer.status == status, answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    found = msgspec.convert(answer.json, Problem)
    assert (found.status, found.type, found.title) == (status, f"/docs#{kind}", TITLES[kind])
    assert found.detail
    assert not re.search(rb"Traceback|\.py\b|/usr|/home|/tmp|site-packages|<html", answer.body)
    return dict(answer.json)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"board",
        b'{"board": "?1? 1"',
        b'{"board": "\xff"}',
        b"[" * 200_000,
        b'{"board": ' * 50_000,
        b'{"board": "?1? 1", "budget": NaN}',
        b'{"board": "?1? 1", "budget": Infinity}',
        b"\x00\x01\x02",
        b'{"board": "\\ud800"}',
    ],
    ids=lambda body: str(body[:20]),
)
def test_what_is_not_json_is_a_400(service: Service, body: bytes) -> None:
    assert_problem(service.ask("analyze", body), 400, "not-json")
    assert_problem(service.ask("batch", body), 400, "not-json")


@pytest.mark.parametrize(
    "question",
    [
        b'{"board": "?1? 1", "budget": ' + b"9" * 100_000 + b"}",
        b'{"board": "?1? 1", "budget": 1e999}',
        {},
        [],
        "?1? 1",
        None,
        {"board": "?1?"},
        {"board": "?9? 1"},
        {"board": "?1? 5"},
        {"board": 7},
        {"board": []},
        {"board": [[1, "2"]], "mines": 1},
        {"board": [[-1, 1]]},
        {"board": {"rows": [["x"] * 3] * 3}, "mines": 1},
        {"board": BOARD, "colour": "red"},
        {"board": BOARD, "engine": "magic"},
        {"board": BOARD, "engine": "../../etc/passwd"},
        {"board": BOARD, "fields": ["everything"]},
        {"board": BOARD, "budget": -1},
        {"board": BOARD, "budget": "1"},
        {"board": BOARD, "mines": True},
        {"board": BOARD, "form": "/etc/passwd"},
        {"board": "/etc/passwd", "mines": 3},
        {"board": "a\u0000\u001b[31m", "mines": 3},
    ],
    ids=lambda question: str(question)[:40],
)
def test_what_is_no_question_or_no_board_is_a_422(service: Service, question: object) -> None:
    assert_problem(service.ask("analyze", question), 422, "invalid")


def test_a_contradiction_is_a_422_that_names_it(service: Service) -> None:
    told = assert_problem(service.ask("analyze", {"board": "1?/0? 1"}), 422, "contradiction")
    assert told["clues"] == [[0, 0], [1, 0]]
    told = assert_problem(service.ask("analyze", {"board": "?1? 2"}), 422, "contradiction")
    assert (told["uses_mine_count"], told["possible_mines"]) == (True, [1])
    told = assert_problem(service.ask("hint", {"board": "**?/111 1", "marks": "trust"}), 422, "contradiction")
    assert told["marks"] == [[0, 0]]


@pytest.mark.parametrize(
    "name", [name for name in QUESTIONS if name not in ("generate", "review", "convert", "encode")]
)
def test_every_question_knows_an_impossible_board(service: Service, name: str) -> None:
    assert_problem(service.ask(name, {"board": "1?/0? 1"}), 422, "contradiction")


def test_equal_keys_are_no_trouble(service: Service) -> None:
    body = b'{"board": "?? 1", "board": "?1? 1", "fields": ["solutions"]}'
    assert service.ask("analyze", body).json == {"solutions": "2"}


def test_paths_and_methods_that_do_not_exist(service: Service) -> None:
    for path in ("/api/v1/", "/api/v1/solve", "/api/v1/analyze/", "/api/v2/analyze", "/nothing"):
        assert_problem(service.request("POST", path, b"{}"), 404, "not-found")
    for path in ("/api%2fv1%2fanalyze", "/api/v1%2Fanalyze"):  # a slash that separates nothing
        assert_problem(service.request("POST", path, b"{}"), 404, "not-found")
    for method in ("GET", "PUT", "DELETE", "OPTIONS"):
        answer = service.request(method, "/api/v1/analyze")
        assert answer.status == 405
        assert answer.headers["allow"] == "POST"
    assert_problem(service.request("POST", "/healthz", b"{}"), 405, "wrong-method")
    assert_problem(service.request("DELETE", "/"), 405, "wrong-method")


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/..%2f..%2fpyproject.toml",
        "/static/../service/server.py",
        "//etc/passwd",
        "/%2e%2e/x",
    ],
)
def test_no_path_leads_out_of_the_page(service: Service, path: str) -> None:
    assert_problem(service.request("GET", path), 404, "not-found")


def test_other_types_are_a_415(service: Service) -> None:
    body = json.dumps({"board": BOARD}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", None):
        answer = service.request("POST", "/api/v1/analyze", body, {"Content-Type": kind})
        assert_problem(answer, 415, "wrong-type")
    for name in ("analyze", "hint"):
        told = service.ask(name, gzip.compress(body), {"Content-Encoding": "gzip"})
        assert "Content-Encoding" in assert_problem(told, 415, "wrong-type")["detail"]
    kind = "Application/JSON; charset=utf-8"
    assert service.request("POST", "/api/v1/analyze", body, {"Content-Type": kind}).status == 200


def test_too_many_bytes_are_a_413_before_they_are_read(service: Service) -> None:
    assert_problem(service.ask("analyze", b"[" * (5 << 20)), 413, "too-large")
    # Nothing of the body was sent, and yet it is answered.
    answer = service.request("POST", "/api/v1/analyze", b"", {"Content-Length": "99999999999"})
    assert_problem(answer, 413, "too-large")


def test_bytes_are_counted_where_their_number_is_not_told(service: Service) -> None:
    headers = {"Content-Length": None, "Transfer-Encoding": "chunked"}
    with service.connect() as connection:
        connection.sendall(service.message("POST", "/api/v1/analyze", b"", headers))
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        try:
            for _ in range(80):
                connection.sendall(chunk)
        except ConnectionError:
            pass  # it was refused, and closed
        assert_problem(read_answer(connection), 413, "too-large")
    body = json.dumps({"board": BOARD, "fields": ["solutions"]}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    with service.connect() as connection:
        connection.sendall(service.message("POST", "/api/v1/analyze", b"", headers) + chunks)
        assert read_answer(connection).json == {"solutions": "4"}


def test_too_many_cells_are_a_413(service: Service) -> None:
    rows = "/".join(["?" * 101] * 100) + " 5"  # so long a text that a worker reads it
    assert (
        "10,100 cells" in assert_problem(service.ask("analyze", {"board": rows}), 413, "too-large")["detail"]
    )
    many = {"board": "/".join(["?" * 100] * 100) + " 5", "n": 1001}
    assert (
        "1,001 layouts of 10,000" in assert_problem(service.ask("sample", many), 413, "too-large")["detail"]
    )
    numbers = {"board": [[-1]] * 10_001, "mines": 5}
    assert "10,001 cells" in assert_problem(service.ask("analyze", numbers), 413, "too-large")["detail"]
    large = {"height": 101, "width": 100, "mines": 5}
    assert_problem(service.ask("generate", large), 413, "too-large")
    assert_problem(service.ask("batch", {"requests": [{}] * 1001}), 413, "too-large")


def test_headers_without_end_are_refused(service: Service) -> None:
    long = service.request("GET", "/healthz", b"", {"X": "x" * MAX_HEADER_BYTES})
    assert_problem_without_headers(long, 431)
    many = {f"X-{number}": "x" * 100 for number in range(400)}
    assert_problem_without_headers(service.request("GET", "/healthz", b"", dict(many)), 431)


def assert_problem_without_headers(answer: Answer, status: int) -> None:
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json["status"] == status


def _chunked(service: Service, *lines: bytes) -> bytes:
    """A question in one chunk, and what follows the last of them."""
    headers: dict[str, str | None] = {"Content-Length": None, "Transfer-Encoding": "chunked"}
    head = service.message("POST", "/api/v1/analyze", b"", headers)
    body = json.dumps({"board": BOARD, "fields": ["solutions"]}).encode()
    return head + b"%x\r\n%b\r\n0\r\n" % (len(body), body) + b"".join(line + b"\r\n" for line in lines)


def test_trailers_are_no_headers_and_have_an_end(service: Service) -> None:
    with service.connect() as connection:
        connection.sendall(_chunked(service, b"Host: evil.example", b"Content-Type: text/plain", b""))
        assert read_answer(connection).json == {"solutions": "4"}
    with service.connect() as connection:
        connection.sendall(_chunked(service))
        time.sleep(0.05)  # together with the question they would be read at once, and that is all of them
        connection.sendall(b"X: " + b"a" * MAX_HEADER_BYTES)
        assert_problem_without_headers(read_answer(connection), 431)


@pytest.mark.parametrize("protocol", ["h2c", "websocket"])
def test_who_offers_another_protocol_is_answered_in_this_one(service: Service, protocol: str) -> None:
    """As Java's client does, whose questions were taken for empty."""
    offer: dict[str, str | None] = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": protocol}
    body = json.dumps({"board": BOARD, "fields": ["solutions"]}).encode()
    message = service.message("POST", "/api/v1/analyze", body, offer | {"HTTP2-Settings": "AAEAAEAA"})
    with service.connect() as connection:
        for pieces in ((message,), (message[:-9], message[-9:]), (message[:60], message[60:])):
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(0.02)
            assert read_answer(connection).json == {"solutions": "4"}


def test_what_is_not_http_is_a_400(service: Service) -> None:
    with service.connect() as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00garbage\r\n\r\n")
        assert_problem_without_headers(read_answer(connection), 400)


ODD_HOSTS = ("[::1].evil.example", "[::1]evil", "[::1", "localhost:80@evil.example", "localhost:a")


def test_foreign_hosts_are_a_421(service: Service) -> None:
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", *ODD_HOSTS, "", None):
        answer = service.request("GET", "/healthz", b"", {"Host": host})
        assert answer.status in (400, 421), host
    assert_problem(service.ask("analyze", {"board": BOARD}, {"Host": "evil.example"}), 421, "not-this-host")
    for host in ("localhost", f"LOCALHOST:{service.port}", "[::1]:1", "127.0.0.1", "localhost.:80"):
        assert service.request("GET", "/healthz", b"", {"Host": host}).status == 200


def test_two_hosts_are_none(service: Service) -> None:
    body = json.dumps({"board": BOARD}).encode()
    for path, method in (("/healthz", "GET"), ("/api/v1/analyze", "POST")):
        message = service.message(method, path, body)
        for double in (b"Host: evil.example\r\nHost:", b"Host: localhost\r\nHost:"):
            with service.connect() as connection:
                connection.sendall(message.replace(b"Host:", double, 1))
                assert_problem(read_answer(connection), 421, "not-this-host")


def test_hosts_of_a_service_for_all() -> None:
    hosts = Hosts(names_of("0.0.0.0"))
    assert hosts.allow(b"192.0.2.7:8817")
    assert hosts.allow(socket.gethostname().encode())
    assert not hosts.allow(b"evil.example")
    assert Hosts(["*"]).allow(b"evil.example")


def test_other_origins_may_not_ask_unless_they_are_told_of(service: Service) -> None:
    origin: dict[str, str | None] = {"Origin": "https://page.example"}
    assert "access-control-allow-origin" not in service.ask("analyze", {"board": BOARD}, origin).headers
    assert service.request("OPTIONS", "/api/v1/analyze", b"", origin).status == 405


def test_files_have_types_and_tags(service: Service) -> None:
    page = service.request("GET", "/")
    assert page.status == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"
    again = service.request("GET", "/", b"", {"If-None-Match": f'W/"x", {page.headers["etag"]}'})
    assert (again.status, again.body) == (304, b"")
    with service.connect() as connection:
        connection.sendall(service.message("HEAD", "/", b"", {"Connection": "close"}))
        head = connection.makefile("rb").read()
    assert head.endswith(b"\r\n\r\n")
    assert f"content-length: {len(page.body)}".encode() in head
    assert files_of()["/"].content == page.body


def test_an_empty_folder_says_how_to_build_the_page(tmp_path: Any) -> None:
    assert b"npm run build" in files_of(tmp_path)["/"].content
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.js").write_text("1")
    (tmp_path / "index.html").write_text("<p>")
    files = files_of(tmp_path)
    assert set(files) == {"/", "/index.html", "/assets/a.js"}
    assert files["/assets/a.js"].type == "text/javascript; charset=utf-8"
    assert files["/assets/a.js"].lasting
    assert not files["/"].lasting
    assert FOLDER.parent.name == "service"


def test_documents_ask_no_other_origin(service: Service) -> None:
    page = service.request("GET", "/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    text = page.body.decode()
    assert not re.search(r"<script|style=|(?:src|href)=[\"']?(?:https?:)?//", text)
    assert service.request("GET", "/docs.css").headers["content-type"].startswith("text/css")
    for kind in TITLES:
        assert f'id="{kind}"' in text
    for name in (*QUESTIONS, "batch"):
        assert f"POST /api/v1/{name}<" in text
    described = service.request("GET", "/openapi.json").json
    assert described["openapi"].startswith("3.1")


def test_health_and_metrics(service: Service) -> None:
    assert service.request("GET", "/healthz").json == {"status": "up"}
    wait_until(lambda: service.request("GET", "/readyz").status == 200)
    assert service.request("GET", "/readyz").json["status"] == "ready"
    service.ask("analyze", {"board": BOARD})
    text = service.request("GET", "/metrics").body.decode()
    assert re.search(r'^msat_replies_total\{path="analyze",status="200"\} \d+$', text, re.MULTILINE)
    assert re.search(r'^msat_lag_seconds_bucket\{le="\+Inf"\} \d+$', text, re.MULTILINE)
    assert "/api/v1/nothing" not in text
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z_]+(\{[^{}]*\})? [0-9.e+-]+", line) for line in lines)


def test_packages_that_are_missing_are_told_without_the_machine() -> None:
    from msat.errors import MissingPackage

    told = problem_of(
        MissingPackage("CP-SAT needs the package ortools: /home/me/python -m pip install ortools")
    )
    assert told.body["detail"] == "CP-SAT needs the package ortools, which this service was installed without"
