"""A service on a machine that has compiled nothing: it answers, and goes on answering when kernels change."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from msat._kernel_cache import all_kept, cache_folder, first_kept
from msat.service import kernels, worker
from tests.conftest import CHECKED, JIT
from tests.support.clock import wait_until
from tests.support.service import Service

BOARD = "??1/3?2/??? 3"
BLANK = "/".join(["????????"] * 8) + " 12"

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("analyze", {"board": BOARD}),
    ("analyze", {"board": "?1????/??????/??2??? 6", "fields": ["probability"]}),
    ("cells", {"board": BOARD}),
    ("sample", {"board": BOARD, "n": 3, "seed": 7}),
    ("explain", {"board": BOARD, "cell": [2, 2]}),
    ("win", {"board": "?1??/???? 2", "every_move": True}),
    ("analyze", {"board": "1?/0? 1"}),
    ("batch", {"requests": [{"path": "analyze", "board": BOARD}, {"path": "hint", "board": "?1? 1"}]}),
]
"""Those that are answered by the serving process, by workers, and not at all."""


@pytest.fixture
def unprepared(tmp_path: Path) -> Path:
    """A cache that holds kernels, if this machine has any, but not the note that they are all there.

    So the service begins with plain ones and starts to compile, which is then soon done.
    """
    kept = cache_folder()
    folder = tmp_path / "msat-kernels"
    folder.mkdir()
    for file in kept.iterdir() if kept is not None and kept.is_dir() else ():
        if file.name not in (all_kept(), first_kept()) and not file.name.endswith(".claim"):
            try:
                os.link(file, folder / file.name)
            except OSError:
                shutil.copy2(file, folder)
    return tmp_path


def test_a_hint_on_a_blank_board_without_compiled_kernels_is_a_move() -> None:
    """Its chance to win, which takes minutes to estimate with plain kernels, is left out."""
    service = Service("--workers", "1", "--budget", "5", MSAT_KERNELS="plain")
    for asked in ({}, {"level": 4}):
        answer = service.ask("hint", {"board": BLANK, **asked})
        assert answer.status == 200, answer.body
        assert answer.json["cell"] == [0, 0]
    assert service.stop() == (0, "")


@pytest.mark.skipif(not JIT or not hasattr(os, "getpriority"), reason="about processes that compile")
def test_on_a_machine_that_has_compiled_nothing_a_guess_is_answered_before_all_else(tmp_path: Path) -> None:
    """Without games, which says so; what compiles gives way to workers, and these to the serving process."""
    allow = ("--workers", "1", "--budget", "3600")
    service = Service(*allow, NUMBA_CACHE_DIR=str(tmp_path), MSAT_KERNELS="auto")
    answers = [service.ask("hint", {"board": BLANK, "budget": 3600, **few}) for few in ({}, {"seconds": 0.5})]
    assert (
        answers[0].body == answers[1].body
    )  # in half a second, which the page gives, it played for all of it
    told = answers[0].json
    assert (told["cell"], told["win"], told["games"]) == ([0, 0], None, 0)
    assert told["progress"] is not None
    why = 'kernels are not compiled, so no games are played without "seconds": 10'
    assert told["reasons"][-1] == f"how often it wins is not known: {why}"
    usual = os.getpriority(os.PRIO_PROCESS, service.process.pid)
    expected = {"warming": min(19, usual + kernels.NICENESS), "nursery": usual}
    wait_until(lambda: {name: _priority(service.process.pid, name) for name in expected} == expected)
    assert worker.NICENESS < kernels.NICENESS
    assert service.stop() == (0, "")


def _priority(parent: int, module: str) -> int | None:
    """How much the process that runs a module, a child of another one, gives way."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            stat = (process / "stat").read_text().rpartition(")")[2].split()
            if stat[1] == str(parent) and module in (process / "cmdline").read_text():
                return os.getpriority(os.PRIO_PROCESS, int(process.name))
    return None


@pytest.mark.skipif(not JIT or CHECKED, reason="about kernels that are exchanged for compiled ones")
def test_kernels_are_exchanged_while_questions_are_answered(unprepared: Path) -> None:
    service = Service("--workers", "1", NUMBA_CACHE_DIR=str(unprepared), MSAT_KERNELS="auto")
    expected = [service.ask(name, question) for name, question in QUESTIONS]
    assert [answer.status for answer in expected] == [200] * 6 + [422, 200]
    assert service.request("GET", "/readyz").json == {"status": "ready", "compiled": False, "compiling": True}
    ended = threading.Event()
    failures: list[Any] = []

    def ask() -> None:
        for (name, question), before in zip(QUESTIONS, expected, strict=True):
            answer = service.ask(name, question)
            if (answer.status, answer.body) != (before.status, before.body):
                failures.append((name, answer))

    def ask_on() -> None:
        while not ended.is_set():
            ask()

    askers = [threading.Thread(target=ask_on) for _ in range(2)]
    for asker in askers:
        asker.start()
    try:
        wait_until(lambda: service.request("GET", "/readyz").json["compiled"])
    finally:
        ended.set()
        for asker in askers:
            asker.join()
    ask()
    assert not failures
    wait_until(lambda: not service.request("GET", "/readyz").json["compiling"])
    assert service.stop() == (0, "")
