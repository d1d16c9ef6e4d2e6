"""Our side of the process in which Ganak counts: kept from one question to the next, ended with the deadline.

Starting it takes a tenth of a second, most counts some milliseconds. So one process serves all questions, and
another is started where it had to be ended in the middle of one. It ends with ours, however that ends.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from typing import Any

from msat.deadline import Deadline
from msat.errors import EngineError

__all__ = ["ask"]

LATE = "Ganak did not finish counting"


class _GanakServer:
    """At most one process, for one question at a time."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._turn = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        atexit.register(self._close)

    def ask(self, task: dict[str, Any], deadline: Deadline) -> list[int]:
        with self._turn:
            deadline.check(LATE)
            process = self._running()
            left = deadline.left()
            alarm = None if left is None else threading.Timer(left, process.kill)
            try:
                if alarm:
                    alarm.start()
                line = _exchange(process, json.dumps(task) + "\n")
            except BaseException:  # Ctrl-C: the answer would be taken for that to the next question
                self._end()
                raise
            finally:
                if alarm:
                    alarm.cancel()
            if not line:
                status = self._end()
                deadline.check(LATE)
                raise EngineError(f"Ganak ended with exit status {status} while it counted")
        reply = json.loads(line)
        if isinstance(reply, dict):
            raise EngineError(f"Ganak failed: {reply['error']}")
        counts: list[int] = reply
        return counts

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "msat.engines.solvers.ganak_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is for us, and we end it
            )
        return self._process

    def _close(self) -> None:
        if self.owner == os.getpid() and self._process is not None:
            self._end()

    def _end(self) -> int:
        """End the process; its exit status."""
        process, self._process = self._process, None
        assert process is not None
        process.kill()
        with process:
            return process.wait()


_server = _GanakServer()


def ask(task: dict[str, Any], deadline: Deadline) -> list[int]:
    """Have a task counted (see `ganak_worker.py`); BudgetExceeded if that takes too long."""
    global _server
    if _server.owner != os.getpid():  # a fork: the process that it inherited serves its parent
        _server = _GanakServer()
    return _server.ask(task, deadline)


def _exchange(process: subprocess.Popen[str], line: str) -> str:
    """The answer to a line; empty if the process ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line)
        process.stdin.flush()
    except BrokenPipeError:
        return ""
    return process.stdout.readline()
