"""A first try of a foreign library in a process of its own, which may crash or never end without harm."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import warnings
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType

from bench.adapters import Peer
from bench.suites import Position

__all__ = ["ANSWERED", "FAILED", "TIMED_OUT", "Trial"]

ANSWERED, FAILED, TIMED_OUT = "answered", "failed", "timed out"

_FORK = multiprocessing.get_context("fork")


class Trial:
    """Tries a peer on positions, each within so many seconds; a process that is lost is started anew."""

    def __init__(self, peer: Peer, limit: float) -> None:
        self._peer = peer
        self._limit = limit
        self._place = tempfile.TemporaryDirectory()  # some leave the log of a crash where they were started
        self._start()

    def _start(self) -> None:
        self._here, there = _FORK.Pipe()
        self._process = _FORK.Process(target=_serve, args=(self._peer, there, self._place.name), daemon=True)
        with warnings.catch_warnings():
            # Python 3.12 warns of forks beside threads. A child that hangs is what this class is made for.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        assert self._process.pid is not None
        self._pid = self._process.pid
        there.close()

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._place.cleanup()

    def _end(self) -> None:
        # With what it has started itself: left behind, that would slow down whatever is timed next.
        with suppress(ProcessLookupError):  # it may be gone, or not lead its group yet
            os.killpg(self._pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self._here.close()

    def outcome(self, position: Position) -> str:
        """Whether the peer answers."""
        outcome = FAILED  # unless the process says otherwise: it may be gone
        with suppress(EOFError, OSError):
            self._here.send(position)
            if self._here.poll(self._limit):
                return ANSWERED if self._here.recv() else FAILED
            outcome = TIMED_OUT
        self._end()
        self._start()
        return outcome


def _serve(peer: Peer, connection: Connection, place: str) -> None:
    """Answer whether the peer answers, position by position, as the leader of a group of processes."""
    os.setpgid(0, 0)
    os.chdir(place)
    while True:
        position = connection.recv()
        try:
            peer.read(peer.ask(peer.prepare(position)))
        except BaseException:  # a foreign library may raise anything, panics included
            connection.send(False)
        else:
            connection.send(True)
