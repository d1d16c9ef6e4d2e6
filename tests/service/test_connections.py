"""Slow senders, idle connections, events, the client, and the service in another server."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import socket
import subprocess
import threading
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from msat import Board, Game, Layout, MsatError
from msat.service import Client, ServiceError, app, kernels
from msat.service.accepting import Accepting
from msat.service.application import Application
from msat.service.connection import limited
from msat.service.server import serve
from msat.service.settings import Settings
from msat.service.static import FOLDER
from tests.service.test_http import assert_problem_without_headers
from tests.support.clock import PATIENCE, wait_until
from tests.support.service import LONG, Service, read_answer

BOARD = "??1/3?2/??? 3"
BODY = json.dumps({"board": BOARD, "fields": ["solutions"]}).encode()


def test_slow_senders_are_told_so(modest: Service) -> None:
    whole = modest.message("POST", "/api/v1/analyze", BODY)
    with modest.connect() as first, modest.connect() as second, modest.connect() as third:
        first.sendall(whole[:20])  # in the middle of the headers
        second.sendall(whole[:-5])
        assert_problem_without_headers(read_answer(first), 408)
        assert_problem_without_headers(read_answer(second), 408)
        assert third.recv(1) == b""  # who says nothing at all is not told anything


def descriptors(service: Service) -> int:
    """How many files and connections the serving process has open."""
    return len(os.listdir(f"/proc/{service.process.pid}/fd"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="looks for open connections there")
def test_who_takes_no_reply_is_let_go(modest: Service) -> None:
    """Otherwise what was to be sent would be held for ever."""
    body = json.dumps({"board": f"{'/'.join(['?' * 30] * 30)} 99", "n": 6000}).encode()
    modest.wait_for("msat_workers", 1)
    before = descriptors(modest)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect((modest.host, modest.port))
        connection.sendall(modest.message("POST", "/api/v1/sample", body))
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")
        wait_until(lambda: descriptors(modest) <= before)


def test_who_takes_a_reply_slowly_gets_all_of_it() -> None:
    transport = _Transport()

    async def connect() -> None:
        connection = _connected(limited(1.0, connections=1), transport)
        transport.waiting = 100
        connection.pause_writing()
        transport.waiting = 90
        connection._close_untaken(100)
        assert transport.sent == []
        connection.resume_writing()
        assert connection._untaken is None
        connection.pause_writing()
        connection._close_untaken(90)
        assert transport.sent == [b"aborted"]

    asyncio.run(connect())


def test_many_idle_connections_keep_nobody_out(service: Service) -> None:
    with ExitStack() as stack:
        idle = [stack.enter_context(service.connect()) for _ in range(500)]
        assert service.ask("analyze", BODY).json == {"solutions": "4"}
        assert service.gauge("msat_under_way") == 1
        idle[250].sendall(service.message("POST", "/api/v1/analyze", BODY))
        assert read_answer(idle[250]).json == {"solutions": "4"}


def test_requests_one_after_the_other_and_all_at_once_on_one_connection(service: Service) -> None:
    message = service.message("POST", "/api/v1/analyze", BODY)
    with service.connect() as connection:
        for _ in range(3):
            connection.sendall(message)
            assert read_answer(connection).json == {"solutions": "4"}
        connection.sendall(message * 3)
        file = connection.makefile("rb")
        for _ in range(3):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = file.readline()
                assert line, "the connection was closed in the middle of an answer"
                head += line
            assert head.startswith(b"HTTP/1.1 200 ")
            assert file.read(len(b'{"solutions":"4"}')) == b'{"solutions":"4"}'


class _Transport:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.sent.append(b"closed")

    def abort(self) -> None:
        self.sent.append(b"aborted")

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, _: str) -> None:
        return None

    def resume_reading(self) -> None:
        pass


def _connected(protocol: Any, transport: _Transport) -> Any:
    """A connection that has just been made."""
    import uvicorn
    from uvicorn.server import ServerState

    config = uvicorn.Config(app(), lifespan="off", log_level="critical")
    connection = protocol(config, ServerState(), {})
    connection.connection_made(transport)
    return connection


def test_a_connection_that_is_reset_is_let_go_at_once() -> None:
    async def connect() -> None:
        connection = _connected(limited(1.0, connections=1), _Transport())
        connection.on_response_complete()
        waiting = connection.timeout_keep_alive_task
        connection.connection_lost(ConnectionResetError())
        assert waiting.cancelled()
        assert connection.timeout_keep_alive_task is None

    asyncio.run(connect())


def test_too_many_connections_are_refused() -> None:
    transport = _Transport()

    async def connect() -> None:
        connection = _connected(limited(1.0, connections=0), transport)
        connection.data_received(b"GET / HTTP/1.1\r\n\r\n")  # too late

    asyncio.run(connect())
    sent = transport.sent
    assert sent[0].startswith(b"HTTP/1.1 503 ")
    assert sent[1:] == [b"closed"]


def test_events_tell_how_far_it_is_and_then_the_result(service: Service) -> None:
    with service.client() as client:
        *progress, (last, result) = client.events("hint", LONG | {"seconds": 1})
        assert last == "result"
        assert result["kind"] == "sampled"
        for event, data in progress:
            assert event == "progress"
            assert 0 <= data["done"] <= data["of"] == 1
        moves = [{"kind": "open", "cell": [0, 0], "reason": "", "probability": None, "seconds": None}]
        layout = {"height": 2, "width": 3, "mines": 2, "start": None, "rows": ["..*", "*.."]}
        head = {"format": "msat-record", "version": 2, "strategy": None, "seconds": 0}
        record = head | {"layout": layout, "moves": moves}
        told = list(client.events("review", {"record": record}))
        assert told[-2] == ("progress", {"done": 2, "of": 2})
        assert told[-1] == ("result", client.review(record=record))
        assert [event for event, _ in client.events("generate", {"preset": "beginner"})] == ["result"]
        [(event, problem)] = client.events("hint", {"board": "1?/0? 1"})
        assert (event, problem["status"], problem["clues"]) == ("problem", 422, [[0, 0], [1, 0]])
        with pytest.raises(ServiceError, match="not a cell"):
            list(client.events("hint", {"board": "9? 1"}))


def test_a_client_that_leaves_its_events_frees_the_worker(service: Service) -> None:
    client = service.client()
    events = client.events("hint", LONG)
    assert next(events)[0] == "progress"
    service.wait_for("msat_workers_busy", 1)  # it may still have been on its way
    client.close()
    events.close()  # type: ignore[attr-defined]
    del events
    service.wait_for("msat_workers_busy", 0)


def test_the_client_asks_everything(service: Service) -> None:
    with service.client() as client:
        assert client.analyze(board=BOARD, fields=["solutions"]) == {"solutions": "4"}
        assert client.cells(board=BOARD)["marks"] == []
        assert client.hint(board=BOARD)["cells"] == [[2, 2]]
        assert client.explain(board=BOARD, cell=[2, 2])["verdict"] == "safe"
        assert client.win(board="?1? 1")["win"] == 0.5
        assert len(client.sample(board=BOARD, n=3)["layouts"]) == 3
        assert client.encode(board=BOARD)["text"].startswith("c ")
        assert client.generate(preset="beginner")["layout"]["mines"] == 10
        assert client.convert(board=BOARD, to="line")["forms"] == {"line": BOARD}
        board = Board.parse(BOARD)
        for given, mines in ((board, None), (board.to_array(), 3), (board.to_array().tolist(), 3)):
            assert client.analyze(board=given, mines=mines, fields=["safe"]) == {"safe": [[2, 2]]}
        assert client.explain(board=board, cell=np.array([2, 2]))["verdict"] == "safe"
        assert client.review(record=Game(Layout.from_mines(1, 2, [(0, 1)])).record)["state"] == "playing"
        with pytest.raises(TypeError, match=r"^<object.*> is nothing to ask about: expected texts"):
            client.analyze(board=object())
        [answer] = client.batch([{"path": "analyze", "board": BOARD, "fields": ["solutions"]}])
        assert answer == {"status": 200, "body": {"solutions": "4"}}
        client._connection.sock.shutdown(socket.SHUT_RDWR)  # as the service does after a while
        assert client.analyze(board=BOARD, fields=["mines"]) == {"mines": 3}
        with pytest.raises(ServiceError) as caught:
            client.analyze(board="1?/0? 1")
        assert caught.value.status == 422
        assert caught.value.problem["clues"] == [[0, 0], [1, 0]]
    with pytest.raises(ValueError, match="no address"):
        Client("127.0.0.1:8817")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_example_in_javascript(service: Service) -> None:
    text = (FOLDER.parents[2] / "docs" / "service.md").read_text("utf-8")
    example = text.partition("```js\n")[2].partition("```")[0]
    program = (
        example.replace("http://127.0.0.1:8817", service.address)
        + "console.log(JSON.stringify([safe, why.verdict, text]));"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-"], input=program, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    safe, verdict, told = json.loads(done.stdout)
    assert (safe, verdict) == ([[0, 1], [0, 2]], "safe")
    assert told[0].startswith("look at ")


def test_the_client_tells_that_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    client = Client(address)
    for _ in range(2):
        with pytest.raises(
            ConnectionError, match=rf"^nobody answers at {address} \(.+\): start `msat serve`"
        ) as told:
            client.analyze(board=BOARD)
        assert isinstance(told.value, MsatError)


def test_the_client_survives_what_is_no_answer(service: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with Client(address, timeout=0.05) as hasty:
            for _ in range(2):  # the second question is not mixed up with the first
                with pytest.raises(TimeoutError):
                    hasty.analyze(board=BOARD)
                listener.accept()[0].close()
        for said in (b"<html>Bad Gateway</html>", b"[1]", b"null"):
            thread = threading.Thread(target=_answer_once, args=(listener, b"502 Bad Gateway", said))
            thread.start()
            with Client(address, timeout=PATIENCE) as client, pytest.raises(ServiceError) as caught:
                client.analyze(board=BOARD)
            assert (caught.value.status, str(caught.value)) == (502, f"status 502, no JSON: {said.decode()}")
            thread.join()
        thread = threading.Thread(target=_answer_all, args=(listener,))
        thread.start()
        with Client(address, timeout=PATIENCE, retries=1) as client:
            assert client.analyze(board=BOARD) == {}
        thread.join()
    with service.client() as client:
        for _, _ in client.events("hint", LONG):
            break
        assert client.analyze(board=BOARD, fields=["solutions"]) == {"solutions": "4"}


def _answer_all(listener: socket.socket) -> None:
    """As a proxy that has too much to do, and then has not."""
    _answer_once(
        listener, b"429 Too Many\r\nConnection: close\r\nRetry-After: Wed, 01 Jan 2020 00:00:00 GMT", b"no"
    )
    _answer_once(listener, b"200 OK", b"{}")


def _answer_once(listener: socket.socket, status: bytes, body: bytes) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(65536)
        head = b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % (status, len(body)) + body)


async def _ask(application: Application, path: str, root: str = "") -> tuple[int, Any]:
    """The status and what the reply says, of the application alone."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": BODY}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": root + path, "root_path": root, "headers": headers}
    await application(scope, receive, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


def test_any_server_can_run_the_application() -> None:
    """Without a lifespan, under a prefix: as plain ASGI as it gets."""

    async def run() -> None:
        application = app(workers=1)
        try:
            assert await _ask(application, "/api/v1/analyze", "/solver") == (200, {"solutions": "4"})
            assert (await _ask(application, "/nothing"))[0] == 404
        finally:
            await application.close()

    asyncio.run(run())


def _cannot_load() -> None:
    raise MemoryError("no room for kernels")


def test_who_asks_what_could_not_be_loaded_is_told_so_every_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also a dear question, for which there will never be a worker."""
    monkeypatch.setattr(kernels, "_load", _cannot_load)

    async def run() -> None:
        application = app(workers=1)
        for _ in range(2):
            status, problem = await _ask(application, "/api/v1/hint")
            assert (status, problem["detail"]) == (500, "an error of msat, which its log tells more about")
        await application.close()

    asyncio.run(run())
    assert [record.exc_text for record in caplog.records if "no room for kernels" in (record.exc_text or "")]


def test_a_service_that_cannot_load_ends(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "_load", _cannot_load)
    assert serve("127.0.0.1", 0, Settings(workers=1)) == 1
    assert capsys.readouterr().out.startswith("http://127.0.0.1:")
    assert "the service could not begin" in caplog.text
    assert "no room for kernels" in caplog.text


def test_an_answer_at_once_is_that_of_the_usual_way(service: Service) -> None:
    """A request that asks for the connection to be closed takes the usual way (`msat/service/quick.py`)."""
    large = "/".join(["?" * 40] * 40) + " 100"
    for name, question, status in [
        ("analyze", {"board": BOARD}, 200),
        ("analyze", {"board": BOARD, "fields": ["probability"]}, 200),
        ("analyze", {"board": large, "fields": ["rest_probability"]}, 200),  # by a worker
        ("cells", {"board": BOARD}, 200),
        ("sample", {"board": BOARD, "seed": 1}, 200),
        ("convert", {"board": BOARD}, 200),
        ("analyze", {"board": "1?/0? 1", "fields": ["probability"]}, 422),
        ("analyze", {"board": "?9 1"}, 422),
        ("analyze", [], 422),
    ]:
        at_once = service.ask(name, question)
        usual = service.ask(name, question, {"Connection": "close"})
        assert (at_once.status, at_once.body) == (status, usual.body)
        headers = [set(each.headers) - {"connection"} for each in (at_once, usual)]
        assert headers[0] == headers[1]
        assert at_once.headers["content-type"] == usual.headers["content-type"]
    assert service.ask("analyze", b"{").status == 400


def test_a_question_in_pieces_is_answered_when_it_is_whole(service: Service) -> None:
    message = service.message("POST", "/api/v1/analyze", BODY)
    with service.connect() as connection:
        for piece in (message[:30], message[30 : -len(BODY)], message[-len(BODY) : -9], message[-9:]):
            connection.sendall(piece)
        assert read_answer(connection).json == {"solutions": "4"}


class _Listener:
    """A listening socket without descriptors left, once."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setblocking(False)
        self.address = self._socket.getsockname()
        self.fileno = self._socket.fileno
        self.close = self._socket.close
        self.failures = [errno.EMFILE, errno.ECONNABORTED]

    def accept(self) -> Any:
        if self.failures:
            raise OSError(self.failures.pop(), "not now")
        return self._socket.accept()


def test_all_clients_that_wait_are_let_in_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvloop lets one in for each turn of the loop, in which everybody else is answered."""
    monkeypatch.setattr("msat.service.accepting.PAUSE", 0)

    async def accept() -> int:
        listener: Any = _Listener()
        clients = [socket.create_connection(listener.address) for _ in range(20)]
        made: list[asyncio.Protocol] = []

        def protocol() -> asyncio.Protocol:
            made.append(asyncio.Protocol())
            return made[-1]

        accepting = Accepting(listener, protocol)
        turns = 0
        while len(made) < len(clients):
            await asyncio.sleep(0)
            turns += bool(not listener.failures)
        accepting.close()
        for each in (*clients, listener):
            each.close()
        return turns

    assert asyncio.run(accept()) < 10
