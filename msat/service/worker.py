"""A worker: a process that answers one dear question after the other, and can be killed at any moment.

It is forked from the nursery, in which everything is loaded already, so that a killed one is soon replaced.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import traceback
from typing import Any

import msgspec

from msat.errors import MsatError
from msat.interrupting import is_left_behind
from msat.questions.ask import ask
from msat.questions.reading import read
from msat.service.boards import read_board
from msat.service.frames import ANSWER, HELLO, LAST, PROBLEM, PROGRESS, QUESTION, pack, receive
from msat.service.problems import Problem, failure, problem_of
from msat.wording import as_field, naming

__all__ = ["plain_answer", "work"]

NICENESS = 10
"""Workers give way to the serving process: cheap questions do not wait for dear ones."""

LONGEST_NUMBER = 1_000_000
"""Digits of a number of layouts that is written out."""


def work(connection: socket.socket, memory: int) -> None:
    """Answer what comes until the other side has gone; `memory` is the most, in MB."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    sys.set_int_max_str_digits(LONGEST_NUMBER)
    os.nice(NICENESS)
    _limit_memory(memory << 20)
    connection.sendall(pack(HELLO, str(os.getpid()).encode()))
    while (frame := receive(connection)) is not None:
        sign, content = frame
        assert sign == QUESTION
        head, _, body = content.partition(b"\n")
        name, most = head.decode().split()
        reply = _reply(connection, name, body, int(most))
        if is_left_behind():
            # Work that was cut short and has not noticed yet would slow the next question down.
            connection.sendall(pack(LAST, b"") + reply)
            return
        connection.sendall(reply)


def _reply(connection: socket.socket, name: str, body: bytes, most: int) -> bytes:
    def progress(done: int, of: int) -> None:
        connection.sendall(pack(PROGRESS, msgspec.json.encode({"done": done, "of": of})))

    with naming(as_field):
        try:
            question = read(name, body)
            answer = ask(question, progress, read_board(question, most))
            return pack(ANSWER, msgspec.json.encode(plain_answer(answer)))
        except Problem as refused:
            problem = refused
        except MsatError as error:
            problem = problem_of(error)
        except MemoryError:
            problem = Problem(504, "budget", "the answer takes more memory than a worker may have")
        except Exception:
            traceback.print_exc()  # to the log of the service, not to the client
            problem = failure()
    return pack(PROBLEM, msgspec.json.encode(problem.body))


def plain_answer(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer as readers in other languages take it: their numbers have 53 bits, `solutions` has more."""
    if type(answer.get("solutions")) is int:
        answer["solutions"] = str(answer["solutions"])
    if answer.get("seed", 0) >= 1 << 53:
        answer["seed"] = str(answer["seed"])
    return answer


def _limit_memory(most: int) -> None:
    """Let allocations beyond the limit fail, on top of what was there when the worker began."""
    try:
        import resource

        with open("/proc/self/status", encoding="ascii") as status:
            now = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData:"))
        resource.setrlimit(resource.RLIMIT_DATA, (now + most, now + most))
    except (ImportError, OSError, ValueError, StopIteration):
        pass  # elsewhere the supervisor watches alone
