"""Takes connections from a listening socket: all that wait, each time that there are some.

uvloop takes one for each turn of its loop, and in a turn it answers everybody who has asked. So while many
ask, sixty new clients at once wait for sixty such turns, which took a second; here they wait for one.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable

__all__ = ["Accepting"]

AT_ONCE = 256
"""Connections that are taken at a time."""

PAUSE = 0.2
"""Seconds to wait where the system has no descriptors left."""

_GONE_AGAIN = (errno.ECONNABORTED, errno.EPROTO, errno.EINTR)


class Accepting:
    """Takes connections until it is closed; `protocol` makes what each is handled by."""

    def __init__(self, listener: socket.socket, protocol: Callable[[], asyncio.Protocol]) -> None:
        self._listener = listener
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._begun: set[asyncio.Task[object]] = set()
        self._later: asyncio.TimerHandle | None = None
        self._listen()

    def _listen(self) -> None:
        self._later = None
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, _address = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _GONE_AGAIN:
                    continue
                self._loop.remove_reader(self._listener)
                self._later = self._loop.call_later(PAUSE, self._listen)
                return
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            task = self._loop.create_task(self._loop.connect_accepted_socket(self._protocol, connection))
            self._begun.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._begun.discard(task)
        if not task.cancelled():
            task.exception()  # it went away again before it was there: nobody to be told

    def close(self) -> None:
        """Take no more."""
        self._loop.remove_reader(self._listener)
        if self._later is not None:
            self._later.cancel()
