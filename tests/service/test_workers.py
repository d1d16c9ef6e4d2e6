"""Dear questions: they end with their budget, with their client, with their worker, and with the service."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count

import pytest

from msat.questions.ask import ask
from msat.questions.reading import convert
from msat.service import batches
from msat.service.answering import Answering, Dear, Reply
from msat.service.batches import Batches
from msat.service.boards import LONG_TEXT
from msat.service.settings import Settings
from msat.service.workers import Pool, Stopped, TooMuchMemory
from tests.service.test_http import assert_problem
from tests.support.clock import wait_until
from tests.support.command import children
from tests.support.service import LONG, Service, read_answer

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


def test_a_nursery_that_was_killed_is_there_again_before_it_is_needed(service: Service) -> None:
    """Its workers live on; but the next one of them that dies would wait until all is loaded."""
    idle(service)
    [nursery] = children(service.process.pid)
    before = service.workers()
    os.kill(nursery, signal.SIGKILL)
    wait_until(lambda: set(children(service.process.pid)) - {nursery})
    assert service.ask("explain", SAFE).status == 200
    for pid in before:  # whose number nobody else has while the service holds their sockets
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: len(service.workers()) == 2)
    idle(service)


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_knows_its_address_can_end_it(number: signal.Signals) -> None:
    for _ in range(2):
        fresh = Service("--workers", "1")
        fresh.process.send_signal(number)
        assert fresh.ended() == (0, "")


def test_two_signals_end_it_at_once_without_a_word(small: Service) -> None:
    with small.begin() as connection:
        small.wait_for("msat_workers_busy", 1)
        small.process.send_signal(signal.SIGINT)
        wait_until(lambda: small.request("GET", "/readyz").status == 503)
        small.process.send_signal(signal.SIGINT)
        assert read_answer(connection).status == 503
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
    refused = modest.ask("analyze", {"board": "?1? 1"}, other).headers
    assert "access-control-allow-origin" not in refused
    assert refused["vary"] == "origin"
    assert modest.request("OPTIONS", "/api/v1/analyze", b"", other).status == 405


@asynccontextmanager
async def one_worker() -> AsyncIterator[Pool]:
    """A pool whose one worker is there."""
    pool = Pool(workers=1, queue=1, memory=1024)
    pool.start(compiled=False)
    try:
        await there(pool)
        yield pool
    finally:
        await pool.close()


async def there(pool: Pool) -> None:
    while not pool.alive:
        await asyncio.sleep(0.05)


async def answered(pool: Pool) -> None:
    good, body = await pool.run(b"explain 10000\n" + json.dumps(SAFE).encode(), 600)
    assert good, body


def test_a_dead_worker_that_nobody_has_noticed_yet_is_replaced() -> None:
    async def die() -> None:
        async with one_worker() as pool:
            [worker] = pool._idle
            os.kill(worker.pid, signal.SIGKILL)
            while not worker.dead:  # looked at more often than the pool itself does
                await asyncio.sleep(0)
            await answered(pool)
            assert pool.replaced == 1

    asyncio.run(die())


def test_what_a_worker_was_forked_with_is_not_its_own() -> None:
    """What all share, a hundred megabytes and more, used to count as the memory of each."""

    async def look() -> None:
        async with one_worker() as pool:
            [worker] = pool._idle
            await answered(pool)
            assert worker.memory() < 64 << 20

    asyncio.run(look())


def test_a_nursery_from_before_kernels_were_compiled_leaves_nothing_behind() -> None:
    async def renew() -> None:
        async with one_worker() as pool:
            before = pool._nursery
            assert before is not None
            pool.renew()
            while before._process.returncode is None:  # which only who waits for it finds out
                await asyncio.sleep(0.05)
            await there(pool)

    asyncio.run(renew())


def test_a_worker_that_grows_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def grow() -> None:
        async with one_worker() as pool:
            with monkeypatch.context() as patch:
                patch.setattr("msat.service.workers._Worker.memory", lambda worker: 1025 << 20)
                with pytest.raises(TooMuchMemory):
                    await pool.run(b"hint 10000\n" + json.dumps(LONG).encode(), 600)
            await there(pool)
            await answered(pool)
            assert pool.replaced == 1
        with pytest.raises(Stopped):
            await pool.run(b"explain 10000\n{}", 600)

    asyncio.run(grow())


def test_a_system_without_room_for_a_process_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place in the pool outlives that nothing could be started for it."""
    begun = 0

    class Nursery:
        alive = False

        def __init__(self, memory: int, compiled: bool) -> None:
            nonlocal begun
            begun += 1
            if begun > 1:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

        def close(self) -> None:
            pass

        def wait(self) -> None:
            pass

    async def run() -> None:
        pool = Pool(workers=1, queue=1, memory=1024)
        pool.start(compiled=False)
        while begun < 4 and not any(slot.done() for slot in pool._slots):
            await asyncio.sleep(0.01)
        await pool.close()

    monkeypatch.setattr("msat.service.workers.Nursery", Nursery)
    asyncio.run(run())
    assert begun == 4


def test_a_cheap_question_stays_one_when_others_have_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the clock goes on between two steps of the work; and there, workers come last."""
    answering = Answering(Settings(), Pool(1, 0, 256))
    question = {"board": "??1/3?2/??? 3"}
    for name in ("analyze", "cells", "sample"):
        ask(convert(name, question))  # so that all is loaded
    monkeypatch.setattr("msat.deadline.now", count(1000).__next__)
    for name in ("analyze", "cells", "sample"):
        reply = answering.begin(name, json.dumps(question).encode())
        assert isinstance(reply, Reply)
        assert reply.status == 200


@pytest.mark.parametrize("sign", ["?", "1 ", "?\n", "<tr><td>1"])
def test_long_texts_are_read_by_a_worker(sign: str) -> None:
    """A megabyte that is no board kept everybody waiting for seconds."""
    answering = Answering(Settings(), Pool(1, 0, 256))
    text = ("<table>" if "<" in sign else "") + sign * (LONG_TEXT // len(sign) + 1)
    for name in ("analyze", "convert"):
        assert isinstance(answering.begin(name, json.dumps({"board": text}).encode()), Dear)


def test_few_batches_are_worked_on_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one thread for all of them: the more there are, the more is held at once."""
    begun: list[int] = []
    usual = batches._begun_all

    async def begun_all(answering: Answering, body: bytes) -> list[Reply | Dear]:
        begun.append(1)
        assert len(begun) <= batches.AT_ONCE
        await asyncio.sleep(0)
        found = await usual(answering, body)
        begun.pop()
        return found

    async def ask() -> list[bytes]:
        asked = Batches(Answering(Settings(), Pool(1, 0, 256)))
        body = b'{"requests": [{"path": "analyze", "board": "?1? 1", "fields": ["probability"]}]}'
        return await asyncio.gather(*(asked.answer(body) for _ in range(20)))

    monkeypatch.setattr(batches, "_begun_all", begun_all)
    expected = b'{"answers":[{"status":200,"body":{"probability":[[0.5,null,0.5]]}}]}'
    assert asyncio.run(ask()) == [expected] * 20
