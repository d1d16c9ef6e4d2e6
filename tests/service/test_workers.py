"""Dear questions: they end with their budget, with their client, with their worker, and with the service."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from msat.service.workers import Pool, Stopped, TooMuchMemory
from tests.service.test_http import assert_problem
from tests.support.clock import wait_until
from tests.support.service import LONG, Service, children, read_answer

SAFE = {"board": "????/1111/0000 2"}


def idle(service: Service) -> None:
    """Wait until nothing is under way any more."""
    service.wait_for("msat_workers_busy", 0)
    service.wait_for("msat_waiting", 0)
    service.wait_for("msat_workers", 2)


def test_a_budget_ends_whatever_it_was_for(service: Service) -> None:
    asked = {"preset": "expert", "seed": 1, "difficulty": "fiendish", "budget": 0.001}
    told = assert_problem(service.ask("generate", asked), 504, "budget")
    assert "within 0.001 seconds" in told["detail"]
    assert (told["safe"], told["mined"]) == ([], [])
    # What the rules prove in a moment is told all the same.
    board = "/".join(["????????"] * 6 + ["11111111", "00000000"]) + " 12"
    told = assert_problem(service.ask("win", {"board": board}), 504, "budget")
    assert [5, 2] in told["safe"]
    idle(service)


def test_a_count_that_ends_with_its_budget_tells_what_is_proven(service: Service) -> None:
    """By the engine that finds forced cells first, and counts by listing layouts, one by one."""
    rows = ["?" * 25, *["?2" * 12 + "?", "?" * 25] * 12]
    asked = {"board": "/".join(rows) + " 150", "engine": "sat"}
    told = assert_problem(service.ask("analyze", asked | {"budget": 1}), 504, "budget")
    assert set(told) >= {"safe", "mined", "width"}
    forced = service.ask("analyze", asked | {"fields": ["safe", "mined"]})
    assert (forced.status, forced.json) == (200, {"safe": [], "mined": []})


def test_a_client_that_goes_away_frees_its_worker(service: Service) -> None:
    gone = [service.begin(), service.begin()]
    service.wait_for("msat_workers_busy", 2)
    waiting = service.begin()
    service.wait_for("msat_waiting", 1)
    waiting.close()
    service.wait_for("msat_waiting", 0)
    for connection in gone:
        connection.close()
    idle(service)
    assert service.ask("explain", SAFE).status == 200


def test_a_half_closed_connection_counts_as_gone(service: Service) -> None:
    with service.begin() as connection:
        service.wait_for("msat_workers_busy", 1)
        connection.shutdown(socket.SHUT_WR)
        idle(service)


def test_a_full_queue_is_a_429_and_cheap_questions_are_answered(service: Service) -> None:
    busy = [service.begin() for _ in range(2)]
    service.wait_for("msat_workers_busy", 2)
    queued = [service.begin() for _ in range(3)]
    service.wait_for("msat_waiting", 3)
    refused = service.ask("hint", LONG)
    assert_problem(refused, 429, "queue-full")
    assert int(refused.headers["retry-after"]) >= 1
    assert service.ask("analyze", {"board": "??1/3?2/??? 3", "fields": ["solutions"]}).json == {
        "solutions": "4"
    }
    batch = [{"path": "analyze", "board": "?1? 1", "fields": []}, {"path": "hint", "board": "?1? 1"}]
    statuses = [each["status"] for each in service.ask("batch", {"requests": batch}).json["answers"]]
    assert statuses == [200, 429]
    for connection in [*busy, *queued]:
        connection.close()
    idle(service)
    assert service.ask("explain", SAFE).status == 200


def test_a_killed_worker_costs_its_own_request_and_is_replaced(service: Service) -> None:
    before = set(service.workers())
    with service.begin() as first, service.begin() as second:
        service.wait_for("msat_workers_busy", 2)
        for pid in service.workers():
            os.kill(pid, signal.SIGKILL)
        for connection in (first, second):
            assert_problem(read_answer(connection), 500, "failed")
    idle(service)
    assert not before & set(service.workers())
    assert service.ask("explain", SAFE).status == 200


def test_workers_that_are_killed_while_idle_are_replaced(service: Service) -> None:
    idle(service)
    before = service.workers()
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: len(service.workers()) == 2 and not set(before) & set(service.workers()))
    idle(service)
    assert service.ask("explain", SAFE).status == 200


def test_the_nursery_may_be_killed_as_well(service: Service) -> None:
    [nursery] = children(service.process.pid)
    for pid in (nursery, *children(nursery)):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: nursery not in children(service.process.pid) and len(service.workers()) == 2)
    idle(service)
    assert service.ask("explain", SAFE).status == 200


def test_workers_die_under_load_and_everybody_is_answered(service: Service) -> None:
    statuses: list[int] = []

    def ask() -> None:
        for _ in range(5):
            statuses.append(service.ask("explain", SAFE).status)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for _ in range(5):
        for pid in service.workers():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    for asker in askers:
        asker.join()
    assert len(statuses) == 20
    assert set(statuses) <= {200, 429, 500}
    idle(service)
    assert service.ask("explain", SAFE).status == 200


@pytest.fixture
def small() -> Iterator[Service]:
    """A service of one's own, to be stopped in any way; with plain kernels it is there sooner."""
    running = Service("--workers", "1", "--budget", "600", "--grace", "1", MSAT_KERNELS="plain")
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.ended()


def test_a_stop_finishes_or_refuses_what_is_under_way(small: Service) -> None:
    short = [small.connect() for _ in range(4)]
    small.wait_for("msat_workers", 1)
    long = small.begin()
    small.wait_for("msat_workers_busy", 1)
    # These wait for the worker, and cannot be answered in the time of grace.
    for connection in short:
        connection.sendall(small.message("POST", "/api/v1/explain", json.dumps(SAFE).encode()))
    small.wait_for("msat_waiting", 4)
    idle_connection = small.connect()
    small.process.send_signal(signal.SIGTERM)
    for connection in (long, *short):
        with connection:
            assert_problem(read_answer(connection), 503, "not-ready")
    status, complaints = small.ended()
    assert (status, complaints) == (0, "")
    with idle_connection:
        assert idle_connection.recv(1) == b""


def test_a_stop_lets_questions_finish_that_can(small: Service) -> None:
    small.wait_for("msat_workers", 1)
    begun = small.begin(LONG | {"seconds": 1.5})
    small.wait_for("msat_workers_busy", 1)
    small.process.send_signal(signal.SIGTERM)
    with begun:
        answer = read_answer(begun)
    assert answer.status in (200, 503)  # by the machine's speed; but never nothing
    assert small.ended() == (0, "")


def test_nothing_stays_behind_when_the_service_is_killed(small: Service) -> None:
    small.wait_for("msat_workers", 1)
    with small.begin():
        small.wait_for("msat_workers_busy", 1)
        processes = [*children(small.process.pid), *small.workers()]
        assert len(processes) == 2
        small.process.kill()
        small.ended()
        wait_until(lambda: not any(alive(pid) for pid in processes))


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_worker_that_takes_too_much_memory_is_stopped(modest: Service) -> None:
    modest.wait_for("msat_workers", 1)
    rows = ["?" * 40, *["?1" * 20, "?" * 40] * 19]
    asked = {"board": "/".join(rows) + " 300", "engine": "counting", "fields": ["probability"]}
    told = assert_problem(modest.ask("analyze", asked), 504, "budget")
    assert "memory" in told["detail"]
    modest.wait_for("msat_workers", 1)
    assert modest.ask("explain", SAFE).status == 200


def test_origins_that_are_told_of_may_ask(modest: Service) -> None:
    origin: dict[str, str | None] = {"Origin": "https://page.example"}
    asked = modest.ask("analyze", {"board": "?1? 1"}, origin)
    assert asked.headers["access-control-allow-origin"] == "https://page.example"
    before = modest.request("OPTIONS", "/api/v1/analyze", b"", origin)
    assert before.status == 204
    assert "content-type" in before.headers["access-control-allow-headers"]
    other: dict[str, str | None] = {"Origin": "https://evil.example"}
    assert "access-control-allow-origin" not in modest.ask("analyze", {"board": "?1? 1"}, other).headers


def test_a_dead_worker_that_nobody_has_noticed_yet_is_replaced() -> None:
    async def die() -> None:
        pool = Pool(workers=1, queue=1, memory=1024)
        pool.start(compiled=False)
        try:
            while not pool.alive:
                await asyncio.sleep(0.05)
            [worker] = pool._idle
            os.kill(worker.pid, signal.SIGKILL)
            while not worker.dead:  # looked at more often than the pool itself does
                await asyncio.sleep(0)
            answered, body = await pool.run(b"explain\n" + json.dumps(SAFE).encode(), 600)
            assert answered, body
            assert pool.replaced == 1
        finally:
            await pool.close()

    asyncio.run(die())


def test_a_worker_that_grows_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def grow() -> None:
        pool = Pool(workers=1, queue=1, memory=1024)
        pool.start(compiled=False)
        try:
            while not pool.alive:
                await asyncio.sleep(0.05)
            with monkeypatch.context() as patch:
                patch.setattr("msat.service.workers._Worker.memory", lambda worker: 1025 << 20)
                with pytest.raises(TooMuchMemory):
                    await pool.run(b"hint\n" + json.dumps(LONG).encode(), 600)
            while not pool.alive:
                await asyncio.sleep(0.05)
            answered, body = await pool.run(b"explain\n" + json.dumps(SAFE).encode(), 600)
            assert answered, body
            assert pool.replaced == 1
        finally:
            await pool.close()
        with pytest.raises(Stopped):
            await pool.run(b"explain\n{}", 600)

    asyncio.run(grow())
